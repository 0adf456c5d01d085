import { setImmediate as tick } from 'node:timers/promises';
import { sleep } from 'n8n-workflow';
import { CancelledError, ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import { oauth2 } from '../../../dev/engine/index.mts';
import {
	Account,
	renewElsewhere,
	runIn,
	sessionIn,
	type Tokens,
} from '../../../dev/package/account.mts';
import { startInNode } from '../../../dev/package/node-context.mts';
import { stopClock } from '../../support/clock.mts';
import { withHelpers } from '../../support/host.mts';
import { closedPort, replying } from '../../support/scripted.mts';
import { useAccount, useSandbox, useScriptedServer } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();
const account = useAccount(payroll, sandbox);
afterEach(() => jest.restoreAllMocks());

/** Renews in a host whose own renewal is the given one; returns the error, if any. */
async function renewBy(refresh: () => Promise<unknown>, of: Account = account): Promise<unknown> {
	return await of.inSession(async (session, _, context) => {
		const host = withHelpers(context, { refreshOAuth2Token: refresh });
		return await session.renew(runIn(host), of.first, true).catch((error: unknown) => error);
	});
}

describe('a rejected token', () => {
	it('is renewed once for many callers, at the same time or later', async () => {
		await account.inSession(async (session, run) => {
			await Promise.all(Array.from({ length: 10 }, () => session.renew(run, account.first, true)));
			await session.renew(run, account.first, true);
		});
		expect(await account.renewals()).toBe(1);
		const stored = await account.stored();
		expect(stored).not.toBe(account.first);
		expect(await account.token()).toBe(stored);
	});

	type Event = () => Promise<void>;
	/** Has another process do something at a moment of a renewal; returns the renewal's error, if any. */
	const moments: ReadonlyArray<readonly [string, (event: Event) => Promise<unknown>]> = [
		[
			'before the run begins',
			async (event) => {
				await event();
				return await account.renew(account.first);
			},
		],
		[
			'while the session waits before it',
			async (event) => {
				const { storage } = payroll.credentials;
				return await account.inSession(async (session, run) => {
					const { reads } = storage;
					const renewal = session.renew(run, account.first, true).catch((error: unknown) => error);
					while (storage.reads === reads) await tick();
					await event();
					return await renewal;
				});
			},
		],
		[
			'when n8n is asked for it',
			async (event) => {
				return await account.inSession(async (session, _run, context) => {
					const { refreshOAuth2Token } = context.helpers;
					const host = withHelpers(context, {
						async refreshOAuth2Token(this: never, type: string) {
							await event();
							return (await refreshOAuth2Token.call(this, type)) as unknown;
						},
					});
					return await session
						.renew(runIn(host), account.first, true)
						.catch((error: unknown) => error);
				});
			},
		],
	];

	it.each(moments)('is not renewed if another one is stored %s', async (_, renewWith) => {
		const store = async () => await account.store({ access_token: 'of-another-process' });
		expect(await renewWith(store)).toBeUndefined();
		expect(await account.renewals()).toBe(0);
		expect(await account.token()).toBe('of-another-process');
	});

	it.each(moments)('is not renewed if the account is disconnected %s', async (_, renewWith) => {
		const disconnect = async () => await account.patch({ oauthTokenData: {} });
		expect(await renewWith(disconnect)).toMatchObject({
			message: 'The credential is not connected',
		});
		expect(await account.renewals()).toBe(0);
	});
});

it('a renewal is taken over by another run if its own is cancelled before it begins', async () => {
	let begin = (): void => {};
	const begun = new Promise<void>((resolve) => (begin = resolve));
	const other = startInNode(payroll, account.credential, async (context) => {
		const { session, run } = await sessionIn(context);
		await begun;
		await session.renew(run, account.first, true);
	});
	const cancelledRun = startInNode(payroll, account.credential, async (context) => {
		const { session, run } = await sessionIn(context);
		const renewal = session.renew(run, account.first, true);
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
		description: expect.stringMatching(/just renewed.*'Subscription Key' and 'Scopes'/),
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

	it('is renewed again if the service had accepted it in between', async () => {
		await account.inSession(async (session) => session.markAccepted('another'));
		expect(await account.renew(second)).toMatchObject(rejected);
		await account.inSession(async (session) => session.markAccepted(second));
		expect(await account.renew(second)).toBeUndefined();
		expect(await account.renewals()).toBe(2);
	});
});

describe('a token that is replaced without being rejected', () => {
	it('is renewed each time', async () => {
		for (const count of [1, 2]) {
			const token = await account.stored();
			await account.inSession(async (session, run) => await session.renew(run, token, false));
			expect(await account.renewals()).toBe(count);
		}
	});
});

describe('an identity server that does not renew', () => {
	const notRenewed = {
		message: 'The access token could not be renewed',
		description: expect.stringMatching(/'Client ID' and 'Client Secret'/),
	};
	const refuse = async () => await account.patch({ appSecret: 'wrong' });

	it('is asked once in ten seconds by a run, and by every other run', async () => {
		await refuse();
		const setAhead = stopClock();
		await account.inSession(async (session, run) => {
			const renew = async () =>
				await session.renew(run, account.first, true).catch((error: unknown) => error);
			const error = await renew();
			expect(error).toBeInstanceOf(ServiceError);
			expect(error).toMatchObject(notRenewed);
			setAhead(9.999);
			const later = await renew();
			expect(later).toMatchObject(notRenewed);
			// An error that a session kept would keep the run in memory in which it was made.
			expect(later).not.toBe(error);
			expect(await account.renewals()).toBe(1);
			setAhead(10);
			expect(await renew()).toMatchObject(notRenewed);
			expect(await account.renewals()).toBe(2);
		});
		expect(await account.renew(account.first)).toMatchObject(notRenewed);
		expect(await account.renewals()).toBe(3);
	});

	it('fails the renewal with the same error, whatever n8n throws', async () => {
		const reasons = [null, 'refused', new Error('no network')];
		const renewals = reasons.map(async (reason) => {
			const own = await Account.connect(payroll, sandbox);
			return await renewBy(async () => await Promise.reject(reason), own);
		});
		for (const error of await Promise.all(renewals)) expect(error).toMatchObject(notRenewed);
	});
});

describe('the error of a renewal names the field to check if', () => {
	const identity = useScriptedServer();
	const oauth = (error: string) => ({ error, error_description: 'No' });
	const expectError = async (description: RegExp) =>
		expect(await account.renew(account.first)).toMatchObject({
			message: 'The access token could not be renewed',
			description: expect.stringMatching(description),
		});

	const noIdentity = /^The answer does not look like .* check 'Identity Address'/;
	const unexpected = /^The identity server did not answer as expected. If this continues, check/;
	it.each([
		['the app is not known', 401, oauth('invalid_client'), /'Client ID' and 'Client Secret'/],
		['the app may not renew', 400, oauth('unauthorized_client'), /check 'Client ID'.*registered/],
		['the scopes are wrong', 400, oauth('invalid_scope'), /check 'Scopes'.*log in again/],
		['the OAuth error is an unknown one', 400, oauth('constructor'), unexpected],
		['the path does not exist', 404, '<h1>Not found</h1>', noIdentity],
		['the answer is a web page', 200, '<h1>Welcome</h1>', noIdentity],
		['the identity server fails', 500, '<h1>Sorry</h1>', unexpected],
	])('%s', async (_, status, body, description) => {
		await account.patch({ identityUrl: identity.url });
		const type = typeof body === 'string' ? 'text/html' : 'application/json';
		identity.play(replying(status, type, body));
		await expectError(description);
	});

	const unreached = /could not be reached: check 'Identity Address'/;
	it.each([
		['nobody listens', async () => `http://127.0.0.1:${await closedPort()}`, unreached],
		['the host does not exist', () => 'https://identity.invalid', unreached],
		['the server has no TLS', () => identity.url.replace('http:', 'https:'), unexpected],
	])('%s', async (_, address, description) => {
		await account.patch({ identityUrl: await address() });
		await expectError(description);
	});

	it.each([
		['fails without an explanation', 500, ''],
		['names an error that is not of OAuth', 400, oauth('token_reused')],
	])(
		'not if the server %s and another process stores new tokens: these are used',
		async (_, status, body) => {
			await account.patch({ identityUrl: identity.url });
			identity.play((...received) => {
				void replying(status, 'application/json', body)(...received);
				void sleep(500).then(async () => await account.store({ access_token: 'of-another' }));
			});
			expect(await account.renew(account.first)).toBeUndefined();
			expect(await account.token()).toBe('of-another');
		},
	);
});

it('a renewal that n8n joins to one for another account is made once more', async () => {
	let renewals = 0;
	const joined = async () => {
		renewals += 1;
		if (renewals === 2) await account.store({ access_token: 'second' });
	};
	expect(await renewBy(joined)).toBeUndefined();
	expect(renewals).toBe(2);
});

it('without a refresh token, the account has to be connected again', async () => {
	await account.patch({ oauthTokenData: { access_token: account.first } });
	expect(await account.renew(account.first)).toMatchObject({
		message: 'The credential needs to be reconnected',
		description: expect.stringMatching(
			/^No refresh token is stored.*'Account connected': choose 'Switch account'/,
		),
	});
	expect(await account.renewals()).toBe(0);
});

describe('a refresh token that is spent', () => {
	/** Spends the refresh token as another process would; returns the tokens that it did not store. */
	async function spendElsewhere(): Promise<Tokens> {
		const tokens = await renewElsewhere(payroll, sandbox, account.credential);
		await sandbox.reset();
		return tokens;
	}

	it('is replaced by the tokens that another process stores a moment later', async () => {
		const tokens = await spendElsewhere();
		const stored = (async () => {
			while ((await account.renewals()) === 0) await sleep(20);
			await sleep(300);
			await account.store(tokens);
		})();
		expect(await account.renew(account.first)).toBeUndefined();
		await stored;
		expect(await account.token()).toBe(tokens.access_token);
		expect(await account.renewals()).toBe(1);
	});

	it('asks to connect again, is not tried again, and is forgotten after connecting', async () => {
		const tokens = await spendElsewhere();
		const error = await account.renew(account.first);
		expect(error).toMatchObject({
			message: 'The credential needs to be reconnected',
			description: expect.stringMatching(
				/no longer accepted.*'Switch account' \('Reconnect' in an older n8n\)/,
			),
		});
		stopClock()(365 * 24 * 3600);
		expect(await account.renew(account.first)).toEqual(error);
		expect(await account.renewals()).toBe(1);

		await account.store(tokens);
		expect(await account.renew(account.first)).toBeUndefined();
	});

	it('by this process is not spent again, should it be stored again', async () => {
		const tokens = await account.tokens();
		expect(await account.renew(account.first)).toBeUndefined();
		await account.store(tokens);
		stopClock()(365 * 24 * 3600);
		expect(await account.renew(account.first)).toMatchObject({
			message: 'The credential needs to be reconnected',
		});
		expect(await account.renewals()).toBe(1);
	});

	it('by this process is spent again if the identity server did not replace it', async () => {
		let renewals = 0;
		const keep = async () => {
			renewals += 1;
			await account.store({ access_token: 'second' });
		};
		expect(await renewBy(keep)).toBeUndefined();
		await account.store({ access_token: account.first });
		expect(await renewBy(keep)).toBeUndefined();
		expect(renewals).toBe(2);
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
	])('is recognised from the error of %s', async (_, spent) => {
		expect(await renewBy(async () => await Promise.reject(spent()))).toMatchObject({
			message: 'The credential needs to be reconnected',
			description: expect.stringMatching(/no longer accepted/),
		});
	});
});
