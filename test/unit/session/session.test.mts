/* One session in one process: when it renews, that it renews once, and what other processes do meanwhile. */
import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { CancelledError } from '../../../nodes/shared/errors/ServiceError.ts';
import { renewElsewhere, runIn, sessionIn } from '../../../dev/package/account.mts';
import { inNode, startInNode } from '../../../dev/package/node-context.mts';
import { clockAhead, shortenDeadlines, stopClock } from '../../support/clock.mts';
import { useAccount, useSandbox, useScriptedServer } from '../../support/setUp.mts';

// A refresh token that is sent again after it was spent revokes the connection.
const { sandbox, payroll } = useSandbox({ reuse: 'revoke' });
const account = useAccount(payroll, sandbox);
const identity = useScriptedServer();
afterEach(() => jest.restoreAllMocks());

const NOT_RENEWED = 'RENEWAL_REFUSED/invalid_client';
const SPENT = 'CREDENTIAL_NOT_CONNECTED/invalid_grant';
const LATE = 'RENEWAL_FAILED/timeout';

/** The context in a host whose helper renews a token in another way. */
function withHelper(
	context: IExecuteFunctions,
	refreshOAuth2Token: (type: string) => Promise<unknown>,
): IExecuteFunctions {
	const value = { ...context.helpers, refreshOAuth2Token };
	return Object.create(context, { helpers: { value } }) as IExecuteFunctions;
}

/** Prepares a call with a token that a run found at its start; returns the token to sign with. */
async function prepare(accessToken: string, expiresAt?: number): Promise<string | undefined> {
	return await account.inSession(async (session, run) => {
		session.begin({ accessToken, expiresAt });
		await session.prepare(run);
		return session.token;
	});
}

describe('before a call, the token', () => {
	it('is not renewed, nor read from the store, if it is valid for more than a minute', async () => {
		const token = await account.storeToken(65);
		const { reads } = payroll.credentials.storage;
		expect(await prepare(token)).toBe(token);
		expect(payroll.credentials.storage.reads).toBe(reads);
	});

	it('is renewed once in the last minute', async () => {
		const token = await account.storeToken(55);
		const renewed = await prepare(token);
		expect(renewed).toBe(await account.stored());
		expect(await prepare(renewed ?? '')).toBe(renewed);
		expect(await account.renewals()).toBe(1);
	});

	it.each([
		['n8n says that it ends', 'opaque', 3500],
		['an hour after it was first seen, if nothing says when it ends', 'opaque', undefined],
		['its claims are no object', `a.${Buffer.from('"exp"').toString('base64url')}.c`, undefined],
		['its end is no number', `a.${Buffer.from('{"exp":"1"}').toString('base64url')}.c`, undefined],
	])('is renewed when %s', async (_, token, left) => {
		await account.store({ access_token: token });
		const expiresAt = left && Date.now() + left * 1000;
		expect(await prepare(token, expiresAt)).toBe(token);
		clockAhead((left ?? 3600) - 55);
		expect(await prepare(token, expiresAt)).not.toBe(token);
		expect(await account.renewals()).toBe(1);
	});

	it('is renewed once, not for every call, if a wrong clock takes new ones for expired', async () => {
		clockAhead(7200);
		const second = await prepare(account.first);
		expect(second).not.toBe(account.first);
		expect(await prepare(second ?? '')).toBe(second);
		expect(await account.renewals()).toBe(1);
	});

	it('is used as it is if that fails, and renewed again when it has expired', async () => {
		const setAhead = stopClock();
		const token = await account.storeToken(55);
		await account.patch({ appSecret: 'wrong' });
		await account.inSession(async (session, run, context) => {
			const debug = jest.spyOn(context.logger, 'debug');
			session.begin({ accessToken: token, expiresAt: undefined });
			for (const seconds of [0, 54]) {
				setAhead(seconds);
				await session.prepare(run);
			}
			expect(debug.mock.calls).toContainEqual([
				'Payroll: renewing the access token early failed',
				{ reason: NOT_RENEWED },
			]);
			expect(session.token).toBe(token);
			expect(await account.renewals()).toBe(1);
			setAhead(55);
			await expect(session.prepare(run)).rejects.toThrow(NOT_RENEWED);
			await account.patch({ appSecret: sandbox.clientSecret });
			setAhead(116);
			await session.prepare(run);
			expect(session.token).toBe(await account.stored());
		});
		expect(await account.renewals()).toBe(3);
	});
});

describe('a rejected token', () => {
	it('is renewed once for many calls, at the same time or later, and waited for by those before', async () => {
		await account.inSession(async (session, run) => {
			session.begin({ accessToken: account.first, expiresAt: undefined });
			const renewals = Array.from({ length: 10 }, () => session.renew(run, account.first, true));
			await session.prepare(run);
			expect(session.token).toBe(await account.stored());
			await Promise.all(renewals);
			await session.renew(run, account.first, true);
		});
		expect(await account.renewals()).toBe(1);
		expect(await account.token()).toBe(await account.stored());
	});

	it('is not renewed again right after its renewal, unless it was accepted in between', async () => {
		expect(await account.renew(account.first)).toBeUndefined();
		const second = await account.stored();
		expect(await account.renew(second)).toMatchObject({
			failure: 'TOKEN_REJECTED',
			facts: { httpStatus: 401, isFresh: true },
		});
		expect(await account.renewals()).toBe(1);
		await account.inSession(async (session) => session.markAccepted(second));
		expect(await account.renew(second)).toBeUndefined();
		expect(await account.renewals()).toBe(2);
	});
});

