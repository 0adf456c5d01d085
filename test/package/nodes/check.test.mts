/** What a check of the connection reports of the credential, its tokens and scopes. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { postForm, refresh } from '../../../dev/sandbox/oauth.mts';
import { storedSecrets } from '../../../dev/package/payroll.mts';
import { clockAhead } from '../../support/clock.mts';
import { replying } from '../../support/scripted.mts';
import { expectNoSecret } from '../secrets.mts';
import { useAccount, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { checkedItem, runCheck } from './checked.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
const account = useAccount(payroll, sandbox);
afterEach(() => jest.restoreAllMocks());

const withoutCompany: INodeParameters = { companyId: '' };
const renewed: INodeParameters = { ...withoutCompany, options: { renewToken: true } };

const run = async (parameters: INodeParameters = {}, input?: IDataObject[]) =>
	await runCheck(account, parameters, input);
const checked = async (parameters: INodeParameters = {}) => await checkedItem(account, parameters);

const reconnect = {
	ok: false,
	message: 'The credential needs to be reconnected',
	description: expect.stringMatching(/consent was withdrawn.*connect the account again/),
};

/** Withdraws the user's consent. */
async function withdrawConsent(): Promise<void> {
	const { refresh_token: token = '' } = await account.tokens();
	expect((await postForm(sandbox, '/connect/revocation', { token })).status).toBe(200);
}

describe('a connection that works', () => {
	it('is reported part by part, and renews nothing', async () => {
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
					descriptions: {
						ok: true,
						EmployeeService: { read: true, differences: [] },
						CompanyService: { read: true, differences: [] },
					},
				},
				pairedItem: { item: 0 },
			},
		]);
		const { expiresAt, secondsLeft } = items('Payroll')[0]?.json.accessToken as IDataObject;
		const [, claims = ''] = account.first.split('.');
		const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number };
		expect(expiresAt).toBe(new Date(exp * 1000).toISOString());
		expect(secondsLeft).toBeGreaterThan(3500);
		expect(secondsLeft).toBeLessThanOrEqual(3600);
		expect(await account.renewals()).toBe(0);
	});

	it('takes one request to each endpoint, and sends the identity server no secret', async () => {
		await checked();
		const requests = await sandbox.requests();
		const main = requests.filter(({ path }) => !path.includes('?xsd='));
		expect(main.map(({ method, path }) => `${method} ${path}`)).toEqual([
			'GET /.well-known/openid-configuration',
			'GET /connect/token',
			'GET /api/companies/100/hourcodes?pageNumber=1&pageSize=1',
			'POST /soap/v3/EmployeeService.asmx',
			'GET /soap/v3/EmployeeService.asmx?WSDL',
			'GET /soap/v3/CompanyService.asmx?WSDL',
		]);
		const [discovery, token, rest, soap] = requests.map(({ headers }) => headers);
		for (const unsigned of [discovery, token]) {
			expect(unsigned).not.toHaveProperty('authorization');
			expect(unsigned).not.toHaveProperty('x-subscription-key');
		}
		for (const signed of [rest, soap]) {
			expect(signed).toMatchObject({
				authorization: `Bearer ${account.first}`,
				'x-subscription-key': sandbox.subscriptionKey,
			});
		}
	});

	it.each(['  ', null])(
		'does not try the REST API if the company is %j, and says so',
		async (companyId) => {
			const item = await checked({ companyId, employeeId: 1003 });
			expect(item).toMatchObject({
				ok: null,
				restApi: { ok: null, message: "Not tried: enter a 'Company ID' to try the REST API." },
				soapApi: { ok: true },
			});
			expect(item).not.toHaveProperty('CompanyId');
			expect((await sandbox.stats()).restCalls).toBe(0);
		},
	);

	it('is reported for each input item in order, and renewed once for all of them', async () => {
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

	it.each([
		{ allowedHttpRequestDomains: 'none' },
		{ allowedHttpRequestDomains: 'domains', allowedDomains: 'api.example.com' },
	])('works whatever domains n8n allows other nodes: %j', async (domains) => {
		await account.patch(domains);
		expect(await checked(renewed)).toMatchObject({ ok: null, renewed: true });
	});
});

