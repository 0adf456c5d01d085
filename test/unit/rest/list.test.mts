import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hourCodesGet } from '../../../nodes/shared/contract/operations.ts';
import { InputError } from '../../../nodes/shared/errors/InputError.ts';
import { ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import { hashOf } from '../../../nodes/shared/rest/json.ts';
import { readList, type PagingOptions } from '../../../nodes/shared/rest/list.ts';
import { fillPath } from '../../../nodes/shared/rest/path.ts';
import { answering, connectionTo, plainExchange, type Canned } from '../../support/exchange.mts';

const codes = (count: number, from = 1) =>
	Array.from({ length: count }, (_, i) => ({ id: from + i, code: `U${from + i}` }));

/** Reads the list that these bodies are the pages of; asking for a further one is a mistake. */
async function read(bodies: readonly unknown[], options: Partial<PagingOptions> = {}) {
	return await readAnswers(
		bodies.map((body) => ({ body })),
		options,
	);
}

async function readAnswers(answers: readonly Canned[], options: Partial<PagingOptions> = {}) {
	const { exchange, requests } = answering((_, index) => {
		const answer = answers[index];
		if (answer === undefined) throw new Error(`Page ${index + 1} was asked for too`);
		return answer;
	});
	const all = {
		limit: undefined,
		pageSize: 2,
		firstPage: 1,
		checkForChanges: false,
		...options,
	};
	const connection = connectionTo('https://rest.example/base');
	const values = { companyId: '100' };
	const { records: rows } = await readList(exchange, connection, hourCodesGet, values, all);
	return { rows, requests };
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
	return await promise.then(
		() => 'no failure',
		(reason: unknown) => reason,
	);
}

describe('a request for a page', () => {
	it('is this', async () => {
		const { requests } = await read([codes(2), []], { pageSize: 2 });
		expect(requests).toEqual(
			[1, 2].map((pageNumber) => ({
				method: 'GET',
				address: 'REST Address',
				url: 'https://rest.example/base/api/companies/100/hourcodes',
				headers: { Accept: 'application/json', 'X-Subscription-Key': 'key' },
				query: { pageNumber, pageSize: 2 },
				effect: 'read',
			})),
		);
	});

	it('counts from the first page and with the page size of the options', async () => {
		const { requests } = await read([codes(7), []], { firstPage: 0, pageSize: 7 });
		expect(requests.map(({ query }) => query)).toEqual([
			{ pageNumber: 0, pageSize: 7 },
			{ pageNumber: 1, pageSize: 7 },
		]);
	});
});

describe('a list is found in', () => {
	const bodies: ReadonlyArray<readonly [string, (rows: readonly unknown[]) => unknown]> = [
		['a bare array', (rows) => rows],
		...[
			'items',
			'data',
			'results',
			'value',
			'records',
			'hourcodes',
			'content',
			'Items',
			'hourCodes',
			'hour_codes',
		].map((key) => [`"${key}"`, (rows: readonly unknown[]) => ({ [key]: rows })] as const),
		[
			'a well-known key beside other lists',
			(rows) => ({ warnings: ['w'], errors: [], items: rows }),
		],
		['the only list, whatever its key', (rows) => ({ urencodes: rows, page: 1, more: null })],
	];
	it.each(bodies)('%s', async (_, body) => {
		expect((await read([body(codes(2)), body([])])).rows).toEqual(codes(2));
	});

	it.each([{ a: [1], b: [2] }, { a: [], b: [] }, {}, { items: null }, { data: { rows: [] } }])(
		'but not in %j',
		async (body) => {
			expect(await failure(read([body]))).toMatchObject({
				message: 'The payroll service sent a page without a list in it',
				description: expect.stringMatching(/exactly one list/),
			});
		},
	);

	it('rows that nest, as deep as anything may', async () => {
		const row = { id: 1, list: JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`) as unknown };
		expect((await read([[row], []])).rows).toEqual([row]);
	});

	it('rows that are no objects stand under "value"', async () => {
		expect((await read([['U1', 2, null, ['x']], []])).rows).toEqual([
			{ value: 'U1' },
			{ value: 2 },
			{ value: null },
			{ value: ['x'] },
		]);
	});
});

describe('the last page is', () => {
	it('not a short page: a server may cap the page size', async () => {
		const { rows, requests } = await read([codes(1), codes(1, 2), codes(1, 3), []], {
			pageSize: 100,
		});
		expect(rows).toEqual(codes(3));
		expect(requests).toHaveLength(4);
	});

	it('an empty page, also the very first', async () => {
		expect((await read([[]])).rows).toEqual([]);
		expect((await read([{ items: [] }])).rows).toEqual([]);
	});

	const ends: ReadonlyArray<readonly [string, object, object]> = [
		['hasNextPage', { hasNextPage: true }, { hasNextPage: false }],
		['has_more', { has_more: true }, { has_more: false }],
		['HasNext', { HasNext: true }, { HasNext: false }],
		['isLast', { isLast: false }, { isLast: true }],
		['last', { last: false }, { last: true }],
		['isLastPage', { isLastPage: false }, { isLastPage: true }],
		['totalPages', { totalPages: 2 }, { totalPages: 2 }],
		['pageCount', { pageCount: 2 }, { pageCount: 2 }],
		['totalCount', { totalCount: 4 }, { totalCount: 4 }],
		['total_count', { total_count: 4 }, { total_count: 4 }],
		['totalElements', { totalElements: 4 }, { totalElements: 4 }],
	];
	it.each(ends)('the one of which %s says so', async (_, first, second) => {
		const two = [
			{ items: codes(2), ...first },
			{ items: codes(2, 3), ...second },
		];
		expect((await read(two)).rows).toEqual(codes(4));
	});

	it.each(['metadata', 'meta', 'paging', 'pagination', 'pageInfo', 'page', 'page_info'])(
		'the one of which "%s" says so inside',
		async (key) => {
			for (const [, first, second] of ends) {
				const two = [
					{ items: codes(2), [key]: first },
					{ items: codes(2, 3), [key]: second },
				];
				expect((await read(two)).rows).toEqual(codes(4));
			}
		},
	);

	it('told by the page itself rather than by a count', async () => {
		const page = { items: codes(2), totalPages: 1, hasNextPage: true };
		expect((await read([page, { items: codes(1, 3), hasNextPage: false }])).rows).toEqual(codes(3));
	});

	it('counted from its own first page number', async () => {
		const pages = [0, 1].map((i) => ({ items: codes(2, 1 + 2 * i), totalPages: 2 }));
		expect((await read(pages, { firstPage: 0 })).rows).toEqual(codes(4));
	});

	it('not told by a number that may speak of this page alone', async () => {
		const page = (rows: unknown[]) => ({ items: rows, count: rows.length, total: rows.length });
		expect((await read([page(codes(2)), page(codes(2, 3)), page([])])).rows).toEqual(codes(4));
	});

	it.each(['3', null, -1, 1.5, {}])('not told by metadata of another type: %j', async (odd) => {
		const page = (rows: unknown[]) => ({
			items: rows,
			totalCount: odd,
			totalPages: odd,
			isLast: odd,
		});
		expect((await read([page(codes(2)), page([])])).rows).toEqual(codes(2));
	});
});

describe('a list is complete or an error', () => {
	it('where a page is identical to the one before', async () => {
		expect(await failure(read([codes(2), codes(2)]))).toMatchObject({
			message: 'The payroll service sent the same page twice',
			description: expect.stringMatching(/Page Size/),
		});
	});

	it.each([
		[
			'an empty page came first',
			[
				{ items: codes(2), totalCount: 5 },
				{ items: [], totalCount: 5 },
			],
		],
		['it says it is the last', [{ items: codes(2), totalCount: 5, hasNextPage: false }]],
		['its pages are all read', [{ items: codes(2), totalCount: 5, totalPages: 1 }]],
	])('where it names more rows than came: %s', async (_, pages) => {
		expect(await failure(read(pages))).toMatchObject({
			message: 'The list of the payroll service is not complete',
			description: expect.stringMatching(/5 records and sent 2/),
		});
	});

	it.each([
		['HTML', '<!DOCTYPE html><html>Sign in</html>', /cannot be read as JSON/],
		['an empty body', '', /cannot be read as JSON/],
		['a page cut short', '[{"id":1},{"id"', /cannot be read as JSON/],
		['a text', '"ok"', /without a list/],
		['null', 'null', /without a list/],
		['bytes that are no UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), /cannot be decoded/],
	])('where a page is %s', async (_, body, message) => {
		const error = await failure(read([codes(2), body]));
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toMatchObject({ message: expect.stringMatching(message), httpStatus: 200 });
	});

	it.each([
		[
			404,
			/^Company 100 was not found, or 'REST Address'/,
			/correct 'REST Address' in the credential/,
		],
		[403, /HTTP 403/, /'Scopes'/],
		[500, /HTTP 500/, /error of its own/],
		[204, /HTTP 204/, /./],
		[302, /redirect \(HTTP 302\)/, /not followed/],
	])('where a page comes with HTTP %d', async (status, message, description) => {
		const body = { statusCode: status, message: 'The company does not exist.' };
		const error = await failure(readAnswers([{ status, body }]));
		expect(error).toMatchObject({
			message: expect.stringMatching(message),
			description: expect.stringMatching(description),
			httpStatus: status,
		});
	});

	it("with the answer's own text in the details", async () => {
		const body = { message: 'The company does not exist.' };
		expect(await failure(readAnswers([{ status: 404, body }]))).toMatchObject({
			details: '{"message":"The company does not exist."}',
		});
	});
});

describe('a list that contradicts itself is an error', () => {
	const two = codes(2);
	it.each([
		[
			'records were sent beyond the total',
			[{ items: codes(3), totalCount: 2 }],
			/2 records and sent 3/,
		],
		[
			'the same page again completes the total',
			[
				{ items: two, totalCount: 4 },
				{ items: two, totalCount: 4 },
			],
			/^/,
			'The payroll service sent the same page twice',
		],
		[
			'an empty page says that more follow',
			[
				{ items: two, hasNextPage: true },
				{ items: [], hasNextPage: true },
			],
			/more of them follow/,
		],
		[
			'an empty page comes before the last one',
			[
				{ items: two, pageCount: 3 },
				{ items: [], pageCount: 3 },
			],
			/3 pages and sent 1/,
		],
		[
			'the last page comes before the last one',
			[{ items: two, pageCount: 3, isLast: true }],
			/3 pages and sent 1/,
		],
	])(
		'where %s',
		async (_, pages, description, message = 'The list of the payroll service is not complete') => {
			expect(await failure(read(pages))).toMatchObject({
				message,
				description: expect.stringMatching(description),
			});
		},
	);

	const wrongStart: ReadonlyArray<readonly [string, readonly unknown[]]> = [
		['a flag', [{ items: codes(2), hasPreviousPage: true }]],
		['a flag for the first', [{ items: codes(2), first: false }]],
		[
			'a total',
			[
				{ items: codes(2, 3), totalCount: 4 },
				{ items: [], totalCount: 4 },
			],
		],
		[
			'a number of pages',
			[
				{ items: codes(2, 3), totalPages: 2 },
				{ items: [], totalPages: 2 },
			],
		],
	];
	it.each(wrongStart)(
		'where it is read from 1 and %s tells that its first page is 0',
		async (_, pages) => {
			expect(await failure(read(pages))).toMatchObject({
				message: 'The list of the payroll service is not complete',
				description: expect.stringMatching(/'First Page'/),
			});
		},
	);

	it('but not an empty one that has one page, or whose total is right', async () => {
		expect((await read([{ items: [], totalPages: 1 }])).rows).toEqual([]);
		expect((await read([{ items: [], totalPages: 2, totalCount: 0 }])).rows).toEqual([]);
		const page = { items: two, totalCount: 2, hasPrevious: true };
		expect((await read([page])).rows).toEqual(two);
	});

	it('but not one of which a part is read', async () => {
		const page = { items: two, totalPages: 5, totalCount: 9, hasPreviousPage: true };
		const { rows } = await read([page, { ...page, items: [] }], { firstPage: 5 });
		expect(rows).toEqual(two);
	});
});

describe('a list that does not end', () => {
	const page = (index: number) => ({ items: codes(1, index), hasNextPage: true });

	it('is an error, not a full memory', async () => {
		const { exchange, requests } = answering((_, index) => ({ body: page(index) }));
		const options = { limit: undefined, pageSize: 1, firstPage: 1, checkForChanges: true };
		const connection = connectionTo('https://rest.example');
		const list = readList(exchange, connection, hourCodesGet, { companyId: '1' }, options);
		expect(await failure(list)).toMatchObject({
			message: 'The list of the payroll service does not end',
			description: expect.stringMatching(/10000 pages.*Page Size/),
		});
		expect(requests).toHaveLength(10_000);
	});

	it('is read as far as the limit says', async () => {
		const { exchange } = answering((_, index) => ({ body: page(index) }));
		const options = { limit: 10_001, pageSize: 1, firstPage: 1, checkForChanges: true };
		const connection = connectionTo('https://rest.example');
		const list = readList(exchange, connection, hourCodesGet, { companyId: '1' }, options);
		expect(await list).toMatchObject({ pages: 10_001, records: { length: 10_001 } });
	});
});

describe('a page identical to the one before is recognised', () => {
	it('by its records, whatever else differs', async () => {
		const pages = [1, 2].map((at) => ({ items: codes(2), requestedAt: at }));
		const message = 'The payroll service sent the same page twice';
		expect(await failure(read(pages))).toMatchObject({ message });
		expect(await failure(read(pages, { checkForChanges: true }))).toMatchObject({ message });
		expect(await failure(read(pages, { limit: 4 }))).toMatchObject({ message });
	});
});

/** Two records whose texts have the same hash, counted from 0; there are some among so many. */
function sharingHash(): object[] {
	const known = new Map<number, object>();
	for (let i = 0; ; i += 1) {
		const record = { code: `U${i}` };
		const hash = hashOf(JSON.stringify(record), 0);
		const other = known.get(hash);
		if (other !== undefined) return [other, record];
		known.set(hash, record);
	}
}

describe('checked for changes,', () => {
	afterEach(() => jest.restoreAllMocks());

	const checked = { checkForChanges: true };

	it('a list of one page that says so costs one request', async () => {
		const { requests } = await read([{ items: codes(2), totalCount: 2 }], checked);
		expect(requests).toHaveLength(1);
		expect((await read([[]], checked)).requests).toHaveLength(1);
	});

	it('each page but the last is read twice', async () => {
		const [one, two, three] = [codes(2), codes(2, 3), codes(1, 5)];
		const { rows, requests } = await read([one, two, three, [], one, two, three], checked);
		expect(rows).toEqual(codes(5));
		expect(requests.map(({ query }) => query?.pageNumber)).toEqual([1, 2, 3, 4, 1, 2, 3]);
	});

	it('a list with a limit is read once', async () => {
		const options = { ...checked, limit: 3 };
		expect((await read([codes(2), codes(2, 3)], options)).rows).toEqual(codes(3));
		expect((await read([codes(2), []], options)).rows).toEqual(codes(2));
	});

	it('a page may differ in what is no record', async () => {
		const page = (rows: unknown[], at: number) => ({ items: rows, at });
		const pages = [page(codes(2), 1), page([], 2), page(codes(2), 3)];
		expect((await read(pages, checked)).rows).toEqual(codes(2));
	});

	it.each([
		['a record less', [codes(2), [], codes(1)]],
		['a record more', [codes(2), [], codes(3)]],
		['another record', [codes(2), [], codes(2, 2)]],
		['another order', [codes(2), [], codes(2).reverse()]],
		['another value in it', [codes(1), [], [{ id: 1, code: 'U2' }]]],
	])('a page that has %s is an error', async (_, pages) => {
		expect(await failure(read(pages, checked))).toMatchObject({
			message: 'The list changed while it was being read',
			description: expect.stringMatching(/If that comes again, raise 'Page Size'/),
			passing: true,
			outcome: 'notApplied',
		});
	});

	it('a record on two pages is an error', async () => {
		expect(await failure(read([codes(2), codes(2, 2)], checked))).toMatchObject({
			message: 'The payroll service sent the same record on two pages',
		});
		expect((await read([codes(2), codes(2, 2), []])).rows).toHaveLength(4);
	});

	it('records that share a hash are told apart, and found again', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		const [one = {}, other = {}] = sharingHash();
		const end = [[], [one], [other]];
		expect((await read([[one], [other], ...end], checked)).rows).toEqual([one, other]);
		const message = 'The payroll service sent the same record on two pages';
		for (const again of [one, other]) {
			const pages = [[one], [other], [{ code: 'X' }, again]];
			expect(await failure(read(pages, checked))).toMatchObject({ message });
		}
	});

	it('records that are equal on one page are passed on', async () => {
		const page = [...codes(1), ...codes(1)];
		expect((await read([page, [], page], checked)).rows).toEqual(page);
	});
});

it('a total that changes is an error also where nothing is read twice', async () => {
	const pages = [
		{ items: codes(2), totalCount: 4 },
		{ items: codes(1, 4), totalCount: 3 },
	];
	const message = 'The list changed while it was being read';
	expect(await failure(read(pages))).toMatchObject({ message });
});

describe("a page's JSON is refused", () => {
	it.each([
		['with a field that stands for the prototype', '[{"__proto__":{"polluted":1}}]', /__proto__/],
		['with such a field deep inside', '[{"a":[{"__proto__":1}]}]', /__proto__/],
		['with such a field in disguise', '[{"\\u005f_pro\\u0074o__":{}}]', /__proto__/],
		['with such a field beside the list', '{"items":[],"__proto__":{"x":1}}', /__proto__/],
		['with a number beyond all bounds', '[{"id":1e400}]', /number that is too large/],
		['nested just too deep', `${'['.repeat(66)}${']'.repeat(66)}`, /nested too deep/],
		['nested without end', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, /nested too deep/],
		['nested in objects', `${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}`, /nested too deep/],
	])('%s', async (_, body, description) => {
		expect(await failure(read([body]))).toMatchObject({
			message: 'The payroll service sent a page that cannot be read as JSON',
			description: expect.stringMatching(description),
		});
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	});

	it('but not with names that every object has: they are data', async () => {
		const body = '[{"constructor":{"prototype":{"polluted":1}},"toString":"x","hasOwnProperty":1}]';
		const { rows } = await read([body, []]);
		expect(rows).toEqual(JSON.parse(body));
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	});
});

describe('a limit', () => {
	it.each([1, 2])('of %d is reached without a further request', async (limit) => {
		const { rows, requests } = await read([codes(2)], { limit });
		expect(rows).toEqual(codes(limit));
		expect(requests).toHaveLength(1);
	});

	it('beyond a page goes on, and cuts the last one', async () => {
		expect((await read([codes(2), codes(2, 3)], { limit: 3 })).rows).toEqual(codes(3));
	});

	it('larger than the list gives the list', async () => {
		expect((await read([codes(2), []], { limit: 50 })).rows).toEqual(codes(2));
	});

	it('is met although the service names more rows', async () => {
		expect((await read([{ items: codes(2), totalCount: 37 }], { limit: 2 })).rows).toEqual(
			codes(2),
		);
	});
});

describe("a path's parameter", () => {
	it.each([
		['100', '100'],
		[' 100 ', '100'],
		[100, '100'],
		['a/b?c#d', 'a%2Fb%3Fc%23d'],
		['1?x=', '1%3Fx%3D'],
		['100%2f..', '100%252f..'],
		['%2e%2e', '%252e%252e'],
		['{companyId}', '%7BcompanyId%7D'],
		["$&$1$'", "%24%26%241%24'"],
		['user@evil.example:80', 'user%40evil.example%3A80'],
		['1;v=2', '1%3Bv%3D2'],
		['x'.repeat(100_000), 'x'.repeat(100_000)],
		['a\\b', 'a%5Cb'],
		['é', '%C3%A9'],
		['a..b', 'a..b'],
	])('%j stays in its place', (companyId, segment) => {
		const path = fillPath(hourCodesGet, { companyId });
		expect(path).toBe(`/api/companies/${segment}/hourcodes`);
		expect(new URL(`http://x.example${path}`).pathname).toBe(path);
	});

	const noText = ['', ' ', undefined, null, {}, [], true];
	const climbing = ['.', '..', '...', '../x', '1/../2', '1/..', '..\\x', '1\\.\\2', '1/ .. /2'];
	const broken = ['\ud83e', '1\u00002', '1\r\nX-Evil: 1', '1\t2', '1\u009b2', '1\u007f'];
	it.each([...noText, ...climbing, ...broken])(
		'%j is refused, before anything is sent',
		async (companyId) => {
			const { exchange, requests } = answering(() => ({ body: [] }));
			const options = { limit: undefined, pageSize: 2, firstPage: 1, checkForChanges: true };
			const connection = connectionTo('http://localhost');
			const error = await failure(
				readList(exchange, connection, hourCodesGet, { companyId }, options),
			);
			expect(error).toBeInstanceOf(InputError);
			expect(error).toMatchObject({
				message: expect.stringMatching(/^companyId(?: is empty|: .+ is not an identifier)\.$/),
			});
			expect(requests).toEqual([]);
		},
	);
});

describe('over real HTTP', () => {
	let server: Server;
	let url = '';
	let seen: string[] = [];
	const list = codes(200_000);

	beforeAll(async () => {
		server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
			seen.push(request.url ?? '');
			const query = new URL(request.url ?? '', url).searchParams;
			const [number, size] = [Number(query.get('pageNumber')), Number(query.get('pageSize'))];
			response.setHeader('Content-Type', 'application/json; charset=utf-8');
			response.end(JSON.stringify(list.slice((number - 1) * size, number * size)));
		});
		await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
		url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	});
	afterAll(async () => {
		await new Promise((closed) => server.close(closed));
	});
	beforeEach(() => {
		seen = [];
	});

	it.each([200_000, 70_000])('200,000 rows are read, %d to a page', async (pageSize) => {
		const options = { limit: undefined, pageSize, firstPage: 1, checkForChanges: true };
		const values = { companyId: '1/00' };
		const connection = connectionTo(url);
		const { records } = await readList(plainExchange, connection, hourCodesGet, values, options);
		expect(records).toHaveLength(200_000);
		expect(records.at(-1)).toEqual({ id: 200_000, code: 'U200000' });
		expect(seen[0]).toBe(`/api/companies/1%2F00/hourcodes?pageNumber=1&pageSize=${pageSize}`);
		// Each page twice, and the empty one at the end.
		expect(seen).toHaveLength(2 * Math.ceil(200_000 / pageSize) + 1);
	});
});
