import { problemOf } from '../../../nodes/shared/http/problem.ts';
import { statusError, unauthorized } from '../../../nodes/shared/http/statusErrors.ts';

/** The problem of JSON, as one text: `title | fields | code`. */
function said(value: unknown): string | undefined {
	const problem = problemOf(value);
	return problem && [problem.text, problem.fields, problem.code ?? ''].join(' | ');
}

describe('what JSON says about a failure', () => {
	it.each<[string, unknown, string]>([
		[
			'a problem of RFC 9457',
			{
				type: 'about:blank',
				title: 'Not Found',
				status: 404,
				detail: 'No company 7',
				instance: '/x',
			},
			'No company 7 |  | ',
		],
		[
			'ASP.NET Core',
			{
				...{ type: 'https://x.example/400', title: 'One or more validation errors occurred.' },
				...{ status: 400, traceId: '00-1' },
				errors: { year: ["The value 'x' is not valid."], '$.a': ['No', 'Nor'], '': ['A body'] },
			},
			"One or more validation errors occurred. | 'year': The value 'x' is not valid. '$.a': No. '$.a': Nor. A body. | ",
		],
		[
			'ASP.NET Web API',
			{ Message: 'The request is invalid.', ModelState: { 'q.Year': ['Required'] } },
			"The request is invalid. | 'q.Year': Required. | ",
		],
		[
			'ASP.NET Web API, an exception',
			{ Message: 'An error has occurred.', ExceptionMessage: 'No company', StackTrace: 'at A.b()' },
			'An error has occurred. No company. |  | ',
		],
		['an API gateway', { statusCode: 401, message: 'Access denied' }, 'Access denied |  | '],
		['a code and a message', { code: 'E7', message: 'No access' }, 'No access |  | E7'],
		['a number as code', { code: 2011, message: 'No access' }, 'No access |  | 2011'],
		[
			'OAuth',
			{ error: 'invalid_token', error_description: 'It has expired' },
			'It has expired |  | invalid_token',
		],
		[
			'Java',
			{ timestamp: 1, status: 403, error: 'Forbidden', message: 'No access', path: '/x' },
			'No access |  | Forbidden',
		],
		[
			'a gateway with a fault',
			{ fault: { faultstring: 'Quota exceeded', detail: { errorcode: 'policies.Quota' } } },
			'Quota exceeded |  | ',
		],
		[
			'OData',
			{
				error: {
					...{ code: 'BadArgument', message: 'Two errors', target: 'query' },
					details: [{ code: 'Null', target: 'Year', message: 'Must not be null' }],
				},
			},
			"Two errors | 'Year': Must not be null. | BadArgument",
		],
		[
			'a list of details',
			{ detail: [{ loc: ['query', 'year'], msg: 'Too early' }] },
			'Too early |  | ',
		],
		['a list of texts', { errors: ['No', 'Nor'] }, 'No | Nor. | '],
		[
			'a list of failures',
			{
				errors: [
					{ propertyName: 'Year', errorMessage: 'Too early' },
					{ Field: 'a', message: 'b' },
				],
			},
			"'Year': Too early | 'a': b. | ",
		],
		['a list alone', [{ message: 'No' }, 7, null, ['deep']], 'No |  | '],
		['a text', 'No such company', 'No such company |  | '],
		['only the first line', { title: 'No way\r\n   at A.b() in C:\\x.cs:line 7' }, 'No way |  | '],
		['each text once', { title: 'No way', detail: 'No way' }, 'No way |  | '],
	])('by %s', (_, value, expected) => {
		expect(said(value)).toBe(expected);
	});

	it.each([
		...[
			{},
			[],
			'',
			' ',
			7,
			null,
			true,
			{ message: '' },
			{ message: {} },
			{ title: 7 },
			{ errors: {} },
		],
		...[{ message: 'No' }, { error: 'invalid_token' }, { title: 'Bad Request' }, 'Forbidden.'],
		...[{ message: '<html><p>key</p>' }, { errors: ['<b>'] }, { data: 'No' }, [[[['deep']]]]],
	])('is nothing in %j', (value) => {
		expect(said(value)).toBeUndefined();
	});

	it('is bounded: the length of its texts, and the number of fields', () => {
		const long = 'x'.repeat(10_000);
		const errors = Object.fromEntries(
			Array.from({ length: 500 }, (_, i) => [`f${i}`, [long, long]]),
		);
		const problem = problemOf({ title: `a ${long}`, detail: `b ${long}`, errors, code: long });
		expect(problem?.text.length).toBeLessThanOrEqual(500);
		expect(problem?.fields.length).toBeLessThanOrEqual(500);
		expect(problem?.code).toBeUndefined();
		const short = problemOf({
			title: 'No way',
			errors: Array.from({ length: 500 }, (_, i) => `e${i}`),
		});
		expect(short?.fields).toBe('e0. e1. e2. e3. e4. e5. e6. e7. e8. e9.');
	});

	it('has no half of an emoji', () => {
		const emoji = '\ud83e\udd16'.repeat(300);
		for (const text of [emoji, `a ${emoji}`, `a ${emoji.slice(1)}`, '\ud83e', 'a \udd16']) {
			const problem = problemOf({
				title: text,
				errors: { [text]: [text], b: [{ field: text, text }] },
			});
			expect(JSON.stringify(problem ?? null)).not.toMatch(/\\ud/);
		}
	});

	it('is found in deep lists and long texts without delay', () => {
		const deep = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`) as unknown;
		expect(said({ errors: deep, message: ' '.repeat(1_000_000) })).toBeUndefined();
	});
});

const json = (status: number, body: unknown, type = 'application/problem+json') => ({
	status,
	headers: { 'content-type': type },
	body: Buffer.from(JSON.stringify(body)),
});

describe('an error has the words of its answer as the title', () => {
	const body = { title: 'Not valid', status: 400, errors: { year: ['Too early'] } };

	it.each(['REST Address', 'SOAP Address'] as const)('at %s, with the fields first', (address) => {
		const plain = statusError(json(400, 7), address);
		expect(statusError(json(400, body), address)).toMatchObject({
			...{ code: 'BAD_REQUEST', kind: plain.kind, httpStatus: 400, serviceCode: undefined },
			message: 'Not valid',
			description: `'year': Too early. The payroll service answered with HTTP 400. ${plain.description}`,
			details: JSON.stringify(body),
		});
	});

	it('whatever its content type, and its code if that is none of HTTP', () => {
		expect(
			statusError(json(500, { code: 500, message: 'No way' }, 'text/html'), 'REST Address'),
		).toMatchObject({ message: 'No way', serviceCode: undefined });
		expect(
			statusError(json(500, { code: 7, message: 'No way' }, ''), 'REST Address').serviceCode,
		).toBe('7');
	});

	it('if any access token is rejected', () => {
		const response = json(401, { statusCode: 401, message: 'Invalid subscription key.' });
		expect(unauthorized(false, response)).toMatchObject({
			code: 'ACCESS_REFUSED',
			message: 'Invalid subscription key.',
			description: expect.stringMatching(
				/^The payroll service refused access\. .*'Subscription Key'/,
			),
		});
	});

	it('but not of a redirect, of a web page, or of JSON that is cut', () => {
		const cut = {
			status: 400,
			headers: {},
			body: Buffer.from(`{"title":"No way","x":"${'x'.repeat(70_000)}"}`),
		};
		for (const response of [json(302, body), json(400, '<html>'), cut]) {
			expect(statusError(response, 'REST Address').message).toMatch(
				/^The payroll service answered/,
			);
		}
	});
});
