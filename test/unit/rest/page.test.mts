import { readPage } from '../../../nodes/shared/rest/page.ts';

/** A page as it arrives. */
function page(body: unknown, status = 200, type = 'application/json') {
	const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
	return readPage({ status, headers: { 'content-type': type }, body: bytes }, 'Company 100');
}

/** The error of a page that cannot be read. */
function failure(...answer: Parameters<typeof page>): unknown {
	try {
		return page(...answer);
	} catch (error) {
		return error;
	}
}

const rows = ['a', 'b'];

describe('the list of a page', () => {
	const keys = ['items', 'data', 'results', 'value', 'records', 'hourcodes', 'content'];

	it.each(keys)('is found under "%s", also beside other lists', (key) => {
		expect(page({ errors: [], [key]: rows, warnings: ['w'] }).rows).toEqual(rows);
	});

	it.each(keys.slice(1))('is found under "items" rather than under "%s"', (key) => {
		expect(page({ [key]: ['c'], items: rows }).rows).toEqual(rows);
	});

	it('is given as it stands', () => {
		expect(page({ items: rows })).toEqual({
			rows,
			isFirst: undefined,
			isLast: undefined,
			pages: undefined,
			total: undefined,
		});
	});
});

describe('the number of all rows', () => {
	it.each(['totalCount', 'total_items', 'TotalRecords', 'total-results', 'totalElements'])(
		'is found under "%s", in the page or its metadata',
		(key) => {
			expect(page({ items: rows, [key]: 7 }).total).toBe(7);
			for (const place of ['metadata', 'meta', 'paging', 'pagination', 'pageInfo', 'page']) {
				expect(page({ items: rows, [place]: { [key]: 7 } }).total).toBe(7);
			}
		},
	);

	it('may be zero', () => {
		expect(page({ items: [], totalCount: 0 }).total).toBe(0);
	});

	it.each([-1, 1.5, '7', null, true])('is not %j', (total) => {
		expect(page({ items: rows, totalCount: total }).total).toBeUndefined();
	});

	it.each(['total', 'count'])('is not told by "%s", which may speak of the page', (key) => {
		expect(page({ items: rows, [key]: 7 }).total).toBeUndefined();
	});
});

describe('the number of all pages', () => {
	it.each(['totalPages', 'pageCount', 'totalPageCount'])('is found under "%s"', (key) => {
		expect(page({ items: rows, [key]: 3 }).pages).toBe(3);
	});
});

describe.each([
	['the first', 'isFirst', ['isFirstPage', 'is_first', 'first'], ['hasPreviousPage', 'hasPrev']],
	['the last', 'isLast', ['isLastPage', 'is_last', 'last'], ['hasNextPage', 'hasNext', 'hasMore']],
] as const)('whether a page is %s', (_, property, yes, no) => {
	it.each(yes)('is told by "%s"', (key) => {
		expect(page({ items: rows, [key]: true })[property]).toBe(true);
		expect(page({ items: rows, [key]: false })[property]).toBe(false);
	});

	it.each(no)('is told by its opposite, "%s"', (key) => {
		expect(page({ items: rows, [key]: true })[property]).toBe(false);
		expect(page({ items: rows, [key]: false })[property]).toBe(true);
	});

	it('is not known where the metadata is no object', () => {
		const body = { items: rows, page: 1, meta: null, paging: ['last', 'first'] };
		expect(page(body)[property]).toBeUndefined();
	});
});

describe('a page that cannot be read', () => {
	it('for its status keeps its text for the details', () => {
		expect(failure('Not allowed', 403)).toMatchObject({
			message: 'The payroll service answered with HTTP 403',
			details: '"Not allowed"',
		});
	});

	it.each([
		['in Latin-1', Buffer.from('Geen toegang: één', 'latin1'), 'text/plain'],
		['in a charset that nobody knows', Buffer.from('No'), 'text/plain; charset=klingon'],
		['with nothing in it', Buffer.alloc(0), 'application/json'],
	])('for its status (%s) is that status', (_, body, type) => {
		expect(failure(body, 403, type)).toMatchObject({
			message: 'The payroll service answered with HTTP 403',
			httpStatus: 403,
		});
	});

	it('for its status keeps what its header says, also without a text', () => {
		const challenge = 'Bearer error="insufficient_scope"';
		const response = { status: 403, headers: { 'www-authenticate': challenge } };
		expect(() => readPage({ ...response, body: Buffer.alloc(0) }, 'Company 100')).toThrow(
			expect.objectContaining({
				description: expect.stringMatching(/'Scopes'/),
				details: challenge,
			}),
		);
	});

	it('for its bytes says so', () => {
		expect(failure(Buffer.from([0xff]))).toMatchObject({
			message: 'The page of the payroll service cannot be decoded',
			description: 'Its bytes are not of the character set it names.',
		});
	});

	it('for not being JSON says where to look', () => {
		expect(failure(Buffer.from('OK'))).toMatchObject({
			message: 'The payroll service sent a page that cannot be read as JSON',
			description: "It is not JSON. Check 'REST Address' in the credential.",
		});
		expect(failure(Buffer.from('<html>'))).toMatchObject({
			description: "It is a web page. Check 'REST Address' in the credential.",
		});
	});
});

it('a page is read in the charset of its content type', () => {
	const body = Buffer.from('["é"]', 'latin1');
	expect(page(body, 200, 'application/json; charset=iso-8859-1').rows).toEqual(['é']);
});
