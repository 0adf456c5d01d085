/* The pages that services of this kind send, and some that they should not: each list is complete, or an error. */
import { ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import { readList } from '../../../nodes/shared/rest/list.ts';
import { answering, connectionTo } from '../../support/exchange.mts';

interface Row {
	readonly id: number;
}

/** A page as a service makes it: the rows, and what it knows of the list. */
interface Paged {
	readonly rows: readonly Row[];
	/** As asked for, from 1 on. */
	readonly number: number;
	readonly size: number;
	readonly pages: number;
	readonly total: number;
}

type Shape = (page: Paged) => unknown;

const url = (number: number, { size }: Paged) =>
	`https://rest.example/api/list?pageNumber=${number}&pageSize=${size}`;

const next = (page: Paged, name: (number: number) => unknown, none: unknown) =>
	page.number < page.pages ? name(page.number + 1) : none;

const counts = ({ number, size, pages, total }: Paged) => ({
	...{ pageNumber: number, pageSize: size, totalPages: pages, totalRecords: total },
});

const links = (page: Paged, none: unknown) => ({
	firstPage: url(1, page),
	lastPage: url(Math.max(page.pages, 1), page),
	nextPage: next(page, (number) => url(number, page), none),
	previousPage: page.number > 1 ? url(page.number - 1, page) : none,
});

/** Shapes of pages, with the requests that a list of 97 records takes in pages of 40. */
const shapes: Readonly<Record<string, readonly [Shape, requests: number]>> = {
	'a list': [({ rows }) => rows, 5],
	'data with counts and links': [
		(page) => ({ pagination: { ...counts(page), ...links(page, '') }, data: page.rows }),
		3,
	],
	'data with counts and links, null at the end': [
		(page) => ({ data: page.rows, pagination: { ...counts(page), ...links(page, null) } }),
		3,
	],
	'counts and links beside data': [
		(page) => ({ ...counts(page), ...links(page, ''), data: page.rows }),
		3,
	],
	'counts as texts': [
		({ rows, pages, total }) => ({
			...{ data: rows, pagination: { totalPages: String(pages), totalRecords: String(total) } },
		}),
		3,
	],
	'Pascal case': [
		({ rows, pages, total }) => ({
			Data: rows,
			Pagination: { TotalPages: pages, TotalRecords: total },
		}),
		3,
	],
	'snake case': [({ rows, total }) => ({ results: rows, total_count: total }), 3],
	'the number of the next page': [
		(page) => ({ data: page.rows, pagination: { nextPage: next(page, Number, null) } }),
		4,
	],
	'the number of the next page, 0 at the end': [
		(page) => ({ data: page.rows, nextPage: next(page, Number, 0) }),
		4,
	],
	'whether there is a next page': [
		(page) => ({ items: page.rows, hasNextPage: page.number < page.pages }),
		4,
	],
	'nextPage as a flag': [(page) => ({ items: page.rows, nextPage: page.number < page.pages }), 4],
	'a next page in any case': [(page) => ({ items: page.rows, nextPage: page.number + 1 }), 5],
	'a next page in any case, with the number of pages': [
		(page) => ({ items: page.rows, nextPage: page.number + 1, totalPages: page.pages }),
		3,
	],
	OData: [
		(page) => ({
			value: page.rows,
			...(next(page, (n) => ({ '@odata.nextLink': url(n, page) }), {}) as object),
		}),
		5,
	],
	'OData, version 2': [({ rows, total }) => ({ d: { results: rows, totalCount: total } }), 3],
	HAL: [
		({ rows, total }) => ({ _embedded: { employees: rows }, page: { totalElements: total } }),
		3,
	],
	'JSON:API': [
		(page) => ({ data: page.rows, links: { next: next(page, (n) => url(n, page), null) } }),
		4,
	],
	'the list within data': [
		({ rows, pages, total }) => ({
			success: true,
			data: { items: rows, totalPages: pages, totalCount: total },
		}),
		3,
	],
	'the list within data, under its own name': [({ rows }) => ({ data: { employees: rows } }), 5],
	'the metadata within data': [
		({ rows, total }) => ({ data: { items: rows, pagination: { totalRecords: total } } }),
		3,
	],
	'the list under its own name': [({ rows }) => ({ employees: rows, count: rows.length }), 5],
	'null for an empty list': [
		({ rows, total }) => ({
			data: rows.length === 0 ? null : rows,
			pagination: { totalRecords: total },
		}),
		3,
	],
	'null within data for an empty list': [
		({ rows, total }) => ({ data: { items: rows.length === 0 ? null : rows, totalCount: total } }),
		3,
	],
	'the record of a list of one': [
		({ rows, total }) => ({
			data: rows.length === 1 && total === 1 ? rows[0] : rows,
			totalCount: total,
		}),
		3,
	],
	'one page of an empty list': [
		({ rows, pages, total }) => ({
			data: rows,
			totalPages: Math.max(pages, 1),
			totalRecords: total,
		}),
		3,
	],
	'no page, although there are rows': [({ rows }) => ({ data: rows, totalPages: 0 }), 5],
	'errors, of which there are none': [
		({ rows, total }) => ({ data: rows, errors: [], error: null, totalCount: total }),
		3,
	],
};

const all = (count: number): Row[] => Array.from({ length: count }, (_, i) => ({ id: i + 1 }));

interface Service {
	readonly shape: Shape;
	readonly rows: readonly Row[];
	/** Most rows of a page. */
	readonly cap?: number;
	/** What it counts its pages and records by, if not by the size of its pages. */
	readonly countedBy?: number;
	/** Which page it sends for a number beyond the last, if not an empty one. */
	readonly beyond?: (last: number) => number;
}

/** Reads the list of a service whose pages count from 1; page 0 is refused. */
async function read({ shape, rows, cap = Infinity, countedBy, beyond }: Service, limit?: number) {
	let asked = 0;
	const { exchange } = answering(({ query = {} }) => {
		asked += 1;
		const [given = 0, wanted = 0] = [query.pageNumber, query.pageSize];
		if (given === 0) return { status: 400, body: Buffer.from('{}') };
		const size = Math.min(wanted, cap);
		const pages = Math.ceil(rows.length / (countedBy ?? size));
		const number = given > pages && beyond !== undefined ? beyond(pages) : given;
		const part = rows.slice((number - 1) * size, number * size);
		return { body: shape({ rows: part, number, size, pages, total: rows.length }) };
	});
	const list = { path: '/api/list', name: 'The list' };
	const options = { limit, pageSize: 40, firstPage: undefined };
	const read = await readList(exchange, connectionTo('https://rest.example'), list, options).catch(
		(error: unknown) => error as ServiceError,
	);
	return { read, asked };
}

describe.each(Object.entries(shapes))('pages of the shape: %s', (_, [shape, requests]) => {
	it.each([0, 1, 39, 40, 41, 80, 97])('all of %d records are read', async (count) => {
		expect((await read({ shape, rows: all(count) })).read).toEqual(all(count));
	});

	it('no more pages are asked for than needed', async () => {
		// Page 0 is asked for, too, unless the service shows that page 1 is its first.
		const { asked } = await read({ shape, rows: all(97) });
		expect(asked).toBeLessThanOrEqual(requests + 1);
		expect(asked).toBeGreaterThanOrEqual(requests - 1);
	});

	it('all records are read if the service caps the pages', async () => {
		expect((await read({ shape, rows: all(97), cap: 15 })).read).toEqual(all(97));
	});

	it('a limit gives the first ones', async () => {
		expect((await read({ shape, rows: all(97) }, 45)).read).toEqual(all(45));
	});

	it('the last page again, in place of an empty one, is never more than the list', async () => {
		for (const count of [1, 40, 97]) {
			const { read: found } = await read({ shape, rows: all(count), beyond: (last) => last });
			if (found instanceof ServiceError) expect(found.code).toBe('LIST_REPEATS');
			else expect(found).toEqual(all(count));
		}
	});
});

it('a service that counts pages of the size that was asked for, and sends less, is read to its end', async () => {
	const shape = ({ rows, pages, total }: Paged) => ({
		data: rows,
		totalPages: pages,
		totalRecords: total,
	});
	const { read: found } = await read({ shape, rows: all(97), cap: 15, countedBy: 40 });
	expect(found).toEqual(all(97));
});

it('a link to page 1 as the first one saves the request for page 0', async () => {
	const [shape] = shapes['data with counts and links'] ?? [];
	expect((await read({ shape: shape as Shape, rows: all(97) }, 50)).asked).toBe(2);
	const plain = ({ rows, total }: Paged) => ({ data: rows, totalRecords: total });
	expect((await read({ shape: plain, rows: all(97) }, 50)).asked).toBe(3);
});

describe('pages that say too little are an error:', () => {
	it.each<[string, Shape]>([
		['a record without a total', () => ({ data: { id: 1 } })],
		['a record with another total', () => ({ data: { id: 1 }, totalCount: 2 })],
		['a record with a list in it', () => ({ data: { id: 1, addresses: [] }, page: 1 })],
		['null without a total', () => ({ data: null })],
		['null with another total', () => ({ data: null, totalCount: 2 })],
		['two lists', () => ({ data: { a: [], b: [] } })],
		['messages', () => ({ data: { messages: ['No'] } })],
	])('%s', async (_, shape) => {
		const { read: found } = await read({ shape, rows: all(1) });
		expect(found).toMatchObject({ code: 'PAGE_WITHOUT_LIST' });
	});
});
