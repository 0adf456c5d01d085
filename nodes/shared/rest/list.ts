/** Reads a list of the REST interface (docs/dev/interface.md, section 4.2): complete, or an error. */
import { createHash } from 'node:crypto';
import { type IDataObject, jsonParse } from 'n8n-workflow';
import { paging } from '../contract/operations';
import type { AddressField, Connection } from '../credential/connection';
import { messageOf, ServiceError, serviceError, UnreadableError } from '../errors/ServiceError';
import { counted, formatValue } from '../errors/words';
import type { Reader } from '../exchange/exchange';
import { decodeText, type ExchangeResponse, headOf, isWebPage } from '../http/answer';
import { folded, lineOf, statusError, wordsOf } from '../http/failures';
import { isObject, type Values } from '../values/values';
import { parseJson } from './json';

/** Number of a service's first page, unless page 0 precedes it or the builder says otherwise. */
export const FIRST_PAGE = 1;

const REST_ADDRESS: AddressField = 'REST Address';

export interface RestList {
	/** Its path below the base address, and its query, percent-encoded. */
	readonly path: string;
	/** What to look up if there is no such list, for example "Company ID 100". */
	readonly name: string;
}

export interface PagingOptions {
	/** Maximum number of rows; `undefined` reads all. */
	readonly limit: number | undefined;
	readonly pageSize: number;
	/** Number of the page where reading starts; `undefined` if only the service knows its first. */
	readonly firstPage: number | undefined;
	/** Whether the service sends the whole list at once: no page is asked for. */
	readonly isWhole?: boolean;
}

/** What of a list its limit leaves out: whether records follow, and how many the service has in all. */
interface LeftOut {
	readonly more: true | 'unknown';
	readonly total?: number;
}

/** Beyond these, a list takes too much of n8n's memory: estimated by the bytes and the values of its pages. */
const MAX_RECORDS = 1_000_000;
const MAX_MIB = 320;
const BYTES_OF_VALUE = 40;

/** A list ends with an error after so many pages in a row with less than a tenth of what was asked for. */
const MAX_POOR_PAGES = 10;

/** Codes of errors for page 0 that do not say whether the service has such a page; nor does HTTP 403. */
const UNDECIDED = /^(?:RATE_LIMITED|UNAVAILABLE|REDIRECTED|ANSWER_TOO_LARGE|ANSWER_UNREADABLE)$/;

/** The keys of a page, which is specified nowhere, in lower case and without `_` and `-`. */
const KEYS = {
	list: ['data', 'items', 'value', 'results'],
	/** Objects that hold what follows, beside the page itself. */
	metadata: ['pagination', 'paging', 'metadata', 'meta', 'page', 'links'],
	total: [
		...['total', 'count', 'totalcount', 'totalrecords', 'totalitems', 'totalelements'],
		'@odata.count',
	],
	pages: ['totalpages'],
	next: [
		...['next', 'nextpage', 'nextlink', 'nextpageurl', '@odata.nextlink', 'nextcursor'],
		...['nextpagetoken', 'hasnext', 'hasnextpage', 'hasmore'],
	],
	success: ['success', 'issuccess'],
} as const;

/** Keys of a list that is not the list of the page: metadata, or texts such as `validationErrors`. */
const NO_ROWS = new RegExp(`^(?:${KEYS.metadata.join('|')})$|(?:error|message|warning)s?$`);

/** A `Link` header that names a next page (RFC 8288). */
const NEXT_LINK = /;\s*rel\s*=\s*(?:"(?:[^"]*\s)?)?next(?![\w-])/i;

/** Whether a flag says no, also as a text; and whether it says yes. */
const isNo = (value: unknown): boolean =>
	typeof value !== 'object' && /^false$/i.test(String(value));
const isYes = (value: unknown): boolean => Boolean(value) && !isNo(value);

