import { setTimeout as sleep } from 'node:timers/promises';
import { NodeHelpers, type IDataObject, type INode, type INodeParameters } from 'n8n-workflow';
import { addTool, agent, chain, collect, runWorkflow } from '../../../dev/engine/index.mts';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import { refresh } from '../../../dev/sandbox/oauth.mts';
import { Account, renewElsewhere } from '../../../dev/package/account.mts';
import { getAddresses, Payroll, revokeConnection } from '../../../dev/package/payroll.mts';
import {
	closedPort,
	scriptedServer,
	type Received,
	type Script,
	type ScriptedServer,
} from '../../support/scripted.mts';

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

async function revoke(parameters: INodeParameters = {}, input: IDataObject[] = [{ id: 1 }]) {
	const all = { ...revokeConnection, ...parameters };
	return await payroll.run(input, payroll.node('payrollCompany', account.credential, all));
}

/** Revokes at an identity server that answers as told. */
async function revokeAt(script: Script, parameters: INodeParameters = {}) {
	server.play(script);
	await account.patch({ identityUrl: server.url });
	return await revoke(parameters);
}

const answering =
	(status: number, body: object = {}, headers: Record<string, string> = {}): Script =>
	(response) =>
		void response
			.writeHead(status, { 'Content-Type': 'application/json', ...headers })
			.end(JSON.stringify(body));
const each =
	(...scripts: Script[]): Script =>
	(response, index, request) =>
		scripts[index]?.(response, index, request);

const hints = (requests: readonly Received[]) =>
	requests.map(({ body }) => new URLSearchParams(body).get('token_type_hint'));

describe('a connection that is revoked', () => {
	it('has ended: its refresh token is of no use, and the next call asks to reconnect', async () => {
		const { refresh_token } = await account.tokens();
		const { error, items } = await revoke();
		expect(error).toBeUndefined();
		expect(items('Payroll')).toEqual([
			{
				json: {
					success: true,
					refreshTokenRevoked: true,
					// A JSON web token cannot be taken back by the sandbox.
					accessTokenRevoked: false,
					note: expect.stringMatching(/may be accepted until it ends.*still holds the tokens/),
				},
				pairedItem: { item: 0 },
			},
		]);
		const refused = await refresh(sandbox, refresh_token);
		expect([refused.status, await refused.json()]).toMatchObject([400, { error: 'invalid_grant' }]);

		await sandbox.expireAccessTokens();
		const next = payroll.node('payrollEmployee', account.credential, getAddresses);
		expect((await payroll.run([{ id: 1001 }], next)).error).toMatchObject({
			message: 'The credential needs to be reconnected',
		});
	});

	it('is told so by the client itself, the refresh token first, with no other key', async () => {
		const { access_token, refresh_token } = await account.tokens();
		await revoke();
		const requests = await sandbox.requests();
		const { clientId, clientSecret } = sandbox;
		const basic = [clientId, clientSecret].map(encodeURIComponent).join(':');
		expect(requests.map(({ method, path, status }) => [method, path, status])).toEqual([
			['POST', '/connect/revocation', 200],
			['POST', '/connect/revocation', 400],
		]);
		expect(requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
			{ token: refresh_token, token_type_hint: 'refresh_token' },
			{ token: access_token, token_type_hint: 'access_token' },
		]);
		for (const { headers } of requests) {
			expect(headers).toMatchObject({
				authorization: `Basic ${Buffer.from(basic).toString('base64')}`,
				'content-type': 'application/x-www-form-urlencoded',
			});
			expect(headers).not.toHaveProperty('x-subscription-key');
		}
	});

	it('has ended at once where the identity server revokes access tokens too', async () => {
		const { json, error } = await revokeAt(answering(200));
		expect(error).toBeUndefined();
		expect(json('Payroll')).toEqual([
			{
				success: true,
				refreshTokenRevoked: true,
				accessTokenRevoked: true,
				note: expect.not.stringContaining('may be accepted'),
			},
		]);
		expect(hints(server.received)).toEqual(['refresh_token', 'access_token']);
	});

	it('is revoked once, however many input items there are', async () => {
		const { error, items } = await revoke({}, [{ id: 1 }, { id: 2 }, { id: 3 }]);
		expect(error).toBeUndefined();
		expect(items('Payroll').map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 1 }, { item: 2 }],
		]);
		expect(await sandbox.requests()).toHaveLength(2);
	});

	it('without a refresh token is revoked by its access token', async () => {
		const { refresh_token: _none, ...tokens } = await account.tokens();
		await account.patch({ oauthTokenData: tokens });
		const { json } = await revokeAt(answering(200));
		expect(json('Payroll')).toMatchObject([
			{ success: true, refreshTokenRevoked: false, accessTokenRevoked: true },
		]);
		expect(hints(server.received)).toEqual(['access_token']);
	});

	it('just being renewed is revoked with the tokens that this brings', async () => {
		const first = await account.tokens();
		await sandbox.configure({ tokenLatencyMs: 500 });
		const renews = { resource: 'connection', operation: 'check', options: { renewToken: true } };
		const check = payroll.run([{}], payroll.node('payrollCompany', account.credential, renews));
		while ((await sandbox.requests()).length === 0) await sleep(10);
		const { error } = await revoke();
		await check;
		await sandbox.configure({ tokenLatencyMs: 0 });
		expect(error).toBeUndefined();
		const { refresh_token } = await account.tokens();
		expect(refresh_token).not.toBe(first.refresh_token);
		const revoked = (await sandbox.requests())
			.filter(({ path }) => path === '/connect/revocation')
			.map(({ body }) => new URLSearchParams(body).get('token'));
		expect(revoked[0]).toBe(refresh_token);
		expect(revoked).toHaveLength(2);
	});

	it('and renewed by another process meanwhile is revoked once more', async () => {
		const first = await account.tokens();
		const { error } = await revokeAt(async (response, index, request) => {
			if (index === 0)
				await account.store(await renewElsewhere(payroll, sandbox, account.credential));
			answering(200)(response, index, request);
		});
		expect(error).toBeUndefined();
		const second = await account.tokens();
		expect(server.received.map(({ body }) => new URLSearchParams(body).get('token'))).toEqual([
			...[first.refresh_token, first.access_token],
			...[second.refresh_token, second.access_token],
		]);
	});

	it('and renewed again and again is an error, since it may live on', async () => {
		const { error } = await revokeAt(async (response, index, request) => {
			await account.store({ refresh_token: `renewed-${index}` });
			answering(200)(response, index, request);
		});
		expect(error).toMatchObject({
			message: expect.stringContaining('renewed again and again'),
			context: { data: { outcome: 'unknown' } },
		});
		expect(server.received).toHaveLength(6);
	});
});

