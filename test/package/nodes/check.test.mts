import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import { postForm, refresh } from '../../../dev/sandbox/oauth.mts';
import { Account } from '../../../dev/package/account.mts';
import { checkConnection, Payroll } from '../../../dev/package/payroll.mts';
import { clockAhead } from '../../support/clock.mts';
import { scriptedServer, type ScriptedServer } from '../../support/scripted.mts';

let sandbox: SandboxClient;
let server: ScriptedServer;
let payroll: Payroll;
let account: Account;

beforeAll(async () => {
	[sandbox, server, payroll] = await Promise.all([
		launchSandbox(),
		scriptedServer(),
		Payroll.load(),
	]);
});
afterAll(async () => await Promise.all([sandbox.stop(), server.close()]));
beforeEach(async () => {
	account = await Account.connect(payroll, sandbox);
});
afterEach(() => jest.restoreAllMocks());

const withoutCompany: INodeParameters = { companyId: '' };

async function run(parameters: INodeParameters = {}, input: IDataObject[] = [{ id: 100 }]) {
	const all = { ...checkConnection, ...parameters };
	return await payroll.run(input, payroll.node('payrollCompany', account.credential, all));
}

/** What a check of the connection says, which never ends with an error. */
async function checked(parameters: INodeParameters = {}): Promise<IDataObject> {
	const { error, json } = await run(parameters);
	expect(error).toBeUndefined();
	const items = json('Payroll');
	expect(items).toHaveLength(1);
	return items[0] ?? {};
}

const reconnect = {
	ok: false,
	message: 'The credential needs to be reconnected',
	description: expect.stringMatching(/consent was withdrawn.*connect the account again/),
};

/** The user takes the consent back. */
async function withdrawConsent(): Promise<void> {
	const { refresh_token: token = '' } = await account.tokens();
	expect((await postForm(sandbox, '/connect/revocation', { token })).status).toBe(200);
}

