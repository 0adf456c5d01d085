/* Lists of services that count, end and fail in other ways than the sandbox, read by the node. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { getHourCodes } from '../../../dev/package/calls.mts';
import type { Script } from '../../support/scripted.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
const credential = useCredential(payroll, sandbox, () => ({ restUrl: server.url }));

type Row = IDataObject;
const codes = (count: number, from = 1): Row[] =>
	Array.from({ length: count }, (_, i) => ({ id: from + i, code: `U${from + i}` }));

/** An answer: its body with HTTP 200, or a status. */
type Reply = object | number;

/** Answers each page by its number. */
const pages =
	(reply: (number: number, size: number) => Reply, error = '{"message":"No"}'): Script =>
	(response, _, { path }) => {
		const query = new URL(path, server.url).searchParams;
		const said = reply(Number(query.get('pageNumber')), Number(query.get('pageSize')));
		const [status, body] = typeof said === 'number' ? [said, error] : [200, JSON.stringify(said)];
		response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
	};

/** The rows of a page, for a service whose first page has this number. */
const slice = (rows: readonly Row[], index: number, size: number) =>
	rows.slice(index * size, (index + 1) * size);

async function get(
	script: Script,
	parameters: INodeParameters = {},
	options: INodeParameters = {},
) {
	server.play(script);
	const node = credential.hourCodes({
		...getHourCodes,
		...parameters,
		options: { pageSize: 40, ...options },
	});
	const result = await payroll.run([{ id: 100 }], node);
	const asked = server.received.map(({ path }) => /pageNumber=(\d+)/.exec(path)?.[1]).join(' ');
	const { error } = result;
	return {
		ids: error ? undefined : result.json('Payroll').map(({ id }) => id),
		items: error ? [] : result.json('Payroll'),
		error: error && `${error.message} ${String(error.description)}`,
		data: error,
		hints: (result.run.data.resultData.runData.Payroll?.[0]?.hints ?? []).map(
			({ message }) => message,
		),
		asked,
	};
}

const ids = (count: number, from = 1) => codes(count, from).map(({ id }) => id);
const fromZero =
	(rows: readonly Row[], beyond: Reply = []) =>
	(number: number, size: number): Reply => {
		const page = slice(rows, number, size);
		return page.length === 0 && number > 0 ? beyond : page;
	};
const fromOne =
	(rows: readonly Row[], zero: (size: number) => Reply, beyond: Reply = []) =>
	(number: number, size: number): Reply => {
		if (number === 0) return zero(size);
		const page = slice(rows, number - 1, size);
		return page.length === 0 && number > 1 ? beyond : page;
	};

describe('of a service that counts its pages from 0', () => {
	it.each([0, 1, 17, 40, 41, 80, 137])('all of %d records are read', async (count) => {
		for (const beyond of [[], 404]) {
			const { ids: found } = await get(pages(fromZero(codes(count), beyond)));
			expect(found).toEqual(ids(count));
		}
	});

	it('they are, whatever the pages state', async () => {
		const rows = codes(137);
		const withMetadata =
			(metadata: (number: number) => object) =>
			(number: number, size: number): Reply => ({
				data: slice(rows, number, size),
				...metadata(number),
			});
		const stated = [
			withMetadata(() => ({ pagination: { totalRecords: 137, totalPages: 4 } })),
			withMetadata(() => ({ totalPages: 4 })),
			withMetadata((number) => ({ hasNextPage: number < 3, hasPreviousPage: number > 0 })),
			withMetadata((number) => ({ pagination: { nextPage: number < 3 ? number + 1 : null } })),
			withMetadata(() => ({ pagination: { nextPage: null } })),
		];
		for (const reply of stated) expect((await get(pages(reply))).ids).toEqual(ids(137));
		const one = (number: number, size: number) => ({
			data: slice(codes(3), number, size),
			totalPages: 1,
		});
		expect((await get(pages(one))).ids).toEqual(ids(3));
	});

	it("'First Page' saves the request", async () => {
		const { ids: found, asked } = await get(pages(fromZero(codes(137))), {}, { firstPage: 0 });
		expect(found).toEqual(ids(137));
		expect(asked).toBe('0 1 2 3 4');
	});

	it.each([1, 40, 41, 50, 137, 500])('up to %d records are its first ones', async (limit) => {
		const limited = { returnAll: false, limit };
		for (const count of [0, 3, 45, 137]) {
			const expected = ids(Math.min(limit, count));
			const { ids: found, hints } = await get(pages(fromZero(codes(count))), limited);
			expect(found).toEqual(expected);
			expect(hints.filter((hint) => hint !== 'No records for Company ID 100.')).toEqual([]);
		}
	});
});