describe('without the confirmation', () => {
	const TURN_ON = "Turn on the switch 'I Understand That the Connection Ends'.";
	const NO_EXPRESSION =
		"The switch 'I Understand That the Connection Ends' takes no expression. Turn it on by hand.";

	it.each([
		[false, TURN_ON],
		[undefined, TURN_ON],
		['true', NO_EXPRESSION],
		['={{ true }}', NO_EXPRESSION],
		["={{ $fromAI('confirmed', '', 'boolean') }}", NO_EXPRESSION],
		[1, TURN_ON],
	])('nothing is sent: %j', async (confirmed, message) => {
		const { error } = await revoke({ confirmed } as INodeParameters);
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message,
			description: expect.stringContaining('Nothing was written'),
		});
		expect(await sandbox.requests()).toEqual([]);
	});

	it('n8n offers no expression for it, and none to a model', () => {
		const { properties } = payroll.host.nodeTypes.getByNameAndVersion(
			`${payroll.host.packageName}.payrollCompany`,
		).description;
		expect(properties.find(({ name }) => name === 'confirmed')).toMatchObject({
			default: false,
			noDataExpression: true,
		});
	});
});

describe('as a tool of an AI agent', () => {
	it('it is not run, though somebody had confirmed it', async () => {
		const node = payroll.node('payrollCompany', account.credential, revokeConnection);
		const tool = { ...node, type: `${node.type}Tool` };
		const calls = [{ tool: 'Payroll', input: {} }];
		const drawing = addTool(chain([{}], agent(calls), collect()), 'Agent', tool);
		const { host, credentials } = payroll;
		const result = await runWorkflow({ ...drawing, host, credentials });
		expect(JSON.stringify(result.run)).toContain('cannot be a tool of an AI agent');
		expect(await sandbox.requests()).toEqual([]);
	});

	it.each([
		['', ['check', 'revoke']],
		['Tool', ['check']],
	])('it is not among the operations of payrollCompany%s', (ending, expected) => {
		const { nodeTypes, packageName } = payroll.host;
		const { description } = nodeTypes.getByNameAndVersion(`${packageName}.payrollCompany${ending}`);
		const values = { resource: 'connection' };
		const draft = { typeVersion: 1 } as INode;
		const shown = (part: Parameters<typeof NodeHelpers.displayParameter>[1]) =>
			NodeHelpers.displayParameter(values, part, draft, description);
		const operation = description.properties.find(
			(property) => property.name === 'operation' && shown(property),
		);
		const offered = (operation?.options ?? []) as Array<Parameters<typeof shown>[0] & IDataObject>;
		expect(offered.filter(shown).map(({ value }) => value)).toEqual(expected);
	});
});

