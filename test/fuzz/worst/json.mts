/** Pages of a list in JSON. */
import { readList } from '../../../nodes/shared/rest/list.ts';
import { answering, connectionTo } from '../../support/exchange.mts';
import { words } from '../words.mts';
import { attempt } from './attempt.mts';
import type { Kind, Recipes } from './kind.mts';
import { many, wrap } from './recipe.mts';
import { MAX_ANSWER } from './xml.mts';

/** No page of a correct service has more rows than were asked for. */
const PAGE_SIZE = 1_000_000;

const connection = connectionTo('http://payroll.example');

const document = ([list = '', beside = '']: readonly string[]): string =>
	`{"items":[${list}null]${beside}}`;

const RECORD =
	'{"id":%i,"code":"OT%i","description":"Overtime at 150 percent","active":true,"rate":1.5},';

const texts = [
	...words(String.raw`{}, [], "", null, 0, 1, 1.5, "a", {"a":1}, {"id":%i}, {"a%i":%i}, [[]], [{}],
		12345678901234567890, 0.1000000000000000055511151231257827, 1e400, -0.0, 1e5, "\u0000",
		"\\", "\"", "\ud800", {"__proto__":1}, {"a":null}, "eyJ",`),
	...[
		'"a":1,',
		'"a%i":[],',
		',"a%i":1',
		',"errors":[1]',
		',"total":5',
		',"hasMore":true',
		',"next":"a"',
		' ',
		'\n',
	],
	...['"', '\\\\', '\\n', 'x', 'x'.repeat(100), '0', '1', 'é', '{"id":1,"id":2},', RECORD],
	...[':', ',', '"', '[', ']', '{', '}', '\\u0061', '"\\u0061"', '-', '.', 'e', '/', '\u00a0'],
];

const starts: readonly Recipes[] = [
	...texts.map((text) => [[many([text])], []]),
	[['"', many(['x']), '",'], []],
	[['"', many(['\\\\']), '",'], []],
	[['"', many(['\\u0041']), '",'], []],
	// A long text before what repeats.
	...[':', ' ', ',', '1', '"', '{}', '"a"'].map(
		(text): Recipes => [['{"', many(['\\u0061']), '"', many([text]), ':1},'], []],
	),
	[[many(['1']), ','], []],
	[['0.', many(['1']), ','], []],
	[['1e', many(['1']), ','], []],
	[['{', many(['"a%i":1,']), '"b":1},'], []],
	[['{', many(['"a":1,']), '"b":1},'], []],
	[[many([wrap(['[', ']'], [], 60), ','])], []],
	[[wrap(['[', '],'], [], 0)], []],
	[[wrap(['{"a":', '},'], ['1'], 0)], []],
	[[], [',"errors":[', many(['"an error",']), '1]']],
	[[], [',"errors":[', many(['{},']), '1]']],
	[[], [',"errors":{', many(['"a%i":{},']), '"b":1}']],
	[[], [many([',"a%i":[]'])]],
	[[], [',"success":false,"message":"', many(['x']), '"']],
	[[], [',"meta":{', many(['"a_%i":1,']), '"b":1}']],
	[[], [',"', many(['_']), '":1']],
];

async function listOf(status: number, page: string): Promise<unknown> {
	const pages = [page, '{"items":[]}'];
	const { exchange } = answering((_, index) => ({
		status,
		body: Buffer.from(pages[index] ?? '[]'),
	}));
	const paging = { limit: undefined, pageSize: PAGE_SIZE, firstPage: 1 };
	return await readList(exchange, connection, { path: '/api/list', name: 'The list' }, paging);
}

export const json: Kind = {
	texts,
	wraps: [
		...([
			['[', '],'],
			['{"a":', '},'],
			['[{"b":[', ']}],'],
			['"', '",'],
			['{"a%i":"', '"},'],
		] as const),
	],
	maxLength: MAX_ANSWER,
	starts,
	most: { time: 0.7, mebibytes: 200 },
	heap: 1536,
	document,
	async read(text, timed) {
		const list = await timed(async () => await attempt(async () => await listOf(200, text)));
		// As the text of an error, too.
		await timed(async () => await attempt(async () => await listOf(400, text)));
		return list;
	},
};