describe('a connection that works', () => {
	it('is told part by part, with nothing renewed', async () => {
		const { error, items } = await run({ employeeId: '1003' });
		expect(error).toBeUndefined();
		expect(items('Payroll')).toEqual([
			{
				json: {
					CompanyId: 100,
					EmployeeId: 1003,
					ok: true,
					renewed: false,
					identityServer: {
						ok: true,
						issuer: sandbox.url,
						issuerMatches: true,
						tokenEndpoint: `${sandbox.url}/connect/token`,
						tokenEndpointMatches: true,
					},
					accessToken: {
						ok: true,
						expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
						secondsLeft: expect.any(Number),
					},
					refreshToken: { ok: true, stored: true },
					scopes: { ok: true, granted: sandbox.scopes, missing: [] },
					restApi: { ok: true, httpStatus: 200 },
					soapApi: { ok: true, httpStatus: 200 },
				},
				pairedItem: { item: 0 },
			},
		]);
		const { expiresAt, secondsLeft } = items('Payroll')[0]?.json.accessToken as IDataObject;
		const { exp } = JSON.parse(
			Buffer.from(account.first.split('.')[1] ?? '', 'base64url').toString(),
		) as { exp: number };
		expect(expiresAt).toBe(new Date(exp * 1000).toISOString());
		expect(secondsLeft).toBeGreaterThan(3500);
		expect(secondsLeft).toBeLessThanOrEqual(3600);
		expect(await account.renewals()).toBe(0);
	});

	it('takes one request to each server, the one to the identity server without any key', async () => {
		await checked();
		const requests = await sandbox.requests();
		expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
			'GET /.well-known/openid-configuration',
			'GET /api/companies/100/hourcodes?pageNumber=1&pageSize=1',
			'POST /soap/v3/EmployeeService.asmx',
		]);
		const [discovery, rest, soap] = requests.map(({ headers }) => headers);
		expect(discovery).not.toHaveProperty('authorization');
		expect(discovery).not.toHaveProperty('x-subscription-key');
		expect(JSON.stringify(discovery)).not.toContain(sandbox.subscriptionKey);
		for (const signed of [rest, soap]) {
			expect(signed).toMatchObject({
				authorization: `Bearer ${account.first}`,
				'x-subscription-key': sandbox.subscriptionKey,
			});
		}
	});

	it.each([[''], ['  '], [null]])(
		'does not try the REST API where the company is %j, and says so',
		async (companyId) => {
			const item = await checked({ companyId, employeeId: 1003 });
			expect(item).toMatchObject({
				ok: null,
				restApi: { ok: null, message: "Not tried: give a 'Company ID' to try the REST API." },
				soapApi: { ok: true },
			});
			expect(item).not.toHaveProperty('CompanyId');
			expect((await sandbox.stats()).restCalls).toBe(0);
		},
	);

	it('is told for each input item, in their order, and renewed once for all of them', async () => {
		const input = [{ id: 100 }, { id: 999 }, { id: '' }, { id: 200 }, { id: 100 }];
		const { error, items } = await run({ options: { renewToken: true } }, input);
		expect(error).toBeUndefined();
		expect(items('Payroll').map(({ json: { CompanyId, ok } }) => [CompanyId, ok])).toEqual([
			[100, true],
			[999, false],
			[undefined, null],
			[200, true],
			[100, true],
		]);
		expect(items('Payroll').map(({ pairedItem }) => pairedItem)).toEqual(
			input.map((_, item) => ({ item })),
		);
		expect(items('Payroll').map(({ json }) => json.renewed)).toEqual(input.map(() => true));
		expect(await account.renewals()).toBe(1);
	});

	it('may not name the company in the items', async () => {
		const item = await checked({ options: { includeRequestKeys: false } });
		expect(Object.keys(item)[0]).toBe('ok');
	});

	it.each([
		{ allowedHttpRequestDomains: 'none' },
		{ allowedHttpRequestDomains: 'domains', allowedDomains: 'api.example.com' },
	])('works whatever n8n is told to allow other nodes: %j', async (domains) => {
		await account.patch(domains);
		expect(await checked({ options: { renewToken: true } })).toMatchObject({
			ok: true,
			renewed: true,
		});
	});

	it('may lie behind an identity address with a slash', async () => {
		await account.patch({ identityUrl: ` ${sandbox.url}// ` });
		expect(await checked(withoutCompany)).toMatchObject({
			ok: null,
			identityServer: { issuerMatches: true, tokenEndpointMatches: true },
		});
	});
});

