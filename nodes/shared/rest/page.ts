import type { IDataObject } from 'n8n-workflow';
import { ServiceError } from '../errors/ServiceError';
import { decodeText } from '../transport/charset';
import type { ExchangeResponse } from '../transport/send';
import { statusError, unreadable } from '../transport/status';

/** What one page of a list says. The body's shape is not specified, so several are understood. */
export interface Page {
	readonly rows: readonly unknown[];
	/** Whether the page's own metadata says that it is the last one, or is not; else `undefined`. */
	readonly isLast: boolean | undefined;
	/** The number of rows of the whole list, where the metadata names it. */
	readonly total: number | undefined;
	/** The page as text, to recognise a server that sends the same page again. */
	readonly text: string;
}

const LIST_KEYS = ['items', 'data', 'results', 'value', 'records', 'hourcodes', 'content'];
const METADATA_KEYS = ['metadata', 'meta', 'paging', 'pagination', 'pageinfo', 'page'];
const MORE_KEYS = ['hasnextpage', 'hasnext', 'hasmore'];
const LAST_KEYS = ['islastpage', 'islast', 'last'];
const PAGES_KEYS = ['totalpages', 'pagecount', 'totalpagecount'];
// "count" and "total" are left out: they may as well speak of this page alone.
const TOTAL_KEYS = ['totalcount', 'totalitems', 'totalrecords', 'totalresults', 'totalelements'];

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys without case, `_` and `-`, so that `total_count` and `totalCount` are one. */
function folded(object: IDataObject): ReadonlyMap<string, unknown> {
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

/** The first value of the wanted type under one of the keys, in the body or its metadata object. */
function metadata<T>(
	body: unknown,
	keys: readonly string[],
	isWanted: (value: unknown) => value is T,
): T | undefined {
	if (!isObject(body)) return undefined;
	const outer = folded(body);
	const inner = METADATA_KEYS.map((key) => outer.get(key)).filter(isObject);
	for (const values of [outer, ...inner.map(folded)]) {
		for (const key of keys) {
			const value = values.get(key);
			if (isWanted(value)) return value;
		}
	}
	return undefined;
}

function isBoolean(value: unknown): value is boolean {
	return typeof value === 'boolean';
}

function isCount(value: unknown): value is number {
	return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function isLastPage(body: unknown, pageIndex: number): boolean | undefined {
	const more = metadata(body, MORE_KEYS, isBoolean);
	if (more !== undefined) return !more;
	const last = metadata(body, LAST_KEYS, isBoolean);
	if (last !== undefined) return last;
	const pages = metadata(body, PAGES_KEYS, isCount);
	return pages === undefined ? undefined : pageIndex + 1 >= pages;
}

/** Deeper than any list of the service, and far less than what ends in a stack overflow. */
const MAX_DEPTH = 64;

/** Whether n8n can store a value and get it back: not nested too deep, no number beyond all bounds. */
function isStorable(value: unknown, depth = 0): boolean {
	if (typeof value === 'number') return Number.isFinite(value);
	if (typeof value !== 'object' || value === null) return true;
	return depth < MAX_DEPTH && Object.values(value).every((part) => isStorable(part, depth + 1));
}

function shortText(text: string): string {
	return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

/**
 * Reads one page: a bare list, or an object whose list stands under a well-known or its only
 * list-valued key.
 *
 * @param pageIndex number of the page counted from 0, whatever number the service gives it
 * @throws {ServiceError} where the status is not 200, the page is no JSON or has no list in it
 */
export function readPage(response: ExchangeResponse, pageIndex: number): Page {
	let text: string;
	try {
		text = decodeText(response.body, response.headers['content-type']);
	} catch {
		throw unreadable(
			response,
			'The page of the payroll service cannot be decoded',
			'Its bytes are not of the character set it names.',
		);
	}
	if (response.status !== 200) throw statusError(response, shortText(text));
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch {
		throw unreadable(
			response,
			'The payroll service sent a page that is not JSON',
			'Check the REST address in the credential.',
		);
	}
	if (!isStorable(body)) {
		throw unreadable(
			response,
			'The payroll service sent a page that n8n cannot store',
			'It is nested too deep, or holds a number that is too large.',
		);
	}
	const rows = listIn(body);
	if (rows === undefined) {
		throw unreadable(
			response,
			'The payroll service sent a page without a list in it',
			'Expected a list, or an object that holds exactly one list.',
		);
	}
	return {
		rows,
		isLast: isLastPage(body, pageIndex),
		total: metadata(body, TOTAL_KEYS, isCount),
		text,
	};
}

/** The error for a list that ended before the number of rows it named itself. */
export function shortList(read: number, total: number): ServiceError {
	return new ServiceError('The list of the payroll service is not complete', {
		description: `The service names ${total} records and sent ${read}. Check the page size and first page in the node's options, and run again.`,
	});
}
