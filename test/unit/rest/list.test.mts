import { readList, type PagingOptions } from '../../../nodes/shared/rest/list.ts';
import { answering, connectionTo, type Canned } from '../../support/exchange.mts';

const codes = (count: number, from = 1) =>
	Array.from({ length: count }, (_, i) => ({ id: from + i, code: `U${from + i}` }));

/** Reads a list whose n-th request (counted from 0) gets the n-th answer. */
async function readFrom(answer: (index: number) => Canned, options: Partial<PagingOptions> = {}) {
	const { exchange, requests } = answering((_, index) => answer(index));
	const connection = connectionTo('https://rest.example/base');
	const rows = await readList(
		exchange,
		connection,
		{ path: '/api/companies/100/hourcodes', name: 'Company ID 100' },
		{ limit: undefined, pageSize: 2, firstPage: 1, ...options },
	);
	return { rows, requests };
}

/** Reads a list whose pages have these bodies; another request is an error. */
async function read(bodies: readonly unknown[], options: Partial<PagingOptions> = {}) {
	return await readFrom((index) => {
		if (index >= bodies.length) throw new Error(`Page ${index + 1} was asked for, too`);
		return { body: bodies[index] };
	}, options);
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
	return await promise.then(
		() => 'no failure',
		(reason: unknown) => reason,
	);
}

const reading = { kind: 'reading', isTransient: true, outcome: 'notApplied' };
const onePage = "raise 'Page Size' in the node's options so that the list fits on one page";
const sameRecord = {
	...reading,
	message: 'The payroll service sent the same record on two pages',
	description: `The list changed while it was being read, has no fixed order, or the service ignores the page number, so that others may be missing. If this happens again, ${onePage}. A list that the service sends at once is read by Other List with 'Not Paged'.`,
};
const changed = {
	...reading,
	message: 'The list changed while it was being read',
	description: `Records were added, removed or moved, so that others may be missing. If this happens again, ${onePage}.`,
};

it('a list is requested page by page', async () => {
	const { requests } = await read([codes(7), []], { firstPage: 0, pageSize: 7 });
	expect(requests).toEqual(
		[0, 1].map((pageNumber) => ({
			method: 'GET',
			address: 'REST Address',
			url: 'https://rest.example/base/api/companies/100/hourcodes',
			headers: { Accept: 'application/json', 'X-Subscription-Key': 'key' },
			query: { pageNumber, pageSize: 7 },
			effect: 'read',
		})),
	);
});

it('rows that are not objects become the field "value"', async () => {
	expect((await read([['U1', 2, null, ['x']], []], { pageSize: 4 })).rows).toEqual([
		{ value: 'U1' },
		{ value: 2 },
		{ value: null },
		{ value: ['x'] },
	]);
});

/** A page of two rows; the n-th in a list (counted from 0). */
const two = (index: number, metadata: object = {}) => ({
	items: codes(2, 1 + 2 * index),
	...metadata,
});
const empty = (metadata: object = {}) => ({ items: [], ...metadata });

describe('a list ends with', () => {
	it('an empty page, not with a short one: a server may cap the page size', async () => {
		const pages = [codes(1), codes(1, 2), codes(1, 3), []];
		const { rows, requests } = await read(pages, { pageSize: 100 });
		expect(rows).toEqual(codes(3));
		expect(requests).toHaveLength(4);
	});

	it.each<[string, readonly object[], number]>([
		['an empty page, even the first one', [[]], 0],
		['the page that says so', [two(0, { hasNextPage: true }), two(1, { hasNextPage: false })], 4],
		[
			'the page that names no next one, after one that did',
			[two(0, { nextPage: 2 }), two(1, { nextPage: null })],
			4,
		],
		[
			'an empty page, if none ever names a next one',
			[two(0, { nextPage: null }), two(1, { nextPage: null }), empty({ nextPage: null })],
			4,
		],
		['the last of all pages', [two(0, { totalPages: 2 }), two(1, { totalPages: 2 })], 4],
		['a page after the last one', [two(0), two(1, { totalPages: 1 })], 4],
		['the last of all rows', [two(0, { totalCount: 4 }), two(1, { totalCount: 4 })], 4],
		[
			'an empty page, if the one before says that more follow',
			[two(0, { hasNextPage: true, totalCount: 2, totalPages: 1 }), empty({ totalCount: 2 })],
			2,
		],
		['an empty page after the last one', [two(0), two(1), empty({ totalPages: 2 })], 4],
		['an empty page, the only one', [empty({ totalPages: 1 })], 0],
		[
			'an empty page, if the total is right, whatever else it says',
			[two(0), empty({ totalCount: 2, totalPages: 9, hasNextPage: true })],
			2,
		],
	])('%s', async (_, pages, count) => {
		for (const firstPage of [0, 1]) {
			expect((await read(pages, { firstPage })).rows).toEqual(codes(count));
		}
	});
});

