/** Lists of which the pages do not fit together. */
import { json, type Act } from '../acts.mts';
import { error, fault, type Fault, type Group } from '../fault.mts';

/** Answers page after page with these values, the last of them from then on. */
function paged(pages: readonly object[]): Act {
	return (call) => json(200, pages[Math.min(call.attempt, pages.length) - 1])(call);
}

const rows = (...ids: number[]) => ids.map((id) => ({ id }));

function row(name: string, pagesSent: readonly object[], sent: number, message: RegExp): Fault {
	return fault(name, paged(pagesSent), { restRead: error(sent, 0, message) });
}

export const pages: Group = {
	name: 'Pages of a list',
	faults: [
		row(
			'the page number is ignored',
			[rows(1, 2)],
			2,
			/same record on two pages.*ignores the page number/s,
		),
		row('a record on two pages', [rows(1, 2), rows(2, 3)], 2, /same record on two pages.*changed/s),
		row(
			'changed while it is read',
			[
				{ items: rows(1, 2), totalCount: 4 },
				{ items: rows(4), totalCount: 3 },
			],
			2,
			/list changed while it was being read.*'Page Size'/s,
		),
		row(
			'a page before the first',
			[{ items: rows(1), hasPreviousPage: true }],
			1,
			/not complete.*page before the first/s,
		),
		row(
			'an empty page before the end',
			[{ items: [], hasNextPage: true }],
			1,
			/not complete.*more pages follow/s,
		),
		row(
			'fewer pages than it names',
			[
				{ items: rows(1), totalPages: 3 },
				{ items: [], totalPages: 3 },
			],
			2,
			/not complete.*stated 3 pages, but sent 1/s,
		),
	],
};