/** One page, and what it states about its list. */
interface Page {
	readonly rows: readonly unknown[];
	/** Whether another page follows; `null` if it names none where a page may name one. */
	readonly more: boolean | null | undefined;
	/** Numbers of records of the whole list, or of this page alone. */
	readonly totals: readonly number[];
	/** Number of pages of the whole list; 0 if it states none. */
	readonly pages: number;
	/** What it adds to the memory of the list. */
	readonly bytes: number;
}

/** What headers state: `X-Total-Count` is `totalCount`, and `Content-Range: items 0-99/250` ends with a total. */
function inHeaders(headers: ExchangeResponse['headers']): readonly Values[] {
	const entries = Object.entries(headers).map(([key, value]) => [key.replace(/^x-/, ''), value]);
	const named = folded(Object.fromEntries(entries));
	// Of bytes, it is the length of the answer.
	const total = /^(?!bytes\b).*\/(\d+)$/i.exec(String(headers['content-range']))?.[1];
	return [named, folded(jsonParse(String(named.pagination), { fallbackValue: null })), { total }];
}

/**
 * Reads one page. No body is an empty page.
 *
 * @returns the page; the error if the service answers with an error, or without a list
 * @throws {ServiceError} if the page has rows beside an error
 */
function readPage(response: ExchangeResponse, name: string): Page | ServiceError {
	const { status, headers, body } = response;
	if (status !== 200 && status !== 204) return statusError(response, REST_ADDRESS, name);
	const text = decodeText(response);
	let parsed: ReturnType<typeof parseJson> = { value: [], values: 0, names: 0 };
	try {
		if (text === undefined) {
			throw new UnreadableError('It is not valid in the character set that it declares.');
		}
		if (text.trim() !== '') parsed = parseJson(text);
	} catch (error) {
		const isOdd = error instanceof UnreadableError;
		const limit = isOdd ? error.facts.limit : undefined;
		if (limit !== undefined) return serviceError('ANSWER_TOO_LARGE/parts', { limit });
		const isPage = isWebPage(response);
		if (!isPage && (isOdd || /^\s*[[{]/.test(text ?? ''))) {
			// The service answers, with something odd in it.
			const [, at = ''] = /position (\d+)/.exec(messageOf(error)) ?? [];
			const own = isOdd ? error.message : `Its JSON is not well-formed (position ${at})`;
			return serviceError('ANSWER_UNREADABLE/part', { reason: own.replace(/\.$/, '') });
		}
		const said = isPage ? undefined : lineOf(text);
		const reason = isPage ? 'It is a web page.' : 'It is not JSON.';
		return said === undefined
			? serviceError('ANSWER_UNREADABLE/page', { reason })
			: serviceError('ANSWER_UNREADABLE/pageText', { text: JSON.stringify(said) });
	}
	// Some services write an empty list as null.
	const content = parsed.value ?? [];
	const values = folded(content);
	const inside = (holder: Values) => KEYS.metadata.map((key) => folded(holder[key]));
	const inBody = [values, ...inside(values), ...inside(values).flatMap(inside)];
	const holders = [...inBody, ...inHeaders(headers)];
	const stated = (keys: readonly string[]) =>
		holders.flatMap((holder) => keys.flatMap((key) => (key in holder ? [holder[key]] : [])));
	const counts = (all: readonly unknown[]) =>
		all.flatMap((value) => (/^"?\d+"?$/.test(formatValue(value)) ? [Number(value)] : []));
	const totals = counts(stated(KEYS.total));
	const named = KEYS.list.map((key) => values[key]).filter((value) => value !== undefined);
	const others = Object.entries(values).flatMap(([key, value]) =>
		NO_ROWS.test(key) ? [] : [value],
	);
	const lists = (named.length > 0 ? named : others).filter((value) => Array.isArray(value));
	let rows: readonly unknown[] | undefined;
	if (Array.isArray(content)) rows = content;
	else if (named.length > 0 || lists.length === 1) [rows] = lists;
	// `{"data": null}` is an empty list. With a total, so is a page that has no list at all.
	const isNull = named.length > 0 && Object.values(values).every((value) => value === null);
	const isEmpty = lists.length === 0 && named.every((value) => value === null);
	if (isNull || (isEmpty && totals.length > 0)) rows ??= [];
	const { error, errors, errormessage, exception } = values;
	const said = [error, errors, errormessage, exception].find(
		(value) =>
			isYes(value) && (typeof value !== 'object' || Object.values(value ?? {}).some(Boolean)),
	);
	const hasFailed = said !== undefined || KEYS.success.some((key) => isNo(values[key]));
	if (hasFailed || rows === undefined) {
		const own = wordsOf(parsed.value) ?? wordsOf(said);
		const inPlace = named.find((value) => typeof value === 'string');
		const words = said ?? values.message ?? inPlace ?? (hasFailed ? parsed.value : undefined);
		const text = own?.text ?? (words === undefined ? undefined : formatValue(words));
		const details = headOf(response);
		const failure =
			text === undefined
				? serviceError('LIST_INCOMPLETE/noList', { details })
				: serviceError('SERVICE_ERROR/page', { fault: text, details });
		// Other rows may be missing. Without any, page 0 may not exist.
		if (rows?.length) throw failure;
		return failure;
	}
	const next = stated(KEYS.next);
	// Some services list their links: `[{ "rel": "next", "href": "…" }]`.
	const links = [values, ...inside(values)].flatMap((holder) => holder.links);
	const isNamed =
		next.some(isYes) ||
		NEXT_LINK.test(String(headers.link)) ||
		links.some((link) => /^next$/i.test(String(folded(link).rel)));
	const pages = Math.max(0, ...counts(stated(KEYS.pages)));
	return {
		rows,
		more: isNamed || (next.some(isNo) ? false : next.length > 0 ? null : undefined),
		totals,
		pages,
		bytes: body.length + BYTES_OF_VALUE * parsed.values,
	};
}

/** The JSON of a value, or its hash where that is shorter: only values with the same JSON share it. */
function hashOf(value: unknown): string {
	const json = JSON.stringify(value);
	return json.length < 44 ? json : createHash('sha256').update(json).digest('base64');
}

/** Whether a page begins with the records of another one, by identifiers: a signed address differs with each request. */
function beginsWith(rows: readonly unknown[], others: readonly unknown[] = [], name = /^id$/) {
	const [own, known] = [rows.slice(0, others.length), others].map((all) => all.map(folded));
	const textsOf = (key: string, all: readonly Values[] = []) =>
		all.map((row) => hashOf(row[key] ?? null));
	const names = Object.keys(known?.[0] ?? {}).filter((key) => {
		return name.test(key) && new Set(textsOf(key, known)).size === others.length;
	});
	const isSame = (key: string) => textsOf(key, own).join() === textsOf(key, known).join();
	return names.length > 0 && names.every(isSame);
}

/** What was read of a list, and what its pages state about it. */
class PagesRead {
	/** Its pages in their order. One that sends all records again counts as empty. */
	readonly pages: Page[] = [];
	/** Number of their rows. */
	count = 0;
	/** Numbers of records of the whole list: more than one contradict each other. */
	readonly totals = new Set<number>();
	/** Of the rows, to find one that comes again on another page. */
	private readonly hashes = new Set<string>();
	private bytes = 0;

	/** @param beginsLater whether a later page is the first one: what pages state is about the whole list */
	constructor(
		private readonly limit: number,
		private readonly pageSize: number,
		private readonly beginsLater: boolean,
	) {}

	get last(): Page | undefined {
		return this.pages.at(-1);
	}

	/** @throws {ServiceError} if the list becomes too large, or a row was on another page */
	add(page: Page): void {
		const hashes = page.rows.slice(0, this.limit - this.count).map(hashOf);
		const size = page.rows.length;
		const isAgain = this.last?.rows.length === size && beginsWith(page.rows, this.last.rows);
		const known = isAgain ? size : hashes.filter((hash) => this.hashes.has(hash)).length;
		if (known > 0) {
			// A service without pages sends all records again, and states their number.
			const isAll = known === size && known === this.count;
			const isSame = isAll && known < this.pageSize && page.totals.includes(known) && !page.more;
			if (!isSame) throw serviceError('LIST_INCOMPLETE/repeats');
			this.pages.push({ ...page, rows: [] });
			this.totals.add(known);
			return;
		}
		for (const hash of hashes) this.hashes.add(hash);
		this.pages.push(page);
		this.count += size;
		this.bytes += page.bytes;
		const isLong = this.count > MAX_RECORDS;
		if (isLong || this.bytes > MAX_MIB * 2 ** 20) {
			const limit = isLong ? `${MAX_RECORDS} records` : `${MAX_MIB} MiB in memory`;
			throw serviceError('LIST_INCOMPLETE/endless', { limit });
		}
		for (const total of this.beginsLater ? [] : page.totals) {
			// As many as the page has may be a count of this page alone.
			if (total !== size || (total > 0 && page.pages === 1)) this.totals.add(total);
		}
	}

	/** Adds page 0 before the others: some services count their pages from there. */
	addZero(page: Page): void {
		// Others take it for the first page, or for the whole list.
		const known = page.rows.filter((row) => this.hashes.has(hashOf(row))).length;
		const hasAll = this.count >= this.limit && known >= this.hashes.size;
		if (this.count > 0 && (hasAll || known === page.rows.length)) return;
		const first = this.pages[0]?.rows ?? [];
		const isFirst = beginsWith(page.rows, first, first.length > 1 ? /(?:id|code)$/ : undefined);
		if (isFirst && this.count >= this.limit) return;
		if (known > 0 || isFirst) {
			const contradiction = 'Page 0 has some of the records of other pages.';
			throw serviceError('LIST_INCOMPLETE', { contradiction });
		}
		this.add(page);
		this.pages.unshift(...this.pages.splice(-1));
	}

	get isComplete(): boolean {
		return this.totals.size === 1 && this.totals.has(this.count);
	}

	/** Whether the list ends with the last page. A short page does not end it, nor an empty one that states more. */
	get isEnd(): boolean {
		if (this.last === undefined) return false;
		const { rows, more } = this.last;
		// That a page names no next one says something only if an earlier page named one.
		const wasNamed = more === null && this.pages.some((page) => page.more === true);
		const isLast = more === false || wasNamed;
		const isFull = Math.min(...this.totals) <= this.count;
		return rows.length === 0 ? !more || this.isComplete : !more && (isLast || isFull);
	}

	/** How a list that was read to its end contradicts what its pages state. */
	get contradiction(): string | undefined {
		const sent = this.count;
		const [total = sent, other = total] = this.totals;
		const stated = `The service stated ${counted(total, 'record')},`;
		if (other !== total) return `${stated} and then ${other}.`;
		if (total !== sent) return `${stated} but sent ${sent}.`;
		if (this.isComplete) return undefined;
		if (this.last?.more)
			return `The service sent ${counted(sent, 'record')}, but states that more follow.`;
		// Of an empty list many services say that it has one page.
		const filled = this.pages.filter(({ rows }) => rows.length > 0).length;
		const pages = this.pages.reduce((most, page) => Math.max(most, page.pages), 1);
		return filled < pages && pages > 1 && !this.beginsLater
			? `The service stated ${pages} pages, but sent ${filled}.`
			: undefined;
	}
}

/**
 * Reads a paged list, page by page, until a page is empty or missing, the service states that it is the
 * last, or the limit is reached. The list begins with page 0 if the service has one.
 *
 * @returns the records as the service sent them, and what the limit leaves out; a row that is not an object
 * becomes the field `value`
 * @throws {ServiceError} if a page cannot be read, the list is too large, a record is on two pages, or the
 * list ends before the limit and contradicts what the service states
 */
export async function readList(
	exchange: Reader,
	connection: Connection,
	{ path, name }: RestList,
	{ limit = Infinity, pageSize, firstPage, isWhole = false }: PagingOptions,
): Promise<{ readonly records: readonly IDataObject[]; readonly leftOut: LeftOut | undefined }> {
	const read = async (number: number): Promise<Page | ServiceError> =>
		await exchange(
			{
				method: 'GET',
				url: `${connection.restUrl}${path}`,
				address: REST_ADDRESS,
				headers: { Accept: 'application/json', 'X-Subscription-Key': connection.subscriptionKey },
				query: isWhole ? {} : { [paging.pageNumber]: number, [paging.pageSize]: pageSize },
				effect: 'read',
			},
			(response) => readPage(response, name),
		);
	const first = (isWhole ? undefined : firstPage) ?? FIRST_PAGE;
	const list = new PagesRead(limit, pageSize, first > FIRST_PAGE);
	let missing: ServiceError | undefined;
	for (let number = first; list.count < limit && !list.isEnd; number += 1) {
		const newest = list.pages.slice(-MAX_POOR_PAGES);
		const poor = newest.filter(({ rows }) => rows.length < pageSize / 10).length;
		if (poor === MAX_POOR_PAGES) {
			const pages = `${poor} pages with less than a tenth of ${pageSize} records`;
			throw serviceError('LIST_INCOMPLETE/endless', { limit: pages });
		}
		const page = await read(number);
		if (page instanceof ServiceError) {
			const { httpStatus, details } = page.facts;
			if (httpStatus !== 404) throw page;
			missing = page;
			// It can be the end if all pages but the last are as full as the first.
			const [full = 0, ...others] = list.pages.map(({ rows }) => rows.length);
			const areFull = others.every((size, i) =>
				i < others.length - 1 ? size === full : size <= full,
			);
			if (number === first ? first <= FIRST_PAGE : areFull && list.last?.more !== true) break;
			const contradiction = `The service answered with HTTP 404 when it was asked for page ${number}.`;
			throw serviceError('LIST_INCOMPLETE', { contradiction, httpStatus, details });
		}
		list.add(page);
		if (isWhole) break;
	}
	if (firstPage === undefined && !isWhole && !list.isComplete) {
		const about = (error: unknown) =>
			error instanceof ServiceError ? error.with({ about: 'pageZero' }) : error;
		const zero = await read(0).catch((error: unknown) => {
			throw about(error);
		});
		if (!(zero instanceof ServiceError)) list.addZero(zero);
		else if (zero.facts.httpStatus === 403 || UNDECIDED.test(zero.code)) throw about(zero);
	}
	if (missing !== undefined && list.last === undefined) throw missing;
	const { contradiction, count, last, pages, totals } = list;
	// With a limit, the builder may have asked for a page by parameters of the service's own.
	const isPart = isWhole && limit < Infinity;
	if (count < limit && contradiction !== undefined && !isPart) {
		const failure = isWhole ? 'LIST_INCOMPLETE/whole' : 'LIST_INCOMPLETE';
		throw serviceError(failure, { contradiction });
	}
	const records = pages
		.flatMap(({ rows }) => rows)
		.slice(0, limit)
		.map((row) => (isObject(row) ? row : { value: row }) as IDataObject);
	const [total = 0, ...others] = totals;
	const isKnown = others.length === 0 && total > (isPart ? records.length : limit);
	const isCut = count > limit || (isPart && contradiction !== undefined);
	const more = isKnown || isCut || last?.more === true;
	const isAll = count < limit && !isPart;
	if (isAll || (!more && (list.isEnd || isWhole))) return { records, leftOut: undefined };
	return { records, leftOut: { more: more || 'unknown', ...(isKnown && { total }) } };
}
