/** Rules for when a paged list is complete. */
import { failure, texts } from '../errors/ServiceError';
import type { Page } from './page';

/** Whether a page ends the list; `read` is the number of rows so far, including this page. */
export function isEnd(page: Page, index: number, read: number, fromStart: boolean): boolean {
	if (page.rows.length === 0) return true;
	if (page.isLast !== undefined) return page.isLast;
	// A list read from a later page is a part, but these numbers count the whole list.
	if (!fromStart) return false;
	if (page.pages !== undefined) return index + 1 >= page.pages;
	return page.total !== undefined && read >= page.total;
}

/**
 * Checks the first page of a list that is read from its start.
 *
 * @throws {ServiceError} if the service says that another page precedes it
 */
export function checkStart(page: Page): void {
	// A total allows a better check at the end, against the number of rows received.
	if (page.isFirst === false && page.total === undefined) {
		throw failure(texts.lists.pageBefore, {}, { isTransient: true });
	}
}

/**
 * Checks the last page of a list against what it states about the whole list.
 *
 * @param index number of the page, from 0
 * @param read number of rows received in all
 * @param fromStart whether the list was read from its first page
 * @throws {ServiceError} if the page states more rows or pages than were received, or fewer rows
 */
export function checkEnd(page: Page, index: number, read: number, fromStart: boolean): void {
	const total = fromStart ? page.total : undefined;
	if (total !== undefined) {
		if (read !== total) {
			throw failure(texts.lists.records, { stated: total, sent: read }, { isTransient: true });
		}
		return;
	}
	if (page.rows.length === 0 && page.isLast === false) {
		throw failure(texts.lists.emptyPage, {}, { isTransient: true });
	}
	const filled = page.rows.length === 0 ? index : index + 1;
	// Of an empty list many services say that it has one page.
	if (fromStart && page.pages !== undefined && page.pages > 1 && filled < page.pages) {
		throw failure(texts.lists.pages, { stated: page.pages, sent: filled }, { isTransient: true });
	}
}
