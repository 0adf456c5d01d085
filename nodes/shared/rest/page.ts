import type { AddressField } from '../credential/connection';
import type { ListedError } from '../errors/catalogue';
import { failure, texts, type ServiceError } from '../errors/ServiceError';
import { decodeText } from '../http/charset';
import type { ExchangeResponse } from '../http/send';
import { isWebPage, statusError } from '../http/statusErrors';
import { isObject, type Values } from '../values/values';
import { parseJson } from './json';

/** One page of a list. The body's shape is not specified, so several shapes are accepted. */
export interface Page {
	readonly rows: readonly unknown[];
	/** Whether the page is the first one, by its own metadata; `undefined` if not stated. */
	readonly isFirst: boolean | undefined;
	/** Whether the page is the last one, by its own metadata; `undefined` if not stated. */
	readonly isLast: boolean | undefined;
	/** Number of pages of the whole list, if the metadata states it. */
	readonly pages: number | undefined;
	/** Number of rows of the whole list, if the metadata states it. */
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

/** Keys in lower case, without `_` and `-`, so that `total_count` and `totalCount` are equal. */
function folded(object: Values): ReadonlyMap<string, unknown> {
	return new Map(
		Object.entries(object).map(([key, value]) => [key.toLowerCase().replace(/[_-]/g, ''), value]),
	);
}

function listIn(body: unknown): readonly unknown[] | undefined {
	if (Array.isArray(body)) return body;
	if (!isObject(body)) return undefined;
	const values = folded(body);
	for (const key of LIST_KEYS) {
		const value = values.get(key);
		if (Array.isArray(value)) return value;
	}
	const lists = [...values.values()].filter((value) => Array.isArray(value));
	return lists.length === 1 ? lists[0] : undefined;
}

/** Reads what the metadata in a body states; the body itself goes before the objects in it. */
function metadataOf(body: unknown): Omit<Page, 'rows'> {
	const outer = folded(isObject(body) ? body : {});
	const inner = METADATA_KEYS.map((key) => outer.get(key)).filter(isObject);
	const all = [outer, ...inner.map(folded)];
	/** The values under one of the keys, in the order in which they count. */
	const under = (keys: readonly string[]) =>
		all.flatMap((values) => keys.map((key) => values.get(key)));
	const flag = (keys: readonly string[]) =>
		under(keys).find((value): value is boolean => typeof value === 'boolean');
	const count = (keys: readonly string[]) =>
		under(keys).find((value): value is number => Number.isInteger(value) && Number(value) >= 0);
	const [hasBefore, hasMore] = [flag(BEFORE_KEYS), flag(MORE_KEYS)];
	return {
		isFirst: hasBefore === undefined ? flag(FIRST_KEYS) : !hasBefore,
		isLast: hasMore === undefined ? flag(LAST_KEYS) : !hasMore,
		pages: count(PAGES_KEYS),
		total: count(TOTAL_KEYS),
	};
}

/** The error for HTTP 404: the record does not exist, or the address of the service is wrong. */
function notFound(response: ExchangeResponse, subject: string): ServiceError {
	const { httpStatus, details } = statusError(response, REST_ADDRESS);
	return failure(texts.refused.noRecord, { subject }, { httpStatus, details });
}

/**
 * Reads one page (docs/dev/interface.md, section 4.2). The body is a list, or an object with a list
 * under a well-known key or under its only list-valued key.
 *
 * @param subject the record that the list belongs to, for example `Company 100`
 * @throws {ServiceError} if the status is not 200, or the body is not JSON or has no list
 */
export function readPage(response: ExchangeResponse, subject: string): Page {
	if (response.status === 404) throw notFound(response, subject);
	if (response.status !== 200) throw statusError(response, REST_ADDRESS);
	const fields = { httpStatus: response.status };
	let text: string;
	try {
		text = decodeText(response.body, response.headers['content-type']);
	} catch {
		throw failure(texts.answers.pageCharset, {}, fields);
	}
	let body: unknown;
	try {
		body = parseJson(text);
	} catch (error) {
		const reason = isWebPage(response) ? texts.answers.web : (error as ListedError).message;
		throw failure(texts.answers.notJson, { reason }, fields);
	}
	const rows = listIn(body);
	if (rows === undefined) throw failure(texts.answers.noList, {}, fields);
	return { rows, ...metadataOf(body) };
}
