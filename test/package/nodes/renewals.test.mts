/** What the identity server and a service with an expired token may answer, and what a builder reads then. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	callFromList,
	createAddress,
	getAddresses,
	getCostCenters,
	getHourCodes,
} from '../../../dev/package/calls.mts';
import { clockAhead } from '../../support/clock.mts';
import { forwarding, replying, type Script } from '../../support/scripted.mts';
import { useAccount, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { faultAnswer, soapAnswer, XML } from '../../support/soap.mts';
import { element, serviceWsdl } from '../../support/wsdl.mts';
import { good, isInsert, isOld, tokenOf, useTokens } from './tokens.mts';

const JSON_TYPE = 'application/json';
const reply = (status: number, body: unknown, headers = {}) =>
	replying(status, typeof body === 'string' ? 'text/html' : JSON_TYPE, body, headers);

describe('an identity server', () => {
	// A refresh token that is sent again after it was spent revokes the connection.
	const { sandbox, payroll } = useSandbox({ reuse: 'revoke' });
	const identity = useScriptedServer();
	const account = useAccount(payroll, sandbox);
	beforeEach(async () => {
		await account.patch({ identityUrl: identity.url });
		await sandbox.expireAccessTokens();
	});

	/** Has the token endpoint answer its first requests like this; the provider answers the others. */
	function refuseFirst(...refusals: readonly Script[]): void {
		const renew = forwarding(sandbox.url);
		identity.play((...received) => (refusals[received[1]] ?? renew)(...received));
	}

	/** Runs one item for each of so many employees, one after the other; returns the errors. */
	async function run(count = 1): Promise<Array<IDataObject | undefined>> {
		const parameters = { ...createAddress, options: { concurrency: 1 } };
		const more = { onError: 'continueRegularOutput' } as const;
		const node = payroll.node('payrollEmployee', account.credential, parameters, more);
		const input = Array.from({ length: count }, (_, index) => ({ id: 1001 + index }));
		const { json } = await payroll.run(input, node);
		return json('Payroll').map(({ error }) => error as IDataObject | undefined);
	}

	it.each<[string, Script]>([
		['a web page with HTTP 429', reply(429, '<h1>Slow down</h1>')],
		['HTTP 403 of a quota', reply(403, { message: 'Quota is replenished in 00:00:01' })],
		['HTTP 503', reply(503, '')],
		['HTTP 503 with Retry-After', reply(503, '', { 'Retry-After': '1' })],
		['HTTP 502', reply(502, '<h1>Bad gateway</h1>')],
		['a lost answer', (response) => void response.destroy()],
	])('that answers %s is asked again, once for all calls', async (_, refusal) => {
		refuseFirst(refusal);
		expect(await run(3)).toEqual([undefined, undefined, undefined]);
		expect(identity.received).toHaveLength(2);
		const inserts = (await sandbox.requests()).filter(
			({ body, status }) => body.includes('Address_Insert ') && status === 200,
		);
		expect(inserts).toHaveLength(3);
	});

	it.each<[string, Script]>([
		['for another answer four times', reply(429, {})],
		['not for a pause of more than a minute', reply(503, '', { 'Retry-After': '61' })],
	])('that stays busy is asked %s', async (_, busy) => {
		refuseFirst(busy, busy, busy, busy);
		expect(await run()).toMatchObject([
			{
				code: 'IDENTITY_SERVER_BUSY',
				description: expect.stringMatching(/^The identity server is busy/),
			},
		]);
		expect(identity.received).toHaveLength(_.startsWith('not') ? 1 : 4);
	});

	const oauth = (error: string) => ({ error, error_description: 'No' });
	const noIdentity = /^The answer does not look like .* check 'Identity Address'/;
	const unexpected = /^The identity server did not answer as expected. If this continues, check/;
	const reconnect = /The refresh token is no longer accepted/;
	it.each<[string, number, unknown, RegExp]>([
		['the app is not known', 401, oauth('invalid_client'), /'Client ID' and 'Client Secret'/],
		['the app may not renew', 400, oauth('unauthorized_client'), /check 'Client ID'.*registered/],
		['the scopes are wrong', 400, oauth('invalid_scope'), /check 'Scopes'.*log in again/],
		['the refresh token is spent', 400, oauth('invalid_grant'), reconnect],
		['the same with HTTP 200', 200, oauth('invalid_grant'), reconnect],
		['the OAuth error is an unknown one', 400, oauth('constructor'), unexpected],
		['the path does not exist', 404, '<h1>Not found</h1>', noIdentity],
		['the answer is a web page', 200, '<h1>Welcome</h1>', noIdentity],
		['the answer has no token', 200, { message: 'Accepted' }, noIdentity],
		['the token is one of a mebibyte', 200, { access_token: 'a'.repeat(2 ** 20) }, noIdentity],
		['the identity server fails', 500, '<h1>Sorry</h1>', unexpected],
	])('is asked once if %s, and the error says what to do', async (_, status, body, description) => {
		refuseFirst(reply(status, body), reply(status, body));
		const tokens = await account.tokens();
		const errors = await run(2);
		expect(errors).toMatchObject(
			Array(2).fill({ description: expect.stringMatching(description) }),
		);
		expect(errors[0]?.message).toBe(
			description === reconnect
				? 'The credential needs to be reconnected'
				: 'The access token could not be renewed',
		);
		expect(identity.received).toHaveLength(1);
		expect(await account.tokens()).toEqual(tokens);
	});

	it('is asked again by a run after ten seconds, and at once after a correction', async () => {
		await account.patch({ identityUrl: sandbox.url, appSecret: 'wrong' });
		for (const [seconds, renewals] of [
			[0, 1],
			[5, 1],
			[16, 2],
		] as const) {
			clockAhead(seconds);
			expect(await run(2)).toMatchObject(Array(2).fill({ code: 'RENEWAL_REFUSED' }));
			expect(await account.renewals()).toBe(renewals);
		}
		await account.patch({ appSecret: sandbox.clientSecret });
		expect(await run()).toEqual([undefined]);
		jest.restoreAllMocks();
	});

	it('that answers with the same access token, and a new refresh token, is believed about that', async () => {
		const { access_token } = await account.tokens();
		refuseFirst(reply(200, { access_token, refresh_token: 'next' }));
		expect(await run()).toMatchObject([{ code: 'RENEWAL_FAILED' }]);
		expect(await account.tokens()).toMatchObject({ access_token, refresh_token: 'next' });
	});

	it.each([null, '', undefined])(
		'that answers with the refresh token %j keeps the old one',
		async (refresh_token) => {
			const { refresh_token: first } = await account.tokens();
			refuseFirst(reply(200, { access_token: 'second', refresh_token }));
			// The sandbox does not know the token of the other identity server, which gives the next one.
			expect(await run()).toMatchObject([{ code: 'TOKEN_REJECTED' }]);
			expect(await account.tokens()).toMatchObject({
				access_token: 'second',
				refresh_token: first,
			});
			clockAhead(61);
			expect(await run()).toEqual([undefined]);
			expect(new URLSearchParams(identity.received[1]?.body).get('refresh_token')).toBe(first);
			jest.restoreAllMocks();
		},
	);
});