describe('the refresh token', () => {
	it.each([
		['ends within a minute', 30],
		['has ended', -1],
		['ended a week ago', -7 * 24 * 3600],
	])('is exchanged where the access token %s', async (_, secondsLeft) => {
		const before = (await account.tokens()).refresh_token;
		await account.storeToken(secondsLeft);
		expect(await checked(withoutCompany)).toMatchObject({
			ok: null,
			renewed: true,
			accessToken: { ok: true, secondsLeft: expect.any(Number) },
		});
		const after = (await account.tokens()).refresh_token;
		expect(after).not.toBe(before);
		expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 1, refreshesRefused: 0 });
		// The one that is stored now is good for another 30 days.
		expect((await refresh(sandbox, after)).status).toBe(200);
	});

	it.each(['opaque', 'a.b.c', `e30.${Buffer.from('{"iat":1}').toString('base64url')}.c2ln`])(
		'is exchanged where nobody can tell when the access token ends: %s',
		async (access_token) => {
			await account.store({ access_token });
			expect(await checked(withoutCompany)).toMatchObject({ ok: null, renewed: true });
			expect(await account.renewals()).toBe(1);
		},
	);

	it('is exchanged in any case where that is asked for, also twice in a minute', async () => {
		const options = { renewToken: true };
		expect(await checked({ ...withoutCompany, options })).toMatchObject({ renewed: true });
		expect(await checked({ ...withoutCompany, options })).toMatchObject({
			ok: null,
			renewed: true,
		});
		expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 2, refreshesRefused: 0 });
	});

	it('is exchanged where the REST API rejects the access token', async () => {
		await sandbox.expireAccessTokens();
		expect(await checked()).toMatchObject({ ok: true, renewed: true, restApi: { ok: true } });
		expect(await account.renewals()).toBe(1);
	});

	it('that is not stored is told', async () => {
		const { refresh_token: _none, ...tokens } = await account.tokens();
		await account.patch({ oauthTokenData: tokens });
		expect(await checked(withoutCompany)).toMatchObject({
			ok: false,
			accessToken: { ok: true },
			refreshToken: {
				ok: false,
				stored: false,
				message: 'No refresh token is stored',
				description: expect.stringContaining('connect the account again'),
			},
		});
	});

	it('that is spent, with the access token at its end, is told, and what to do', async () => {
		await withdrawConsent();
		await account.storeToken(-1);
		expect(await checked()).toMatchObject({
			ok: false,
			renewed: false,
			identityServer: { ok: true },
			accessToken: { ...reconnect, secondsLeft: 0 },
			refreshToken: { ok: true, stored: true },
			restApi: { ...reconnect, httpStatus: null },
			soapApi: { ...reconnect, httpStatus: null },
		});
		// Asked once, whoever needed the token.
		expect(await account.renewals()).toBe(1);
	});

	it('of a consent that was withdrawn is told where it is to be exchanged in any case', async () => {
		await withdrawConsent();
		expect(await checked(withoutCompany)).toMatchObject({ ok: null, renewed: false });
		const options = { renewToken: true };
		const item = await checked({ ...withoutCompany, options });
		expect(item).toMatchObject({ ok: false, renewed: false, accessToken: reconnect });
		expect((item.accessToken as IDataObject).secondsLeft).toBeGreaterThan(3500);
	});
});

describe('the access token', () => {
	it('that has ended on arrival, by the clock here, points at the clock', async () => {
		clockAhead(7200);
		expect(await checked({ companyId: '100' })).toMatchObject({
			ok: false,
			renewed: true,
			accessToken: {
				ok: false,
				secondsLeft: 0,
				message: 'The access token has ended',
				description: expect.stringContaining('clock'),
			},
			restApi: { ok: true },
		});
		expect(await account.renewals()).toBe(1);
	});

	it('of which nobody can tell when it ends has no end made up', async () => {
		server.play((response) => {
			const tokens = { access_token: `opaque`, refresh_token: 'next', token_type: 'Bearer' };
			response
				.writeHead(200, { 'Content-Type': 'application/json' })
				.end(JSON.stringify({ issuer: server.url, ...tokens }));
		});
		await account.patch({ identityUrl: server.url });
		await account.store({ access_token: 'e30.e30.c2ln' });
		expect(await checked(withoutCompany)).toMatchObject({
			renewed: true,
			accessToken: { ok: true, expiresAt: null, secondsLeft: null },
		});
	});

	it('whose end is beyond all calendars has none', async () => {
		const claims = Buffer.from('{"iat":1,"exp":1e300}').toString('base64url');
		server.play((response) => {
			const access_token = `e30.${claims}.c2ln`;
			response
				.writeHead(200, { 'Content-Type': 'application/json' })
				.end(JSON.stringify({ issuer: server.url, access_token, token_type: 'Bearer' }));
		});
		await account.patch({ identityUrl: server.url });
		expect(await checked({ ...withoutCompany, options: { renewToken: true } })).toMatchObject({
			renewed: true,
			accessToken: { ok: true, expiresAt: null, secondsLeft: null },
		});
	});
});

