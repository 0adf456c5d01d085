/** Ending the connection; test/faults has the failures of the identity server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeHelpers, type IDataObject, type INode, type INodeParameters } from 'n8n-workflow';
import { addTool, agent, chain, collect, runWorkflow } from '../../../dev/engine/index.mts';
import { refresh } from '../../../dev/sandbox/oauth.mts';
import { renewElsewhere } from '../../../dev/package/account.mts';
import { getAddresses, revokeConnection } from '../../../dev/package/calls.mts';
import { storedSecrets } from '../../../dev/package/payroll.mts';
import { replying, type Received, type Script } from '../../support/scripted.mts';
import { expectNoSecret } from '../secrets.mts';
import { useAccount, useSandbox, useScriptedServer } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
const account = useAccount(payroll, sandbox);

async function revoke(parameters: INodeParameters = {}, input: IDataObject[] = [{ id: 1 }]) {
	const all = { ...revokeConnection, ...parameters };
	return await payroll.run(input, payroll.node('payrollCompany', account.credential, all));
}

/** Revokes at an identity server that answers by a script. */
async function revokeAt(script: Script, parameters: INodeParameters = {}) {
	server.play(script);
	await account.patch({ identityUrl: server.url });
	return await revoke(parameters);
}

const answering = (status: number, body: object = {}, headers: Record<string, string> = {}) =>
	replying(status, 'application/json', body, headers);
const each =
	(...scripts: Script[]): Script =>
	(response, index, request) =>
		scripts[index]?.(response, index, request);

/** The client's own authorization: its ID and secret. */
function basicAuth(): string {
	const { clientId, clientSecret } = sandbox;
	const pair = [clientId, clientSecret].map(encodeURIComponent).join(':');
	return `Basic ${Buffer.from(pair).toString('base64')}`;
}

const tokensIn = (requests: ReadonlyArray<Pick<Received, 'body'>>) =>
	requests.map(({ body }) => new URLSearchParams(body).get('token'));
const hints = (requests: readonly Received[]) =>
	requests.map(({ body }) => new URLSearchParams(body).get('token_type_hint'));

describe('a revoked connection', () => {
	it('has ended: its refresh token is refused, and the next call asks to reconnect', async () => {
		const { refresh_token } = await account.tokens();
		const { error, items } = await revoke();
		expect(error).toBeUndefined();
		expect(items('Payroll')).toEqual([
			{
				json: {
					success: true,
					refreshTokenRevoked: true,
					// The sandbox cannot revoke a JSON web token.
					accessTokenRevoked: false,
					note: expect.stringMatching(/may be accepted until it expires.*still holds the tokens/),
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

	it('is revoked with the client ID and secret, the refresh token first', async () => {
		const { access_token, refresh_token } = await account.tokens();
		await revoke();
		const requests = await sandbox.requests();
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
				authorization: basicAuth(),
				'content-type': 'application/x-www-form-urlencoded',
			});
			expect(headers).not.toHaveProperty('x-subscription-key');
		}
	});

	it('has ended at once if the identity server revokes access tokens too', async () => {
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

	it('is revoked once for all input items', async () => {
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

	it('is revoked with the new tokens if a renewal is under way', async () => {
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
		const requests = await sandbox.requests();
		const revoked = tokensIn(requests.filter(({ path }) => path === '/connect/revocation'));
		expect(revoked[0]).toBe(refresh_token);
		expect(revoked).toHaveLength(2);
	});

	it('is revoked again if another process renewed its tokens meanwhile', async () => {
		const first = await account.tokens();
		const { error } = await revokeAt(async (response, index, request) => {
			if (index === 0) {
				await account.store(await renewElsewhere(payroll, sandbox, account.credential));
			}
			await answering(200)(response, index, request);
		});
		expect(error).toBeUndefined();
		const second = await account.tokens();
		expect(tokensIn(server.received)).toEqual([
			...[first.refresh_token, first.access_token],
			...[second.refresh_token, second.access_token],
		]);
	});

	it('is an error if its tokens are renewed again and again', async () => {
		const { error } = await revokeAt(async (response, index, request) => {
			await account.store({ refresh_token: `renewed-${index}` });
			await answering(200)(response, index, request);
		});
		expect(error).toMatchObject({
			message: expect.stringContaining('renewed repeatedly'),
			context: { data: { outcome: 'unknown' } },
		});
		expect(server.received).toHaveLength(6);
	});
});

describe('without the confirmation', () => {
	const TURN_ON = "Turn on the switch 'I Understand That the Connection Ends'.";
	const NO_EXPRESSION =
		"The switch 'I Understand That the Connection Ends' does not accept an expression. Turn it on by hand.";

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

	it('n8n offers no expression for the switch, and does not let a model fill it in', () => {
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
	it('it is not run, even if it is confirmed', async () => {
		const node = payroll.node('payrollCompany', account.credential, revokeConnection);
		const tool = { ...node, type: `${node.type}Tool` };
		const calls = [{ tool: 'Payroll', input: {} }];
		const drawing = addTool(chain([{}], agent(calls), collect()), 'Agent', tool);
		const result = await runWorkflow(payroll.workflow(drawing));
		expect(JSON.stringify(result.run)).toContain('cannot be used as a tool of an AI agent');
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
	it('with HTTP 204 may have done so, and is asked once', async () => {
		const { error } = await revokeAt(answering(204));
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: 'The identity server answered with HTTP 204',
			context: { data: { httpStatus: 204, outcome: 'unknown' } },
		});
		expect(hints(server.received)).toEqual(['refresh_token']);
	});

	it.each<[string, number, object, RegExp]>([
		['400, an error', 400, { error: 'invalid_request' }, /could not read the request/],
		['400, the client', 400, { error: 'invalid_client' }, /'Client ID' and 'Client Secret'/],
		['400 without a reason', 400, {}, /'Identity Address'/],
		['404', 404, {}, /'Identity Address'/],
	])('with HTTP %s has not revoked', async (_, status, body, description) => {
		const { error } = await revokeAt(answering(status, body));
		expect(error).toMatchObject({
			message: `The identity server answered with HTTP ${status}`,
			description: expect.stringMatching(description),
			context: { data: { httpStatus: status, outcome: 'notApplied' } },
		});
		expect(error?.description).toContain('The change was not applied.');
		expect(server.received).toHaveLength(1);
	});

	it('but names a reason has it in the details', async () => {
		const { error } = await revokeAt(answering(400, { error: 'unsupported_token_type' }));
		expect(error).toMatchObject({
			context: { data: { serviceCode: 'unsupported_token_type', outcome: 'notApplied' } },
		});
	});

	it('but asks to come back later is asked again', async () => {
		const later = answering(503, {}, { 'Retry-After': '0' });
		const { error } = await revokeAt(each(later, answering(200), answering(200)));
		expect(error).toBeUndefined();
		expect(hints(server.received)).toEqual(['refresh_token', 'refresh_token', 'access_token']);
	});

	it('fails all input items, which share one request', async () => {
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

it('shows no secret that an identity server repeats', async () => {
	const secrets = storedSecrets(await payroll.credentials.stored(account.credential));
	const { refresh_token } = await account.tokens();
	const echo = `${secrets.join(' ')} ${basicAuth()}`;
	const said = { error: echo, error_description: echo, message: echo };
	for (const status of [400, 401, 403, 500]) {
		const challenge = { 'WWW-Authenticate': `Basic realm="${refresh_token}"` };
		const { error, run } = await revokeAt(answering(status, said, challenge));
		expect(error?.message).toBe(`The identity server answered with HTTP ${status}`);
		expectNoSecret([...secrets, basicAuth()], run);
	}
});
