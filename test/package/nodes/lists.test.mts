/** Lists of the REST interface: complete, or an error; what list-limits.test.mts does not have. */
import type { IDataObject } from 'n8n-workflow';
import {
	codes,
	ids,
	inTurn,
	none,
	paged,
	two,
	useLists,
	withHeader,
	type Reply,
} from './pages.mts';

const { get } = useLists();

/** What a service knows of the page that it sends. */
interface Page {
	readonly rows: readonly IDataObject[];
	/** As asked for, from 1 on. */
	readonly number: number;
	readonly pages: number;
	readonly total: number;
}
const next = <T,>({ number, pages }: Page, none: T) => (number < pages ? number + 1 : none);

/** Shapes of pages, with the requests that a list of 97 records takes in pages of 40. */
const shapes: Readonly<Record<string, readonly [shape: (page: Page) => object, asked: string]>> = {
	'a list': [({ rows }) => rows, '1 2 3 4 0'],
	'a list, with the total in a header': [
		({ rows, total }) => withHeader(rows, 'X-Total-Count', String(total)),
		'1 2 3',
	],
	'a list, with the next page in a header': [
		(page) =>
			page.number < page.pages
				? withHeader(page.rows, 'Link', '<https://x.example/1>; rel=prev, </2>; rel="next last"')
				: page.rows,
		'1 2 3 4 0',
	],
	'data with counts and links': [
		(page) => ({
			pagination: {
				...{ pageNumber: page.number, pageSize: 40, totalPages: page.pages },
				...{ totalRecords: page.total, firstPage: '/1', nextPage: next(page, ''), lastPage: '/3' },
			},
			data: page.rows,
		}),
		'1 2 3',
	],
	'nothing but the next page': [
		(page) => ({ value: page.rows, nextPage: next(page, null) }),
		'1 2 3 0',
	],
	'a flag': [(page) => ({ items: page.rows, hasMore: page.number < page.pages }), '1 2 3 0'],
	'the count of each page': [
		({ rows }) => ({ employees: rows, totalCount: rows.length, warnings: ['slow'] }),
		'1 2 3 4 0',
	],
	'the number of pages': [({ rows, pages }) => ({ data: rows, totalPages: pages }), '1 2 3 4 0'],
	'null in place of an empty list': [
		({ rows, total }) => ({ data: rows.length === 0 ? null : rows, total, error: null }),
		'1 2 3',
	],
	'no list in place of an empty one': [
		({ rows, total }) => ({ ...(rows.length > 0 && { data: rows }), total, errors: [] }),
		'1 2 3',
	],
};

describe.each(Object.entries(shapes))('pages of the shape: %s', (_, [shape, asked]) => {
	const reply =
		(count: number, cap = Infinity) =>
		(number: number, wanted: number): Reply => {
			if (number === 0) return 400;
			const size = Math.min(wanted, cap);
			const rows = codes(count).slice((number - 1) * size, number * size);
			const pages = Math.ceil(count / size);
			return shape({ rows, number, pages, total: count });
		};

	it('all records are read, also if the service caps its pages', async () => {
		for (const count of [0, 1, 40, 41]) {
			expect((await get(paged(reply(count)))).ids).toEqual(ids(count));
		}
		expect(await get(paged(reply(97)))).toMatchObject({ ids: ids(97), asked });
		expect((await get(paged(reply(97, 15)))).ids).toEqual(ids(97));
	});

	it('a limit gives the first ones', async () => {
		const limited = { returnAll: false, limit: 45 };
		expect((await get(paged(reply(97)), {}, limited)).ids).toEqual(ids(45));
	});
});