describe('many calls', () => {
	const { sandbox, payroll } = useSandbox({ reuse: 'revoke', tokenLatencyMs: 100 });
	const account = useAccount(payroll, sandbox);

	it.each([
		['HTTP 401', 'status', '1.1'],
		['a SOAP 1.1 fault with HTTP 500', 'fault', '1.1'],
		['a SOAP 1.2 fault with HTTP 500', 'fault', '1.2'],
	] as const)('of three workflows share one renewal after %s', async (_, expiryAs, soapVersion) => {
		await account.patch({ soapVersion });
		await sandbox.configure({ expiryAs });
		await sandbox.expireAccessTokens();
		const options = { concurrency: 50 };
		const run = async (
			type: 'payrollEmployee' | 'payrollHourCodes',
			parameters: INodeParameters,
		) => {
			const input = Array.from({ length: 20 }, (_item, index) => ({ id: 1001 + index }));
			const items = type === 'payrollEmployee' ? input : input.map(() => ({ id: 100 }));
			const node = payroll.node(type, account.credential, { ...parameters, options });
			return (await payroll.run(items, node)).error;
		};
		const errors = await Promise.all([
			run('payrollEmployee', getCostCenters),
			run('payrollEmployee', getAddresses),
			run('payrollHourCodes', getHourCodes),
		]);
		expect(errors).toEqual([undefined, undefined, undefined]);
		expect(await sandbox.stats()).toMatchObject({
			tokenRequests: { refresh_token: 1 },
			refreshesSucceeded: 1,
			soapExecuted: { CostCenter_Get: 20, Address_GetListCurrent: 20 },
		});
	});
});

