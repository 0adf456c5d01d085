/** Connection: Check asks five questions, and answers each. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { postForm, refresh } from '../../../dev/sandbox/oauth.mts';
import { checkConnection } from '../../../dev/package/calls.mts';
import { storedSecrets } from '../../../dev/package/payroll.mts';
import { closedPort, forwarding, replying } from '../../support/scripted.mts';
import { expectNoSecret } from '../secrets.mts';
import { useAccount, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { faultAnswer, XML } from '../../support/soap.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
const account = useAccount(payroll, sandbox);
beforeEach(async () => await sandbox.configure({ soapVersions: 'both' }));

const JSON_TYPE = 'application/json';
const withEmployee: INodeParameters = { employeeId: '1003' };

async function run(parameters: INodeParameters = {}, input: IDataObject[] = [{ id: 100 }]) {
	const all = { ...checkConnection, ...parameters };
	return await payroll.run(input, payroll.node('payrollCompany', account.credential, all));
}

/** The one item of a check, which never ends with an error. */
async function checked(parameters: INodeParameters = withEmployee): Promise<IDataObject> {
	const { error, json } = await run(parameters);
	expect(error).toBeUndefined();
	expect(json('Payroll')).toHaveLength(1);
	return json('Payroll')[0] ?? {};
}

/** The name of each question with whether all is well, and of the whole item. */
const oksOf = (item: IDataObject) =>
	Object.fromEntries(
		Object.entries(item)
			.filter(([name]) => !name.endsWith('Id'))
			.map(([name, value]) => [name, name === 'ok' ? value : (value as IDataObject).ok]),
	);
const allWell = {
	...{ ok: true, token: true, soapApi: true, restApi: true },
	...{ descriptions: true, tokenEndpoint: true },
};

const because = (message: string | RegExp, description?: RegExp) => ({
	ok: false,
	message: typeof message === 'string' ? message : expect.stringMatching(message),
	...(description && { description: expect.stringMatching(description) }),
});

