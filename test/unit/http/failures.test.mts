import { ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import { judgeAnswer } from '../../../nodes/shared/exchange/exchange.ts';
import { statusError, wordsOf } from '../../../nodes/shared/http/failures.ts';
import { describeError } from '../../../nodes/shared/messages/describe.ts';

const answer = (status: number, headers: Record<string, unknown> = {}, body = '') => ({
	status,
	headers,
	body: Buffer.from(body),
});

const adviceOf = (error: ServiceError) => describeError(error)[1];

describe('what JSON says about a failure', () => {
	const problem = {
		type: 'about:blank',
		title: 'Not found',
		detail: 'No company 7',
		instance: '/',
	};
	const failed = { title: 'One or more errors occurred.', status: 400, traceId: '00-1' };
	const errors = { year: ["The value 'x' is not valid."], '$.a': ['No', 'Nor'], '': ['A body'] };
	const list = [{ message: 'No access' }, 'Nor this'];
	it.each<[string, unknown, string]>([
		['a problem of RFC 9457', { ...problem, status: 404 }, 'Not found. No company 7.'],
		[
			'ASP.NET Core',
			{ ...failed, errors },
			"One or more errors occurred. 'year': The value 'x' is not valid. '$.a': No. '$.a': Nor. A body.",
		],
		['an API gateway', { statusCode: 401, message: 'Access denied' }, 'Access denied'],
		['an object under error', { error: { code: 'E7', message: 'No access' } }, 'No access (E7)'],
		['a list of failures', { errors: list }, 'No access. Nor this.'],
		[
			'JSON:API',
			{
				errors: [
					{ status: '422', title: 'Is closed', detail: 'No period 6' },
					{ title: 'Or this' },
				],
			},
			'Is closed. No period 6. Or this.',
		],
		[
			'ASP.NET Web API 2',
			{ Message: 'Sorry, no.', ExceptionMessage: 'It is closed.', ModelState: { year: ['No'] } },
			"Sorry, no. It is closed. 'year': No.",
		],
		['other spellings', { Error_Description: 'It has expired' }, 'It has expired'],
		['OAuth', { error: 'invalid_token', error_description: 'It has expired' }, 'It has expired'],
		['a text', 'No such company', 'No such company'],
	])('by %s', (_, value, expected) => {
		const words = wordsOf(value);
		expect(words && `${words.text}${words.code ? ` (${words.code})` : ''}`).toBe(expected);
	});

	it.each([
		...[{}, [], '', ' ', 7, null, true, { message: '' }, { message: {} }, { title: 7 }],
		...[{ error: 'invalid_token' }, { message: 'No.' }, { errors: {} }, { errors: ['<b>'] }],
		...[{ message: '<html><p>key</p>' }, { data: 'No' }],
	])('is nothing in %j', (value) => {
		expect(wordsOf(value)).toBeUndefined();
	});
});

it('the words of an answer are its title, also of JSON that is sent as HTML, with a code that is not its status', () => {
	const html = { 'content-type': 'text/html' };
	const body = (code: unknown) => JSON.stringify({ code, message: 'Not allowed here' });
	const errors = ['E7', 403].map((code) =>
		statusError(answer(403, html, body(code)), 'REST Address'),
	);
	expect(errors.map((error) => describeError(error)[0])).toEqual(Array(2).fill('Not allowed here'));
	expect(errors).toMatchObject([
		{ facts: { serviceCode: 'E7', details: body('E7') } },
		{ facts: { serviceCode: undefined } },
	]);
});

describe('a refusal that is about the credential names the field to check', () => {
	const challenge = (text: string) => ({ 'www-authenticate': text });
	it.each([
		['an API gateway', {}, '{"message":"Denied: invalid subscription key."}', "'Subscription Key'"],
		['RFC 6750', challenge('Bearer error="insufficient_scope"'), '', "'Scopes'"],
		['a framework', {}, '{"detail":"The token lacks the required scope."}', "'Scopes'"],
		['the domain', {}, '<error>The domain is not open to this user</error>', "'Domain'"],
	])('%s', (_, headers, body, field) => {
		const error = statusError(answer(403, headers, body), 'SOAP Address');
		expect(adviceOf(error)).toContain(field);
		const details = [...Object.values(headers), body].filter(Boolean).join('\n');
		expect(error.facts).toMatchObject({ details });
	});

	it.each([
		['for a web page, which may quote it', 403, '<!DOCTYPE html><p>X-Subscription-Key: 1</p>'],
		['for another status', 400, '{"message":"The domain of the address is unknown"}'],
		['for words far from the start', 403, `${' '.repeat(70_000)}subscription key`],
	])('but not %s', (_, status, body) => {
		const advice = adviceOf(statusError(answer(status), 'SOAP Address'));
		const error = statusError(answer(status, {}, body), 'SOAP Address');
		expect(adviceOf(error).endsWith(advice)).toBe(true);
	});

	it('but not Domain for the REST interface, which has none', () => {
		const body = '{"error":{"code":403,"message":"Forbidden","errors":[{"domain":"global"}]}}';
		const error = statusError(answer(403, {}, body), 'REST Address');
		expect(adviceOf(error)).not.toContain("'Domain'");
	});

	/** The error of an answer of HTTP 401. */
	const rejected = (headers: Record<string, unknown>): ServiceError => {
		const said = judgeAnswer(answer(401, headers), 'REST Address', () => undefined);
		if ('error' in said && said.error instanceof ServiceError) return said.error;
		throw new Error('no error');
	};

	const scopes = 'Bearer error="invalid_token", scope="employee.info"';
	it.each<[boolean, object, string, RegExp]>([
		[false, {}, 'does not accept the access token', /^Check 'Subscription Key'/],
		[true, {}, 'does not accept the access token', /^The token was just renewed/],
		[false, challenge(scopes), 'does not accept the access token', /^Check '.*Key' and 'Scopes'/],
		[
			true,
			challenge('Bearer error="insufficient_scope"'),
			'refused access',
			/^(?!The token).*'Scopes'/,
		],
	])('also with any access token (renewed: %s): %j', (isFresh, headers, what, advice) => {
		const error = rejected({ ...headers }).with({ isFresh });
		expect(error).toMatchObject({ outcome: 'notApplied', facts: { httpStatus: 401 } });
		const title = `The payroll service ${what}`;
		expect(describeError(error)).toEqual([title, expect.stringMatching(advice)]);
		expect(adviceOf(rejected({}).with({ isFresh }))).toContain('log in again');
	});
});

it.each([
	['Quota will be replenished in 00:01:01', '1 minute 1 second'],
	['quota will be replenished in 6.23:59:59.1234567', '6 days 23 hours'],
	['Try again in 3600 seconds.', '1 hour'],
])('a text that asks for a pause, %j, is advice to wait for %s', (text, wait) => {
	for (const status of [403, 429]) {
		const error = statusError(answer(status, {}, text), 'REST Address');
		expect(adviceOf(error)).toMatch(new RegExp(`can be called again in ${wait}\\.$`));
		expect(error.isTransient).toBe(true);
	}
	// Far from the start, or with another status, it does not.
	for (const [status, blanks] of [
		[403, 70_000],
		[400, 0],
		[500, 0],
		[503, 0],
	] as const) {
		const error = statusError(answer(status, {}, ' '.repeat(blanks) + text), 'REST Address');
		expect(adviceOf(error)).not.toMatch(/called again/);
		expect(error.outcome).toBe(statusError(answer(status), 'REST Address').outcome);
	}
});

describe('the details of an answer with an error status', () => {
	const details = (body: string, headers: Record<string, unknown> = {}) =>
		statusError(answer(403, headers, body), 'REST Address').facts.details;
	const type = (name: string) => ({ 'content-type': name });

	it.each([
		['a web page', {}, '<!DOCTYPE html><title>X-Subscription-Key: 1</title>'],
		['XHTML', {}, '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x"><html/>'],
		['a comment without end', type('text/html'), '<!-- X-Subscription-Key: 1'],
	])('are not %s', (_, headers, body) => {
		expect(details(body, headers)).toBeUndefined();
		const challenge = { ...headers, 'www-authenticate': 'Bearer error="x"' };
		expect(details(body, challenge)).toBe('Bearer error="x"');
	});
});
