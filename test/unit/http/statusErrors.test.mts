import { headOf } from '../../../nodes/shared/http/charset.ts';
import { LOG_IN_AGAIN } from '../../../nodes/shared/errors/advice.ts';
import { statusError, unauthorized } from '../../../nodes/shared/http/statusErrors.ts';

const answer = (status: number, headers: Record<string, unknown> = {}) => ({
	status,
	headers,
	body: Buffer.alloc(0),
});

describe('an answer with an error status', () => {
	it.each([
		[204, /^Only an answer with HTTP 200 has a result; the meaning of this one is unknown\.$/],
		[400, 'The service reports a bad request. Check the values.'],
		[403, /Scopes.*Subscription Key/],
		[404, /Check 'SOAP Address' in the credential, and 'Service', if/],
		[405, /Check 'SOAP Address' in the credential\.$/],
		[415, /SOAP Version/],
		[418, 'The service refused the call.'],
		[429, /Limit 'Concurrency' .+ or 'Requests per Second'/],
		[500, 'The service reported an internal error.'],
		[502, 'The service is not available at the moment.'],
		[503, 'The service is not available at the moment.'],
		[504, 'The service is not available at the moment.'],
	])('(HTTP %d) says what to do: %s', (status, advice) => {
		const body = Buffer.from('Details of the service');
		const error = statusError({ ...answer(status), body }, 'SOAP Address');
		expect(error).toMatchObject({
			message: `The payroll service answered with HTTP ${status}`,
			description: expect.stringMatching(advice),
			httpStatus: status,
			details: 'Details of the service',
			isTransient: status === 429 || status >= 500,
		});
	});

	it.each([300, 302, 399])('(HTTP %d) is a redirect, which is not followed', (status) => {
		expect(statusError(answer(status), 'REST Address')).toMatchObject({
			message: `The payroll service answered with a redirect (HTTP ${status})`,
			description: expect.stringMatching(
				/not followed.*Enter the final address under 'REST Address'/,
			),
			httpStatus: status,
		});
	});
});

describe('a refusal that is about the credential names the field to check', () => {
	const challenge = (text: string) => ({ 'www-authenticate': text });
	it.each([
		[
			'an API gateway',
			{},
			'{"message":"Access denied due to invalid subscription key."}',
			"'Subscription Key'",
		],
		['its header', {}, 'X-Subscription-Key header is required', "'Subscription Key'"],
		['RFC 6750', challenge('Bearer error="insufficient_scope"'), '', "'Scopes'"],
		['a framework', {}, '{"detail":"The token lacks the required scope."}', "'Scopes'"],
		['a sentence', {}, '{"message":"Scope employee.info is missing"}', "'Scopes'"],
		['the domain', {}, '<error>The domain is not open to this user</error>', "'Domain'"],
		['the domain, in Dutch', {}, 'Onbekend domein', "'Domain'"],
	])('%s', (_, headers, body, field) => {
		const response = { ...answer(403, headers), body: Buffer.from(body) };
		const error = statusError(response, 'SOAP Address');
		expect(`${error.message}. ${error.description}`).toContain('answered with HTTP 403. ');
		expect(error).toMatchObject({
			description: expect.stringContaining(field),
			details: [...Object.values(headers), body].filter(Boolean).join('\n'),
		});
	});

	it.each([
		[
			'for a web page, which may quote the request',
			403,
			'<!DOCTYPE html><p>X-Subscription-Key: 1</p>',
		],
		['for the words in another sense', 403, '{"trace":"Scoped to subscriptions of domains"}'],
		['for another status', 400, '{"message":"The domain of the address is unknown"}'],
		['for words far from the start', 403, `${' '.repeat(70_000)}subscription key`],
	])('but not %s', (_, status, body) => {
		const response = { ...answer(status), body: Buffer.from(body) };
		const { description = '' } = statusError(answer(status), 'SOAP Address');
		expect(statusError(response, 'SOAP Address').description?.endsWith(description)).toBe(true);
	});

	it('but not for an invalid token, even if a scope is named', () => {
		const headers = challenge('Bearer error="invalid_token", scope="employee.info"');
		expect(unauthorized(false, answer(401, headers))).toMatchObject({
			message: 'The payroll service does not accept the access token',
			description: expect.stringMatching(/^Check 'Subscription Key' and 'Scopes'/),
		});
	});
});