describe('of a service that counts its pages from 1', () => {
	const rows = codes(137);
	it.each<[string, (size: number) => Reply]>([
		['refuses page 0 (400)', () => 400],
		['refuses page 0 (404)', () => 404],
		['fails on page 0 (500)', () => 500],
		['says that page 0 is an error', () => ({ errors: ['pageNumber'], hourCodes: null })],
		['has an empty page 0', () => []],
		['takes page 0 for the first', (size) => slice(rows, 0, size)],
		['takes page 0 for all', () => rows],
	])('and %s, all records are read once', async (_, zero) => {
		const script = pages(fromOne(rows, zero));
		const limited = await get(script, { returnAll: false, limit: 50 });
		expect(limited).toMatchObject({ ids: ids(50), asked: '1 2 0' });
		const { ids: found, asked } = await get(script);
		expect(found).toEqual(ids(137));
		expect(asked).toBe('1 2 3 4 5 0');
	});

	it.each<[object]>([
		[{ totalRecords: 45 }],
		[{ pagination: { totalPages: 2 } }],
		[{ isFirst: true }],
	])('and states %j, or First Page, page 0 is not asked for', async (metadata) => {
		const stating = (number: number, size: number) => ({
			data: slice(codes(45), number - 1, size),
			...metadata,
		});
		const { ids: found, asked } = await get(pages(stating));
		expect(found).toEqual(ids(45));
		expect(asked).not.toContain('0');
		const plain = pages(fromOne(codes(45), () => codes(2, 900)));
		expect(await get(plain, {}, { firstPage: 1 })).toMatchObject({
			ids: ids(45),
			asked: '1 2 3',
		});
	});

	it('and has some of its records on page 0, too, the list is an error', async () => {
		const { error } = await get(
			pages(fromOne(rows, (size) => [...codes(1, 900), ...slice(rows, 0, size)])),
		);
		expect(error).toMatch(/not complete.*Page 0.*'First Page'/);
	});

	it.each<[string, Reply]>([
		['HTTP 403', 403],
		['1400000 values', Array(1_400_000).fill(0)],
	])(
		'and answers page 0 with %s, the list is an error that says what to set',
		async (said, zero) => {
			const { error } = await get(pages(fromOne(rows, () => zero)));
			expect(error).toContain(said);
			expect(error).toMatch(/page 0.*'First Page' to 1/s);
		},
	);

	it('and ignores the page number, the list is an error', async () => {
		expect((await get(pages(() => codes(17)))).error).toMatch(/same record on two pages/);
		expect((await get(pages(() => ({ data: codes(17), hasNextPage: false })))).ids).toEqual(
			ids(17),
		);
	});
});

describe('HTTP 404 for a page', () => {
	it.each<[string, number, number, string]>([
		['after a short page', 137, 40, '1 2 3 4 5 0'],
		['after a full page', 80, 40, '1 2 3 0'],
		['after pages that the service made smaller', 50, 20, '1 2 3 4 0'],
		['after the only page', 3, 40, '1 2 0'],
	])('%s is the end of the list', async (_, count, cap, expected) => {
		const reply = fromOne(codes(count), () => 404, 404);
		const { ids: found, asked } = await get(pages((number) => reply(number, cap)));
		expect(found).toEqual(ids(count));
		expect(asked).toBe(expected);
		const limited = await get(
			pages((number) => reply(number, cap)),
			{ returnAll: false, limit: 500 },
		);
		expect(limited.ids).toEqual(ids(count));
	});

	it.each<[string, Reply[]]>([
		['in the middle', [codes(40), codes(2, 41), codes(40, 43), 404]],
		['after a page that says that more follow', [{ data: codes(40), hasNextPage: true }, 404]],
		['after a page that names it', [{ data: codes(40), nextPage: 2 }, 404]],
		['before the stated total', [{ data: codes(40), totalCount: 50 }, 404]],
		['before the stated pages', [{ data: codes(40), totalPages: 3 }, 404]],
	])('%s is an error about the list, not about the company', async (_, replies) => {
		const { error, data } = await get(pages((number) => replies[number - 1] ?? 404));
		expect(error).toMatch(/^The list of the payroll service is not complete/);
		expect(error).not.toMatch(/was not found|REST Address/);
		expect(data).toBeDefined();
	});

	it('is about the company if there is no page at all', async () => {
		const { error, asked } = await get(pages(() => 404));
		expect(error).toMatch(/^Company ID 100 was not found, or 'REST Address'/);
		expect(asked).toBe('1 0');
		expect(
			(
				await get(
					pages(() => 404),
					{},
					{ firstPage: 5 },
				)
			).error,
		).toMatch(/HTTP 404.*page 5/);
	});
});

