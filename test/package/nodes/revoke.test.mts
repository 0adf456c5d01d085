/** Ending the connection, and the failures of the identity server. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { refresh } from '../../../dev/sandbox/oauth.mts';
import { renewElsewhere } from '../../../dev/package/account.mts';
import { getAddresses, revokeConnection } from '../../../dev/package/calls.mts';
import { storedSecrets } from '../../../dev/package/payroll.mts';
import { callTool } from '../../../dev/package/tools.mts';
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
					note: expect.stringMatching(/still holds the tokens.*may be accepted until it expires/),
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

	it('is revoked once for all items, by client ID and secret, the refresh token first', async () => {
		const { access_token, refresh_token } = await account.tokens();
		const { items } = await revoke({}, [{ id: 1 }, { id: 2 }]);
		expect(items('Payroll')).toMatchObject([{ pairedItem: [{ item: 0 }, { item: 1 }] }]);
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

	it.each([200, 204])(
		'without a refresh token is revoked by its access token, and has ended at once (HTTP %d)',
		async (status) => {
			const { refresh_token: _none, ...tokens } = await account.tokens();
			await account.patch({ oauthTokenData: tokens });
			const { json } = await revokeAt(answering(status));
			expect(json('Payroll')).toEqual([
				{
					success: true,
					refreshTokenRevoked: false,
					accessTokenRevoked: true,
					note: expect.any(String) as string,
				},
			]);
			expect(hints(server.received)).toEqual(['access_token']);
		},
	);

	it('is revoked with the new tokens if a renewal is under way', async () => {
		const first = await account.tokens();
		await sandbox.configure({ tokenLatencyMs: 500 });
		const renews = { resource: 'connection', operation: 'check' };
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
});

describe('without the confirmation', () => {
	it.each([false, '={{ true }}', "={{ $fromAI('confirmed', '', 'boolean') }}", 1])(
		'nothing is sent: %j',
		async (confirmed) => {
			const { error } = await revoke({ confirmed } as INodeParameters);
			expect(error).toMatchObject({
				name: 'NodeOperationError',
				message: "Turn on the switch 'I Understand That the Connection Ends' by hand.",
				description: expect.stringContaining('Nothing was written'),
			});
			expect(await sandbox.requests()).toEqual([]);
		},
	);
});

it('as a tool of an AI agent it is not run, even if it is confirmed', async () => {
	const node = payroll.node('payrollCompany', account.credential, revokeConnection);
	const tool = { ...node, type: `${node.type}Tool` };
	const { run } = await callTool(payroll, account.credential, tool, {});
	expect(JSON.stringify(run)).toContain('cannot be used as a tool of an AI agent');
	expect(await sandbox.requests()).toEqual([]);
});

it('shows no secret that an identity server repeats', async () => {
	const secrets = storedSecrets(await payroll.credentials.stored(account.credential));
	const echo = `${secrets.join(' ')} ${basicAuth()}`;
	const said = { error: echo, error_description: echo, message: echo };
	const challenge = { 'WWW-Authenticate': `Basic realm="${echo}"` };
	const { error, run } = await revokeAt(answering(401, said, challenge));
	expect(error?.message).toBe('The identity server did not revoke the token (HTTP 401)');
	expectNoSecret([...secrets, basicAuth()], run);
});

describe('an identity server that does not say that it has revoked', () => {
	it.each<[number, Script, string, RegExp]>([
		[200, replying(200, 'text/html', '<html></html>'), 'unknown', /may have been applied/],
		[302, answering(302, {}, { Location: '/elsewhere' }), 'unknown', /redirect is not followed/],
		[
			401,
			answering(401, { error: 'invalid_client' }),
			'notApplied',
			/'Client Secret'.* not applied/,
		],
		[500, answering(500), 'unknown', /available.*may have been applied/],
	])(
		'with HTTP %d: the change is known as far as it can be',
		async (status, script, outcome, description) => {
			const { error } = await revokeAt(script);
			expect(error).toMatchObject({
				message: `The identity server did not revoke the token (HTTP ${status})`,
				description: expect.stringMatching(description),
				context: { data: { httpStatus: status, outcome } },
			});
			expect(hints(server.received)).toEqual(['refresh_token']);
		},
	);
});
