/** What a check of the connection reports of servers that do not work. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { closedPort, replying, type Script } from '../../support/scripted.mts';
import { useAccount, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { checkedItem } from './checked.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
const account = useAccount(payroll, sandbox);

const JSON_TYPE = 'application/json';

describe('an identity server', () => {
	/** What is reported of a server that answers so; the rest of the connection works. */
	async function identityServer(script: Script, options: INodeParameters = {}) {
		server.play(script);
		await account.patch({ identityUrl: server.url });
		const item = await checkedItem(account, { options });
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
		ok: false,
		issuer: null,
		issuerMatches: null,
		tokenEndpoint: null,
		tokenEndpointMatches: null,
	};
	const noDocument = {
		...unknown,
		message: 'The identity server sent no discovery document',
		description: expect.stringMatching(/JSON.*'Identity Address'/),
		httpStatus: 200,
	};

	const answered = (httpStatus: number, description: RegExp) => ({
		...unknown,
		message: `The identity server answered with HTTP ${httpStatus}`,
		description: expect.stringMatching(description),
		httpStatus,
	});

	it.each<[string, Script, object]>([
		['an HTML page', replying(200, 'text/html', '<html>Log in</html>'), noDocument],
		['nothing', replying(200, JSON_TYPE), noDocument],
		['JSON that is no object', replying(200, JSON_TYPE, '"issuer"'), noDocument],
		['null', replying(200, JSON_TYPE, 'null'), noDocument],
		['another document', replying(200, JSON_TYPE, { token_endpoint: 'x' }), noDocument],
		['an issuer that is no text', replying(200, JSON_TYPE, { issuer: 7 }), noDocument],
		['an empty issuer', replying(200, JSON_TYPE, { issuer: '' }), noDocument],
		['JSON nested too deeply', replying(200, JSON_TYPE, '['.repeat(100_000)), noDocument],
		[
			'bytes that are no text',
			(response) => void response.writeHead(200).end(Buffer.from([0xff, 0xff, 0xff])),
			noDocument,
		],
		['404', replying(404, 'text/html'), answered(404, /'Identity Address'/)],
		['204', replying(204, ''), answered(204, /./)],
		['500', replying(500, 'text/html'), answered(500, /later/)],
	])('that answers with %s is reported, and the others are tried', async (_, script, expected) => {
		expect(await identityServer(script)).toMatchObject(expected);
		expect(server.received.map(({ path }) => path)).toEqual(['/.well-known/openid-configuration']);
	});

	it('that answers with a redirect is reported, and not followed', async () => {
		const location = { Location: `${server.url}/elsewhere` };
		expect(await identityServer(replying(302, '', '', location))).toMatchObject({
			...unknown,
			message: 'The identity server answered with a redirect (HTTP 302)',
			description: expect.stringContaining('not followed'),
			httpStatus: 302,
		});
		expect(server.received).toHaveLength(1);
	});

	it('whose document is too large is reported', async () => {
		const document = { issuer: server.url, more: 'x'.repeat(5000) };
		const options = { responseSizeLimit: 0.004 };
		expect(await identityServer(replying(200, JSON_TYPE, document), options)).toMatchObject({
			...unknown,
			message: 'The answer of the identity server is too large',
		});
	});

	it('that does not answer is tried four times, and reported', async () => {
		expect(await identityServer(() => undefined, { timeout: 0.3 })).toMatchObject({
			...unknown,
			message: 'The identity server did not answer in time',
		});
		expect(server.received).toHaveLength(4);
	});

	it('that is available again a moment later works', async () => {
		const script: Script = (response, index, request) =>
			replying(index === 0 ? 503 : 200, JSON_TYPE, { issuer: server.url })(
				response,
				index,
				request,
			);
		expect(await identityServer(script)).toMatchObject({
			ok: true,
			issuerMatches: true,
			tokenEndpoint: null,
			tokenEndpointMatches: null,
		});
		expect(server.received).toHaveLength(2);
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
		const document = {
			issuer: 'https://other.example',
			token_endpoint: 'https://other.example/connect/token',
		};
		expect(await identityServer(replying(200, JSON_TYPE, document))).toEqual({
			ok: true,
			issuer: 'https://other.example',
			issuerMatches: false,
			tokenEndpoint: 'https://other.example/connect/token',
			tokenEndpointMatches: false,
		});
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
	async function restApi(script: Script): Promise<IDataObject> {
		server.play(script);
		await account.patch({ restUrl: server.url });
		const item = await checkedItem(account);
		expect(item).toMatchObject({ ok: false, identityServer: { ok: true }, soapApi: { ok: true } });
		return item;
	}

	it('that rejects every token is reported, with its status', async () => {
		expect(await restApi(replying(401, JSON_TYPE, '{}'))).toMatchObject({
			// A new token was tried first.
			renewed: true,
			accessToken: { ok: true },
			restApi: {
				ok: false,
				httpStatus: 401,
				message: 'The payroll service does not accept the access token',
				description: expect.stringMatching(/subscription key/i),
			},
		});
		expect(server.received).toHaveLength(2);
	});

	it.each([
		[403, /scopes/i, 'The payroll service answered with HTTP 403'],
		[404, /address/i, "Company 100 was not found, or 'REST Address' in the credential is wrong"],
		[400, /\w/, 'The payroll service answered with HTTP 400'],
	])('that answers with HTTP %d is reported', async (status, description, message) => {
		expect(await restApi(replying(status, JSON_TYPE, { message: 'No.' }))).toMatchObject({
			renewed: false,
			restApi: {
				ok: false,
				httpStatus: status,
				message,
				description: expect.stringMatching(description),
				details: '{"message":"No."}',
			},
		});
	});

	it('that sends a page is reported', async () => {
		expect(await restApi(replying(200, 'text/html', '<html>Portal</html>'))).toMatchObject({
			restApi: {
				ok: false,
				httpStatus: 200,
				message: 'The payroll service sent a page that cannot be read as JSON',
			},
		});
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