describe('an identity server that does not say that it has revoked', () => {
	it.each([
		['503', 503, /not available at the moment/],
		['500', 500, /not available at the moment/],
		['204', 204, /./],
		['303', 303, /not followed/],
	])('(HTTP %s) may have done so: it is asked once', async (_, status, description) => {
		const { error } = await revokeAt(answering(status, {}, { Location: `${server.url}/x` }));
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining(`HTTP ${status}`),
			description: expect.stringMatching(description),
			context: { data: { httpStatus: status, outcome: 'unknown' } },
		});
		expect(hints(server.received)).toEqual(['refresh_token']);
	});

	it.each<[string, number, object, RegExp]>([
		['400', 400, { error: 'invalid_request' }, /could not read the request/],
		['400', 400, { error: 'invalid_client' }, /'Client ID' and 'Client Secret'/],
		['400 that says nothing', 400, {}, /'Identity Address'/],
		['401', 401, {}, /'Client ID' and 'Client Secret'/],
		['404', 404, {}, /'Identity Address'/],
		['307', 307, {}, /not followed/],
	])('(%s) certainly has not', async (_, status, body, description) => {
		const { error } = await revokeAt(answering(status, body, { Location: `${server.url}/x` }));
		expect(error).toMatchObject({
			message: expect.stringContaining(`HTTP ${status}`),
			description: expect.stringMatching(description),
			context: { data: { httpStatus: status, outcome: 'notApplied' } },
		});
		expect(error?.description).toContain('The change was not applied.');
		expect(server.received).toHaveLength(1);
	});

	it('but shows a page at HTTP 200 may not be one', async () => {
		const { error } = await revokeAt(
			(response) => void response.writeHead(200).end('\n<!DOCTYPE html><title>Portal</title>'),
		);
		expect(error).toMatchObject({
			message: 'The identity server sent a page in place of an answer',
			description: expect.stringContaining("'Identity Address'"),
			context: { data: { httpStatus: 200, outcome: 'unknown' } },
		});
		expect(server.received).toHaveLength(1);
	});

	it('and names its reason has it in the details', async () => {
		const { error } = await revokeAt(answering(400, { error: 'unsupported_token_type' }));
		expect(error).toMatchObject({
			context: { data: { serviceCode: 'unsupported_token_type', outcome: 'notApplied' } },
		});
		expect(server.received).toHaveLength(1);
	});

	it('and asks to come back is asked again, since it did nothing', async () => {
		const later = answering(503, {}, { 'Retry-After': '0' });
		const { error } = await revokeAt(each(later, answering(200), answering(200)));
		expect(error).toBeUndefined();
		expect(hints(server.received)).toEqual(['refresh_token', 'refresh_token', 'access_token']);
	});

	it('and breaks the connection may have done so', async () => {
		const { error } = await revokeAt((response) => void response.destroy());
		expect(error).toMatchObject({
			message: 'The connection to the identity server broke',
			context: { data: { outcome: 'unknown' } },
		});
		expect(server.received).toHaveLength(1);
	});

	it('and does not answer may have done so', async () => {
		const { error } = await revokeAt(() => undefined, { options: { timeout: 0.3 } });
		expect(error).toMatchObject({
			message: 'The identity server did not answer in time',
			context: { data: { outcome: 'unknown' } },
		});
		expect(server.received).toHaveLength(1);
	});

	it('and is not there certainly has not', async () => {
		await account.patch({ identityUrl: `http://127.0.0.1:${await closedPort()}` });
		expect((await revoke()).error).toMatchObject({
			message: 'The identity server refused the connection',
			description: expect.stringContaining("'Identity Address'"),
			context: { data: { outcome: 'notApplied' } },
		});
	});

	it('of the access token, after the refresh token was revoked, leaves half of it', async () => {
		const { error } = await revokeAt(each(answering(200), answering(401)));
		expect(error).toMatchObject({
			message: 'The identity server answered with HTTP 401',
			description: expect.stringMatching(/^The refresh token was revoked.*'Client ID'/),
			context: { data: { httpStatus: 401, outcome: 'unknown' } },
		});
		expect(server.received).toHaveLength(2);
	});

	it('can be gone on from: the item carries the error', async () => {
		server.play(answering(503));
		await account.patch({ identityUrl: server.url });
		const node = payroll.node('payrollCompany', account.credential, revokeConnection, {
			onError: 'continueRegularOutput',
		});
		const { json } = await payroll.run([{ id: 1 }, { id: 2 }], node);
		expect(json('Payroll')).toMatchObject([
			{ id: 1, error: { outcome: 'unknown', httpStatus: 503 } },
			{ id: 2, error: { outcome: 'unknown', httpStatus: 503 } },
		]);
		expect(server.received).toHaveLength(1);
	});
});

it('nothing that an identity server repeats of the request is shown', async () => {
	const { access_token = '', refresh_token = '' } = await account.tokens();
	const { clientId, clientSecret } = sandbox;
	const basic = Buffer.from([clientId, clientSecret].map(encodeURIComponent).join(':'));
	for (const status of [400, 401, 403, 500]) {
		const { error, run } = await revokeAt((response, _index, { body, headers }) => {
			const echo = `${body} ${headers.authorization} ${clientSecret} ${refresh_token}`;
			const said = { error: echo, error_description: echo, message: echo };
			answering(status, said, { 'WWW-Authenticate': `Basic realm="${refresh_token}"` })(
				response,
				_index,
				{} as Received,
			);
		});
		expect(error?.message).toBe(`The identity server answered with HTTP ${status}`);
		const all = JSON.stringify(run);
		for (const secret of [
			...[access_token, refresh_token, basic.toString('base64')],
			...[clientSecret, encodeURIComponent(clientSecret)],
		]) {
			expect(all).not.toContain(JSON.stringify(secret).slice(1, -1));
		}
	}
});
