/** A token endpoint that is busy, down or fails, in front of a certified provider. */
import type { IDataObject } from 'n8n-workflow';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, freePort } from '../../../dev/listen.mts';
import { createAddress } from '../../../dev/package/calls.mts';
import { answerOf } from '../../../nodes/shared/host/renewals.ts';
import { shortenDeadlines } from '../../support/clock.mts';
import { forward } from '../../support/forward.mts';
import { replying, type Script } from '../../support/scripted.mts';
import { useAccount, useSandbox, useScriptedServer } from '../../support/setUp.mts';

// A refresh token that is sent again after it was spent revokes the connection.
const { sandbox, payroll } = useSandbox({ reuse: 'revoke' });
const identity = useScriptedServer();
const account = useAccount(payroll, sandbox);
beforeEach(async () => await account.patch({ identityUrl: identity.url }));
afterEach(() => jest.restoreAllMocks());

const JSON_TYPE = 'application/json';
const lost: Script = (response) => void response.destroy();

/** Has the token endpoint answer its first requests like this; the provider answers the others. */
function refuseFirst(...refusals: readonly Script[]): void {
	identity.play(async (response, index, request) => {
		const refuse = refusals[index];
		if (refuse !== undefined) return await refuse(response, index, request);
		const { status, headers, body } = await forward(sandbox.url, request);
		response.writeHead(status, headers).end(body);
	});
}

const busy = replying(429, 'text/html', '<h1>Slow down</h1>');
const unavailable = replying(503, 'text/plain', '', { 'Retry-After': '1' });

const BUSY = {
	code: 'IDENTITY_SERVER_BUSY',
	message: 'The access token could not be renewed',
	description: expect.stringMatching(/^The identity server is busy/),
	isTransient: true,
};

describe('a token endpoint that certainly did not spend the refresh token is asked again', () => {
	it.each<[string, Script]>([
		['HTTP 429', busy],
		['HTTP 429 of a gateway', replying(429, JSON_TYPE, { statusCode: 429, message: 'Too many' })],
		['HTTP 429 that names an error', replying(429, JSON_TYPE, { error: 'too_many_requests' })],
		['HTTP 429 that names its phrase', replying(429, JSON_TYPE, { error: 'Too Many Requests' })],
		['HTTP 503 with Retry-After', unavailable],
		[
			'HTTP 403 of a quota',
			replying(403, JSON_TYPE, { message: 'Quota is replenished in 00:00:01' }),
		],
	])('%s', async (_, refusal) => {
		refuseFirst(refusal, refusal, refusal);
		expect(await account.renew(account.first)).toBeUndefined();
		expect(identity.received).toHaveLength(4);
		expect(await account.stored()).not.toBe(account.first);
	});

	it.each<[string, Script]>([
		['429', busy],
		['503', unavailable],
	])(
		'after HTTP %s, once for all of sixty inserts, each of which is done once',
		async (_, refusal) => {
			await sandbox.expireAccessTokens();
			refuseFirst(refusal);
			const input = Array.from({ length: 60 }, (_, index) => ({ id: 1001 + index }));
			const node = payroll.node('payrollEmployee', account.credential, createAddress);
			const { error, items } = await payroll.run(input, node);
			expect(error).toBeUndefined();
			expect(items('Payroll')).toHaveLength(60);
			expect(identity.received).toHaveLength(2);
			expect(await account.renewals()).toBe(1);
			const inserts = (await sandbox.requests()).filter(
				({ body, status }) => body.includes('Address_Insert') && status === 200,
			);
			expect(inserts).toHaveLength(60);
		},
	);

	it('after the pause that it asks for, which does not count as waiting for an answer', async () => {
		shortenDeadlines();
		refuseFirst(replying(503, 'text/plain', '', { 'Retry-After': '10' }));
		const timeoutMs = 5000;
		await account.inSession(async (session, { host }) => {
			const run = { host, limits: { timeoutMs, maxBytes: 10_000 } };
			await session.renew(run, account.first, true);
		});
		expect(await account.stored()).not.toBe(account.first);
	});

	it('four times, then the call fails', async () => {
		refuseFirst(busy, busy, busy, busy);
		expect(await account.renew(account.first)).toMatchObject(BUSY);
		expect(identity.received).toHaveLength(4);
	});

	it.each<[string, Script]>([
		['a header', replying(503, 'text/plain', '', { 'Retry-After': '61' })],
		['a text', replying(429, JSON_TYPE, { message: 'Try again in 61 seconds.' })],
		[
			'the text of an error',
			replying(429, JSON_TYPE, { error: 'Rate limit exceeded, retry in 61 seconds' }),
		],
	])('but not if it asks by %s for a pause of more than a minute', async (_, refusal) => {
		refuseFirst(refusal);
		expect(await account.renew(account.first)).toMatchObject(BUSY);
		expect(identity.received).toHaveLength(1);
	});

	it('that refuses connections at first', async () => {
		const port = await freePort();
		await account.patch({ identityUrl: `http://127.0.0.1:${port}` });
		const server = createServer(async (request, response) => {
			const { method = '', url: path = '', headers } = request;
			const received = { method, path, headers, body: await text(request) };
			const answer = await forward(sandbox.url, received);
			response.writeHead(answer.status, answer.headers).end(answer.body);
		});
		const renewal = account.renew(account.first);
		setTimeout(() => server.listen(port, '127.0.0.1'), 80);
		try {
			expect(await renewal).toBeUndefined();
		} finally {
			await close(server);
		}
	});

	it('unless another process stored new tokens meanwhile', async () => {
		refuseFirst(async (...received) => {
			await account.store({ access_token: 'of-another' });
			await busy(...received);
		});
		expect(await account.renew(account.first)).toBeUndefined();
		expect(await account.token()).toBe('of-another');
		expect(identity.received).toHaveLength(1);
	});
});

