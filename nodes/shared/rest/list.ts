import type { IDataObject } from 'n8n-workflow';
import type { RestOperation } from '../contract/operations';
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
import { ADDRESS, readPage, type Page } from './page';
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

function asRecord(row: unknown): IDataObject {
	return typeof row === 'object' && row !== null && !Array.isArray(row)
		? (row as IDataObject)
		: { value: row as IDataObject[string] };
}

function isOther(total: number | undefined, earlier: number | undefined): boolean {
	return total !== undefined && earlier !== undefined && total !== earlier;
}

/** Notices a row that stands on two pages; rows that are equal within one page are the service's own. */
class RowsOfPages {
	private readonly pages = new Map<string, number>();

	/** @throws {ServiceError} where one of the rows stood on an earlier page */
	add(rows: readonly string[], index: number): void {
		for (const row of rows) {
			const page = this.pages.get(row);
			if (page !== undefined && page !== index) throw repeatedRecord();
			this.pages.set(row, index);
		}
	}
}

/** Reads a list up to its end or to the limit; gives the rows of each page. */
async function readPages(read: PageReader, options: PagingOptions): Promise<IDataObject[][]> {
	const isWhole = options.limit === undefined;
	const limit = options.limit ?? Number.POSITIVE_INFINITY;
	const fromStart = options.firstPage <= 1;
	const seen = isWhole && options.checkForChanges ? new RowsOfPages() : undefined;
	const pages: IDataObject[][] = [];
	let count = 0;
	let previous: { readonly rows: string; readonly total: number | undefined } | undefined;
	for (let index = 0; !isWhole || index < MAX_PAGES; index += 1) {
		const page = await read(index);
		const texts = page.rows.map((row) => JSON.stringify(row));
		const rows = texts.join();
		if (rows !== '' && rows === previous?.rows) throw repeatedPage();
		if (isWhole && fromStart && index === 0) checkStart(page);
		// Where nothing is read again, the total is the only witness of a change.
		if (isWhole && seen === undefined && isOther(page.total, previous?.total)) throw changedList();
		seen?.add(texts, index);
		pages.push(page.rows.slice(0, limit - count).map(asRecord));
		count += page.rows.length;
		if (count >= limit) return pages;
		if (isEnd(page, index, count, fromStart)) {
			if (isWhole) checkEnd(page, index, count, fromStart);
			return pages;
		}
		previous = { rows, total: page.total };
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
async function readAgain(read: PageReader, pages: readonly IDataObject[][]): Promise<void> {
	for (const [index, rows] of pages.slice(0, -1).entries()) {
		const again = (await read(index)).rows.map(asRecord);
		if (JSON.stringify(again) !== JSON.stringify(rows)) throw changedList();
	}
}

/**
 * Reads a paged list (interface.md section 4.2), page after page until one is empty, the page's own
 * metadata says that it was the last, or the limit is reached.
 *
 * @returns the rows of each page, as the service sent them; a row that is no object stands under
 * `value`
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
): Promise<IDataObject[][]> {
	const url = `${connection.restUrl}${fillPath(operation, values)}`;
	const read: PageReader = async (index) =>
		await exchange(
			{
				method: operation.method,
				url,
				address: ADDRESS,
				headers: { Accept: 'application/json', 'X-Subscription-Key': connection.subscriptionKey },
				query: {
					[operation.paging.pageNumber]: options.firstPage + index,
					[operation.paging.pageSize]: options.pageSize,
				},
				effect: 'read',
			},
			(response) => ({ value: readPage(response), tokenRejected: false }),
		);
	const pages = await readPages(read, options);
	if (options.limit === undefined && options.checkForChanges) await readAgain(read, pages);
	return pages;
}