describe('a connection that works', () => {
	it('is described by one sentence for each question', async () => {
		const { items } = await run(withEmployee);
		const yes = (message: string) => ({ ok: true, message });
		expect(items('Payroll')).toEqual([
			{
				json: {
					CompanyId: 100,
					EmployeeId: 1003,
					ok: true,
					token: yes('The tokens were renewed, and no service refuses the access token.'),
					soapApi: yes('The SOAP service answers.'),
					restApi: yes('The REST API answers.'),
					descriptions: yes('The services describe the operations as this package calls them.'),
					tokenEndpoint: yes('The token endpoint does not redirect.'),
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	it('takes one request to each endpoint, and sends the token endpoint no secret', async () => {
		await checked();
		const requests = await sandbox.requests();
		const main = requests.filter(({ path }) => !path.includes('?xsd='));
		expect(main.map(({ method, path }) => `${method} ${path}`)).toEqual([
			'POST /connect/token',
			'POST /soap/v3/EmployeeService.asmx',
			'GET /api/companies/100/hourcodes?pageNumber=1&pageSize=1',
			'GET /soap/v3/EmployeeService.asmx?WSDL',
			'GET /soap/v3/CompanyService.asmx?WSDL',
			'GET /connect/token',
		]);
		const asked = main.at(-1);
		expect(asked?.headers).not.toHaveProperty('authorization');
		expect(asked?.headers).not.toHaveProperty('x-subscription-key');
		expect(asked?.body).toBe('');
	});

	it.each(['  ', null])('is not tried at the REST API without a company: %j', async (companyId) => {
		const item = await checked({ ...withEmployee, companyId });
		expect(oksOf(item)).toEqual({ ...allWell, ok: null, restApi: null });
		expect(item.restApi).toEqual({
			ok: null,
			code: 'UNDECIDED',
			message: 'Not tried',
			description: "Enter a 'Company ID' to try the REST API.",
		});
		expect(item).not.toHaveProperty('CompanyId');
	});

	it.each([
		[404, ''],
		[200, { items: [], total: 1 }],
	])('may be to a service that counts from 0, and answers %d to page 1', async (status, body) => {
		const [zero, other] = [
			replying(200, JSON_TYPE, [{ id: 1 }]),
			replying(status, JSON_TYPE, body),
		];
		server.play((...all) => (all[2].path.includes('pageNumber=0') ? zero : other)(...all));
		await account.patch({ restUrl: server.url });
		expect(oksOf(await checked())).toEqual(allWell);
	});

	it('is checked for each input item in order, and renewed once for all of them', async () => {
		const input = [{ id: 100 }, { id: 999 }, { id: '' }, { id: 200 }];
		const { items } = await run(withEmployee, input);
		expect(items('Payroll').map(({ json: { CompanyId, ok } }) => [CompanyId, ok])).toEqual([
			[100, true],
			[999, false],
			[undefined, null],
			[200, true],
		]);
		expect(items('Payroll').map(({ pairedItem }) => pairedItem)).toEqual(
			input.map((_, item) => ({ item })),
		);
		expect(await account.renewals()).toBe(1);
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

describe('the token', () => {
	it('is renewed each time: the refresh token is a new one, good for another 30 days', async () => {
		const before = (await account.tokens()).refresh_token;
		for (const _ of [1, 2]) expect(oksOf(await checked())).toEqual(allWell);
		const after = (await account.tokens()).refresh_token;
		expect(after).not.toBe(before);
		expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 2, refreshesRefused: 0 });
		expect((await refresh(sandbox, after)).status).toBe(200);
	});

	it('cannot be renewed after the consent was withdrawn, and is still accepted', async () => {
		const { refresh_token: token = '' } = await account.tokens();
		await postForm(sandbox, '/connect/revocation', { token });
		const item = await checked();
		expect(oksOf(item)).toEqual({ ...allWell, ok: false, token: false });
		const message = 'The credential needs to be reconnected';
		expect(item.token).toMatchObject(because(message, /consent was withdrawn.*'Switch account'/));
		expect(await account.renewals()).toBe(1);
	});

	it('that a service does not accept is rejected, also after its renewal', async () => {
		server.play(replying(401, JSON_TYPE, { message: 'No.' }));
		await account.patch({ restUrl: server.url });
		const item = await checked();
		expect(oksOf(item)).toEqual({ ...allWell, ok: false, token: false, restApi: false });
		const message = 'The payroll service does not accept the access token';
		expect(item.token).toMatchObject({ ...because(message), httpStatus: 401 });
	});

	it('is still renewed if no service answers', async () => {
		await account.patch({ soapUrl: `http://127.0.0.1:${await closedPort()}` });
		const item = await checked({ companyId: '' });
		expect(oksOf(item)).toEqual({
			...{ ok: false, token: true, soapApi: false, restApi: null },
			...{ descriptions: null, tokenEndpoint: true },
		});
		expect(item.descriptions).toMatchObject({ description: 'Correct the SOAP calls first.' });
	});
});

describe.each([
	['1.1', '1.2'],
	['1.2', '1.1'],
] as const)('the SOAP service, over SOAP %s', (soapVersion, otherVersion) => {
	beforeEach(async () => await account.patch({ soapVersion }));

	it.each<[string, () => Promise<void>]>([
		['SOAP Address', () => account.patch({ soapUrl: `${sandbox.url}/elsewhere` })],
		['SOAP Namespace', () => account.patch({ soapNamespace: 'http://payroll.example/soap/v4' })],
		['SOAP Version', () => sandbox.configure({ soapVersions: otherVersion })],
		['Domain', () => account.patch({ domain: 'other' })],
		['Subscription Key', () => account.patch({ subscriptionKey: 'wrong' })],
	])('with a wrong %s is found', async (field, makeWrong) => {
		await makeWrong();
		const { ok, soapApi } = await checked();
		expect(ok).toBe(false);
		expect(soapApi).toMatchObject(because(/./, new RegExp(field)));
	});

	it('without an employee answers with a fault about employee 0, or about the credential', async () => {
		const item = await checked({});
		expect(oksOf(item)).toEqual({ ...allWell, ok: null, soapApi: null });
		expect(item.soapApi).toMatchObject({
			ok: null,
			message: expect.stringMatching(/may be about employee 0: .*Employee 0 does not exist/),
			description: expect.stringMatching(/^Without an 'Employee ID', Check asks for employee 0/),
		});
	});
});

describe('the token endpoint', () => {
	it('that redirects is reported, since n8n would follow', async () => {
		server.play(replying(308, '', '', { Location: 'http://127.0.0.1:1/connect/token' }));
		await account.patch({ identityUrl: server.url });
		const { tokenEndpoint } = await checked();
		const message = 'The token endpoint of the identity server answers with a redirect (HTTP 308)';
		expect(tokenEndpoint).toMatchObject(because(message, /under 'Identity Address'/));
	});

	it('that is asked too often is known later', async () => {
		const [busy, renew] = [replying(429, '', '', { 'Retry-After': '0' }), forwarding(sandbox.url)];
		server.play((...received) => (received[2].method === 'GET' ? busy : renew)(...received));
		await account.patch({ identityUrl: server.url });
		const { token, tokenEndpoint } = await checked();
		expect([token, tokenEndpoint]).toMatchObject([{ ok: true }, { ok: null }]);
	});

	it('that is down is reported, and so is a token that cannot be renewed', async () => {
		await account.patch({ identityUrl: `http://127.0.0.1:${await closedPort()}` });
		const item = await checked();
		expect(oksOf(item)).toEqual({ ...allWell, ok: false, token: false, tokenEndpoint: false });
		expect(item).toMatchObject({
			token: because('The access token could not be renewed'),
			tokenEndpoint: because('The identity server refused the connection', /'Identity Address'/),
		});
	});
});

it('masks secrets that the servers repeat, also those of before and after the renewal', async () => {
	const stored = async () => storedSecrets(await payroll.credentials.stored(account.credential));
	const before = await stored();
	await account.patch({ soapUrl: server.url, restUrl: server.url });
	server.play((response, index, request) => {
		const echo = `${before.join(' ')} ${request.headers.authorization}`;
		const fault = replying(500, XML, faultAnswer(echo.replaceAll('&', '&amp;')));
		const refusal = replying(403, JSON_TYPE, { message: echo });
		(request.method === 'POST' ? fault : refusal)(response, index, request);
	});
	const result = await run(withEmployee);
	const shown = { ok: false, message: expect.stringContaining('***') };
	expect(result.json('Payroll')).toMatchObject([{ soapApi: shown, restApi: { ok: false } }]);
	expectNoSecret([...before, ...(await stored())], result.run);
});
