/* Faults that name the access token: which are believed, and what becomes of a write. */
import type { INodeParameters } from 'n8n-workflow';
import { createAddress, getAddresses } from '../../../dev/package/calls.mts';
import { clockAhead } from '../../support/clock.mts';
import { replying, type Received } from '../../support/scripted.mts';
import { soapFault, XML } from '../../support/soap.mts';
import { isInsert, isOld, useTokens } from './tokens.mts';

const { service, identity, connect, refuse, run, tokens } = useTokens();

/** A fault of SOAP 1.1, or of SOAP 1.2 if it has a subcode. */
function fault(code: string, text: string, subcode?: string): string {
	const version = subcode === undefined ? '1.1' : '1.2';
	return soapFault(text, { code: `s:${code}`, subcode, version });
}

/** Answers with this fault if it applies to a request, and else well. */
const failIf = (applies: (request: Received) => boolean, status: number, body: string) =>
	refuse(replying(status, XML, body), applies);
/** The requests but for those that look for a write in doubt. */
const sentFor = (parameters: INodeParameters) =>
	service.received.filter((request) => parameters !== createAddress || isInsert(request));
const always = () => true;

const words = 'Het token is niet meer bruikbaar';
const operations = [
	['a read', getAddresses],
	['a write', createAddress],
] as const;

describe.each(operations)('%s that is refused for its token', (_, parameters) => {
	it.each([
		['SOAP 1.1, HTTP 500', 500, fault('Client', words)],
		['SOAP 1.2, HTTP 500', 500, fault('Sender', words, 'a:Other')],
		['SOAP 1.2, HTTP 200, in its subcode', 200, fault('Sender', 'No', 'a:TokenStale')],
		['a more specific code', 500, fault('Client.Authentication', 'No')],
		['a code of WS-Security', 500, fault('FailedAuthentication', 'No')],
		['HTTP 403 and a fault of the service', 403, fault('Server', words)],
	])('is sent again with a new one (%s)', async (_name, status, body) => {
		failIf(isOld, status, body);
		expect(await run(parameters)).toEqual([undefined]);
		expect(tokens()).toEqual(['opaque-0', 'opaque-1']);
		expect(identity.received).toHaveLength(1);
	});
});

const template = fault('Server', 'System.Exception: invalid token in its template');

describe('a fault of the service that names a token', () => {
	it('does not send a write again, whose outcome is unknown; the next call has a new token', async () => {
		const exp = Math.floor(Date.now() / 1000) + 600;
		const claims = Buffer.from(JSON.stringify({ iat: exp - 3600, exp })).toString('base64url');
		await connect({ access_token: `e30.${claims}.c2ln` });
		failIf(() => service.received.length === 1, 500, template);
		service.received.length = 0;
		const answer = run(createAddress);
		while (service.received.length === 0) await new Promise(setImmediate);
		// The token expires while the service works.
		clockAhead(3600);
		expect(await answer).toMatchObject([
			{ message: 'invalid token in its template', outcome: 'unknown' },
		]);
		expect(sentFor(createAddress)).toHaveLength(1);
		expect(identity.received).toHaveLength(1);
		expect(await run(createAddress)).toEqual([undefined]);
		expect(tokens().at(-1)).toBe('opaque-1');
		expect(identity.received).toHaveLength(1);
	});

	it.each([
		['a code of its own', fault('x', words).replace('>s:x', ' xmlns:a="urn:app">a:Client')],
		['the code of the server', fault('Server.InvalidSecurityToken', words)],
	])('by %s does not send a write again', async (_, body) => {
		failIf(isOld, 500, body);
		expect(await run(createAddress)).toMatchObject([{ outcome: 'unknown' }]);
		expect(sentFor(createAddress)).toHaveLength(1);
		expect(identity.received).toHaveLength(1);
	});

	it.each([
		['2011: No', 'refused'],
		['No', 'notApplied'],
	])('in its trace, with HTTP 403 (%s), does not count', async (said, outcome) => {
		failIf(isOld, 403, fault('Server', `${said}\n   at Payroll.TokenService.Check()`));
		expect(await run(createAddress)).toMatchObject([{ outcome }]);
		expect(sentFor(createAddress)).toHaveLength(1);
		expect(identity.received).toEqual([]);
	});

	it('renews no token that was renewed just before', async () => {
		service.play((...received) => {
			const [status, body] = isOld(received[2]) ? [401, ''] : [500, template];
			replying(status, XML, body)(...received);
		});
		expect(await run(getAddresses)).toMatchObject([{ message: 'invalid token in its template' }]);
		expect(identity.received).toHaveLength(1);
	});

	it.each([200, 403])('is no page to log in, though sent as HTML with HTTP %d', async (status) => {
		refuse(replying(status, 'text/html', fault('Server', 'No')));
		expect(await run(getAddresses)).toMatchObject([{ message: 'No' }]);
		expect(identity.received).toEqual([]);
	});
});

it('the words of a fault with HTTP 401 are the title, too', async () => {
	failIf(always, 401, fault('Client', 'Your account is closed'));
	expect(await run(createAddress)).toMatchObject([
		{
			...{ message: 'Your account is closed', code: 'TOKEN_REJECTED', outcome: 'notApplied' },
			details: 's:Client\nYour account is closed',
		},
	]);
	expect(tokens()).toEqual(['opaque-0', 'opaque-1']);
});

describe('a service whose faults all name a token', () => {
	it.each([
		['a refusal of writes', createAddress, fault('Client', 'No token in Street'), 11],
		['a failure of writes', createAddress, template, 10],
		['a refusal of reads', getAddresses, fault('Client', 'No token in Street'), 11],
		['a failure of reads', getAddresses, template, 11],
	])('causes one renewal (%s)', async (_, parameters, body, sent) => {
		failIf(always, 500, body);
		const errors = await run(parameters, 10);
		const message = body === template ? 'invalid token in its template' : 'No token in Street';
		expect(errors).toMatchObject(Array(10).fill({ message }));
		expect(sentFor(parameters)).toHaveLength(sent);
		expect(identity.received).toHaveLength(1);
	});

	it('may mean ours a minute later', async () => {
		failIf(always, 500, template);
		await run(createAddress);
		await run(createAddress);
		expect(identity.received).toHaveLength(1);
		clockAhead(61);
		await run(createAddress);
		expect(identity.received).toHaveLength(2);
	});
});

describe('if the token cannot be renewed, the error has the words of the fault and the reason', () => {
	const reasons = [
		[
			'the refresh token is dead',
			400,
			{ error: 'invalid_grant' },
			/reconnected.*no longer accepted/,
		],
		['the app is unknown', 401, { error: 'invalid_client' }, /does not accept the app/],
	] as const;

	it.each(reasons)('(%s)', async (_, status, body, reason) => {
		identity.play(replying(status, 'application/json', body));
		for (const [text, outcome] of [
			[fault('Client', words), 'notApplied'],
			[fault('Server', words), 'unknown'],
		] as const) {
			failIf(always, 500, text);
			expect(await run(createAddress)).toMatchObject([
				{ message: words, description: expect.stringMatching(reason), outcome },
			]);
			expect(sentFor(createAddress)).toHaveLength(1);
		}
	});
});
