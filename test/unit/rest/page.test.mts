import { ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import { readPage } from '../../../nodes/shared/rest/page.ts';

/** Reads an answer with this body: its bytes, or JSON of anything else. */
function page(
	body: unknown,
	status = 200,
	headers: object = { 'content-type': 'application/json' },
) {
	const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
	const read = readPage({ status, headers: { ...headers }, body: bytes }, 'Company ID 100');
	if (read instanceof ServiceError) throw read;
	const { size, ...page } = read;
	expect(size).toMatchObject({ records: page.rows.length, MiB: bytes.length / 2 ** 20 });
	return page;
}

/** The error of a page that cannot be read. */
function failure(...answer: Parameters<typeof page>): unknown {
	try {
		return page(...answer);
	} catch (error) {
		expect(error).toBeInstanceOf(ServiceError);
		return error;
	}
}

const rows = ['a', 'b'];

describe('the list of a page', () => {
	const keys = ['items', 'data', 'results', 'value', 'records', 'hourcodes', 'content'];

	it.each([...keys, 'Items', 'hourCodes', 'hour_codes'])(
		'is found under "%s", also beside other lists',
		(key) => {
			expect(page({ errors: [], [key]: rows, warnings: ['w'] }).rows).toEqual(rows);
		},
	);

	it.each(keys.slice(1))('is found under "items" rather than under "%s"', (key) => {
		expect(page({ [key]: ['c'], items: rows }).rows).toEqual(rows);
	});

	it.each([
		['the body', rows],
		['the only list, under any key', { urencodes: rows, page: 1, more: null }],
	])('may be %s', (_, body) => {
		expect(page(body)).toEqual({
			rows,
			isFirst: undefined,
			isLast: undefined,
			pages: undefined,
			total: undefined,
		});
	});

	it.each([
		...[{ a: [1], b: [2] }, { a: [], b: [] }, {}, { items: null }, { data: { a: [], b: 1 } }],
		...['ok', null],
	])('is not found in %j', (body) => {
		expect(failure(body)).toMatchObject({
			message: 'The payroll service sent a page without a list in it',
			description: expect.stringMatching(/exactly one list/),
			httpStatus: 200,
		});
	});
});

describe('the metadata of a page', () => {
	/** Pages with this metadata at the top, and in each object that may hold it. */
	const pagesWith = (metadata: object) => [
		page({ items: rows, ...metadata }),
		...['metadata', 'meta', 'paging', 'pagination', 'pageInfo', 'page', 'page_info'].map((key) =>
			page({ items: rows, [key]: metadata }),
		),
	];

	it.each(['totalCount', 'total_items', 'TotalRecords', 'total-results', 'totalElements'])(
		'states the number of all rows under "%s"',
		(key) => {
			for (const { total } of pagesWith({ [key]: 7 })) expect(total).toBe(7);
			expect(page({ items: [], [key]: 0 }).total).toBe(0);
		},
	);

	it.each(['total', 'count'])(
		'does not state it under "%s", which may be about the page',
		(key) => {
			expect(page({ items: rows, [key]: 7 }).total).toBeUndefined();
		},
	);

	it.each(['totalPages', 'pageCount', 'totalPageCount'])(
		'states the number of all pages under "%s"',
		(key) => {
			for (const { pages } of pagesWith({ [key]: 3 })) expect(pages).toBe(3);
		},
	);

	it.each([
		['isFirst', true, ['isFirstPage', 'is_first', 'first']],
		['isFirst', false, ['hasPreviousPage', 'hasPrevious', 'hasPrev']],
		['isLast', true, ['isLastPage', 'isLast', 'last']],
		['isLast', false, ['hasNextPage', 'HasNext', 'has_more']],
	] as const)('states %s, which "true" makes %j, under each of %j', (property, meaning, keys) => {
		for (const key of keys) {
			for (const said of [true, false]) {
				const expected = said ? meaning : !meaning;
				for (const read of pagesWith({ [key]: said })) expect(read[property]).toBe(expected);
			}
		}
	});

	it.each(['nextPage', 'next_page', 'nextLink', '@odata.nextLink', 'next'])(
		'names the next page under "%s", or says that there is none',
		(key) => {
			for (const next of [2, '/codes?page=2']) {
				for (const read of pagesWith({ [key]: next })) expect(read.next).toBe(true);
			}
			for (const next of [null, '', false]) {
				for (const read of pagesWith({ [key]: next })) expect(read.next).toBe(false);
			}
		},
	);

	it.each([-1, 1.5, '1e1', '', true, null, {}])('of another type, %j, is ignored', (odd) => {
		const flag = typeof odd === 'boolean' ? 'yes' : odd;
		const metadata = { totalCount: odd, totalPages: odd, isFirst: flag, isLast: flag };
		for (const read of pagesWith(metadata)) expect(read).toEqual({ rows });
	});

	it('is ignored if it is not in an object', () => {
		const body = { items: rows, page: 1, meta: null, paging: ['last', 'first'] };
		expect(page(body)).toEqual({ rows });
	});
});

describe('a page with an error status', () => {
	it.each([
		[403, /HTTP 403\. .*'Scopes'/],
		[
			404,
			/^Company ID 100 was not found, or 'REST Address'.*correct 'REST Address' in the credential/,
		],
	])('(HTTP %d) is an error with its text as title and details', (status, description) => {
		expect(failure('The company does not exist.', status)).toMatchObject({
			message: 'The company does not exist.',
			description: expect.stringMatching(description),
			httpStatus: status,
			details: '"The company does not exist."',
		});
	});
});

/** An answer of 60 MiB, as in the issue, that begins and ends with these texts. */
const large = (begin: string, unit: string, end: string) =>
	Buffer.from(begin + unit.repeat((60 * 2 ** 20) / unit.length) + end);

describe('of 60 MiB', () => {
	it.each<[string, Buffer, string]>([
		['empty objects', large('[', '{},', '{}]'), '1400000 values'],
		['objects with other fields', large('{"data":[', '{"a":1},{"b":1},', '1]}'), '1400000 values'],
		['fields', large('{', '"a":1,', '"b":1}'), '1000 fields of one object'],
		['lists within each other', large('', '[', '1]'), '65 levels'],
		['escaped characters', large('["', '\\n', '"]'), '2500000 escaped characters'],
	])('%s are refused before they are parsed', (_, body, limit) => {
		expect(failure(body)).toMatchObject({
			code: 'ANSWER_OVER_LIMIT',
			message: 'The payroll service gave no readable answer',
			description: `It has more than ${limit}. Request less data at once.`,
		});
	});

	it.each<[string, Buffer]>([
		['a text', large('{"error":"', 'no', '"}')],
		['several texts', large('{"errors":["', 'no","', '"]}').subarray(0, 2 ** 21)],
	])('%s is shown in part', (_, body) => {
		const error = failure(body);
		expect(error).toMatchObject({ message: expect.stringMatching(/^.{40,600}$/) });
		expect(String((error as ServiceError).details).length).toBeLessThan(70_000);
	});
});

const noJson = 'The payroll service sent a page that cannot be read as JSON';
it.each([
	[
		'cannot be decoded',
		Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]),
		'The page of the payroll service cannot be decoded',
		'It is not valid in the character set that it declares. Ask the payroll provider: this is an error of the service.',
	],
	['is a text', 'OK', noJson, "It is not JSON. Check 'REST Address' in the credential."],
	['is a web page', '<html>', noJson, "It is a web page. Check 'REST Address' in the credential."],
	[
		'holds JSON that is refused',
		'[{"__proto__":{}}]',
		noJson,
		'It holds a field named "__proto__". Check \'REST Address\' in the credential.',
	],
])('a page that %s is an error', (_, body, message, description) => {
	expect(failure(Buffer.from(body))).toMatchObject({ message, description, httpStatus: 200 });
});

it('a page is read in the charset of its content type', () => {
	const headers = { 'content-type': 'application/json; charset=iso-8859-1' };
	expect(page(Buffer.from('["é"]', 'latin1'), 200, headers).rows).toEqual(['é']);
});

it('of the errors that a page states, no more are formatted than can be shown', () => {
	const body = Buffer.from(`{"errors":[${'{"a":1},'.repeat(1000)}1]}`);
	const stringify = jest.spyOn(JSON, 'stringify');
	expect(failure(body)).toMatchObject({ message: expect.stringContaining('[{"a":1},{"a":1}') });
	expect(stringify.mock.calls.length).toBeLessThanOrEqual(500);
	stringify.mockRestore();
});