describe('a list is complete or an error:', () => {
	it.each<[string, readonly object[], string]>([
		[
			'more rows than stated',
			[two(0, { totalCount: 1 })],
			'The service stated 1 records, but sent 2.',
		],
		[
			'fewer rows than stated',
			[two(0, { totalCount: 3 }), empty({ totalCount: 3 })],
			'The service stated 3 records, but sent 2.',
		],
		[
			'an empty page that says that more follow',
			[two(0), empty({ hasNextPage: true })],
			'The service sent 0 records, but states that more follow.',
		],
		[
			'a last page before the last one',
			[two(0), two(1, { totalPages: 3, hasNextPage: false })],
			'The service stated 3 pages, but sent 2.',
		],
		[
			'an empty page before the last one',
			[two(0), two(1), empty({ totalPages: 3 })],
			'The service stated 3 pages, but sent 2.',
		],
		[
			'a total that is reached before the last page',
			[two(0, { totalPages: 2, totalCount: 2 }), two(1, { totalPages: 2, totalCount: 2 })],
			'The service stated 2 records, but sent 4.',
		],
		[
			'a first page that is not the first',
			[two(0, { first: false }), empty()],
			'The service states that there are pages before the first one read.',
		],
	])('%s is an error', async (_, pages, reason) => {
		expect(await failure(read(pages))).toMatchObject({
			...reading,
			message: 'The list of the payroll service is not complete',
			description: `${reason} Check 'Page Size' and 'First Page' in the node's options.`,
		});
	});

	it('only the first page has to be the first, unless the total is right', async () => {
		const pages = [two(0), two(1, { hasPreviousPage: true, hasNextPage: false })];
		expect((await read(pages)).rows).toEqual(codes(4));
		expect((await read([two(0, { first: false, totalCount: 2 })])).rows).toEqual(codes(2));
	});

	it.each([
		{ totalCount: 2, totalPages: 1 },
		{ totalCount: 9, totalPages: 9 },
	])('the numbers of a list that is read from a later page on are ignored: %j', async (numbers) => {
		const pages = [two(0, { hasPreviousPage: true, ...numbers }), empty(numbers)];
		const { rows, requests } = await read(pages, { firstPage: 5 });
		expect(rows).toEqual(codes(2));
		expect(requests).toHaveLength(2);
	});

	it.each([{}, { limit: 4 }])('a record on two pages is an error with %j', async (options) => {
		const page = (rows: readonly object[]) => ({ items: rows, totalCount: 4 });
		for (const second of [codes(2), codes(2, 2), codes(2).reverse()]) {
			const list = read([page(codes(2)), page(second)], options);
			expect(await failure(list)).toMatchObject(sameRecord);
		}
		// Two pages later, too.
		expect(await failure(read([codes(2), codes(2, 3), codes(1)]))).toMatchObject(sameRecord);
	});

	it('equal records on one page are no error', async () => {
		const page = [...codes(1), ...codes(1)];
		expect((await read([page, []])).rows).toEqual(page);
	});

	it('a total that changes is an error', async () => {
		const first = { items: codes(2), totalCount: 4 };
		const second = { items: codes(1, 4), totalCount: 3 };
		expect(await failure(read([first, second]))).toMatchObject(changed);
		// A page without a total makes no difference.
		expect(await failure(read([first, codes(1, 3), second]))).toMatchObject(changed);
		// The last pages state no total.
		expect((await read([first, codes(1, 4), []])).rows).toHaveLength(3);
	});
});

it('a page may have 200,000 rows', async () => {
	const { rows } = await read([codes(200_000), []], { pageSize: 200_000 });
	expect(rows).toHaveLength(200_000);
	expect(rows.at(-1)).toEqual({ id: 200_000, code: 'U200000' });
});

describe('a list that does not end', () => {
	const page = (index: number) => ({ body: { items: codes(1, index), hasNextPage: true } });

	it('is an error after 10,000 pages', async () => {
		const asked = jest.fn(page);
		expect(await failure(readFrom(asked, { pageSize: 1 }))).toMatchObject({
			...reading,
			isTransient: false,
			message: 'The list of the payroll service does not end',
			description:
				"It did not end after 10000 pages. If it is that long, raise 'Page Size' in the node's options, or read it in parts with 'Limit' and 'First Page'.",
		});
		expect(asked).toHaveBeenCalledTimes(10_000);
	});

	it('is read up to a limit', async () => {
		const list = readFrom(page, { limit: 10_001, pageSize: 1 });
		expect(await list).toMatchObject({ rows: { length: 10_001 } });
	});
});