it.each<[string, Script]>([
	['HTTP 503 without Retry-After', replying(503, 'text/plain')],
	['HTTP 500 with Retry-After', replying(500, 'text/plain', '', { 'Retry-After': '1' })],
	['HTTP 502', replying(502, 'text/html', '<h1>Bad gateway</h1>')],
	['HTTP 504', replying(504, JSON_TYPE, { error: 'too_many_requests' })],
	['a lost answer', lost],
	['HTTP 200 without a token', replying(200, JSON_TYPE, { message: 'Accepted' })],
	['an answer of another server', replying(404, 'text/html', '<h1>Not found</h1>')],
	[
		'an error of 50,000 levels',
		replying(400, JSON_TYPE, `${'{"error":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
	],
	['an OAuth error', replying(401, JSON_TYPE, { error: 'invalid_client' })],
])('%s is not answered by the refresh token again', async (_, failure) => {
	refuseFirst(failure);
	expect(await account.renew(account.first)).toMatchObject({
		message: 'The access token could not be renewed',
	});
	expect(identity.received).toHaveLength(1);
});

it('a token of a mebibyte is none', async () => {
	const long = { access_token: 'a'.repeat(2 ** 20), refresh_token: 'refresh', expires_in: 3600 };
	refuseFirst(replying(200, JSON_TYPE, long));
	expect(await account.renew(account.first)).toMatchObject({ code: 'CREDENTIAL_NOT_CONNECTED' });
});

it('of a mebibyte that the token endpoint says, no more is read than can matter', () => {
	const long = 'a'.repeat(2 ** 20);
	for (const body of [long, { error: long }, { error_description: long }]) {
		expect(answerOf({ body }).text.length).toBeLessThan(2 ** 16);
	}
});

describe('the failure of a renewal', () => {
	const refused = replying(401, JSON_TYPE, { error: 'invalid_client' });
	/** One item of a run for each of these employees, one after the other. */
	async function run(...ids: number[]): Promise<IDataObject[]> {
		const parameters = { ...createAddress, options: { concurrency: 1 } };
		const more = { onError: 'continueRegularOutput' } as const;
		const node = payroll.node('payrollEmployee', account.credential, parameters, more);
		return (
			await payroll.run(
				ids.map((id) => ({ id })),
				node,
			)
		).json('Payroll');
	}

	beforeEach(async () => await sandbox.expireAccessTokens());

	it('is shared by the items of a run, and not by the next run', async () => {
		refuseFirst(refused, refused);
		for (const requests of [1, 2]) {
			const items = await run(1001, 1002, 1003);
			expect(items.map(({ error }) => (error as IDataObject).code)).toEqual(
				Array(3).fill('RENEWAL_CLIENT_REFUSED'),
			);
			expect(identity.received).toHaveLength(requests);
		}
		expect((await run(1001))[0]).not.toHaveProperty('error');
	});

	it('is forgotten once the secret is corrected', async () => {
		await account.patch({ identityUrl: sandbox.url, appSecret: 'wrong' });
		expect((await run(1001))[0]).toHaveProperty('error');
		await account.patch({ appSecret: sandbox.clientSecret });
		expect((await run(1001))[0]).not.toHaveProperty('error');
	});

	it('is forgotten once the address is corrected, even if that server did not know the token', async () => {
		refuseFirst(replying(400, JSON_TYPE, { error: 'invalid_grant' }));
		for (const _ of [1, 2]) {
			expect((await run(1001))[0]).toMatchObject({ error: { code: 'REFRESH_TOKEN_REFUSED' } });
		}
		expect(identity.received).toHaveLength(1);
		await account.patch({ identityUrl: sandbox.url });
		expect((await run(1001))[0]).not.toHaveProperty('error');
	});
});
