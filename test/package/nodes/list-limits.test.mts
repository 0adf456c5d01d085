/** Lists of the REST interface that are not paged, do not end, are cut, or are too large. */
import type { INodeParameters } from 'n8n-workflow';
import { getHourCodes } from '../../../dev/package/calls.mts';
import { allowBlock } from '../../support/eventLoop.mts';
import { atNight } from '../../support/runs.mts';
import type { Script } from '../../support/scripted.mts';
import {
	answer,
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

const { payroll, server, credential, get } = useLists();

describe('Not Paged', () => {
	const read = async (reply: Reply, more: INodeParameters = {}) => {
		server.play(answer(reply));
		const node = credential.company({
			...{ resource: 'list', operation: 'getAll', path: '/api/list', returnAll: true, ...more },
			options: { notPaged: true },
		});
		return await payroll.run([{}], node);
	};

	it.each<[Reply, number]>([
		[codes(120), 120],
		[{ data: codes(7), totalCount: 7, totalPages: 1, nextPage: '', links: [] }, 7],
		[204, 0],
		[withHeader(codes(2), 'Link', '</2>; rel="next-archive"'), 2],
		[withHeader(codes(2), 'X-Next-Page', ''), 2],
		[withHeader(codes(2), 'Content-Range', 'items 0-1/*'), 2],
		[withHeader(codes(2), 'Content-Range', 'bytes 0-49/50'), 2],
	])('a list is asked for once: %j', async (reply, count) => {
		expect((await read(reply)).json('Payroll')).toHaveLength(count);
		expect(server.received.map(({ path }) => path)).toEqual(['/api/list']);
	});

	it.each<[Reply, string]>([
		[two(1, { total: 250 }), 'stated 250 records, but sent 2'],
		[two(1, { count: 250 }), 'stated 250 records, but sent 2'],
		[{ value: codes(2), '@odata.count': 250 }, 'stated 250 records, but sent 2'],
		[{ content: codes(2), totalElements: 250 }, 'stated 250 records, but sent 2'],
		[withHeader(codes(2), 'X-Total', '250'), 'stated 250 records, but sent 2'],
		[two(1, { hasNext: true }), 'states that more follow'],
		[withHeader(codes(2), 'X-Total-Count', '250'), 'stated 250 records, but sent 2'],
		[two(1, { meta: { pagination: { total: 250 } } }), 'stated 250 records, but sent 2'],
		[withHeader(codes(2), 'X-Pagination', '{"TotalCount":250}'), 'stated 250 records, but sent 2'],
		[two(1, { totalPages: 2 }), 'stated 2 pages, but sent 1'],
		[two(1, { nextCursor: 'abc' }), 'sent 2 records, but states that more follow'],
		[two(1, { meta: { nextPageToken: 'abc' } }), 'sent 2 records, but states that more follow'],
		[two(1, { next_page_url: '/hourcodes?page=2' }), 'but states that more follow'],
		[two(1, { '@odata.nextLink': '/hourcodes?page=2' }), 'but states that more follow'],
		[withHeader(codes(2), 'Link', '</2>; rel="next"'), 'states that more follow'],
		[withHeader(codes(2), 'Content-Range', 'items 0-1/250'), 'stated 250 records, but sent 2'],
		[withHeader(codes(2), 'X-Total-Pages', '2'), 'stated 2 pages, but sent 1'],
		[withHeader(codes(2), 'X-Next-Page', '2'), 'states that more follow'],
	])('a part of a list is an error: %j', async (reply, reason) => {
		const { error } = await read(reply);
		expect(error?.context.data).toMatchObject({ code: 'LIST_INCOMPLETE' });
		expect(error?.description).toContain(reason);
		expect(error?.description).toMatch(/turn off 'Not Paged'.* keep 'Not Paged'/);
		expect(error?.description).not.toContain('Page Size');
		const limited = await read(reply, { returnAll: false, limit: 2 });
		expect(limited.json('Payroll')).toHaveLength(2);
		// It may be one page of several that the builder asks for.
		const part = await read(reply, { returnAll: false, limit: 50 });
		expect(part.json('Payroll')).toHaveLength(2);
		expect(part.hints()[0]).toMatch(/^This is a part of the list: 2 (of 250 )?records of/);
	});

	it('a list that is not there is an error', async () => {
		expect((await read(404)).error?.context.data).toMatchObject({ code: 'NOT_FOUND' });
	});
});

describe('a list that does not end', () => {
	const endless = (size: number) => paged((number) => codes(size, number * size));

	const limited = { returnAll: false, limit: 20_000 };
	it.each<[string, Script, INodeParameters]>([
		['of all', endless(3), {}],
		['of a limit', endless(3), limited],
		['without a record', paged(() => none({ hasMore: true })), {}],
	])(
		'is an error after ten pages with less than a tenth of what was asked for: %s',
		async (_, script, parameters) => {
			const { code, error, asked } = await get(script, {}, parameters);
			expect(code).toBe('LIST_INCOMPLETE');
			expect(error).toMatch(/after 10 pages with less than a tenth of 40 records.*'Page Size'/);
			expect(asked).toBe('1 2 3 4 5 6 7 8 9 10');
		},
	);

	atNight.each<[string, (number: number) => Reply, number]>([
		['1000000 records', (number) => ids(550_000, number * 1_000_000), 2],
		['320 MiB in memory', (number) => [[number, ...Array<number>(1_390_000).fill(0)]], 6],
	])('is read up to %s', async (limit, reply, count) => {
		allowBlock(2, 'a page of half a million records is parsed in one piece');
		const { error, asked } = await get(paged(reply), { pageSize: 1e6, firstPage: 1 });
		expect(error).toContain(`It did not end after ${limit}.`);
		expect(asked.split(' ')).toHaveLength(count);
	});
});

atNight('the answers of a run have up to 1.2 million objects in all', async () => {
	allowBlock(2, 'a page of 300,000 records is parsed in one piece');
	server.play(
		paged((number) => (number === 1 ? Array.from({ length: 300_000 }, (_, i) => [i]) : [])),
	);
	const node = credential.hourCodes({ ...getHourCodes, options: { firstPage: 1, concurrency: 1 } });
	const { error } = await payroll.run([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }], node);
	expect(error?.description).toMatch(
		/^It has more than 1200000 elements and objects in all answers/,
	);
	expect(error?.context.data).toMatchObject({ code: 'ANSWER_TOO_LARGE' });
});

it.each<[string, string, RegExp]>([
	['1,400,000 values', `[${'0,'.repeat(1_400_000)}0]`, /more than 1400000 values/],
	['8 MiB', `["${'x'.repeat(2 ** 23)}"]`, /larger than 8388608 bytes.*'Response Size Limit/],
])('a page with more than %s is an error', async (_, text, expected) => {
	expect((await get(inTurn(text), { firstPage: 1 })).error).toMatch(expected);
});
