/** The reader of paged lists: it gives all rows or a ServiceError, and it terminates. */
import fc from 'fast-check';
import { ServiceError } from '../../nodes/shared/errors/ServiceError.ts';
import { type PagingOptions, readList } from '../../nodes/shared/rest/list.ts';
import { answering, connectionTo } from '../support/exchange.mts';
import { bomb } from './bombs.mts';
import { isPlainJson } from './conforms.mts';
import { type Answer, answers, shownAnswer } from './encoded.mts';
import { jsonMutation, mutated } from './mutations.mts';
import { target, typedError } from './target.mts';
import { words } from './words.mts';

/** JSON texts of any shape, a few levels deep; what JSON itself cannot write comes by mutation. */
const jsonText = fc.json({ depthSize: 'small', stringUnit: 'binary' });

interface Input {
	readonly pages: readonly Answer[];
	readonly paging: PagingOptions;
}

const rows = fc
	.array(
		fc.oneof(
			fc.nat(9).map((id) => `{"id":${id}}`),
			jsonText,
		),
		{ maxLength: 5 },
	)
	.map((list) => `[${list.join(',')}]`);

const metadata = fc.oneof(
	fc.constant(''),
	fc
		.tuple(
			fc.constantFrom(
				...words('totalCount totalPages total_items count hasMore nextPage next links'),
			),
			fc.oneof(fc.nat(6).map(String), fc.constantFrom(...words('true false -1 1e400 "2" null []'))),
			fc.constantFrom('', '"meta":{', '"page":{'),
		)
		.map(([key, value, outer]) => `,${outer}"${key}":${value}${outer === '' ? '' : '}'}`),
);

const page = fc.oneof(
	{ weight: 5, arbitrary: rows },
	{
		weight: 5,
		arbitrary: fc
			.tuple(fc.constantFrom('items', 'data', 'hour_codes', 'other'), rows, metadata)
			.map(([key, list, more]) => `{"${key}":${list}${more}}`),
	},
	{ weight: 2, arbitrary: jsonText },
	{ weight: 1, arbitrary: bomb },
	{ weight: 1, arbitrary: bomb.map((long) => `[${long}]`) },
);

const paging: fc.Arbitrary<PagingOptions> = fc.record({
	limit: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
	pageSize: fc.constantFrom(1, 3, 100),
	firstPage: fc.option(fc.nat(2), { nil: undefined }),
});

const connection = connectionTo('http://payroll.example');

/** The server has no rows after the given pages. */
const end: Answer = { status: 200, type: 'application/json', body: Buffer.from('[]') };

export const restPages = target<Input>({
	inputs: fc.record({
		pages: fc.array(
			answers(fc.oneof(page, mutated(page, jsonMutation)), ['application/json', 'text/html', '']),
			{
				minLength: 1,
				maxLength: 3,
			},
		),
		paging,
	}),
	expected: ['list', 'ServiceError'],
	show: ({ pages, paging: asked }) =>
		Buffer.concat(pages.flatMap((answer) => [shownAnswer(answer, asked), Buffer.from('\n')])),
	async run({ pages, paging: asked }) {
		const { exchange, requests } = answering(
			({ query }) => pages[Number(query?.pageNumber) - (asked.firstPage ?? 1)] ?? end,
		);
		try {
			const codes = { path: '/api/companies/100/hourcodes', name: 'Company ID 100' };
			const { records: list } = await readList(exchange, connection, codes, asked);
			return {
				kind: 'list',
				check() {
					if (requests.length > pages.length + 2) throw new Error('It reads past the end');
					if (list.length > (asked.limit ?? Number.POSITIVE_INFINITY))
						throw new Error('Too many rows');
					if (list.some((row) => typeof row !== 'object' || row === null || Array.isArray(row))) {
						throw new Error('A row is no object');
					}
					isPlainJson(list);
				},
			};
		} catch (error) {
			if (error instanceof ServiceError) return typedError(error);
			throw error;
		}
	},
});