describe('a page that states errors', () => {
	it.each<[object, string]>([
		[{ errors: ['no access'], hourCodes: null }, 'no access'],
		[{ errors: ['no access'] }, 'no access'],
		[{ Errors: [{ code: 7, message: 'no access' }], hourCodes: [] }, 'no access'],
		[{ error: 'no access', items: [] }, 'no access'],
		[{ error: { message: 'no access' } }, 'no access'],
		[{ errors: ['no access'], items: codes(2) }, 'no access'],
		[{ messages: ['no access'], data: null }, 'no access'],
		[{ warnings: ['no access'] }, 'no access'],
		[{ validation_errors: ['no access'] }, 'no access'],
		[{ ErrorMessages: ['no access'] }, 'no access'],
		[{ data: null, others: [1] }, 'data'],
		[{ success: false, message: 'no access', data: [] }, 'no access'],
		[{ IsSuccess: false, hourCodes: [] }, 'false'],
		[{ status: 'error', message: 'no access', data: [] }, 'no access'],
		[{ StatusCode: 403, message: 'no access', data: [] }, 'no access'],
		[{ status: 'fail', data: null }, 'fail'],
	])('%j is an error with its text', async (body, text) => {
		const { error, data } = await get(pages(() => body));
		expect(error).toMatch(/^The payroll service (reported an error|sent a page without a list)/);
		expect(`${error} ${JSON.stringify(data)}`).toContain(text);
	});

	it.each<[object]>([
		[{ errors: [], data: codes(2), totalCount: 2 }],
		[{ error: null, warnings: ['slow'], data: codes(2), totalCount: 2 }],
		[{ messages: ['hello'], codes: codes(2), totalCount: 2 }],
		[{ error: { code: 0, message: 'OK' }, data: codes(2), totalCount: 2 }],
		[{ success: true, data: codes(2), totalCount: 2 }],
		[{ status: 'failed', data: codes(2), totalCount: 2 }],
		[{ statusCode: 200, status: 'success', data: codes(2), totalCount: 2 }],
	])('%j is none', async (body) => {
		expect((await get(pages(() => body))).ids).toEqual(ids(2));
	});
});

describe('numbers', () => {
	const text =
		(body: string): Script =>
		(response, index) => {
			response
				.writeHead(200, { 'Content-Type': 'application/json' })
				.end(index === 0 ? body : '[]');
		};
	it.each([
		['9007199254740993', '9007199254740993'],
		['-9007199254740993', '-9007199254740993'],
		['12345678901234567890', '12345678901234567890'],
		['0.12345678901234567890', '0.12345678901234567890'],
		['1234567890.123456789', '1234567890.123456789'],
		['1.00000000000000001e2', '1.00000000000000001e2'],
		['1e-400', '1e-400'],
		['9007199254740991', 9007199254740991],
		['9007199254740994', 9007199254740994],
		['12.3400', 12.34],
		['0.1', 0.1],
		['-7', -7],
		['1E3', 1000],
		['1.5e-7', 1.5e-7],
		['1e21', 1e21],
		['0', 0],
		['0.0', 0],
		['-0', 0],
	])('%s becomes %j', async (literal, value) => {
		const { items } = await get(text(`[{"id":1,"rate":${literal},"in":{"list":[${literal}]}}]`));
		expect(items).toEqual([{ CompanyId: 100, id: 1, rate: value, in: { list: [value] } }]);
	});
});

it('a last page that is cut is read again', async () => {
	let cut = 0;
	const { ids: found } = await get((response, _, { path }) => {
		const number = Number(/pageNumber=(\d+)/.exec(path)?.[1]);
		const body = JSON.stringify(slice(codes(50), number - 1, 40));
		if (number !== 2 || cut++ > 0) return void response.end(number === 0 ? '[]' : body);
		response.writeHead(200, { 'Content-Length': body.length });
		response.write(body.slice(0, -20), () => response.socket?.destroy());
	});
	expect(cut).toBe(2);
	expect(found).toEqual(ids(50));
});