describe('a service', () => {
	const { service, identity, connect, giveTokens, refuse, run, tokens } = useTokens();

	const page = '<!DOCTYPE html><html><title>Log in</title></html>';
	const calls = [
		['a SOAP call', getAddresses],
		['a list', { ...getHourCodes, returnAll: false, limit: 1 }],
		['a write', createAddress],
	] as const;
	const pages = [
		['HTTP 401', 401, '', true],
		['a page with HTTP 200', 200, page, false],
		['a redirect', 302, '', false],
		['a page with HTTP 403', 403, page, true],
		['HTTP 403 that names the token', 403, { error: 'invalid_token' }, true],
		['HTTP 498', 498, '', true],
	] as const;
	describe.each(calls)('that answers %s', (_, parameters) => {
		it.each(pages)('with an expired token by %s', async (_name, status, body, isUndone) => {
			refuse(reply(status, body, { Location: '/login' }), isOld);
			const errors = await run(parameters);
			const isSentAgain = isUndone || parameters !== createAddress;
			const [first, second] = service.received.map(isInsert);
			expect(errors).toMatchObject([isSentAgain ? undefined : { outcome: 'unknown' }]);
			// A write that may have been applied is looked for, with the new token.
			expect([first, second]).toEqual([parameters === createAddress, isSentAgain && first]);
			expect(tokens().slice(0, 2)).toEqual(['opaque-0', 'opaque-1']);
			expect(identity.received).toHaveLength(1);
		});
	});

	it.each(pages)(
		'that describes itself to a valid token alone, after %s',
		async (_, status, body) => {
			const namespace = 'http://payroll.example/soap/v3/TokenService';
			const wsdl = serviceWsdl({ Any_Get: ['', element('Any_GetResult', 's:int')] }, '', namespace);
			const answer = soapAnswer('Any_Get', '<Any_GetResult>5</Any_GetResult>', 'TokenService');
			service.play((...received) => {
				const said = replying(200, XML, received[2].method === 'GET' ? wsdl : answer);
				const refused = isOld(received[2])
					? reply(status, body, { Location: '/login' })
					: reply(401, '');
				(tokenOf(received[2]) === 'opaque-1' ? said : refused)(...received);
			});
			const named = { __rl: true, mode: 'name', value: 'TokenService' };
			expect(await run(callFromList('Any_Get', { service: named }))).toEqual([undefined]);
			expect(tokens()).toEqual([undefined, 'opaque-0', 'opaque-1', 'opaque-1']);
		},
	);

	it.each(pages)('that always answers by %s causes one renewal', async (_, status, body) => {
		refuse(reply(status, body, { Location: '/login' }));
		expect(await run(getAddresses, 3)).toEqual(Array(3).fill(expect.any(Object)));
		expect(tokens()).toEqual(['opaque-0', ...Array<string>(3).fill('opaque-1')]);
		expect(identity.received).toHaveLength(1);
	});

	it('that says with HTTP 403 that the token has not the scope causes none', async () => {
		const error_description = 'The access token does not have the required scope';
		refuse(reply(403, { error: 'insufficient_scope', error_description }));
		expect(await run(createAddress)).toMatchObject([
			{ message: error_description, code: 'ACCESS_REFUSED', outcome: 'notApplied' },
		]);
		expect(tokens()).toEqual(['opaque-0']);
		expect(identity.received).toEqual([]);
	});

	it('is called with the Bearer header, whatever the type of the token is', async () => {
		for (const token_type of ['BearerToken', 'JWT', '', null]) {
			giveTokens({ token_type });
			await connect({ token_type });
			refuse(reply(401, ''), isOld);
			expect(await run(getAddresses)).toEqual([undefined]);
			expect(service.received.map(({ headers }) => headers.authorization)).toEqual([
				'Bearer opaque-0',
				'Bearer opaque-1',
			]);
		}
	});

	it('is called with a new token if n8n says that the old one has expired', async () => {
		await connect({ n8n_expires_at: String(Date.now() - 1000) });
		service.play(good);
		expect(await run(getAddresses)).toEqual([undefined]);
		expect(tokens()).toEqual(['opaque-1']);
	});

	it.each([401, 500])('whose clock is behind rejects a new token with HTTP %d', async (status) => {
		const begin = Math.floor(Date.now() / 1000);
		const claims = Buffer.from(JSON.stringify({ iat: begin, exp: begin + 3600 }));
		const access_token = `e30.${claims.toString('base64url')}.c2ln`;
		giveTokens({ access_token });
		const fault = faultAnswer('bad token', 'Client');
		for (const [seconds, isEarly] of [
			[60, false],
			[-120, true],
		] as const) {
			const date = new Date((begin + seconds) * 1000).toUTCString();
			await connect();
			refuse(replying(status, XML, fault, { Date: date }));
			const [error] = await run(getAddresses);
			const advice = /By the clock of the payroll service or of n8n, .* correct that clock/;
			expect(advice.test(String(error?.description))).toBe(isEarly);
			expect(error?.description).toMatch(/'Subscription Key'/);
		}
	});
});
