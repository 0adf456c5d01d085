import type { IDataObject } from 'n8n-workflow';
import type { RestOperation } from '../contract/operations';
import { isObject } from '../contract/values';
import { shortened } from '../errors/words';
import type { Connection } from '../transport/connection';
import type { Exchange } from '../transport/exchange';
import {
	changedList,
	checkEnd,
	checkStart,
	endlessList,
	isEnd,
	repeatedPage,
	repeatedRecord,
} from './completeness';
import { hashOf, isSameJson } from './json';
import { readPage, REST_ADDRESS, type Page } from './page';
import { fillPath, type PathValues } from './path';

/** How much of a list is read, and how. */
export interface PagingOptions {
	/** At most so many rows; `undefined` reads all. */
	readonly limit: number | undefined;
	readonly pageSize: number;
	/** The number the service gives its first page. */
	readonly firstPage: number;
	/** Whether a whole list is checked for changes while it is read. */
	readonly checkForChanges: boolean;
}

/** More pages than a list in n8n's memory has: a server that never ends must not fill it. */
const MAX_PAGES = 10_000;

type PageReader = (index: number) => Promise<Page>;

/** What was read of a list. */
export interface ListRead {
	/** Its records, one page after the other. */
	readonly records: readonly IDataObject[];
	/** How many pages they were read from. */
	readonly pages: number;
}

function asRecord(row: unknown): IDataObject {
	return (isObject(row) ? row : { value: row }) as IDataObject;
}

function isOther(total: number | undefined, earlier: number | undefined): boolean {
	return total !== undefined && earlier !== undefined && total !== earlier;
}

/** The records that were read, one after the other, and the place among them where each page begins. */
class Pages {
	readonly records: IDataObject[] = [];
	readonly starts: number[] = [];

	/** Adds a page, or its beginning where the limit is reached. */
	add(page: Page, limit: number): void {
		this.starts.push(this.records.length);
		for (const row of page.rows) {
			if (this.records.length >= limit) return;
			this.records.push(asRecord(row));
		}
	}

	/** Whether these are the rows of a page that was added. */
	isPage(index: number, { rows }: Page): boolean {
		const start = this.starts[index] ?? 0;
		const end = this.starts[index + 1] ?? this.records.length;
		if (end - start !== rows.length) return false;
		return rows.every((row, at) => isSameJson(asRecord(row), this.records[start + at]));
	}
}

/**
 * Notices a record that stands on two pages; those that are equal on one page are the service's own.
 * Of each record only a number is kept beside the record itself.
 */
class DuplicateDetector {
	/** The index of a record by its hash; by the next free number where two records share a hash. */
	private readonly indexes = new Map<number, number>();
	/** A random seed, so that collisions cannot be crafted. */
	private readonly seed = Math.floor(Math.random() * 2 ** 32);

	/** @throws {ServiceError} where a record from this index on stands on an earlier page, too */
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
			else if (known < start) throw repeatedRecord();
		}
	}
}

/** Reads a list up to its end or to the limit. */
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
		if (index > 0 && page.rows.length > 0 && pages.isPage(index - 1, page)) throw repeatedPage();
		if (isWhole && fromStart && index === 0) checkStart(page);
		// Where nothing is read again, the total is the only witness of a change.
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
	throw endlessList(MAX_PAGES);
}

/**
 * Reads every page but the last once more. Pages that are the same after the last one was read as
 * they were before it stood side by side at that moment: together they are the list, none of its
 * rows skipped and none twice. (This is the "double collect" of atomic snapshots; a page that is
 * changed and changed back in between goes unnoticed.)
 *
 * @throws {ServiceError} where a page is another one
 */
async function readAgain(read: PageReader, pages: Pages): Promise<void> {
	for (let index = 0; index < pages.starts.length - 1; index += 1) {
		if (!pages.isPage(index, await read(index))) throw changedList();
	}
}

/**
 * Reads a paged list (docs/interface.md, section 4.2), page after page until one is empty,
 * the page's own metadata says that it was the last, or the limit is reached.
 *
 * @returns the records as the service sent them; a row that is no object stands under `value`
 * @throws {InputError} before anything is sent
 * @throws {ServiceError} where a page cannot be read or comes twice, and of a whole list where it
 * changed while it was read, does not end, or is not as long as it says itself: a list is complete
 * or an error
 */
export async function readList(
	exchange: Exchange,
	connection: Connection,
	operation: RestOperation,
	values: PathValues,
	options: PagingOptions,
): Promise<ListRead> {
	const url = `${connection.restUrl}${fillPath(operation, values)}`;
	const subject = `${operation.subjectName} ${shortened(String(values[operation.subject]))}`;
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
	return { records: pages.records, pages: pages.starts.length };
}
