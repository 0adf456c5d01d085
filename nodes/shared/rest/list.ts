import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { paging } from '../contract/operations';
import type { Connection } from '../credential/connection';
import {
	listChanged,
	listEndless,
	listIncomplete,
	listRepeats,
	onPageZero,
	pageTooLong,
} from '../errors/answerErrors';
import { ServiceError } from '../errors/ServiceError';
import type { Reader } from '../exchange/exchange';
import { isObject } from '../values/values';
import { readPage, REST_ADDRESS, type Page } from './page';

/** Number of a service's first page, unless page 0 precedes it or the builder says otherwise. */
export const FIRST_PAGE = 1;

/** A list of the REST interface. */
export interface RestList {
	/** Its path below the base address, and its query, percent-encoded. */
	readonly path: string;
	/** What to look up if there is no such list, for example "Company ID 100". */
	readonly name: string;
}

/** How much of a list to read, and how. */
export interface PagingOptions {
	/** Maximum number of rows; `undefined` reads all. */
	readonly limit: number | undefined;
	readonly pageSize: number;
	/** Number of the page where reading starts; `undefined` if only the service knows its first. */
	readonly firstPage: number | undefined;
	/** Whether the service sends the whole list at once: no page is asked for. */
	readonly isWhole?: boolean;
}

/** Limit for the pages of a whole list. */
const MAX_PAGES = 10_000;

/** Limits for what is read of a list: a server that never ends it must not fill n8n's memory. */
const LIST_LIMITS = { records: 1_000_000, values: 6_000_000, MiB: 256 } as const;

/** What is read of a list so far. */
type Size = Record<keyof typeof LIST_LIMITS, number>;

/** Codes of errors for page 0 that do not say whether the service has such a page. */
const UNDECIDED = new Set([
	...['FORBIDDEN', 'RATE_LIMITED', 'UNAVAILABLE', 'REDIRECTED'],
	...['ANSWER_OVER_LIMIT', 'PAGE_NOT_JSON', 'PAGE_UNDECODABLE'],
]);

/** Reads the page with this number. An answer that has no page is returned as an error. */
type ReadPage = (number: number) => Promise<Page | ServiceError>;

/** The JSON of a value, or its hash where that is shorter: only values with the same JSON share it. */
function hashOf(value: unknown): string {
	const json = JSON.stringify(value);
	return json.length < 44 ? json : createHash('sha256').update(json).digest('base64');
}

/**
 * Adds the size of a page to that of the list.
 *
 * @throws {ServiceError} beyond {@link LIST_LIMITS}, or if the page has more rows than were asked for,
 * unless they are beyond the limit of the list
 */
function addSize(sum: Size, { size }: Page, pageSize: number, limit = Infinity): void {
	for (const what of ['records', 'values', 'MiB'] as const) {
		sum[what] += size[what];
		if (sum[what] > LIST_LIMITS[what]) throw listEndless(`${LIST_LIMITS[what]} ${what}`);
	}
	if (size.records > pageSize && sum.records < limit) throw pageTooLong(size.records, pageSize);
}

/** Returns how many pages have rows. */
function filledIn(pages: readonly Page[]): number {
	return pages.filter(({ rows }) => rows.length > 0).length;
}

/**
 * Checks that no record of a page is on an earlier page, too: the list changed, has no fixed order,
 * or the service ignores the page number. Equal records on one page are the service's own data.
 *
 * @param earlier hashes of the records of earlier pages; those of this page are added
 */
function checkForDuplicates(rows: readonly unknown[], earlier: Set<string>): void {
	const hashes = rows.map(hashOf);
	if (hashes.some((hash) => earlier.has(hash))) throw listRepeats();
	for (const hash of hashes) earlier.add(hash);
}

/** Whether a list ends with the last of the pages read; `read` is the number of their rows. */
function isEnd(pages: readonly Page[], read: number): boolean {
	const last = pages.at(-1);
	if (last === undefined) return false;
	const { rows, isLast, next, pages: stated, total } = last;
	const isCounted = (stated ?? total) !== undefined;
	const isComplete = isCounted && pages.length >= (stated ?? 0) && read >= (total ?? 0);
	// That a page names no next one says something only if an earlier page named one.
	const isUnlinked = next === false && pages.some((page) => page.next);
	return rows.length === 0 || (isLast ?? (isUnlinked || isComplete));
}

/**
 * Checks that an error for a page can only be the end of the list: HTTP 404, and all pages before it
 * but the last are as full as the first. Without pages before it, the page must be the first.
 */
function checkMissing(error: ServiceError, number: number, pages: readonly Page[]): void {
	if (error.httpStatus !== 404) throw error;
	const [size = 0, ...others] = pages.map(({ rows }) => rows.length);
	const areFull = others.every((rows, i) => (i < others.length - 1 ? rows === size : rows <= size));
	const { isLast, next } = pages.at(-1) ?? { isLast: number <= FIRST_PAGE };
	if (areFull && isLast !== false && !next) return;
	const reason = `The service answered with HTTP 404 when it was asked for page ${number}.`;
	throw listIncomplete(reason).with({ httpStatus: 404, details: error.details });
}

/** Whether the service's own numbers say that the first page read is the first of the list. */
function isFromStart(pages: readonly Page[], { records }: Size): boolean {
	if (pages[0]?.isFirst) return true;
	return pages.some((page) => page.total === records || page.pages === filledIn(pages));
}

