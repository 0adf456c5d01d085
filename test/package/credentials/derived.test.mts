/** The credential type, and what n8n derives from a credential's fields. */
import { readFileSync } from 'node:fs';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { authorizationUri } from '../../../dev/engine/index.mts';
import { additionalData, workflowRecord } from '../../../dev/engine/additional.mts';
import type { Connection } from '../../../dev/sandbox/options.mts';
import { misleading } from './misleading-addresses.mts';
import { CREDENTIAL_TYPE, credentialData } from '../../../dev/package/payroll.mts';
import { usePackage } from '../../support/setUp.mts';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
	bugs: { url: string };
	repository: { url: string };
};

/** The published addresses; `url` is the repository's, without a slash at the end. */
const repository = {
	url: manifest.repository.url.replace(/^git\+|\.git$/g, ''),
	issues: manifest.bugs.url,
};

const payroll = usePackage();

const service: Connection = {
	url: 'https://id.example',
	namespace: 'http://payroll.example/soap/v3',
	clientId: 'client',
	clientSecret: 'secret',
	redirectUris: [],
	scopes: ['employee.info.read', 'offline_access'],
	user: 'anna',
	password: 'Salaris-2026',
	subscriptionKey: 'key',
	domain: 'demo',
};

/** What n8n makes of a credential: defaults filled in, hidden expressions evaluated. */
async function resolved(
	changes: ICredentialDataDecryptedObject = {},
): Promise<ICredentialDataDecryptedObject> {
	const id = await payroll.store(credentialData(service, changes));
	const { credentials } = payroll;
	const workflowData = workflowRecord({ id: 'none', nodes: [], connections: {} });
	const execution = { executionId: '1', mode: 'manual' as const, workflowData };
	return await credentials.getDecrypted(
		additionalData(credentials, execution),
		{ id, name: 'Payroll' },
		CREDENTIAL_TYPE,
		'manual',
	);
}

/** The addresses derived from an identity address. */
const endpoints = (url: string) => ({
	authUrl: `${url}/connect/authorize`,
	accessTokenUrl: `${url}/connect/token`,
});

describe('the addresses of the identity server', () => {
	it.each(['https://id.example', '\thttps://id.example/// \n'])(
		'derive from %j',
		async (identityUrl) => {
			expect(await resolved({ identityUrl })).toMatchObject(endpoints('https://id.example'));
		},
	);

	it('derive from one with many slashes in it, too', async () => {
		const identityUrl = `https://id.example${'/'.repeat(160 * 1024)}x`;
		expect(await resolved({ identityUrl: `${identityUrl}/` })).toMatchObject(
			endpoints(identityUrl),
		);
	}, 10_000);

	it('cannot be replaced by stored values', async () => {
		const changes = { authUrl: 'https://evil.example', accessTokenUrl: 'https://evil.example' };
		expect(await resolved(changes)).toMatchObject(endpoints('https://id.example'));
	});
});

describe('an identity address', () => {
	it.each(misleading)('%s is refused: no address is derived from it', async (_, identityUrl) => {
		const { authUrl, accessTokenUrl } = await resolved({ identityUrl });
		for (const url of [authUrl, accessTokenUrl]) expect(URL.canParse(String(url))).toBe(false);
		const id = await payroll.store(credentialData(service, { identityUrl }));
		await expect(authorizationUri(payroll.credentials, id)).rejects.toThrow();
	});

	it('that is an expression is checked by its value', async () => {
		const url = async (identityUrl: string) => (await resolved({ identityUrl })).accessTokenUrl;
		expect(await url('={{ "https://" + "x.example" }}')).toBe('https://x.example/connect/token');
		for (const [, value] of misleading) {
			const codes = [...Array(value.length).keys()].map((i) => value.charCodeAt(i)).join();
			const given = await url(`={{ String.fromCharCode(${codes}) }}`);
			expect(URL.canParse(String(given))).toBe(false);
		}
	});

	it.each([
		'http://localhost:8080/id',
		'http://127.8.9.10',
		'http://[::1]:8080',
		'HTTPS://ID.EXAMPLE',
		'https://id.example:8443/a/b.c~d_e-f%20g;h',
		'https://[2001:db8::1]:8443',
		'https://salaris.münchen.example',
	])('%s is accepted', async (identityUrl) => {
		expect(await resolved({ identityUrl })).toMatchObject(endpoints(identityUrl));
		const id = await payroll.store(credentialData(service, { identityUrl }));
		const uri = await authorizationUri(payroll.credentials, id);
		expect(new URL(uri).host).toBe(new URL(identityUrl).host);
	});
});

describe('the client secret', () => {
	it.each([
		['secret', 'secret'],
		['p+y/100% r:o&l=l', 'p%2By%2F100%25%20r%3Ao%26l%3Dl'],
		['{{ 1 + 1 }}', '%7B%7B%201%20%2B%201%20%7D%7D'],
		['é€', '%C3%A9%E2%82%AC'],
		[' \u00a0p w\n', 'p%20w'],
	])('%j is sent URL-encoded, without whitespace around it', async (appSecret, clientSecret) => {
		expect(await resolved({ appSecret })).toMatchObject({ appSecret, clientSecret });
	});
});

