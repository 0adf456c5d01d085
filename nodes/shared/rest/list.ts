import type { IDataObject } from 'n8n-workflow';
import type { RestOperation } from '../contract/operations';
import { InputError } from '../errors/InputError';
import { ServiceError } from '../errors/ServiceError';
import type { Connection } from '../transport/connection';
import type { Exchange } from '../transport/exchange';
import { readPage, shortList, type Page } from './page';

/** How much of a list is read, and how. */
export interface PagingOptions {
	/** At most so many rows; `undefined` reads all. */
	readonly limit: number | undefined;
	readonly pageSize: number;
	/** The number the service gives its first page. */
	readonly firstPage: number;
}

/** Values of a path's parameters, by name. */
export type PathValues = Readonly<Record<string, unknown>>;

function pathSegment(name: string, value: unknown): string {
	const text = typeof value === 'number' ? String(value) : value;
	if (typeof text !== 'string' || text.trim() === '') {
		throw new InputError(name, 'a number or a text', value);
	}
	const trimmed = text.trim();
	// Encoding leaves dots alone, and a segment of dots would climb out of the path.
	if (/^\.+$/.test(trimmed) || !trimmed.isWellFormed()) {
		throw new InputError(name, 'an identifier', value);
	}
	return encodeURIComponent(trimmed);
}

/**
 * Fills a path's parameters in.
 *
 * @throws {InputError} naming the parameter that is empty or no identifier
 */
export function fillPath(operation: RestOperation, values: PathValues): string {
	return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => pathSegment(name, values[name]));
}

function asRecord(row: unknown): IDataObject {
	return typeof row === 'object' && row !== null && !Array.isArray(row)
		? (row as IDataObject)
		: { value: row as IDataObject[string] };
}

function repeatedPage(): ServiceError {
	return new ServiceError('The payroll service sent the same page twice', {
		description:
			'It seems to ignore the page number, so the list cannot be read page by page. Raise "Page Size" in the node\'s options so that the list fits one page.',
	});
}

/** Whether the list ends with this page: by its own metadata, for a short page alone says nothing. */
function isEnd(page: Page, read: number, total: number | undefined): boolean {
	if (page.rows.length === 0) return true;
	return page.isLast ?? (total !== undefined && read >= total);
}

/**
 * Reads a paged list (interface.md section 4.2), page after page until one is empty, the page's own
 * metadata says that it was the last, or the limit is reached.
 *
 * @returns the rows as the service sent them; a row that is no object stands under `value`
 * @throws {InputError} before anything is sent
 * @throws {ServiceError} where a page cannot be read, comes twice, or the list is shorter than it
 * says itself: a list is complete or an error
 */
export async function readList(
	exchange: Exchange,
	connection: Connection,
	operation: RestOperation,
	values: PathValues,
	options: PagingOptions,
): Promise<IDataObject[]> {
	const url = `${connection.restUrl}${fillPath(operation, values)}`;
	const limit = options.limit ?? Number.POSITIVE_INFINITY;
	const rows: IDataObject[] = [];
	let previous: string | undefined;
	for (let index = 0; ; index += 1) {
		const page = await exchange(
			{
				method: operation.method,
				url,
				headers: { Accept: 'application/json', 'X-Subscription-Key': connection.subscriptionKey },
				query: {
					[operation.paging.pageNumber]: options.firstPage + index,
					[operation.paging.pageSize]: options.pageSize,
				},
				effect: 'read',
			},
			(response) => ({ value: readPage(response, index), tokenRejected: false }),
		);
		for (const row of page.rows) {
			if (rows.length >= limit) return rows;
			rows.push(asRecord(row));
		}
		if (rows.length >= limit) return rows;
		// Who begins further on reads a part of the list, so that its total says nothing.
		const total = options.firstPage <= 1 ? page.total : undefined;
		if (isEnd(page, rows.length, total)) {
			if (total !== undefined && rows.length < total) throw shortList(rows.length, total);
			return rows;
		}
		if (page.text === previous) throw repeatedPage();
		previous = page.text;
	}
}