describe('a call that is refused with any access token', () => {
	const check = `Check 'Subscription Key' and 'Scopes' in the credential, then ${LOG_IN_AGAIN}.`;

	it.each([
		[false, check],
		[true, `The token was just renewed, but it was still rejected. ${check}`],
	])('(renewed just before: %s) says what to check', (isFresh, description) => {
		expect(unauthorized(isFresh)).toMatchObject({
			kind: 'tokenRejected',
			message: 'The payroll service does not accept the access token',
			description,
			httpStatus: 401,
			details: undefined,
		});
	});

	it('names the field that the answer is about, with its text', () => {
		const scope = 'Bearer error="insufficient_scope"';
		expect(unauthorized(true, answer(401, { 'www-authenticate': scope }))).toMatchObject({
			kind: 'tokenRejected',
			message: 'The payroll service refused access',
			description: expect.stringMatching(/^(?!The token).*'Scopes'/),
			httpStatus: 401,
			details: scope,
		});
	});
});

describe('the details of an answer with an error status', () => {
	const details = (body: string | Buffer, headers: Record<string, unknown> = {}) =>
		statusError({ ...answer(403, headers), body: Buffer.from(body) }, 'REST Address').details;
	const type = (name: string) => ({ 'content-type': name });
	const said = '{"message":"Geen toegang: één"}';

	it.each([
		['text/plain; charset=iso-8859-1', 'latin1'],
		['text/plain; charset=klingon', 'latin1'],
		['text/plain; charset=utf-16', 'utf16le'],
		['text/plain', 'utf8'],
	] as const)('(%s) are its text, decoded as far as possible', (name, encoding) => {
		expect(details(Buffer.from(said, encoding), type(name))).toBe(said);
	});

	it('have a replacement character for each byte that cannot be decoded', () => {
		expect(details(Buffer.from(said, 'latin1'))).toBe('{"message":"Geen toegang: \ufffd\ufffdn"}');
	});

	it('are read from a beginning that ends between two characters, and is far longer than what is shown', () => {
		const text = `x${'é'.repeat(40_000)}`;
		expect(headOf({ ...answer(403), body: Buffer.from(text) })).toBe(text.slice(0, 32_768));
		expect(text.startsWith(details(text) ?? ' ')).toBe(true);
	});

	it.each([
		['a web page', {}, '<!DOCTYPE html><title>X-Subscription-Key: 1</title>'],
		['XHTML', {}, '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x"><html/>'],
		['a web page after comments', {}, '<!-- a --> <!-- <b> -->\n<HTML><body/></HTML>'],
		['a part of a web page', type('text/html; charset=utf-8'), '<h1>Forbidden</h1>'],
		['a comment without end', type('text/html'), '<!-- X-Subscription-Key: 1'],
	])('are not %s', (_, headers, body) => {
		expect(details(body, headers)).toBeUndefined();
		const challenge = { ...headers, 'www-authenticate': 'Bearer error="x"' };
		expect(details(body, challenge)).toBe('Bearer error="x"');
	});

	it.each([
		['JSON that is sent as a page', type('text/html'), said],
		['XML', type('application/xml'), '<?xml version="1.0"?><error>No</error>'],
	])('are %s', (_, headers, body) => {
		expect(details(body, headers)).toBe(body);
	});
});

describe('the outcome of a write that was answered', () => {
	it.each([
		[200, {}, 'unknown'],
		[303, {}, 'unknown'],
		[307, {}, 'unknown'],
		[404, {}, 'notApplied'],
		[429, {}, 'notApplied'],
		[500, { 'retry-after': '1' }, 'unknown'],
		[503, {}, 'unknown'],
		[503, { 'retry-after': 'soon' }, 'unknown'],
		[503, { 'retry-after': '1' }, 'notApplied'],
	])('with HTTP %d and %j is %s', (status, headers, outcome) => {
		expect(statusError(answer(status, headers), 'SOAP Address').outcome).toBe(outcome);
	});
});
