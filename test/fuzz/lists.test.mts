/** The rules of lists: a true list comes out whole, however it is paged; with one lie, whole or as an error. */
import fc from 'fast-check';
import { ServiceError } from '../../nodes/shared/errors/ServiceError.ts';
import { readList } from '../../nodes/shared/rest/list.ts';
import { answering, type Canned, connectionTo } from '../support/exchange.mts';

const seed = Number(process.env.FUZZ_SEED ?? 1);
const seconds = Number(process.env.FUZZ_SECONDS ?? 15);

/** How a service pages a list. */
const service = fc
	.record({
		count: fc.integer({ min: 0, max: 60 }),
		/** Number of its first page, and whether the builder gives it. */
		first: fc.constantFrom(0, 1),
		isFirstGiven: fc.boolean(),
		pageSize: fc.integer({ min: 1, max: 30 }),
		/** Most rows of a page, in percent of what is asked for. */
		cap: fc.constantFrom(100, 100, 60, 10),
		/** Whether each second page is shorter, and whether an empty page comes between two others. */
		isUneven: fc.boolean(),
		hasGap: fc.boolean(),
		key: fc.constantFrom('array', 'data', 'items', 'value', 'results', 'codes'),
		metadata: fc.constantFrom('beside', 'pagination', 'meta'),
		total: fc.constantFrom(
			...['none', 'total', 'totalCount', 'totalRecords', 'X-Total-Count', 'of the page'],
		),
		next: fc.constantFrom('none', 'nextPage', 'next', 'nextCursor', 'hasMore', 'Link'),
		hasPages: fc.boolean(),
		/** What it answers to a page after the last one, and to page 0 if its first one is 1. */
		beyond: fc.constantFrom('empty', 404, 204, 'nothing'),
		zero: fc.constantFrom('empty', 400, 404, 500, 'first'),
	})
	// Pages in bare arrays state something in headers only.
	.map((made) => ({
		...made,
		total: made.key === 'array' && made.total !== 'X-Total-Count' ? 'none' : made.total,
		next: made.key === 'array' && made.next !== 'Link' ? 'none' : made.next,
		hasPages: made.hasPages && made.key !== 'array',
	}))
	// A lawful service that answers 404 has even pages, and only one that names the next page has empty ones.
	.map((made) => ({
		...made,
		isUneven: made.isUneven && made.beyond !== 404,
		hasGap: made.hasGap && made.next !== 'none' && made.beyond !== 404 && !made.hasPages,
	}));
type Service = typeof service extends fc.Arbitrary<infer Made> ? Made : never;

interface Row {
	readonly id: number;
}

/** A page, before it is written in the service's shape. */
interface Told {
	rows: Row[];
	total: number;
	hasNext: boolean;
	pages: number;
	error?: string;
	status?: number | undefined;
}

/** The pages of a service that tells the truth. */
function truth({ count, pageSize, cap, isUneven, hasGap }: Service): Told[] {
	const all = Array.from({ length: count }, (_, id) => ({ id }));
	const size = Math.ceil((pageSize * cap) / 100);
	const parts: Row[][] = [];
	for (let at = 0; at < count; at += parts.at(-1)?.length ?? 0) {
		const isShort = isUneven && parts.length % 2 === 1;
		parts.push(all.slice(at, at + (isShort ? Math.ceil(size / 2) : size)));
	}
	if (parts.length === 0) parts.push([]);
	if (hasGap && parts.length > 1) parts.splice(1, 0, []);
	const pages = count === 0 ? 0 : parts.length;
	return parts.map((rows, i) => ({ rows, total: count, hasNext: i < parts.length - 1, pages }));
}

/** Writes a page in the shape of a service. */
function written(
	service: Service,
	{ rows, total, hasNext, pages, error, status }: Told,
	i: number,
): Canned {
	const { key, metadata, total: totalKey, next, hasPages, first } = service;
	if (status !== undefined)
		return { status, body: status === 204 ? '' : '{"message":"No such page"}' };
	const headers: Record<string, string> = {};
	const stated: Record<string, unknown> = {};
	if (totalKey === 'X-Total-Count') headers['x-total-count'] = String(total);
	else if (totalKey === 'of the page') stated.totalCount = rows.length;
	else if (totalKey !== 'none') stated[totalKey] = total;
	if (next === 'Link' && hasNext) headers.link = '<https://x.example/?page=1>; rel="prev next"';
	if (next === 'nextPage') stated.nextPage = hasNext ? first + i + 1 : null;
	if (next === 'next') stated.next = hasNext ? '/api/list?pageNumber=9' : '';
	if (next === 'nextCursor') stated.nextCursor = hasNext ? 'abc' : null;
	if (next === 'hasMore') stated.hasMore = hasNext;
	if (hasPages) stated.totalPages = pages;
	const beside = metadata === 'beside' ? stated : { [metadata]: stated };
	const body = key === 'array' ? rows : { [key]: rows, links: [], warnings: [], error, ...beside };
	return { headers, body };
}