describe('the refresh token', () => {
	it.each<[string, () => Promise<unknown>]>([
		['expires within a minute', () => account.storeToken(30)],
		['states no expiry', () => account.store({ access_token: 'opaque' })],
	])('is exchanged if the access token %s', async (_, store) => {
		const before = (await account.tokens()).refresh_token;
		await store();
		expect(await checked(withoutCompany)).toMatchObject({ ok: null, renewed: true });
		const after = (await account.tokens()).refresh_token;
		expect(after).not.toBe(before);
		expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 1, refreshesRefused: 0 });
		// The one that is stored now is good for another 30 days.
		expect((await refresh(sandbox, after)).status).toBe(200);
	});

	it('is always exchanged with Renew Token, also twice in a minute', async () => {
		for (const _ of [1, 2]) {
			expect(await checked(renewed)).toMatchObject({ ok: null, renewed: true });
		}
		expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 2, refreshesRefused: 0 });
	});

	it('is exchanged if the REST API rejects the access token', async () => {
		await sandbox.expireAccessTokens();
		expect(await checked()).toMatchObject({ ok: true, renewed: true, restApi: { ok: true } });
		expect(await account.renewals()).toBe(1);
	});

	it('is reported if none is stored', async () => {
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

	it('is reported if it is spent and the access token has expired, with what to do', async () => {
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
		// Asked once, however many parts of the check needed the token.
		expect(await account.renewals()).toBe(1);
	});

	it('is reported after the consent was withdrawn, with Renew Token only', async () => {
		await withdrawConsent();
		expect(await checked(withoutCompany)).toMatchObject({ ok: null, renewed: false });
		const item = await checked(renewed);
		expect(item).toMatchObject({ ok: false, renewed: false, accessToken: reconnect });
		expect((item.accessToken as IDataObject).secondsLeft).toBeGreaterThan(3500);
	});
});

describe('the access token', () => {
	it('that has expired on arrival, by the local clock, points at the clock', async () => {
		clockAhead(7200);
		expect(await checked({ companyId: '100' })).toMatchObject({
			ok: false,
			renewed: true,
			accessToken: {
				ok: false,
				secondsLeft: 0,
				message: 'The access token has expired',
				description: expect.stringContaining('clock'),
			},
			restApi: { ok: true },
		});
		expect(await account.renewals()).toBe(1);
	});

	it('has no expiry if it states one beyond all calendars', async () => {
		const claims = Buffer.from('{"iat":1,"exp":1e300}').toString('base64url');
		const tokens = { access_token: `e30.${claims}.c2ln`, token_type: 'Bearer' };
		server.play(replying(200, 'application/json', { issuer: server.url, ...tokens }));
		await account.patch({ identityUrl: server.url });
		expect(await checked(renewed)).toMatchObject({
			renewed: true,
			accessToken: { ok: true, expiresAt: null, secondsLeft: null },
		});
	});
});

describe('scopes', () => {
	it('that were requested and not granted are named', async () => {
		const granted = ['employee.info.read', 'offline_access'];
		await account.store({ scope: granted.join(' ') });
		await account.patch({ scopes: ['employee.info.read', 'company.info', 'company.info.read'] });
		expect(await checked()).toMatchObject({
			ok: false,
			scopes: {
				ok: false,
				granted,
				missing: ['company.info', 'company.info.read'],
				message: 'Not all requested scopes were granted',
				description: expect.stringContaining('Missing: company.info, company.info.read.'),
			},
			restApi: { ok: true },
		});
	});

	it('are unknown, not missing, if the token response names none', async () => {
		const { scope: _none, ...tokens } = await account.tokens();
		await account.patch({ oauthTokenData: tokens });
		expect(await checked(withoutCompany)).toMatchObject({
			ok: null,
			scopes: { ok: true, granted: null, missing: null },
		});
	});
});

it.each([{ companyId: '..' }, { companyId: ['100'] }, { employeeId: 'x' }])(
	'%j is no identifier: the node fails, and sends nothing',
	async (parameters) => {
		const { error } = await run(parameters);
		expect(error?.message).toMatch(
			/^'(Company|Employee) ID': .* is not (an identifier|a text|a whole)/,
		);
		expect(await sandbox.requests()).toEqual([]);
	},
);

describe('secrets', () => {
	const stored = async () => storedSecrets(await payroll.credentials.stored(account.credential));

	it('are masked, whatever the servers repeat', async () => {
		await account.patch({ domain: 'kantoor-zuid-7f3a' });
		const secrets = await stored();
		const echo = secrets.join(' ');
		server.play((response, index, request) => {
			const isDiscovery = request.path.includes('well-known');
			const document = { issuer: echo, token_endpoint: `https://x.example/${echo}` };
			const body = isDiscovery ? document : { message: echo };
			return replying(isDiscovery ? 200 : 403, 'application/json', body)(response, index, request);
		});
		await account.patch({ identityUrl: server.url, restUrl: server.url });
		const { access_token = '', refresh_token = '' } = await account.tokens();
		await account.store({ scope: `employee.info ${refresh_token} ${access_token}` });
		const result = await run();
		expect(result.json('Payroll')[0]).toMatchObject({
			identityServer: { ok: true, issuer: expect.stringContaining('***') },
			restApi: { httpStatus: 403 },
		});
		expectNoSecret(secrets, result.run);
	});

	it('are not shown of the tokens before and after a renewal', async () => {
		const before = await stored();
		const { run: execution } = await run(renewed);
		expectNoSecret([...before, ...(await stored())], execution);
		expect(await account.renewals()).toBe(1);
	});
});