describe('what the answer says about more is believed', () => {
	it.each<[string, readonly Reply[], number, pageSize?: number]>([
		['HTTP 204 is an empty page', [204], 0],
		['HTTP 204 ends a list', [two(1), 204], 2],
		['an answer without a body is an empty page', [' '], 0],
		['null in place of the page is one', ['null'], 0],
		['null in place of the list is one, too', [{ data: null, error: null }], 0],
		['such an answer ends a list', [two(1), ''], 2],
		['a total of 0 without a list is an empty list', [{ pagination: { totalRecords: 0 } }], 0],
		['a list of links is no second list', [{ links: [], codes: codes(2) }], 2],
		['an empty page ends a list, a short one does not', [codes(1), codes(3, 2), []], 4],
		[
			'an empty page that names the next one does not',
			[two(1), none({ pagination: { nextPage: 3 } }), two(2)],
			4,
		],
		['not even as the first page', [none({ links: { next: '/2' } }), two(1), none()], 2],
		['nor one whose links name it', [two(1), none({ links: [{ rel: 'next' }] }), two(2)], 4],
		['nor if a header names it', [two(1), withHeader([], 'Link', '</3>; rel=next'), two(2)], 4],
		[
			'the total ends a list, not a full page with as many',
			[two(1, { totalCount: 2 }), two(2, { totalCount: 2 }), none({ totalCount: 0 })],
			4,
		],
		['the total counts more than what else is said', [two(1), none({ total: 2, next: 3 })], 2],
		['a first page that names no next one says nothing', [two(1, { next: null }), two(2)], 4],
		['a flag does', [two(1, { hasMore: false }), two(2)], 2],
		['so does one as text', [two(1, { hasMore: 'True' }), two(2, { hasMore: 'False' }), two(3)], 4],
		[
			'a service without pages that states their number',
			[two(1, { total: 2 }), two(1, { total: 2 })],
			2,
			3,
		],
		['equal records on one page are two', [[{ id: 1 }, { id: 1 }]], 2],
	])('%s', async (_, replies, count, pageSize = 2) => {
		const { items, error } = await get(inTurn(...replies), { pageSize, firstPage: 1 });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(count);
	});

	it.each<[string, readonly Reply[], string]>([
		['more than stated', [two(1, { totalCount: 1 })], 'stated 1 record, but sent 2.'],
		['fewer than stated', [two(1, { count: 3 }), none()], 'stated 3 records, but sent 2.'],
		[
			'an empty page before the total',
			[two(1, { total: 5 }), two(2, { total: 5 }), []],
			'stated 5 records, but sent 4.',
		],
		[
			'HTTP 204 before the total',
			[withHeader(codes(2), 'X-Total-Count', '5'), 204],
			'stated 5 records, but sent 2.',
		],
		['a total without a list', [{ total: 2, data: null }], 'stated 2 records, but sent 0.'],
		['a total of 10^15', [two(1, { total: 1e15 })], `stated ${1e15} records, but sent 2.`],
		[
			'another total',
			[two(1, { total: 4 }), two(2, { total: 5 })],
			'stated 4 records, and then 5.',
		],
		['fewer pages than stated', [two(1, { totalPages: 3 }), []], 'stated 3 pages, but sent 1.'],
	])('%s: an error with both numbers', async (_, replies, contradiction) => {
		const { code, error } = await get(inTurn(...replies), { pageSize: 2, firstPage: 1 });
		expect(code).toBe('LIST_INCOMPLETE');
		expect(error).toMatch(/^The list of the payroll service is not complete The service/);
		expect(error).toContain(contradiction);
	});

	it('a list that is read from a later page is a part: what is stated is about the whole list', async () => {
		const { ids: found, asked } = await get(inTurn(two(1, { total: 90 }), []), { firstPage: 5 });
		expect([found, asked]).toEqual([ids(2), '5 6']);
	});
});