it.each([['client'], [' client'], ['\u00a0client\n']])(
	'the client ID %j is sent without whitespace around it',
	async (appId) => {
		expect(await resolved({ appId })).toMatchObject({ appId, clientId: 'client' });
		const id = await payroll.store(credentialData(service, { appId }));
		const { searchParams } = new URL(await authorizationUri(payroll.credentials, id));
		expect(searchParams.get('client_id')).toBe('client');
	},
);

it('a client ID that is stored under the name of n8n is used', async () => {
	const { appId: clientId = '', ...data } = credentialData(service, {});
	expect(await resolved({ appId: '', clientId })).toMatchObject({ clientId });
	const id = await payroll.store({ ...data, clientId });
	const { searchParams } = new URL(await authorizationUri(payroll.credentials, id));
	expect(searchParams.get('client_id')).toBe(clientId);
});

describe('the scope', () => {
	it.each([
		[['employee.info.read'], 'employee.info.read offline_access'],
		[['offline_access', 'company.info'], 'offline_access company.info'],
		[['company.info', 'offline_access', 'company.info'], 'company.info offline_access'],
		// As a variable of n8n has them.
		['={{ "employee.info company.info" }}', 'employee.info company.info offline_access'],
	])('of %j holds offline_access, and each scope once', async (scopes, scope) => {
		expect(await resolved({ scopes })).toMatchObject({ scope });
	});

	// n8n's credential window stores an empty list if nothing was changed.
	it('is all ten if none is chosen', async () => {
		const { scopes: _, ...filled } = credentialData(service);
		for (const chosen of [{}, { scopes: [] }]) {
			const id = await payroll.store({ ...filled, ...chosen });
			const uri = new URL(await authorizationUri(payroll.credentials, id));
			expect(uri.searchParams.get('scope')?.split(' ').sort()).toEqual([
				...['company.info', 'company.info.read', 'company.payrollsettings.read'],
				...['employee.employment', 'employee.employment.read'],
				...['employee.info', 'employee.info.read', 'employee.payment', 'employee.payment.read'],
				'offline_access',
			]);
		}
	});
});

describe('the authorization address', () => {
	it('asks for what docs/dev/interface.md, section 4.1 requires', async () => {
		const id = await payroll.store(
			credentialData(service, { identityUrl: ' https://id.example/ ' }),
		);
		const uri = new URL(await authorizationUri(payroll.credentials, id));
		expect(uri.origin + uri.pathname).toBe('https://id.example/connect/authorize');
		const query = Object.fromEntries(uri.searchParams);
		expect(query).toMatchObject({
			client_id: 'client',
			response_type: 'code',
			scope: 'employee.info.read offline_access',
			state: expect.stringMatching(/^.{20,}$/),
			redirect_uri: expect.stringMatching(/^http:\/\/localhost/),
		});
		expect(uri.href).not.toContain('secret');
	});
});

describe('the credential type', () => {
	const typeOf = () => payroll.host.credentialTypes.getByName(CREDENTIAL_TYPE);
	const visible = () => typeOf().properties.filter(({ type }) => type !== 'hidden');

	it("extends n8n's OAuth2 type, shows the fields to fill in, and hides what is secret", () => {
		const type = typeOf();
		expect(type.extends).toEqual(['oAuth2Api']);
		const masked = type.properties.filter(({ typeOptions }) => typeOptions?.password === true);
		expect(masked.map(({ name }) => name)).toEqual([
			'appSecret',
			'subscriptionKey',
			'clientSecret',
		]);
		expect(visible().map(({ name }) => name)).toEqual([
			...['appId', 'appSecret', 'subscriptionKey', 'domain'],
			...['identityUrl', 'restUrl', 'soapUrl', 'soapNamespace', 'soapVersion'],
			...['scopes', 'readOnly', 'requestsPerSecond'],
		]);
	});

	it('lists the expressions of every field of the form', () => {
		const { default: listing } =
			typeOf().properties.find(({ name }) => name === 'expressions') ?? {};
		const fields = visible().map(({ displayName, name }) => [displayName, name]);
		expect(String(listing)).toContain(`={{ ${JSON.stringify(fields)}.`);
	});

	it('opens its own page of the docs, also from the nodes', () => {
		const { documentationUrl } = typeOf();
		const page = 'docs/credentials.md';
		expect(documentationUrl).toBe(`${repository.url}/blob/main/${page}`);
		expect(readFileSync(page, 'utf8')).toMatch(/^# Connect your account/);
		expect(payroll.host.descriptions.length).toBeGreaterThan(2);
		const operations = 'docs/operations.md';
		for (const { codex, displayName } of payroll.host.descriptions) {
			expect(readFileSync(operations, 'utf8')).toContain(`\n## ${displayName}\n`);
			const section = displayName.toLowerCase().replaceAll(' ', '-');
			expect(codex?.resources).toEqual({
				primaryDocumentation: [{ url: `${repository.url}/blob/main/${operations}#${section}` }],
				credentialDocumentation: [{ url: documentationUrl }],
			});
		}
	});

	it('is documented on its page, field by field in the order of the form', () => {
		const table = readFileSync('docs/credentials.md', 'utf8').split('## The fields')[1] ?? '';
		const described = [...table.matchAll(/^\| ([A-Z][\w ]+?) \| /gm)].map(([, label]) => label);
		// n8n shows its own field below the first one.
		const [first = '', ...others] = visible().map(({ displayName }) => displayName);
		const expected = ['Field', first, 'Allowed HTTP Request Domains', ...others];
		expect(described.slice(0, expected.length)).toEqual(expected);
	});
});