describe('a page with more rows than were asked for', () => {
	const tooLong = {
		...reading,
		code: 'PAGE_TOO_LONG',
		isTransient: false,
		message: 'The payroll service sent more records on a page than it was asked for',
		description:
			"It was asked for 100, and sent 100000. If it ignores the page size, set 'Page Size' in the node's options to 100000 or more.",
	};
	/** A page whose rows are on no other. */
	const long = (index: number) => ({ body: codes(100_000, 1 + index * 100_000) });

	it.each([{}, { limit: 2_000_000 }])('is an error with %j, at once', async (options) => {
		const asked = jest.fn(long);
		expect(await failure(readFrom(asked, { pageSize: 100, ...options }))).toMatchObject(tooLong);
		expect(asked).toHaveBeenCalledTimes(1);
	});

	it('is an error as page 0, too, unless it has the records of the others', async () => {
		const zero = (page: Canned) => {
			const answers = [{ body: codes(2) }, { body: [] }, page];
			return async () =>
				await readFrom((index) => answers[index] as Canned, {
					pageSize: 100,
					firstPage: undefined,
				});
		};
		expect(await failure(zero(long(1))())).toMatchObject(tooLong);
		expect((await zero({ body: codes(2) })()).rows).toHaveLength(2);
	});

	it('is cut if that is all that is asked for', async () => {
		expect((await readFrom(long, { pageSize: 100, limit: 50 })).rows).toEqual(codes(50));
	});
});

describe('a list is read up to', () => {
	/** A page of 130 MiB with one text. */
	const text = (index: number) => {
		const body = Buffer.alloc(130 * 2 ** 20, 'x');
		body.write(`["${index}`);
		body.write('"]', body.length - 2);
		return body;
	};
	it.each<[string, (index: number) => unknown, number]>([
		['1000000 records', (index) => [...Array(550_000).keys()].map((id) => id + index * 1e6), 2],
		['6000000 values', (index) => `[[${index}${',0'.repeat(1_390_000)}]]`, 5],
		['256 MiB', text, 2],
	])('%s', async (limit, page, count) => {
		const asked = jest.fn((index: number) => ({ body: page(index) }));
		const mostOf = { limit: 2 ** 31 - 1, pageSize: 2 ** 31 - 1 };
		expect(await failure(readFrom(asked, mostOf))).toMatchObject({
			...reading,
			code: 'LIST_ENDLESS',
			isTransient: false,
			description: expect.stringContaining(`It did not end after ${limit}.`),
		});
		expect(asked).toHaveBeenCalledTimes(count);
	});
});

describe('a list that the service sends at once', () => {
	const whole = { isWhole: true, firstPage: undefined, pageSize: 2 };

	it.each([
		[codes(7), undefined, 7],
		[[], undefined, 0],
		[{ data: codes(7), totalCount: 7, totalPages: 1, nextPage: '' }, undefined, 7],
		[codes(7), 5, 5],
		[{ data: codes(2), totalCount: 7, hasNextPage: true }, 5, 2],
	])('is asked for once, without a page: %j, up to %s', async (body, limit, count) => {
		const { rows, requests } = await read([body], { ...whole, limit });
		expect(rows).toEqual(codes(count));
		expect(requests).toMatchObject([{ query: {} }]);
		expect(requests[0]?.query).toEqual({});
	});

	it.each([
		{ totalCount: 7 },
		{ totalPages: 2 },
		{ hasNextPage: true },
		{ nextPage: '/x?page=2' },
		{ hasPreviousPage: true },
	])('is an error if it is only a part of the list: %j', async (metadata) => {
		expect(await failure(read([two(0, metadata)], whole))).toMatchObject({
			code: 'LIST_INCOMPLETE',
		});
	});

	it('is an error if it is not there', async () => {
		const list = readFrom(() => ({ status: 404, body: Buffer.alloc(0) }), whole);
		expect(await failure(list)).toMatchObject({ code: 'SUBJECT_NOT_FOUND' });
	});
});

describe('a limit', () => {
	it.each([1, 2])('of %d is reached without a further request', async (limit) => {
		const { rows, requests } = await read([codes(2)], { limit });
		expect(rows).toEqual(codes(limit));
		expect(requests).toHaveLength(1);
	});

	it('ends a list that is not complete', async () => {
		const pages = [{ items: codes(2), totalCount: 37 }];
		expect((await read(pages, { limit: 2 })).rows).toEqual(codes(2));
	});

	it('is no reason to check where the list starts or what it states', async () => {
		const page = (rows: unknown[], total: number) => ({ items: rows, total_count: total });
		const first = { items: codes(2), first: false };
		const pages = [first, page(codes(1, 3), 9), page([], 8)];
		expect((await read(pages, { limit: 50 })).rows).toEqual(codes(3));
	});
});