/**
 * Asks for page 0: a service may count its pages from there.
 *
 * @param hashes those of the records of the other pages
 * @param size that of the other pages; that of this page is added
 * @returns the page; `undefined` if there is none, or the other pages have its records
 */
async function readPageZero(
	read: ReadPage,
	options: PagingOptions,
	hashes: ReadonlySet<string>,
	size: Size,
): Promise<Page | undefined> {
	const page = await read(0);
	if (page instanceof ServiceError) {
		if (UNDECIDED.has(page.code)) throw onPageZero(page);
		return undefined;
	}
	// Some services take page 0 for the first page, or for the whole list.
	const compared = page.rows.slice(0, Math.max(options.pageSize, size.records));
	const known = compared.filter((row) => hashes.has(hashOf(row))).length;
	const isPart = size.records >= (options.limit ?? Infinity);
	const isCopy = known === page.rows.length || (isPart && known >= hashes.size);
	if (isCopy && hashes.size > 0) return undefined;
	if (known > 0) throw listIncomplete('Page 0 has some of the records of other pages.');
	addSize(size, page, options.pageSize);
	return page;
}

/**
 * Checks a list that was read to its end against what the service states about it: neither more rows
 * or pages than were received, nor fewer rows.
 */
function checkWhole(pages: readonly Page[], { records }: Size, isWhole = false): void {
	const totals = new Set(pages.flatMap(({ total }) => total ?? []));
	if (totals.size > 1) throw listChanged();
	const { rows = [], isLast, next, pages: stated = 0, total } = pages.at(-1) ?? {};
	if (total !== undefined) {
		if (records === total) return;
		throw listIncomplete(`The service stated ${total} records, but sent ${records}.`);
	}
	if (pages[0]?.isFirst === false) {
		throw listIncomplete('The service states that there are pages before the first one read.');
	}
	if (isWhole ? next || isLast === false : rows.length === 0 && isLast === false) {
		throw listIncomplete(`The service sent ${rows.length} records, but states that more follow.`);
	}
	// Of an empty list many services say that it has one page.
	const filled = filledIn(pages);
	if (stated > 1 && filled < stated) {
		throw listIncomplete(`The service stated ${stated} pages, but sent ${filled}.`);
	}
}

/** Reads the pages of a list up to its end or the limit. */
async function readPages(read: ReadPage, options: PagingOptions): Promise<readonly Page[]> {
	const { limit = Infinity, firstPage, isWhole } = options;
	const first = firstPage ?? FIRST_PAGE;
	// The numbers of a page count the whole list, not a list that is read from a later page.
	const own = first > FIRST_PAGE ? { isFirst: undefined, pages: undefined, total: undefined } : {};
	const pages: Page[] = [];
	const hashes = new Set<string>();
	const size: Size = { records: 0, values: 0, MiB: 0 };
	let missing: ServiceError | undefined;
	while (size.records < limit && !(isWhole ? pages.length > 0 : isEnd(pages, size.records))) {
		if (limit === Infinity && pages.length === MAX_PAGES) throw listEndless(`${MAX_PAGES} pages`);
		const page = await read(first + pages.length);
		if (page instanceof ServiceError) {
			checkMissing(page, first + pages.length, pages);
			missing = page;
			break;
		}
		const wanted = page.rows.slice(0, limit - size.records);
		addSize(size, page, options.pageSize, limit);
		checkForDuplicates(wanted, hashes);
		pages.push({ ...page, ...own });
	}
	if (firstPage === undefined && !isFromStart(pages, size)) {
		const zero = await readPageZero(read, options, hashes, size);
		if (zero !== undefined) pages.unshift(zero);
	}
	if (missing !== undefined && pages.length === 0) throw missing;
	if (limit === Infinity) checkWhole(pages, size, isWhole);
	return pages;
}

/**
 * Reads a paged list (docs/dev/interface.md, section 4.2), page by page, until a page is empty or
 * missing, the page's own metadata says that it is the last, or the limit is reached. The list begins
 * with page 0 if the service has one.
 *
 * @returns the records as the service sent them; a row that is not an object becomes the field
 * `value`
 * @throws {ServiceError} if a page cannot be read or is too long, the list is too large, or a record is on
 * two pages; without a limit, also if the list does not end, or contradicts what the service states
 */
export async function readList(
	exchange: Reader,
	connection: Connection,
	{ path, name }: RestList,
	options: PagingOptions,
): Promise<readonly IDataObject[]> {
	const read = async (number: number): Promise<Page | ServiceError> =>
		await exchange(
			{
				method: 'GET',
				url: `${connection.restUrl}${path}`,
				address: REST_ADDRESS,
				headers: { Accept: 'application/json', 'X-Subscription-Key': connection.subscriptionKey },
				query: options.isWhole
					? {}
					: { [paging.pageNumber]: number, [paging.pageSize]: options.pageSize },
				effect: 'read',
			},
			(response) => ({ value: readPage(response, name) }),
		);
	const paged = options.isWhole
		? { ...options, pageSize: Infinity, firstPage: FIRST_PAGE }
		: options;
	const rows = (await readPages(read, paged)).flatMap((page) => page.rows);
	return rows
		.slice(0, options.limit)
		.map((row) => (isObject(row) ? row : { value: row }) as IDataObject);
}
