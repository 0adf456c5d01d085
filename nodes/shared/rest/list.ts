import type { IDataObject } from 'n8n-workflow';
import type { RestOperation } from '../contract/operations';
import type { Connection } from '../credential/connection';
import { failure, texts, type ServiceError } from '../errors/ServiceError';
import { truncate } from '../errors/words';
import type { Reader } from '../exchange/exchange';
import { isObject } from '../values/values';
import { checkEnd, checkStart, isEnd } from './completeness';
import { hashOf, isSameJson } from './json';
import { readPage, REST_ADDRESS, type Page } from './page';
import { fillPath, type PathValues } from './path';

/** Number that a service gives to its first page, unless the builder says otherwise. */
export const FIRST_PAGE = 1;

/** How much of a list to read, and how. */
export interface PagingOptions {
	/** Maximum number of rows; `undefined` reads all. */
	readonly limit: number | undefined;
	readonly pageSize: number;
	/** Number of the service's first page, where reading starts. */
	readonly firstPage: number;
	/** Whether to check a whole list for changes during reading. */
	readonly checkForChanges: boolean;
}

/** Limit for the pages of a whole list: a server that never ends it must not fill n8n's memory. */
const MAX_PAGES = 10_000;

/** The error for a list whose pages or total number of records change during reading. */
function changedList(): ServiceError {
	return failure(texts.lists.changed, {}, { isTransient: true });
}

type PageReader = (index: number) => Promise<Page>;

function asRecord(row: unknown): IDataObject {
	return (isObject(row) ? row : { value: row }) as IDataObject;
}

function isOther(total: number | undefined, earlier: number | undefined): boolean {
	return total !== undefined && earlier !== undefined && total !== earlier;
}

/** The records read so far, in order, and the row index at which each page starts. */
class Pages {
	readonly records: IDataObject[] = [];
	readonly starts: number[] = [];

	/** Adds a page, without its rows beyond the limit. */
	add(page: Page, limit: number): void {
		this.starts.push(this.records.length);
		for (const row of page.rows) {
			if (this.records.length >= limit) return;
			this.records.push(asRecord(row));
		}
	}

	/** Whether a page has the same rows as the page that was added at this index. */
	isPage(index: number, { rows }: Page): boolean {
		const start = this.starts[index] ?? 0;
		const end = this.starts[index + 1] ?? this.records.length;
		if (end - start !== rows.length) return false;
		return rows.every((row, at) => isSameJson(asRecord(row), this.records[start + at]));
	}
}

/**
 * Detects a record that appears on two pages. Equal records on one page are the service's own data.
 * Keeps only a number per record besides the record itself.
 */
class DuplicateDetector {
	/** Index of each record by its hash; after a hash collision, by the next free number. */
	private readonly indexes = new Map<number, number>();
	/** Random seed, so that collisions cannot be crafted. */
	private readonly seed = Math.floor(Math.random() * 2 ** 32);

	/** @throws {ServiceError} if a record from index `start` on equals a record of an earlier page */
	add(records: readonly IDataObject[], start: number): void {
		for (let index = start; index < records.length; index += 1) {
			const record = records[index];
			let key = hashOf(JSON.stringify(record), this.seed);
			let known = this.indexes.get(key);
			while (known !== undefined && !isSameJson(records[known], record)) {
				key = (key + 1) | 0;
				known = this.indexes.get(key);
			}
			if (known === undefined) this.indexes.set(key, index);
			else if (known < start) throw failure(texts.lists.sameRecord, {}, { isTransient: true });
		}
	}
}

/** Reads a list up to its end or the limit. */
async function readPages(read: PageReader, options: PagingOptions): Promise<Pages> {
	const isWhole = options.limit === undefined;
	const limit = options.limit ?? Number.POSITIVE_INFINITY;
	const fromStart = options.firstPage <= 1;
	const duplicates = isWhole && options.checkForChanges ? new DuplicateDetector() : undefined;
	const pages = new Pages();
	let count = 0;
	let total: number | undefined;
	for (let index = 0; !isWhole || index < MAX_PAGES; index += 1) {
		const page = await read(index);
		if (index > 0 && page.rows.length > 0 && pages.isPage(index - 1, page)) {
			throw failure(texts.lists.samePage);
		}
		if (isWhole && fromStart && index === 0) checkStart(page);
		// If no page is read again, only a different total shows a change.
		if (isWhole && duplicates === undefined && isOther(page.total, total)) throw changedList();
		pages.add(page, limit);
		duplicates?.add(pages.records, count);
		count += page.rows.length;
		if (count >= limit) return pages;
		if (isEnd(page, index, count, fromStart)) {
			if (isWhole) checkEnd(page, index, count, fromStart);
			return pages;
		}
		total = page.total;
	}
	throw failure(texts.lists.endless, { pages: MAX_PAGES });
}

/**
 * Reads every page but the last again. A page that is unchanged after the last page was read
 * existed unchanged at the moment the last page was read. If all are unchanged, they form the list
 * of that moment, with no row missing or repeated. (This is the "double collect" of atomic
 * snapshots; a page that changes and changes back in between goes undetected.)
 *
 * @throws {ServiceError} if a page has changed
 */
async function readAgain(read: PageReader, pages: Pages): Promise<void> {
	for (let index = 0; index < pages.starts.length - 1; index += 1) {
		if (!pages.isPage(index, await read(index))) throw changedList();
	}
}

/**
 * Reads a paged list (docs/interface.md, section 4.2), page by page, until a page is empty, the
 * page's own metadata says that it is the last, or the limit is reached.
 *
 * @param values values of the path's parameters, by name
 * @returns the records as the service sent them; a row that is not an object becomes the field
 * `value`
 * @throws {InputError} before anything is sent, if a path parameter is empty or not an identifier
 * @throws {ServiceError} if a page cannot be read or repeats; without a limit, also if the list
 * changes during reading, does not end, or differs from the length it states: the list is either
 * complete, or the call fails
 */
export async function readList(
	exchange: Reader,
	connection: Connection,
	operation: RestOperation,
	values: PathValues,
	options: PagingOptions,
): Promise<readonly IDataObject[]> {
	const url = `${connection.restUrl}${fillPath(operation, values)}`;
	const subject = `${operation.subjectName} ${truncate(String(values[operation.subject]))}`;
	const read: PageReader = async (index) =>
		await exchange(
			{
				method: operation.method,
				url,
				address: REST_ADDRESS,
				headers: { Accept: 'application/json', 'X-Subscription-Key': connection.subscriptionKey },
				query: {
					[operation.paging.pageNumber]: options.firstPage + index,
					[operation.paging.pageSize]: options.pageSize,
				},
				effect: 'read',
			},
			(response) => ({ value: readPage(response, subject), tokenRejected: false }),
		);
	const pages = await readPages(read, options);
	if (options.limit === undefined && options.checkForChanges) await readAgain(read, pages);
	return pages.records;
}
