/** What a check of the connection reports of servers that do not work. */
import type { IDataObject } from 'n8n-workflow';
import { closedPort, replying, type Script } from '../../support/scripted.mts';
import { useAccount, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { checkedItem } from './checked.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
const account = useAccount(payroll, sandbox);

const JSON_TYPE = 'application/json';

describe('an identity server', () => {
	/** What is reported of a server that answers so; the rest of the connection works. */
	async function identityServer(script: Script) {
		server.play(script);
		await account.patch({ identityUrl: server.url });
		const item = await checkedItem(account);
		expect(item).toMatchObject({
			renewed: false,
			accessToken: { ok: true },
			refreshToken: { ok: true },
			scopes: { ok: true },
			restApi: { ok: true },
			soapApi: { ok: true },
		});
		const { identityServer: reported } = item as { identityServer: IDataObject };
		expect(item.ok).toBe(reported.ok);
		return reported;
	}

	const unknown = {
		...{ ok: false, issuer: null, issuerMatches: null },
		...{ tokenEndpoint: null, tokenEndpointMatches: null },
	};
	const noDocument = {
		...unknown,
		message: 'The identity server sent no discovery document',
		description: expect.stringMatching(/JSON.*'Identity Address'/),
		httpStatus: 200,
	};
	const answered = (httpStatus: number, text: string, description: RegExp) => ({
		...unknown,
		message: `The identity server answered with ${text}`,
		description: expect.stringMatching(description),
		httpStatus,
	});

	it.each<[string, Script, object]>([
		['an HTML page', replying(200, 'text/html', '<html>Log in</html>'), noDocument],
		['null', replying(200, JSON_TYPE, 'null'), noDocument],
		['an issuer that is no text', replying(200, JSON_TYPE, { issuer: 7 }), noDocument],
		['an empty issuer', replying(200, JSON_TYPE, { issuer: '' }), noDocument],
		['404', replying(404, ''), answered(404, 'HTTP 404', /'Identity Address'/)],
		['500', replying(500, ''), answered(500, 'HTTP 500', /later/)],
		[
			'a redirect, which is not followed',
			replying(302, '', '', { Location: '/.well-known/elsewhere' }),
			answered(302, 'a redirect (HTTP 302)', /not followed/),
		],
	])('that answers with %s is reported, and the others are tried', async (_, script, expected) => {
		expect(await identityServer(script)).toMatchObject(expected);
		expect(server.received.map(({ path }) => path)).toEqual(['/.well-known/openid-configuration']);
	});

	it('that is available again a moment later works', async () => {
		const answers = [replying(503, ''), replying(200, JSON_TYPE, { issuer: server.url })];
		const script: Script = (response, index, request) =>
			(answers[index] ?? replying(400, ''))(response, index, request);
		expect(await identityServer(script)).toMatchObject({
			ok: true,
			issuerMatches: true,
			tokenEndpoint: null,
			tokenEndpointMatches: null,
		});
		expect(server.received.map(({ path }) => path)).toEqual([
			'/.well-known/openid-configuration',
			'/.well-known/openid-configuration',
			'/connect/token',
		]);
	});

	it('whose token endpoint redirects is reported, since n8n would follow', async () => {
		const document = replying(200, JSON_TYPE, { issuer: server.url });
		const redirect = replying(308, '', '', { Location: 'http://127.0.0.1:1/connect/token' });
		const script: Script = (...args) =>
			(args[2].path === '/connect/token' ? redirect : document)(...args);
		expect(await identityServer(script)).toMatchObject({
			...{ ok: false, issuer: null, tokenEndpoint: null },
			message: 'The token endpoint of the identity server answers with a redirect (HTTP 308)',
			description: expect.stringContaining("under 'Identity Address'"),
		});
		expect(server.received.map(({ body, headers }) => [body, headers.authorization])).toEqual([
			['', undefined],
			['', undefined],
		]);
	});

	it('that is down is reported, and so is a token that cannot be renewed', async () => {
		await account.patch({ identityUrl: `http://127.0.0.1:${await closedPort()}` });
		await account.storeToken(-1);
		expect(await checkedItem(account, { companyId: '' })).toMatchObject({
			ok: false,
			renewed: false,
			identityServer: {
				...unknown,
				message: 'The identity server refused the connection',
				description: expect.stringContaining("Check 'Identity Address' in the credential"),
			},
			accessToken: { ok: false, message: 'The access token could not be renewed', secondsLeft: 0 },
			refreshToken: { ok: true },
		});
	});

	it('that names another issuer and token endpoint is reported, but works', async () => {
		const [issuer, tokenEndpoint] = ['https://other.example', 'https://other.example/token'];
		const script = replying(200, JSON_TYPE, { issuer, token_endpoint: tokenEndpoint });
		const other = { issuer, issuerMatches: false, tokenEndpoint, tokenEndpointMatches: false };
		expect(await identityServer(script)).toEqual({ ok: true, ...other });
	});

	it('may spell its address differently', async () => {
		const url = server.url.replace('http:', 'HTTP:');
		const document = { issuer: `${url}/`, token_endpoint: `${url}/connect/token/` };
		expect(await identityServer(replying(200, JSON_TYPE, document))).toMatchObject({
			issuerMatches: true,
			tokenEndpointMatches: true,
		});
	});
});

describe('a REST API', () => {
	const noAccess = 'The payroll service does not accept the access token';
	const noCompany = "Company 100 was not found, or 'REST Address' in the credential is wrong";

	it.each([
		// A new token is tried first.
		[401, /subscription key/i, noAccess, true],
		[403, /scopes/i, 'The payroll service answered with HTTP 403', false],
		[404, /address/i, noCompany, false],
	])('that answers with HTTP %d is reported', async (httpStatus, description, message, renewed) => {
		server.play(replying(httpStatus, JSON_TYPE, { message: 'No.' }));
		await account.patch({ restUrl: server.url });
		expect(await checkedItem(account)).toMatchObject({
			ok: false,
			renewed,
			identityServer: { ok: true },
			accessToken: { ok: true },
			restApi: {
				ok: false,
				httpStatus,
				message,
				description: expect.stringMatching(description),
				details: '{"message":"No."}',
			},
			soapApi: { ok: true },
		});
		expect(server.received).toHaveLength(renewed ? 2 : 1);
	});

	it('that is not there is reported, without a status', async () => {
		await account.patch({ restUrl: `http://127.0.0.1:${await closedPort()}` });
		expect(await checkedItem(account)).toMatchObject({
			ok: false,
			restApi: {
				ok: false,
				httpStatus: null,
				message: 'The payroll service refused the connection',
			},
		});
	});

	it('of a company without hour codes works', async () => {
		server.play(replying(200, JSON_TYPE, '[]'));
		await account.patch({ restUrl: server.url });
		expect(await checkedItem(account)).toMatchObject({
			ok: true,
			restApi: { ok: true, httpStatus: 200 },
		});
		expect(server.received).toHaveLength(1);
	});
});