describe('a page that states an error', () => {
	it.each<[Reply, string]>([
		[{ items: codes(2), error: 'Backend timeout: partial result' }, 'Backend timeout: partial'],
		[{ items: codes(2), error: { code: 7, message: 'no access' } }, 'no access'],
		[{ items: codes(2), errors: ['no access'] }, 'no access'],
		[{ items: codes(2), errorMessage: 'no access' }, 'no access'],
		[{ error: 'denied', error_description: 'You have no rights' }, 'error: You have no rights'],
		[{ Errors: [{ code: 7, message: 'no access' }], hourCodes: [] }, 'no access'],
		[{ errors: ['no access'], hourCodes: null }, 'no access'],
		[{ success: false, message: 'no access', data: [] }, 'no access'],
		[{ success: false, data: codes(2) }, 'false'],
		[{ success: 'False', message: 'no access', data: [] }, 'no access'],
		[{ message: 'You have no rights' }, 'You have no rights'],
		[{ statusCode: 403, message: 'You have no rights' }, 'You have no rights'],
		['"You have no rights"', 'You have no rights'],
		[{ data: 'You have no rights' }, 'You have no rights'],
	])('is an error with its text: %j', async (body, text) => {
		const { error, code } = await get(paged(() => body));
		expect(code).toBe('SERVICE_ERROR');
		expect(error).toMatch(/^The payroll service reported an error: /);
		expect(error).toContain(text);
	});

	it.each([
		{},
		{ errors: [], a: [1], b: [2] },
		{ data: null, others: [1] },
		{ data: null, status: 'failed' },
		{ error: null },
		{ data: { id: 1 } },
		7,
	])('a page without a list is one, too: %j', async (body) => {
		const { code, error } = await get(paged(() => JSON.stringify(body)));
		expect(code).toBe('LIST_INCOMPLETE');
		// The path of a single record is not the one of its list.
		expect(error).toContain("Check 'Path', if the operation has it, and 'REST Address'");
	});

	it.each([
		[{ errors: [], warnings: ['slow'], error: null, data: codes(2) }],
		[{ success: true, messages: ['hello'], codes: codes(2), error: {} }],
		[{ data: codes(2), error: { code: 0, message: null } }],
		[{ codes: codes(2), success: { toString: 1 }, next: { toString: 1 } }],
		[{ status: 'failed', data: codes(2) }],
	])('none is stated in %j', async (body) => {
		expect((await get(inTurn(body), { firstPage: 1 })).ids).toEqual(ids(2));
	});
});

/** The pages of a service whose first page has this number, and its answers to page 0 and beyond the last. */
const from =
	(first: 0 | 1, count: number, beyond: Reply = [], zero: Reply = 400) =>
	(number: number, size: number): Reply => {
		if (number < first) return zero;
		const rows = codes(count).slice((number - first) * size, (number - first + 1) * size);
		return rows.length === 0 && number > first ? beyond : rows;
	};

describe('a service that counts its pages from 0', () => {
	it.each([0, 1, 40, 41, 137])('all of %d records are read', async (count) => {
		for (const beyond of [[], 404, 204]) {
			expect((await get(paged(from(0, count, beyond)))).ids).toEqual(ids(count));
		}
		const limited = { returnAll: false, limit: 50 };
		const { ids: found } = await get(paged(from(0, count)), {}, limited);
		expect(found).toEqual(ids(Math.min(50, count)));
	});

	it('may have Ids that are objects', async () => {
		const { items } = await get(inTurn([{ id: { toString: 1 } }], [], [{ id: { toString: 2 } }]));
		expect(items).toHaveLength(2);
	});

	it("'First Page' saves a request", async () => {
		const { ids: found, asked } = await get(paged(from(0, 137)), { firstPage: 0 });
		expect([found, asked]).toEqual([ids(137), '0 1 2 3 4']);
	});
});

