import { paging } from '../contract/operations';
import type { AddressField } from '../credential/connection';
import {
	answerOverLimit,
	notJson,
	pageStatesError,
	pageWithoutList,
	undecodablePage,
} from '../errors/answerErrors';
import { subjectNotFound } from '../errors/requestErrors';
import { UnreadableError, type ServiceError } from '../errors/ServiceError';
import { formatValue, sentences } from '../errors/words';
import { decodeText, headOf } from '../http/charset';
import type { ExchangeResponse } from '../http/send';
import { folded, problemOf } from '../http/problem';
import { inOwnWords, isWebPage, statusError } from '../http/statusErrors';
import { isObject, type Values } from '../values/values';
import { JsonLimitError, parseJson } from './json';

/** One page of a list. The body's shape is not specified, so several shapes are accepted. */
export interface Page {
	readonly rows: readonly unknown[];
	/** Whether it is the first or the last page; this and the following if its metadata state it. */
	readonly isFirst: boolean | undefined;
	readonly isLast: boolean | undefined;
	/** Whether it names a next page. */
	readonly next: boolean | undefined;
	/** Number of pages of the whole list. */
	readonly pages: number | undefined;
	/** Number of rows of the whole list. */
	readonly total: number | undefined;
	/** What it adds to the size of the list. */
	readonly size: Readonly<Record<'records' | 'values' | 'MiB', number>>;
}

/** Credential field that holds the base address of the pages. */
export const REST_ADDRESS: AddressField = 'REST Address';

const LIST_KEYS = ['items', 'data', 'results', 'value', 'records', 'hourcodes', 'content'];
const ERROR_KEYS = ['errors', 'error'];
/** Keys of a flag that is `false` if there is an error. */
const SUCCESS_KEYS = ['success', 'issuccess', 'successful', 'succeeded'];
/** A status that is an error if there are no rows: they may be asked for by their own status. */
const FAILED = /^(?:[45]\d\d|error|fail(?:ed|ure)?)$/i;
/** Keys of texts for people, as `validationErrors`: a list under them is not that of the page. */
const TEXT_KEY = /(?:error|message|warning)s?$/;
const METADATA_KEYS = ['metadata', 'meta', 'paging', 'pagination', 'pageinfo', 'page', 'links'];
const BEFORE_KEYS = ['haspreviouspage', 'hasprevious', 'hasprev'];
const FIRST_KEYS = ['isfirstpage', 'isfirst', 'first'];
const FIRST_LINKS = ['firstpage', 'first'];
const FIRST_LINK = new RegExp(`[?&]${paging.pageNumber}=1(?:&|$)`, 'i');
const MORE_KEYS = ['hasnextpage', 'hasnext', 'hasmore'];
const LAST_KEYS = ['islastpage', 'islast', 'last'];
const NEXT_KEYS = ['nextpage', 'nextlink', 'nextpagelink', '@odata.nextlink', 'next'];
const PAGES_KEYS = ['totalpages', 'pagecount', 'totalpagecount'];
// Without "count" and "total": they may count this page alone.
const TOTAL_KEYS = ['totalcount', 'totalitems', 'totalrecords', 'totalresults', 'totalelements'];

/** Keys of an object that holds the list of a page, perhaps with its metadata. */
const HOLDER_KEYS = ['data', 'result', 'response', 'payload', 'embedded', 'd'];

/** The lists in an object under other keys than those of texts. */
function otherLists(values: Values): readonly unknown[][] {
	return Object.entries(values).flatMap(([key, value]) =>
		Array.isArray(value) && !TEXT_KEY.test(key) ? [value as unknown[]] : [],
	);
}

/** Returns the list of a page; `undefined` if there is none, or not only one that may be it. */
function listIn(body: unknown, outer: Values, total?: number): readonly unknown[] | undefined {
	if (Array.isArray(body)) return body;
	const held = HOLDER_KEYS.map((key) => outer[key]).find(isObject);
	const inner = folded(held);
	const known = [outer, inner].flatMap((values) => LIST_KEYS.map((key) => values[key]));
	const named = known.find((value) => Array.isArray(value));
	if (named !== undefined) return named;
	if (known.includes(null)) return total === 0 ? [] : undefined;
	const lists = otherLists(held === undefined ? outer : inner);
	const isOnly = held === undefined || Object.keys(inner).length === 1;
	if (isOnly && lists.length === 1) return lists[0];
	// Of a list of one, some services send only the record.
	return held !== undefined && total === 1 ? [held] : undefined;
}