/** Reads the list of a service whose pages are these. */
async function read(service: Service, told: readonly Told[]) {
	const { first, pageSize, isFirstGiven, beyond, zero, count } = service;
	const empty: Told = { rows: [], total: count, hasNext: false, pages: told[0]?.pages ?? 0 };
	const { exchange } = answering(({ query }) => {
		const i = Number(query?.pageNumber) - first;
		if (i >= told.length && beyond === 'nothing') return { body: '' };
		const said = i < 0 ? zero : beyond;
		const status = typeof said === 'number' ? said : undefined;
		const page = told[said === 'first' && i < 0 ? 0 : i] ?? { ...empty, status };
		return written(service, page, i);
	});
	const list = { path: '/api/list', name: 'The list' };
	const options = { limit: undefined, pageSize, firstPage: isFirstGiven ? first : undefined };
	const connection = connectionTo('https://rest.example');
	const result = await readList(exchange, connection, list, options).catch(
		(error: unknown) => error,
	);
	if (result instanceof ServiceError) return result.code;
	return (result as { records: Row[] }).records.map(({ id }) => id);
}

const ids = ({ count }: Service) => Array.from({ length: count }, (_, id) => id);

it('a true list comes out whole', async () => {
	const property = fc.asyncProperty(service, async (made) => {
		expect(await read(made, truth(made))).toEqual(ids(made));
	});
	await fc.assert(property, { seed, numRuns: 40 * seconds });
});

/** Lies about one page; each gets the page, and whether it lies is up to the service. */
const lies: Readonly<Record<string, (told: Told, all: readonly Told[]) => unknown>> = {
	'another total': (told) => (told.total += 7),
	'a smaller total': (told) => (told.total = Math.max(0, told.total - 1)),
	'the rows of another page': (told, all) =>
		(told.rows = all.find((page) => page !== told)?.rows ?? []),
	'an error beside its rows': (told) => (told.error = 'Backend timeout: partial result'),
	'a next page, though there is none': (told) => (told.hasNext = true),
	'more pages': (told) => (told.pages += 1),
	'fewer pages': (told) => (told.pages = Math.max(0, told.pages - 1)),
	'its rows left out': (told) => (told.rows = []),
	'one of its rows left out': (told) => (told.rows = told.rows.slice(1)),
	'no next page, though there is one': (told) => (told.hasNext = false),
	'HTTP 404': (told) => (told.status = 404),
	'HTTP 204': (told) => (told.status = 204),
};

/** Lies that nobody can find if the service states no total of the list. */
const HIDDEN = /left out|^no next page|^HTTP|fewer|another page/;

it.each(Object.entries(lies))(
	'a list with one lie is whole, or an error: %s',
	async (name, lie) => {
		let errors = 0;
		const property = fc.asyncProperty(service, fc.nat(), async (made, n) => {
			const hasTotal = !['none', 'of the page'].includes(made.total);
			fc.pre(hasTotal || !HIDDEN.test(name));
			fc.pre(made.key !== 'array' || !name.startsWith('an error'));
			const told = truth(made);
			// An answer without a word in place of the first page is an empty list.
			const least = name === 'HTTP 204' ? 1 : 0;
			const page = told[least + (n % Math.max(1, told.length - least))];
			fc.pre(page !== undefined && told.length > 1 && page.rows.length > 0);
			if (page !== undefined) lie(page, told);
			const found = await read(made, told);
			if (typeof found === 'string') errors += 1;
			else expect([...found].sort((a, b) => a - b)).toEqual(ids(made));
		});
		await fc.assert(property, { seed, numRuns: 10 * seconds });
		if (!/next page|fewer|more/.test(name)) expect(errors).toBeGreaterThan(0);
	},
);
