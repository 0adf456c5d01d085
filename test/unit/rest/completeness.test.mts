/* When a list is complete; list.test.mts reads lists. */
import { ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import {
	changedList,
	checkEnd,
	checkStart,
	endlessList,
	isEnd,
	repeatedPage,
	repeatedRecord,
} from '../../../nodes/shared/rest/completeness.ts';
import type { Page } from '../../../nodes/shared/rest/page.ts';

/** A page of two rows, with no metadata but the given. */
const page = (metadata: Partial<Page> = {}): Page => ({
	rows: [1, 2],
	isFirst: undefined,
	isLast: undefined,
	pages: undefined,
	total: undefined,
	...metadata,
});
const empty = (metadata: Partial<Page> = {}) => page({ ...metadata, rows: [] });

describe('a page ends a list', () => {
	it.each<[string, Page, number, number, boolean, boolean]>([
		['if it is empty', empty({ isLast: false }), 3, 6, true, true],
		['if it says so', page({ isLast: true, total: 9, pages: 9 }), 0, 2, true, true],
		['not if it says so', page({ isLast: false, total: 2, pages: 1 }), 0, 2, true, false],
		['not if it says nothing', page(), 0, 2, true, false],
		['as the last of its pages', page({ pages: 3 }), 2, 6, true, true],
		['after the last of its pages', page({ pages: 3 }), 3, 8, true, true],
		['not before the last of its pages', page({ pages: 3, total: 2 }), 1, 4, true, false],
		['with the last of its records', page({ total: 6 }), 2, 6, true, true],
		['with more records than it states', page({ total: 6 }), 2, 7, true, true],
		['not with fewer records than it states', page({ total: 6 }), 1, 5, true, false],
		[
			'not by numbers, if the list is not read from its start',
			page({ pages: 1, total: 2 }),
			0,
			2,
			false,
			false,
		],
	])('%s', (_, of, index, read, fromStart, expected) => {
		expect(isEnd(of, index, read, fromStart)).toBe(expected);
	});
});

const incomplete = (reason: string) => ({
	kind: 'reading',
	isTransient: true,
	message: 'The list of the payroll service is not complete',
	description: `${reason} Check 'Page Size' and 'First Page' in the node's options.`,
});

/** The error that a check throws. */
function thrown(check: () => void): unknown {
	try {
		check();
	} catch (error) {
		expect(error).toBeInstanceOf(ServiceError);
		return error;
	}
	return undefined;
}

describe('the first page', () => {
	it('is an error if it says that another page precedes it and states no total', () => {
		expect(thrown(() => checkStart(page({ isFirst: false })))).toMatchObject(
			incomplete('The service states that there is a page before the first one that was read.'),
		);
		for (const said of [{}, { isFirst: true }, { isFirst: false, total: 2 }]) {
			expect(thrown(() => checkStart(page(said)))).toBeUndefined();
		}
	});
});

describe('the last page', () => {
	const end = (of: Page, index: number, read: number, fromStart = true) =>
		thrown(() => checkEnd(of, index, read, fromStart));

	it.each([1, 3])('is an error if its total is not %d', (read) => {
		expect(end(page({ total: 2 }), 0, read)).toMatchObject(
			incomplete(`The service stated 2 records, but sent ${read}.`),
		);
	});

	it('is an error if it is empty and says that more follow', () => {
		expect(end(empty({ isLast: false }), 1, 2)).toMatchObject(
			incomplete('The service sent an empty page, but states that more pages follow.'),
		);
	});

	it('is an error if it states more pages than were sent, not counting an empty one', () => {
		expect(end(page({ pages: 3, isLast: true }), 1, 4)).toMatchObject(
			incomplete('The service stated 3 pages, but sent 2.'),
		);
		expect(end(empty({ pages: 3 }), 2, 4)).toMatchObject(
			incomplete('The service stated 3 pages, but sent 2.'),
		);
	});

	it.each<[string, Page, number, number, boolean]>([
		[
			'its total is right, whatever else it says',
			empty({ total: 4, pages: 9, isLast: false }),
			2,
			4,
			true,
		],
		['it is the last of its pages', page({ pages: 3 }), 2, 6, true],
		['it is empty and follows the last page', empty({ pages: 3 }), 3, 6, true],
		['it states one page of an empty list', empty({ pages: 1 }), 0, 0, true],
		['it says nothing', page(), 0, 2, true],
		['it is not empty, and says that more follow', page({ isLast: false }), 0, 2, true],
		['the list is not read from its start', page({ total: 9, pages: 9 }), 0, 2, false],
	])('is no error if %s', (_, of, index, read, fromStart) => {
		expect(end(of, index, read, fromStart)).toBeUndefined();
	});
});

it.each([
	[
		'a repeated page',
		repeatedPage(),
		'The payroll service sent the same page twice',
		"It seems to ignore the page number, so the list cannot be read page by page. To read it anyway, raise 'Page Size' in the node's options so that the list fits on one page.",
		false,
	],
	[
		'a repeated record',
		repeatedRecord(),
		'The payroll service sent the same record on two pages',
		"The list changed while it was being read, or has no fixed order, so that other records may be missing. If this happens again, raise 'Page Size' in the node's options so that the list fits on one page. If equal records are expected, turn off 'Check for Changes' in the node's options.",
		true,
	],
	[
		'a changed list',
		changedList(),
		'The list changed while it was being read',
		"Records were added, removed or moved, so that others may be missing. If this happens again, raise 'Page Size' in the node's options so that the list fits on one page. If a field of each record changes with every request, turn off 'Check for Changes' in the node's options.",
		true,
	],
	[
		'an endless list',
		endlessList(10_000),
		'The list of the payroll service does not end',
		"It did not end after 10000 pages. Raise 'Page Size' in the node's options if the list is that long.",
		false,
	],
])('the error of %s says what to do', (_, error, message, description, isTransient) => {
	expect(error).toMatchObject({ kind: 'reading', message, description, isTransient });
});
