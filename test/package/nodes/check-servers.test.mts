/** What a check of the connection says of servers that do not work. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { checkConnection } from '../../../dev/package/payroll.mts';
import { closedPort, type Script } from '../../support/scripted.mts';
import { useAccount, useSandbox, useScriptedServer } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
const account = useAccount(payroll, sandbox);

/** What a check of the connection says, which never ends with an error. */
async function checked(parameters: INodeParameters = {}): Promise<IDataObject> {
	const all = { ...checkConnection, ...parameters };
	const node = payroll.node('payrollCompany', account.credential, all);
	const { error, json: items } = await payroll.run([{ id: 100 }], node);
	expect(error).toBeUndefined();
	expect(items('Payroll')).toHaveLength(1);
	return items('Payroll')[0] ?? {};
}

const answering =
	(status: number, headers: Record<string, string>, body = ''): Script =>
	(response) =>
		void response.writeHead(status, headers).end(body);
const json = { 'Content-Type': 'application/json' };
const html = { 'Content-Type': 'text/html' };

describe('an identity server', () => {
	/** What is said of a server that answers so; the rest of the connection is not its business. */
	async function identityServer(script: Script, options: INodeParameters = {}) {
		server.play(script);
		await account.patch({ identityUrl: server.url });
		const item = await checked({ options });
		expect(item).toMatchObject({
			renewed: false,
			accessToken: { ok: true },
			refreshToken: { ok: true },
			scopes: { ok: true },
			restApi: { ok: true },
			soapApi: { ok: true },
		});
		const { identityServer: told } = item as { identityServer: IDataObject };
		expect(item.ok).toBe(told.ok);
		return told;
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

	it.each<[string, Script, object]>([
		['an HTML page', answering(200, html, '<html>Log in</html>'), noDocument],
		['nothing', answering(200, json), noDocument],
		['JSON that is no object', answering(200, json, '"issuer"'), noDocument],
		['null', answering(200, json, 'null'), noDocument],
		['another document', answering(200, json, '{"token_endpoint":"x"}'), noDocument],
		['an issuer that is no text', answering(200, json, '{"issuer":7}'), noDocument],
		['an issuer that is empty', answering(200, json, '{"issuer":""}'), noDocument],
		['JSON nested without end', answering(200, json, '['.repeat(100_000)), noDocument],
		[
			'bytes that are no text',
			(response) => void response.writeHead(200, json).end(Buffer.from([0xff, 0xff, 0xff])),
			noDocument,
		],
		[
			'404',
			answering(404, html),
			{
				...unknown,
				message: 'The identity server answered with HTTP 404',
				description: expect.stringContaining("'Identity Address'"),
				httpStatus: 404,
			},
		],
		[
			'204',
			answering(204, {}),
			{ ...unknown, message: 'The identity server answered with HTTP 204', httpStatus: 204 },
		],
		[
			'500',
			answering(500, html),
			{ ...unknown, description: expect.stringContaining('later'), httpStatus: 500 },
		],
	])('that answers with %s is told, and the others are tried', async (_, script, expected) => {
		expect(await identityServer(script)).toMatchObject(expected);
		expect(server.received.map(({ path }) => path)).toEqual(['/.well-known/openid-configuration']);
	});

	it('that answers with a redirect is told, and not followed', async () => {
		const location = { Location: `${server.url}/elsewhere` };
		expect(await identityServer(answering(302, location))).toMatchObject({
			...unknown,
			message: 'The identity server answered with a redirect (HTTP 302)',
			description: expect.stringContaining('not followed'),
			httpStatus: 302,
		});
		expect(server.received).toHaveLength(1);
	});

	it('whose document is too large is told', async () => {
		const document = JSON.stringify({ issuer: server.url, more: 'x'.repeat(5000) });
		const options = { responseSizeLimit: 0.004 };
		expect(await identityServer(answering(200, json, document), options)).toMatchObject({
			...unknown,
			message: 'The answer of the identity server is too large',
		});
	});

	it('that does not answer is tried four times, and told', async () => {
		expect(await identityServer(() => undefined, { timeout: 0.3 })).toMatchObject({
			...unknown,
			message: 'The identity server did not answer in time',
		});
		expect(server.received).toHaveLength(4);
	});

	it('that is back a moment later is no trouble', async () => {
		const document = JSON.stringify({ issuer: server.url });
		const script: Script = (response, index, request) =>
			answering(index === 0 ? 503 : 200, json, document)(response, index, request);
		expect(await identityServer(script)).toMatchObject({
			ok: true,
			issuerMatches: true,
			tokenEndpoint: null,
			tokenEndpointMatches: null,
		});
		expect(server.received).toHaveLength(2);
	});

	it('that is down is told, and so is a token that cannot be renewed', async () => {
		await account.patch({ identityUrl: `http://127.0.0.1:${await closedPort()}` });
		await account.storeToken(-1);
		expect(await checked({ companyId: '' })).toMatchObject({
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

	it('that names another issuer and token endpoint is reported, and no failure', async () => {
		const document = {
			issuer: 'https://other.example',
			token_endpoint: 'https://other.example/connect/token',
		};
		expect(await identityServer(answering(200, json, JSON.stringify(document)))).toEqual({
			ok: true,
			issuer: 'https://other.example',
			issuerMatches: false,
			tokenEndpoint: 'https://other.example/connect/token',
			tokenEndpointMatches: false,
		});
	});

	it('may write its address in another way', async () => {
		const url = server.url.replace('http:', 'HTTP:');
		const document = { issuer: `${url}/`, token_endpoint: `${url}/connect/token/` };
		expect(await identityServer(answering(200, json, JSON.stringify(document)))).toMatchObject({
			issuerMatches: true,
			tokenEndpointMatches: true,
		});
	});
});

describe('a REST API', () => {
	async function restApi(script: Script): Promise<IDataObject> {
		server.play(script);
		await account.patch({ restUrl: server.url });
		const item = await checked();
		expect(item).toMatchObject({ ok: false, identityServer: { ok: true }, soapApi: { ok: true } });
		return item;
	}

	it('that rejects every token is told, with its status', async () => {
		expect(await restApi(answering(401, json, '{}'))).toMatchObject({
			// It was worth a try.
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
	])('that answers with HTTP %d is told', async (status, description, message) => {
		expect(await restApi(answering(status, json, '{"message":"No."}'))).toMatchObject({
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

	it('that sends a page is told', async () => {
		expect(await restApi(answering(200, html, '<html>Portal</html>'))).toMatchObject({
			restApi: {
				ok: false,
				httpStatus: 200,
				message: 'The payroll service sent a page that cannot be read as JSON',
			},
		});
	});

	it('that is not there is told, without a status', async () => {
		await account.patch({ restUrl: `http://127.0.0.1:${await closedPort()}` });
		expect(await checked()).toMatchObject({
			ok: false,
			restApi: {
				ok: false,
				httpStatus: null,
				message: 'The payroll service refused the connection',
			},
		});
	});

	it('of a company without hour codes works', async () => {
		server.play(answering(200, json, '[]'));
		await account.patch({ restUrl: server.url });
		expect(await checked()).toMatchObject({ ok: true, restApi: { ok: true, httpStatus: 200 } });
		expect(server.received).toHaveLength(1);
	});
});
