import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { RestOperation } from '../contract/operations';
import type { Connection } from '../credential/connection';
import { listChanged, listEndless, listIncomplete, listRepeats } from '../errors/answerErrors';
import { truncate } from '../errors/words';
import type { Reader } from '../exchange/exchange';
import { isObject, type Values } from '../values/values';
import { readPage, REST_ADDRESS, type Page } from './page';
import { fillPath } from './path';

/** Number that a service gives to its first page, unless the builder says otherwise. */
export const FIRST_PAGE = 1;

/** How much of a list to read, and how. */
export interface PagingOptions {
	/** Maximum number of rows; `undefined` reads all. */
	readonly limit: number | undefined;
	readonly pageSize: number;
	/** Number of the service's first page, where reading starts. */
	readonly firstPage: number;
}

/** Limit for the pages of a whole list: a server that never ends it must not fill n8n's memory. */
const MAX_PAGES = 10_000;

/** A hash that only values with the same JSON share. Takes less memory than their JSON. */
function hashOf(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}

/**
 * Checks that no record of a page is on an earlier page, too: the list changed, has no fixed order,
 * or the service ignores the page number. Equal records on one page are the service's own data.
 *
 * @param earlier hashes of the records of earlier pages; those of this page are added
 */
function checkForDuplicates({ rows }: Page, earlier: Set<string>): void {
	const hashes = rows.map(hashOf);
	if (hashes.some((hash) => earlier.has(hash))) throw listRepeats();
	for (const hash of hashes) earlier.add(hash);
}

/** Whether a page ends the list; `read` is the number of rows so far, including this page. */
function isEnd(
	{ rows, isLast, pages, total = Infinity }: Page,
	index: number,
	read: number,
): boolean {
	const isComplete = pages === undefined ? read >= total : index + 1 >= pages;
	return rows.length === 0 || (isLast ?? isComplete);
}

/**
 * Checks the last page of a list against what it states about the whole list: neither more rows or
 * pages than were received, nor fewer rows.
 *
 * @param index number of the page, from 0
 * @param read number of rows received in all
 */
function checkEnd({ rows, isLast, pages = 0, total }: Page, index: number, read: number): void {
	if (total !== undefined) {
		if (read === total) return;
		throw listIncomplete(`The service stated ${total} records, but sent ${read}.`);
	}
	if (rows.length === 0 && isLast === false) {
		throw listIncomplete('The service sent an empty page, but states that more pages follow.');
	}
	const filled = rows.length === 0 ? index : index + 1;
	// Of an empty list many services say that it has one page.
	if (pages > 1 && filled < pages) {
		throw listIncomplete(`The service stated ${pages} pages, but sent ${filled}.`);
	}
}

/** Reads a list up to its end or the limit. */
async function readPages(
	read: (index: number) => Promise<Page>,
	{ limit, firstPage }: PagingOptions,
): Promise<IDataObject[]> {
	const isWhole = limit === undefined;
	const fromStart = firstPage <= 1;
	const records: IDataObject[] = [];
	const hashes = new Set<string>();
	let total: number | undefined;
	for (let index = 0; !isWhole || index < MAX_PAGES; index += 1) {
		const page = await read(index);
		checkForDuplicates(page, hashes);
		total ??= page.total;
		if (isWhole && (page.total ?? total) !== total) throw listChanged();
		// A total allows a better check at the end, against the number of rows received.
		if (isWhole && fromStart && index === 0 && page.isFirst === false && page.total === undefined) {
			throw listIncomplete(
				'The service states that there is a page before the first one that was read.',
			);
		}
		for (const row of page.rows)
			records.push((isObject(row) ? row : { value: row }) as IDataObject);
		if (!isWhole && records.length >= limit) return records.slice(0, limit);
		// A list read from a later page is a part, but these numbers count the whole list.
		const last = fromStart ? page : { ...page, pages: undefined, total: undefined };
		if (isEnd(last, index, records.length)) {
			if (isWhole) checkEnd(last, index, records.length);
			return records;
		}
	}
	throw listEndless(MAX_PAGES);
}

/**
 * Reads a paged list (docs/dev/interface.md, section 4.2), page by page, until a page is empty, the
 * page's own metadata says that it is the last, or the limit is reached.
 *
 * @param values values of the path's parameters, by name
 * @returns the records as the service sent them; a row that is not an object becomes the field
 * `value`
 * @throws {InputError} before anything is sent, if a path parameter is empty or not an identifier
 * @throws {ServiceError} if a page cannot be read, or a record is on two pages; without a limit, also
 * if the list does not end, or contradicts what the service states about it
 */
export async function readList(
	exchange: Reader,
	connection: Connection,
	operation: RestOperation,
	values: Readonly<Values>,
	options: PagingOptions,
): Promise<readonly IDataObject[]> {
	const url = `${connection.restUrl}${fillPath(operation, values)}`;
	const subject = `${operation.subjectName} ${truncate(String(values[operation.subject]))}`;
	const read = async (index: number): Promise<Page> =>
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
	return await readPages(read, options);
}