describe('scopes', () => {
	it('that were asked for and not granted are named', async () => {
		const granted = ['employee.info.read', 'offline_access'];
		account = await Account.connect(payroll, sandbox, { scopes: granted });
		await account.patch({ scopes: ['employee.info.read', 'company.info', 'company.info.read'] });
		expect(await checked()).toMatchObject({
			ok: false,
			scopes: {
				ok: false,
				granted,
				missing: ['company.info', 'company.info.read'],
				message: 'Not all scopes asked for were granted',
				description: expect.stringContaining('Missing: company.info, company.info.read.'),
			},
			restApi: { ok: true },
		});
	});

	it('that the token response did not name are not known, and not taken for missing', async () => {
		const { scope: _none, ...tokens } = await account.tokens();
		await account.patch({ oauthTokenData: tokens });
		expect(await checked(withoutCompany)).toMatchObject({
			ok: null,
			scopes: { ok: true, granted: null, missing: null },
		});
	});

	it('may be more than were asked for', async () => {
		await account.patch({ scopes: ['company.info'] });
		expect(await checked(withoutCompany)).toMatchObject({ ok: null, scopes: { missing: [] } });
	});
});

describe('what ends the node is', () => {
	it.each(['..', 'a\nb', ['100']])('a company that is no identifier: %j', async (companyId) => {
		const { error } = await run({ companyId: companyId as string });
		expect(error?.message).toMatch(/^'Company ID': .* is not (?:an identifier|a text)\./);
		expect(await sandbox.requests()).toEqual([]);
	});

	it.each([
		['Identity Address', { identityUrl: 'http://evil.example' }],
		['Subscription Key', { subscriptionKey: '' }],
	])('a credential that cannot be read: its %s', async (field, changes) => {
		await account.patch(changes);
		const { error } = await run();
		expect(error?.message).toBe(`The credential's ${field} is not usable`);
		expect(await sandbox.requests()).toEqual([]);
	});

	it('a credential that is not connected', async () => {
		await account.patch({ oauthTokenData: {} });
		expect((await run()).error?.message).toBe('The credential is not connected');
	});
});

describe('what nobody may read', () => {
	it('stands nowhere, whatever the servers say', async () => {
		await account.patch({ domain: 'kantoor-zuid-7f3a' });
		const { access_token = '', refresh_token = '' } = await account.tokens();
		const secrets = [
			...[access_token, refresh_token, sandbox.clientSecret, sandbox.subscriptionKey],
			...[encodeURIComponent(sandbox.clientSecret), 'kantoor-zuid-7f3a'],
		];
		const echo = secrets.join(' ');
		server.play((response, _index, { path }) => {
			const isDiscovery = path.includes('well-known');
			const document = { issuer: echo, token_endpoint: `https://x.example/${echo}` };
			const body = isDiscovery ? document : { message: echo };
			response
				.writeHead(isDiscovery ? 200 : 403, { 'Content-Type': 'application/json' })
				.end(JSON.stringify(body));
		});
		await account.patch({ identityUrl: server.url, restUrl: server.url });
		await account.store({ scope: `employee.info ${refresh_token} ${access_token}` });
		const result = await run();
		const [item] = result.json('Payroll');
		expect(item).toMatchObject({ identityServer: { ok: true }, restApi: { httpStatus: 403 } });
		expect((item?.identityServer as IDataObject).issuer).toContain('***');
		const all = JSON.stringify(result.run);
		for (const secret of secrets) {
			expect(all).not.toContain(JSON.stringify(secret).slice(1, -1));
		}
		// Nor was a secret sent to the identity server.
		const [discovery] = server.received;
		expect(discovery?.headers).not.toHaveProperty('authorization');
		expect(discovery?.headers).not.toHaveProperty('x-subscription-key');
	});

	it('is not shown of the tokens that a check has brought either', async () => {
		const before = await account.tokens();
		const { run: execution } = await run({ options: { renewToken: true } });
		const after = await account.tokens();
		expect(after.access_token).not.toBe(before.access_token);
		for (const { access_token, refresh_token } of [before, after]) {
			expect(JSON.stringify(execution)).not.toContain(access_token);
			expect(JSON.stringify(execution)).not.toContain(refresh_token);
		}
	});
});
