/** Rules for when a paged list is complete, and the errors for a list that is not. */
import { ServiceError } from '../errors/ServiceError';
import type { Page } from './page';

const OPTIONS = "in the node's options";
const ONE_PAGE = `raise 'Page Size' ${OPTIONS} so that the list fits on one page`;
const SWITCH_OFF = `turn off 'Check for Changes' ${OPTIONS}`;

/** The error for a server that sends the same page again instead of the next one. */
export function repeatedPage(): ServiceError {
	return new ServiceError('reading', 'The payroll service sent the same page twice', {
		description: `It seems to ignore the page number, so the list cannot be read page by page. To read it anyway, ${ONE_PAGE}.`,
	});
}

/** The error for a record that appears on two pages: another record may then be on none. */
export function repeatedRecord(): ServiceError {
	return new ServiceError('reading', 'The payroll service sent the same record on two pages', {
		description: `The list changed while it was being read, or has no fixed order, so that other records may be missing. If this happens again, ${ONE_PAGE}. If equal records are expected, ${SWITCH_OFF}.`,
		isTransient: true,
	});
}

/** The error for a list whose pages or total number of records change during reading. */
export function changedList(): ServiceError {
	return new ServiceError('reading', 'The list changed while it was being read', {
		description: `Records were added, removed or moved, so that others may be missing. If this happens again, ${ONE_PAGE}. If a field of each record changes with every request, ${SWITCH_OFF}.`,
		isTransient: true,
	});
}

/** The error for a list that did not end after `pages` pages. */
export function endlessList(pages: number): ServiceError {
	return new ServiceError('reading', 'The list of the payroll service does not end', {
		description: `It did not end after ${pages} pages. Raise 'Page Size' ${OPTIONS} if the list is that long.`,
	});
}

function incomplete(reason: string): ServiceError {
	return new ServiceError('reading', 'The list of the payroll service is not complete', {
		description: `${reason} Check 'Page Size' and 'First Page' ${OPTIONS}.`,
		isTransient: true,
	});
}

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
		throw incomplete('The service states that there is a page before the first one that was read.');
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
			throw incomplete(`The service stated ${total} records, but sent ${read}.`);
		}
		return;
	}
	if (page.rows.length === 0 && page.isLast === false) {
		throw incomplete('The service sent an empty page, but states that more pages follow.');
	}
	const filled = page.rows.length === 0 ? index : index + 1;
	// Of an empty list many services say that it has one page.
	if (fromStart && page.pages !== undefined && page.pages > 1 && filled < page.pages) {
		throw incomplete(`The service stated ${page.pages} pages, but sent ${filled}.`);
	}
}
