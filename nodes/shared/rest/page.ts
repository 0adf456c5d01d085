import type { AddressField } from '../credential/connection';
import { notJson, pageWithoutList, undecodablePage } from '../errors/answerErrors';
import { subjectNotFound } from '../errors/requestErrors';
import type { UnreadableError } from '../errors/ServiceError';
import { decodeText } from '../http/charset';
import type { ExchangeResponse } from '../http/send';
import { isWebPage, statusError } from '../http/statusErrors';
import { isObject, type Values } from '../values/values';
import { parseJson } from './json';

/** One page of a list. The body's shape is not specified, so several shapes are accepted. */
export interface Page {
	readonly rows: readonly unknown[];
	/** Whether it is the first or the last page; this and the following if its metadata state it. */
	readonly isFirst: boolean | undefined;
	readonly isLast: boolean | undefined;
	/** Number of pages of the whole list. */
	readonly pages: number | undefined;
	/** Number of rows of the whole list. */
	readonly total: number | undefined;
}

/** Credential field that holds the base address of the pages. */
export const REST_ADDRESS: AddressField = 'REST Address';

const LIST_KEYS = ['items', 'data', 'results', 'value', 'records', 'hourcodes', 'content'];
const METADATA_KEYS = ['metadata', 'meta', 'paging', 'pagination', 'pageinfo', 'page'];
const BEFORE_KEYS = ['haspreviouspage', 'hasprevious', 'hasprev'];
const FIRST_KEYS = ['isfirstpage', 'isfirst', 'first'];
const MORE_KEYS = ['hasnextpage', 'hasnext', 'hasmore'];
const LAST_KEYS = ['islastpage', 'islast', 'last'];
const PAGES_KEYS = ['totalpages', 'pagecount', 'totalpagecount'];
// Without "count" and "total": they may count this page alone.
const TOTAL_KEYS = ['totalcount', 'totalitems', 'totalrecords', 'totalresults', 'totalelements'];

/** An object's values by its keys in lower case, without `_` and `-`: `total_count` is `totalCount`. */
function folded(object: unknown): Values {
	const entries = Object.entries(isObject(object) ? object : {});
	return Object.fromEntries(
		entries.map(([key, value]) => [key.toLowerCase().replace(/[_-]/g, ''), value]),
	);
}

function listIn(body: unknown): readonly unknown[] | undefined {
	if (Array.isArray(body)) return body;
	const values = folded(body);
	const known = LIST_KEYS.map((key) => values[key]).find((value) => Array.isArray(value));
	const lists = Object.values(values).filter((value) => Array.isArray(value));
	return known ?? (lists.length === 1 ? lists[0] : undefined);
}

/** Reads what the metadata in a body states; the body itself goes before the objects in it. */
function metadataOf(body: unknown): Omit<Page, 'rows'> {
	const outer = folded(body);
	const all = [outer, ...METADATA_KEYS.map((key) => folded(outer[key]))];
	/** The first value under one of the keys that is of a kind. */
	const find = <T>(keys: readonly string[], isOfKind: (value: unknown) => value is T) =>
		all.flatMap((values) => keys.map((key) => values[key])).find(isOfKind);
	const isFlag = (value: unknown) => typeof value === 'boolean';
	const isCount = (value: unknown): value is number =>
		Number.isInteger(value) && Number(value) >= 0;
	const [hasBefore, hasMore] = [find(BEFORE_KEYS, isFlag), find(MORE_KEYS, isFlag)];
	return {
		isFirst: hasBefore === undefined ? find(FIRST_KEYS, isFlag) : !hasBefore,
		isLast: hasMore === undefined ? find(LAST_KEYS, isFlag) : !hasMore,
		pages: find(PAGES_KEYS, isCount),
		total: find(TOTAL_KEYS, isCount),
	};
}

/**
 * Reads one page (docs/dev/interface.md, section 4.2). The body is a list, or an object with a list
 * under a well-known key or under its only list-valued key.
 *
 * @param subject the record that the list belongs to, for example `Company 100`
 * @throws {ServiceError} if the status is not 200, or the body is not JSON or has no list
 */
export function readPage(response: ExchangeResponse, subject: string): Page {
	if (response.status !== 200) {
		const error = statusError(response, REST_ADDRESS);
		throw response.status === 404
			? subjectNotFound(subject).with({ details: error.details })
			: error;
	}
	let text: string;
	try {
		text = decodeText(response.body, response.headers['content-type']);
	} catch {
		throw undecodablePage();
	}
	let body: unknown;
	try {
		body = parseJson(text);
	} catch (error) {
		throw notJson(isWebPage(response) ? 'It is a web page.' : (error as UnreadableError).message);
	}
	const rows = listIn(body);
	if (rows === undefined) throw pageWithoutList();
	return { rows, ...metadataOf(body) };
}