describe('a service that counts its pages from 1', () => {
	it.each<[string, Reply]>([
		...[400, 404, 500].map((status): [string, Reply] => [
			`refuses page 0 (HTTP ${status})`,
			status,
		]),
		['says that page 0 is an error', { errors: ['pageNumber'], hourCodes: null }],
		['has an empty page 0', []],
		['takes page 0 for the first', codes(40)],
		['takes page 0 for all', codes(137)],
	])('and %s, all records are read once', async (_, zero) => {
		const script = paged(from(1, 137, [], zero));
		expect(await get(script)).toMatchObject({ ids: ids(137), asked: '1 2 3 4 5 0' });
		const limited = await get(script, {}, { returnAll: false, limit: 50 });
		expect(limited).toMatchObject({ ids: ids(50), asked: '1 2 0' });
	});

	it.each<[string, Reply, RegExp]>([
		['some of its records', [{ id: 900 }, ...codes(40)], /not complete.*Page 0.*'First Page'/],
		...[40, 137].map((count): [string, Reply, RegExp] => [
			`the Ids of the first page (${count})`,
			codes(count).map((row) => ({ ...row, link: '/?signature=2' })),
			/not complete.*Page 0.*'First Page'/,
		]),
		['HTTP 403', 403, /HTTP 403.*page 0.*'First Page' to 1/],
		['a web page', '<html>', /a web page.*page 0.*'First Page' to 1/],
		['rows beside an error', { items: [{ id: 900 }], error: 'partial result' }, /partial result/],
	])('and has %s on page 0, the list is an error', async (_, zero, expected) => {
		expect((await get(paged(from(1, 137, [], zero)))).error).toMatch(expected);
		const { asked } = await get(paged(from(1, 45, [], zero)), { firstPage: 1 });
		expect(asked).toBe('1 2 3');
	});

	it.each<[string, object]>([
		['more than before', { items: codes(18), total: 18 }],
		['a next page', { items: codes(17), total: 17, hasMore: true }],
	])('and sends the same records again with %s, the list is an error', async (_, second) => {
		const { code } = await get(inTurn({ items: codes(17), total: 17 }, second));
		expect(code).toBe('LIST_INCOMPLETE');
	});

	it.each([0, 1])('and ignores the page number, the list is an error (links: %d)', async (link) => {
		const rows = (number: number) => codes(17).map((row) => ({ ...row, link: link * number }));
		const same = await get(paged(rows));
		expect(same.error).toMatch(/same record on two pages.*'Page Size'.*'Not Paged'/);
	});

	it.each(['employeeId', 'code'])(
		'and takes page 0 for the first, is found by its %s',
		async (name) => {
			const rows = (link: number) => ids(link < 2 ? 20 : 0).map((id) => ({ [name]: id, link }));
			expect(await get(paged(rows))).toMatchObject({ code: 'LIST_INCOMPLETE', asked: '1 2 0' });
		},
	);
});

it('a company is a number in items, or a text if the number would be written otherwise', async () => {
	const inItems = { 100: 100, ' 100 ': 100, '0100': '0100', '1e2': '1e2' };
	for (const [companyId, inItem] of Object.entries(inItems)) {
		const { items } = await get(inTurn(codes(1)), { firstPage: 1 }, { companyId });
		expect(items).toMatchObject([{ CompanyId: inItem }]);
	}
});

describe('HTTP 404 for a page', () => {
	it.each([
		['after a short page', 137, 40, '1 2 3 4 5 0'],
		['after a full page', 80, 40, '1 2 3 0'],
		['after pages that the service made smaller', 50, 20, '1 2 3 4 0'],
	])('%s is the end of the list', async (_, count, cap, expected) => {
		const script = paged((number) => from(1, count, 404, 404)(number, cap));
		const { ids: found, asked } = await get(script);
		expect([found, asked]).toEqual([ids(count), expected]);
	});

	it.each<[string, readonly Reply[]]>([
		['in the middle', [codes(40), codes(2, 41), codes(40, 43), 404]],
		['after a page that names it', [{ data: codes(40), nextPage: 2 }, 404]],
		['before the stated total', [{ data: codes(40), totalCount: 50 }, 404]],
	])('%s is an error about the list, not about the company', async (_, replies) => {
		const { error, code } = await get(paged((number) => replies[number - 1] ?? 404));
		expect(code).toBe('LIST_INCOMPLETE');
		expect(error).not.toMatch(/was not found|REST Address/);
	});

	it('is about the company if there is no page at all', async () => {
		const all = await get(paged(() => 404));
		expect(all).toMatchObject({ code: 'NOT_FOUND', asked: '1 0' });
		const later = await get(
			paged(() => 404),
			{ firstPage: 5 },
		);
		expect(later.error).toMatch(/HTTP 404.*page 5/);
	});
});
