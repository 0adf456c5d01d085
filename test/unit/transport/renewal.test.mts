import { setTimeout as sleep } from 'node:timers/promises';
import { CancelledError, ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import { readTokens } from '../../../nodes/shared/transport/connection.ts';
import { sessionOf } from '../../../nodes/shared/transport/session.ts';
import { oauth2, workflow } from '../../../dev/engine/index.mts';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import { Account, renewElsewhere, type Tokens } from '../../../dev/package/account.mts';
import { startInNode } from '../../../dev/package/node-context.mts';
import { Payroll } from '../../../dev/package/payroll.mts';
import { closedPort, scriptedServer, type ScriptedServer } from '../../support/scripted.mts';
import { stopClock } from '../../support/clock.mts';

let sandbox: SandboxClient;
let payroll: Payroll;
let account: Account;

beforeAll(async () => {
	[sandbox, payroll] = await Promise.all([launchSandbox(), Payroll.load()]);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => {
	account = await Account.connect(payroll, sandbox);
});
afterEach(() => jest.restoreAllMocks());

/** Another process spends the refresh token, and does not store what it got. */
async function spendElsewhere(): Promise<Tokens> {
	const tokens = await renewElsewhere(payroll, sandbox, account.credential);
	await sandbox.reset();
	return tokens;
}

/** Does something a moment after the identity server was asked for new tokens. */
async function afterRefusal(event: () => Promise<void>): Promise<void> {
	while ((await account.renewals()) === 0) await sleep(20);
	await sleep(300);
	await event();
}

describe('a rejected token', () => {
	it('is renewed once, however many ask for it at the same time or after that', async () => {
		await account.inSession(async (session, context) => {
			await Promise.all(Array.from({ length: 10 }, () => session.renew(context, account.first)));
			await session.renew(context, account.first);
		});
		expect(await account.renewals()).toBe(1);
		const stored = await account.stored();
		expect(stored).not.toBe(account.first);
		expect(await account.token()).toBe(stored);
	});

	it('is renewed for many with no more readings of the store than for one', async () => {
		const { storage } = payroll.credentials;
		const readings = async (callers: number) => {
			account = await Account.connect(payroll, sandbox);
			return await account.inSession(async (session, context) => {
				const before = storage.reads;
				const renewals = Array.from({ length: callers }, () =>
					session.renew(context, account.first),
				);
				await Promise.all(renewals);
				return storage.reads - before;
			});
		};
		expect(await readings(10)).toBe(await readings(1));
	});

	it('is not renewed where another one is stored', async () => {
		await account.store({ access_token: 'of-another-process' });
		expect(await account.renew(account.first)).toBeUndefined();
		expect(await account.renewals()).toBe(0);
		expect(await account.token()).toBe('of-another-process');
	});

	// The first reading is the test's own, then come the session's two and n8n's.
	it.each([
		['the session reads it after its pause', 3],
		['n8n reads it in order to renew it', 4],
	])('is not renewed where another one is stored before %s', async (_, reading) => {
		account.beforeReading(
			reading,
			async () => await account.store({ access_token: 'of-another-process' }),
		);
		expect(await account.renew(account.first)).toBeUndefined();
		expect(await account.renewals()).toBe(0);
		expect(await account.token()).toBe('of-another-process');
	});

	it.each([2, 3, 4])(
		'of an account that is disconnected before reading %d is not renewed',
		async (reading) => {
			account.beforeReading(reading, async () => await account.patch({ oauthTokenData: {} }));
			expect(await account.renew(account.first)).toMatchObject({
				message: 'The credential is not connected',
			});
			expect(await account.renewals()).toBe(0);
		},
	);
});

it('a renewal whose run is cancelled before anything is spent is taken over by another run', async () => {
	let begin = (): void => {};
	const begun = new Promise<void>((resolve) => (begin = resolve));
	const other = startInNode(payroll, account.credential, async (context) => {
		const session = sessionOf(context, await readTokens(context));
		await begun;
		await session.renew(context, account.first);
	});
	const cancelledRun = startInNode(payroll, account.credential, async (context) => {
		const renewal = sessionOf(context, await readTokens(context)).renew(context, account.first);
		begin();
		cancelledRun.cancel();
		await renewal;
	});
	await expect(cancelledRun.done).rejects.toBeInstanceOf(CancelledError);
	await other.done;
	expect(await account.renewals()).toBe(1);
	expect(await account.stored()).not.toBe(account.first);
});

describe('a token that is rejected right after its renewal', () => {
	const rejected = {
		message: 'The payroll service does not accept the access token',
		description: expect.stringMatching(/renewed a moment ago.*'Subscription Key' and 'Scopes'/),
		httpStatus: 401,
	};
	let second: string;
	beforeEach(async () => {
		await account.renew(account.first);
		second = await account.stored();
	});

	it('is not renewed again: that would not help', async () => {
		const error = await account.renew(second);
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toMatchObject(rejected);
		expect(await account.renewals()).toBe(1);
	});

	it('is not renewed again because another token was accepted', async () => {
		await account.inSession(async (session) => session.accepted('another'));
		expect(await account.renew(second)).toMatchObject(rejected);
	});

	it('is renewed again if the service had accepted it in between', async () => {
		await account.inSession(async (session) => session.accepted(second));
		expect(await account.renew(second)).toBeUndefined();
		expect(await account.renewals()).toBe(2);
	});

	it('is renewed again a minute later', async () => {
		await account.inSession(async (session) => session.accepted(second));
		const setAhead = stopClock();
		await account.renew(second);
		const third = await account.stored();
		setAhead(59.999);
		expect(await account.renew(third)).toMatchObject(rejected);
		setAhead(60);
		expect(await account.renew(third)).toBeUndefined();
		expect(await account.renewals()).toBe(3);
	});
});

describe('a token that is replaced, though nobody rejected it', () => {
	it('is renewed as often as that is asked for', async () => {
		for (const count of [1, 2, 3]) {
			const token = await account.stored();
			await account.inSession(async (session, context) => await session.replace(context, token));
			expect(await account.stored()).not.toBe(token);
			expect(await account.renewals()).toBe(count);
		}
	});

	it('is renewed once, however many ask for it, for whatever reason', async () => {
		await account.inSession(async (session, context) => {
			await Promise.all([
				...Array.from({ length: 5 }, () => session.replace(context, account.first)),
				...Array.from({ length: 5 }, () => session.renew(context, account.first)),
			]);
			await session.replace(context, account.first);
		});
		expect(await account.renewals()).toBe(1);
	});

	it('is waited for, whatever comes of it', async () => {
		await account.inSession(async (session, context) => {
			await session.settled();
			const renewal = session.replace(context, account.first);
			await session.settled();
			expect(session.token).toBe(await account.stored());
			expect(session.token).not.toBe(account.first);
			await renewal;

			await account.patch({ appSecret: 'wrong' });
			const failure = session
				.replace(context, session.token ?? '')
				.catch((error: unknown) => error);
			await session.settled();
			expect(await failure).toBeInstanceOf(ServiceError);
		});
	});
});

describe('an identity server that does not renew', () => {
	const notRenewed = {
		message: 'The access token could not be renewed',
		description: expect.stringMatching(/'Client ID' and 'Client Secret'/),
	};
	beforeEach(async () => await account.patch({ appSecret: 'wrong' }));

	it('is asked once in ten seconds', async () => {
		const setAhead = stopClock();
		const error = await account.renew(account.first);
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toMatchObject(notRenewed);
		expect(await account.renew(account.first)).toBe(error);
		setAhead(9.999);
		expect(await account.renew(account.first)).toBe(error);
		expect(await account.renewals()).toBe(1);
		setAhead(10);
		expect(await account.renew(account.first)).toMatchObject(notRenewed);
		expect(await account.renewals()).toBe(2);
	});

	it('may as well fail by anything else', async () => {
		const reasons = [null, 'refused', new Error('no network')];
		const renewals = reasons.map(async (reason) => {
			const one = await Account.connect(payroll, sandbox);
			const refreshOAuth2Token = async () => await Promise.reject(reason);
			return await one.inSession(async (session, context) => {
				const helpers = { ...context.helpers, refreshOAuth2Token };
				const node = Object.create(context, { helpers: { value: helpers } });
				return await session.renew(node, one.first).catch((error: unknown) => error);
			});
		});
		for (const error of await Promise.all(renewals)) expect(error).toMatchObject(notRenewed);
	});

	describe('is told with the field of the credential to look at, where', () => {
		const json = { 'Content-Type': 'application/json' };
		const html = { 'Content-Type': 'text/html' };
		const named = (error: string) => JSON.stringify({ error, error_description: 'No' });
		const rows = [
			[
				'it does not know the app',
				401,
				json,
				named('invalid_client'),
				/'Client ID' and 'Client Secret'/,
			],
			[
				'the app may not renew',
				400,
				json,
				named('unauthorized_client'),
				/check 'Client ID'.*registered/,
			],
			[
				'the scopes are wrong',
				400,
				json,
				named('invalid_scope'),
				/check 'Scopes'.*connect the account again/,
			],
			[
				'it names another error',
				400,
				json,
				named('constructor'),
				/^The identity server did not answer as expected/,
			],
			[
				'it has no such address',
				404,
				html,
				'<h1>Not found</h1>',
				/^The answer does not look like .* check 'Identity Address'/,
			],
			[
				'a page comes instead',
				200,
				html,
				'<h1>Welcome</h1>',
				/^The answer does not look like .* check 'Identity Address'/,
			],
			[
				'it fails',
				500,
				html,
				'<h1>Sorry</h1>',
				/^The identity server did not answer as expected. If that stays so, check/,
			],
		] as const;
		let identity: ScriptedServer;
		let failures: unknown[];
		beforeAll(async () => {
			identity = await scriptedServer();
			identity.play((response, _, { path }) => {
				const [, status, headers, body] = rows[Number(path.split('/')[1])] ?? [];
				response.writeHead(status ?? 500, headers).end(body);
			});
			// All at once, since some of them wait for another process's tokens.
			const renewals = rows.map(async (_, index) => {
				const one = await Account.connect(payroll, sandbox);
				await one.patch({ identityUrl: `${identity.url}/${index}` });
				return await one.renew(one.first);
			});
			failures = await Promise.all(renewals);
		});
		afterAll(async () => await identity.close());

		it.each(rows.map((row, index) => [row[0], index] as const))('%s', (_, index) => {
			expect(failures[index]).toMatchObject({
				message: 'The access token could not be renewed',
				description: expect.stringMatching(rows[index]?.[4] ?? ''),
			});
		});

		it.each([
			['it fails without a word', 500, html, ''],
			['it names an error that is none of OAuth', 400, json, named('token_reused')],
		])(
			'%s, another process may have been first: its tokens are taken',
			async (_, status, headers, body) => {
				await account.patch({ identityUrl: identity.url });
				const tokens = await account.tokens();
				identity.play((response) => {
					response.writeHead(status, headers).end(body);
					setTimeout(() => void account.store({ ...tokens, access_token: 'of-another' }), 500);
				});
				expect(await account.renew(account.first)).toBeUndefined();
				expect(await account.token()).toBe('of-another');
			},
		);

		it.each([
			[
				'nobody listens',
				async () => `http://127.0.0.1:${await closedPort()}`,
				/could not be reached: check 'Identity Address'/,
			],
			[
				'there is no such host',
				async () => 'https://identity.invalid',
				/could not be reached: check 'Identity Address'/,
			],
			[
				'it speaks no TLS',
				async () => identity.url.replace('http:', 'https:'),
				/certificate or encryption.*check 'Identity Address'/,
			],
		])('%s', async (_, address, description) => {
			await account.patch({ identityUrl: await address() });
			expect(await account.renew(account.first)).toMatchObject({
				message: 'The access token could not be renewed',
				description: expect.stringMatching(description),
			});
		});
	});

	describe('was never asked where there is no refresh token', () => {
		const noRefreshToken = {
			message: 'The credential needs to be reconnected',
			description: 'No refresh token is stored. Open the credential and connect the account again.',
		};

		it('by n8n 2', async () => {
			await account.patch({ oauthTokenData: { access_token: account.first } });
			expect(await account.renew(account.first)).toMatchObject(noRefreshToken);
			expect(await account.renewals()).toBe(0);
		});

		it('by n8n 1', async () => {
			const refreshOAuth2Token = async () =>
				await Promise.reject(new Error('refreshToken is required'));
			await account.inSession(async (session, context) => {
				const helpers = { ...context.helpers, refreshOAuth2Token };
				const node = Object.create(context, { helpers: { value: helpers } });
				await expect(session.renew(node, account.first)).rejects.toMatchObject(noRefreshToken);
			});
		});
	});

	it('is asked at once for another token', async () => {
		await account.renew(account.first);
		await account.store({ access_token: 'of-another-process' });
		expect(await account.renew('of-another-process')).toMatchObject(notRenewed);
		expect(await account.renewals()).toBe(2);
	});
});

describe('a refresh token that is spent', () => {
	it('by a process that stores its new tokens a moment later brings these', async () => {
		const tokens = await spendElsewhere();
		const stored = afterRefusal(async () => await account.store(tokens));
		expect(await account.renew(account.first)).toBeUndefined();
		await stored;
		expect(await account.token()).toBe(tokens.access_token);
		expect(await account.renewals()).toBe(1);
	});

	it('for good asks for a reconnection, without trying again, and ends with it', async () => {
		const tokens = await spendElsewhere();
		const error = await account.renew(account.first);
		expect(error).toMatchObject({
			message: 'The credential needs to be reconnected',
			description: expect.stringMatching(/no longer accepted.*connect the account again/),
		});
		stopClock()(365 * 24 * 3600);
		expect(await account.renew(account.first)).toBe(error);
		expect(await account.renewals()).toBe(1);

		await account.store(tokens);
		expect(await account.renew(account.first)).toBeUndefined();
	});

	it.each<[string, () => unknown]>([
		[
			'n8n 1, which throws the OAuth client’s error',
			() => new oauth2.AuthError('', { error: 'invalid_grant' }),
		],
		[
			'n8n 2, which names the cause',
			() => Object.assign(new Error('Reconnect'), { failure: { cause: 'credential-invalid' } }),
		],
		[
			'an n8n 2 without causes of failure',
			() => new workflow.ApplicationError('The credential "Payroll" needs to be reconnected.'),
		],
	])('is understood from %s', async (_, spent) => {
		const refreshOAuth2Token = async () => {
			setTimeout(() => void account.store({ access_token: 'of-another-process' }), 50);
			throw spent();
		};
		await account.inSession(async (session, context) => {
			const helpers = { ...context.helpers, refreshOAuth2Token };
			await session.renew(Object.create(context, { helpers: { value: helpers } }), account.first);
			expect(session.token).toBe('of-another-process');
		});
	});
});