describe('a renewal that takes longer than the timeout', () => {
	/** Ends the renewal under way. */
	let end: () => void;
	beforeEach(async () => {
		shortenDeadlines();
		await account.patch({ identityUrl: identity.url });
		identity.play((response) => void (end = () => response.end('{}')));
	});
	afterEach(() => end());

	it('fails calls whose token is rejected, and is not begun again', async () => {
		for (let call = 0; call < 2; call += 1) {
			await account.inSession(async (session, { host }) => {
				const run = { host, limits: { timeoutMs: 2000, maxBytes: 1 } };
				await expect(session.renew(run, account.first, true)).rejects.toThrow(LATE);
			});
		}
		expect(identity.received).toHaveLength(1);
	});

	it('fails no call whose token is valid, and delays none after the timeout', async () => {
		const token = await account.storeToken(55);
		expect(await prepare(token)).toBe(token);
		jest.mocked(AbortSignal.timeout).mockClear();
		expect(await prepare(token)).toBe(token);
		expect(AbortSignal.timeout).not.toHaveBeenCalled();
		expect(identity.received).toHaveLength(1);
	});

	it('is not waited for by a run that is cancelled, and goes on for the others', async () => {
		const asked = new Promise<void>((resolve) => {
			identity.play((response) => {
				end = () => void response.end('{"access_token":"second","refresh_token":"next"}');
				resolve();
			});
		});
		const renewal = startInNode(payroll, account.credential, async (context) => {
			const { session, run } = sessionIn(context);
			await session.renew(run, account.first, true);
		});
		await asked;
		const other = account.renew(account.first);
		renewal.cancel();
		await expect(renewal.done).rejects.toBeInstanceOf(CancelledError);
		end();
		expect(await other).toBeUndefined();
		expect(await account.token()).toBe('second');
		expect(identity.received).toHaveLength(1);
	});
});

describe('another process', () => {
	type Event = () => Promise<void>;
	/** Does something at a moment of a renewal; returns the renewal's error, if any. */
	const moments: ReadonlyArray<readonly [string, (event: Event) => Promise<unknown>]> = [
		[
			'before it begins',
			async (event) => {
				await event();
				return await account.renew(account.first);
			},
		],
		[
			'when n8n is asked for it',
			async (event) =>
				await account.inSession(async (session, _run, context) => {
					const { refreshOAuth2Token } = context.helpers;
					const host = withHelper(context, async function (this: never, type) {
						await event();
						return (await refreshOAuth2Token.call(this, type)) as unknown;
					});
					const renewal = session.renew(runIn(host), account.first, true);
					return await renewal.catch((error: unknown) => error);
				}),
		],
	];

	it.each(moments)('that stores another token %s makes it needless', async (_, renewWith) => {
		const store = async () => await account.store({ access_token: 'of-another-process' });
		expect(await renewWith(store)).toBeUndefined();
		expect(await account.renewals()).toBe(0);
		expect(await account.token()).toBe('of-another-process');
	});

	it.each(moments)('that disconnects the account %s ends it', async (_, renewWith) => {
		const disconnect = async () => await account.patch({ oauthTokenData: {} });
		expect(await renewWith(disconnect)).toMatchObject({
			failure: 'CREDENTIAL_NOT_CONNECTED',
		});
		expect(await account.renewals()).toBe(0);
	});

	it('that spent the refresh token, and stores the new tokens a moment later, wins', async () => {
		await sandbox.configure({ reuse: 'refuse' });
		const tokens = await renewElsewhere(payroll, sandbox, account.credential);
		await sandbox.reset();
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

	it('that spent it, and stores nothing: connect again, and it is not tried again until then', async () => {
		await sandbox.configure({ reuse: 'refuse' });
		const tokens = await renewElsewhere(payroll, sandbox, account.credential);
		await sandbox.reset();
		const error = await account.renew(account.first);
		expect(error).toMatchObject({ failure: SPENT });
		stopClock()(365 * 24 * 3600);
		expect(await account.renew(account.first)).toEqual(error);
		expect(await account.renewals()).toBe(1);
		await account.store(tokens);
		expect(await account.renew(account.first)).toBeUndefined();
	});
});

describe('a refresh token that this process has spent', () => {
	it('is not spent again, should it be stored again', async () => {
		const tokens = await account.tokens();
		expect(await account.renew(account.first)).toBeUndefined();
		await account.store(tokens);
		stopClock()(365 * 24 * 3600);
		expect(await account.renew(account.first)).toMatchObject({ failure: SPENT });
		expect(await account.renewals()).toBe(1);
	});

	it('is spent again if the identity server did not replace it', async () => {
		let renewals = 0;
		const refreshOAuth2Token = async () => {
			renewals += 1;
			await account.store({ access_token: 'second' });
		};
		for (const count of [1, 2]) {
			await account.store({ access_token: account.first });
			await account.inSession(async (session, _, context) => {
				const host = withHelper(context, refreshOAuth2Token);
				await session.renew(runIn(host), account.first, false);
			});
			expect(renewals).toBe(count);
		}
	});
});

it('the credential is read once for all calls that sign with a token, and again for the next token', async () => {
	identity.play((response) => void response.end());
	let token = account.first;
	await inNode(payroll, account.credential, async (context) => {
		const { host } = runIn(context);
		const { storage } = payroll.credentials;
		/** The tokens of calls at the same time, and how often the credential was read for them. */
		const send = async (count: number) => {
			const { reads } = storage;
			const sending = Array.from({ length: count }, async () => {
				const { signal } = new AbortController();
				return await host.send({ url: identity.url }, signal, () => token);
			});
			return [...(await Promise.all(sending)).map((sent) => sent.token), storage.reads - reads];
		};
		expect(await send(2)).toEqual([account.first, account.first, 1]);
		await account.store({ access_token: 'another' });
		expect(await send(1)).toEqual([account.first, 0]);
		token = 'another';
		expect(await send(2)).toEqual(['another', 'another', 1]);
	});
});