/**
 * Returns the errors that a body states, as text: a list with errors; any other error, if there are no
 * rows; or that it is no success.
 */
function errorsIn(
	body: unknown,
	values: Values,
	rows: readonly unknown[] = [],
): string | undefined {
	const isStated = (value: unknown) =>
		typeof value === 'string' ? value !== '' : Object.keys(Object(value)).length > 0;
	const said = ERROR_KEYS.map((key) => values[key]).find(
		(value) => (Array.isArray(value) || rows.length === 0) && isStated(value),
	);
	const isFailed = rows.length === 0 && FAILED.test(String(values.statuscode ?? values.status));
	const hasFailed = isFailed || SUCCESS_KEYS.some((key) => values[key] === false);
	if (said === undefined && !hasFailed) return undefined;
	const problem = problemOf(said === undefined ? body : { ...values, errors: said });
	return problem ? sentences(problem.text, problem.fields) : formatValue(said ?? body);
}

/** Whether a service names page 1 as its first: by its number, or a link to it. */
function isFirstPage(value: unknown): value is unknown {
	return value === 1 || (typeof value === 'string' && FIRST_LINK.test(value));
}

/** Reads what the metadata in a body states; the body itself, folded, goes before the objects in it. */
function metadataOf(outer: Values): Omit<Page, 'rows' | 'size'> {
	const holders = [outer, ...HOLDER_KEYS.map((key) => folded(outer[key]))];
	const all = [
		...holders,
		...holders.flatMap((one) => METADATA_KEYS.map((key) => folded(one[key]))),
	];
	/** The first value under one of the keys that is of a kind. */
	const find = <T>(keys: readonly string[], isOfKind: (value: unknown) => value is T) =>
		all.flatMap((values) => keys.map((key) => values[key])).find(isOfKind);
	const isFlag = (value: unknown) => typeof value === 'boolean';
	/** The first count under one of the keys, as a number or its digits. */
	const count = (keys: readonly string[], least: number): number | undefined => {
		const isCount = (value: unknown) => /^\d{1,10}$/.test(String(value)) && Number(value) >= least;
		const found = find(keys, (value): value is unknown => isCount(value));
		return found === undefined ? undefined : Number(found);
	};
	const next = find(NEXT_KEYS, (value): value is unknown => value !== undefined);
	const linksFirst = find(FIRST_LINKS, isFirstPage) === undefined ? undefined : true;
	const [hasBefore, hasMore] = [find(BEFORE_KEYS, isFlag), find(MORE_KEYS, isFlag)];
	return {
		isFirst: hasBefore === undefined ? (find(FIRST_KEYS, isFlag) ?? linksFirst) : !hasBefore,
		isLast: hasMore === undefined ? find(LAST_KEYS, isFlag) : !hasMore,
		next: next === undefined ? undefined : Boolean(next),
		// Of an empty list, some services say that it has no page.
		pages: count(PAGES_KEYS, 1),
		total: count(TOTAL_KEYS, 0),
	};
}

/**
 * Reads one page (docs/dev/interface.md, section 4.2). The body is a list, or an object with a list
 * under a well-known key or under its only list-valued key.
 *
 * @param name what to look up if there is no such list
 * @returns the page; the error if the status is not 200, or the body is not JSON, states errors or
 * has no list
 */
export function readPage(response: ExchangeResponse, name: string): Page | ServiceError {
	if (response.status !== 200) {
		const error = statusError(response, REST_ADDRESS);
		if (response.status !== 404) return error;
		return inOwnWords(subjectNotFound(name).with({ details: error.details }), response);
	}
	const { body, headers } = response;
	let parsed: ReturnType<typeof parseJson>;
	try {
		parsed = parseJson(decodeText(body, headers['content-type']));
	} catch (error) {
		if (error instanceof JsonLimitError) return answerOverLimit(error.message);
		const isUnreadable = error instanceof UnreadableError;
		if (!isUnreadable && !(error instanceof SyntaxError)) return undecodablePage();
		const reason = isUnreadable ? error.message : 'It is not JSON.';
		return notJson(isWebPage(response) ? 'It is a web page.' : reason);
	}
	const { value, values } = parsed;
	const outer = folded(value);
	const metadata = metadataOf(outer);
	const rows = listIn(value, outer, metadata.total);
	const errors = errorsIn(value, outer, rows);
	if (errors !== undefined) return pageStatesError(errors).with({ details: headOf(response) });
	if (rows === undefined) return pageWithoutList().with({ details: headOf(response) });
	const size = { records: rows.length, values, MiB: body.length / 2 ** 20 };
	return { rows, size, ...metadata };
}
