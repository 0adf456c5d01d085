import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { CancelledError, ServiceError } from '../errors/ServiceError';
import { BoundedMap } from './boundedMap';
import {
	CREDENTIAL,
	credentialIdOf,
	notConnected,
	readTokens,
	tokensOf,
	type AccountTokens,
} from './connection';
import { derive, type TransportContext } from './context';
import { pause } from './pause';
import { pauseBeforeRenewal } from './renewal';
import { isInvalidGrant, isRecognised, notRenewed, reconnectError } from './renewalErrors';
import { spendOnce } from './spending';
import { unauthorized } from './statusErrors';
import { accountIn, renewalTime } from './token';

/** How long another process is given to store the token it got, in milliseconds, read by read. */
const WINNER_WAITS_MS = [200, 400, 800, 1600];

/** How soon after its renewal the rejection of a token means that renewing it again is of no use. */
const FRESH_MS = 60_000;

/** How long the items of a batch share the failure of a renewal that may succeed later. */
const FAILED_MS = 10_000;

/** How many tokens of its account a session is found by. */
const KNOWN_TOKENS = 8;

/** A renewal under way. */
interface Renewal {
	/** Gives whether it took place: it does not where its run is cancelled before anything is spent. */
	readonly done: Promise<boolean>;
	/** Whether the service rejected the token; otherwise it may still be good. */
	isRejected: boolean;
}

/** A renewal that a call should wait for before it sends its request. */
export interface EarlyRenewal {
	/** Never rejects where the token may still be good: the request decides then. */
	readonly done: Promise<void>;
	/** The token that is being renewed. */
	readonly token: string;
	/** Whether the service rejected the token; otherwise it may still be good. */
	readonly isRejected: boolean;
	/** Whether this call began it. */
	readonly isOwn: boolean;
}

/**
 * The context for a renewal of exactly these tokens: n8n reads the credential once more before it
 * renews, and what another process stored in between would be renewed again.
 */
function renewOnlyIfStill(
	context: TransportContext,
	{ accessToken, refreshToken }: AccountTokens,
): TransportContext {
	const getCredentials: TransportContext['getCredentials'] = async (...args) => {
		const data = await context.getCredentials<ICredentialDataDecryptedObject>(...args);
		const stored = tokensOf(data);
		if (stored.accessToken === undefined) throw notConnected();
		if (stored.accessToken !== accessToken || stored.refreshToken !== refreshToken) {
			throw new Error('Renewed already');
		}
		return data as never;
	};
	return derive(context, { getCredentials });
}

/**
 * The access token of one account in this process: one renewal at a time, whatever the number of
 * items, nodes and executions that need it (docs/interface.md, section 5.3: a refresh token is used
 * once).
 */
class Session {
	/** The token last seen to sign a request. */
	private current: string | undefined;
	/** The token that this process got from the identity server itself. */
	private owned: string | undefined;
	/** Renewals under way, by the token to be replaced. */
	private readonly renewals = new Map<string, Renewal>();
	/** A token that is not renewed ahead of its end: tried before, or ended on arrival (wrong clock). */
	private skipEarlyRenewal: string | undefined;
	/** A token whose early renewal is slow: no call waits for it before the service rejects the token. */
	private slow: string | undefined;
	/** When a token is to be renewed ahead of its end, in milliseconds since 1970. */
	private ending: { readonly token: string; readonly from: number } | undefined;
	/** The token of the last renewal until the service accepts it. */
	private unconfirmed: { readonly token: string; readonly since: number } | undefined;
	/** A token whose renewal failed, and until when no other call tries again. */
	private failed:
		| { readonly token: string; readonly error: ServiceError; readonly until: number }
		| undefined;

	/** @param onTokens told of all tokens that the account was seen to have */
	constructor(private readonly onTokens: (tokens: AccountTokens) => void) {}

	/**
	 * Called before every request: renews a token that is about to end, at most once per token.
	 *
	 * @returns what to wait for; `undefined` where the request can go out at once, as nearly all can
	 */
	prepare(context: TransportContext): EarlyRenewal | undefined {
		const token = this.current;
		if (token === undefined) return undefined;
		const isDue = token !== this.skipEarlyRenewal && this.isEnding(token);
		if (!isDue && this.renewals.size === 0) return undefined;
		const underWay = this.renewals.get(token);
		if (underWay === undefined && !isDue) return undefined;
		if (isDue) this.skipEarlyRenewal = token;
		if (this.slow === token && underWay?.isRejected !== true) return undefined;
		const { isRejected } = underWay ?? { isRejected: false };
		const done = this.renewAhead(context, token);
		return { done, token, isRejected, isOwn: underWay === undefined };
	}

	/** The token last known, for masking it in texts. */
	get token(): string | undefined {
		return this.current;
	}

	/** The token that a run found in the credential when it began. */
	begin(token: string): void {
		this.current = token;
	}

	/** The service accepted a request signed with this token. */
	accepted(token: string): void {
		this.current = token;
		if (this.unconfirmed?.token === token) this.unconfirmed = undefined;
	}

	/** The early renewal of a token took too long for a call: no other call waits for it. */
	isSlow(token: string): void {
		this.slow = token;
	}

	/**
	 * Ensures that the stored token is another one than `rejected`; whoever comes while a renewal of
	 * it is under way waits for that instead of starting another.
	 *
	 * @throws {ServiceError} where no other token is to be had
	 * @throws {CancelledError} where the user cancelled the run
	 */
	async renew(context: TransportContext, rejected: string): Promise<void> {
		await this.singleFlight(context, rejected, true);
	}

	/**
	 * As {@link renew}, for a token that nobody rejected: it is renewed however fresh it is.
	 *
	 * @throws {ServiceError} where no other token is to be had
	 * @throws {CancelledError} where the user cancelled the run
	 */
	async replace(context: TransportContext, token: string): Promise<void> {
		await this.singleFlight(context, token, false);
	}

	/** Waits for the renewals that are under way, whatever comes of them. */
	async settled(): Promise<void> {
		await Promise.allSettled([...this.renewals.values()].map(async ({ done }) => await done));
	}

	private async renewAhead(context: TransportContext, token: string): Promise<void> {
		try {
			await this.singleFlight(context, token, false);
		} catch (error) {
			context.logger.debug('Payroll: renewing the access token ahead of its end failed', {
				reason: error instanceof ServiceError ? error.message : 'unexpected error',
			});
		}
	}

	/** Whether a token is to be renewed ahead; the moment is drawn once for a token. */
	private isEnding(token: string): boolean {
		const now = Date.now();
		if (this.ending?.token !== token) {
			const from = renewalTime(token, this.owned === token, now, Math.random());
			this.ending = { token, from };
		}
		return this.ending.from <= now;
	}

	private async singleFlight(
		context: TransportContext,
		token: string,
		isRejected: boolean,
	): Promise<void> {
		let isDone = false;
		while (!isDone) {
			const renewal = this.renewals.get(token) ?? this.start(context, token, isRejected);
			if (isRejected) renewal.isRejected = true;
			// Where another run began it and was cancelled, this one takes over.
			isDone = await renewal.done;
			if (!isDone && context.getExecutionCancelSignal()?.aborted) throw new CancelledError();
		}
	}

	private start(context: TransportContext, token: string, isRejected: boolean): Renewal {
		const done = this.renewNow(context, token, isRejected)
			.then(
				() => true,
				(error: unknown) => {
					if (error instanceof CancelledError) return false;
					throw error;
				},
			)
			.finally(() => this.renewals.delete(token));
		const renewal = { done, isRejected };
		this.renewals.set(token, renewal);
		return renewal;
	}

	private isUnconfirmed(token: string): boolean {
		return this.unconfirmed?.token === token && Date.now() - this.unconfirmed.since < FRESH_MS;
	}

	private async renewNow(
		context: TransportContext,
		token: string,
		isRejected: boolean,
	): Promise<void> {
		// Another process, or a call that ended before this one, may have renewed it already.
		if (await this.adopt(context, token)) return;
		if (this.failed?.token === token && Date.now() < this.failed.until) throw this.failed.error;
		if (isRejected && this.isUnconfirmed(token)) throw unauthorized(true);
		await pause(context, pauseBeforeRenewal(this.owned === token, Math.random()));
		const stored = await readTokens(context);
		if (this.adopted(stored, token)) return;
		let renewed: string;
		try {
			renewed = await this.spend(context, stored);
		} catch (error) {
			await this.recover(context, token, error);
			return;
		}
		this.current = renewed;
		this.owned = renewed;
		this.ending = undefined;
		this.unconfirmed = { token: renewed, since: Date.now() };
		if (this.isEnding(renewed)) this.skipEarlyRenewal = renewed;
	}

	/** Has n8n spend the refresh token, and store what it gets for it. */
	private async spend(context: TransportContext, stored: AccountTokens): Promise<string> {
		const { clientId, accessToken = '', refreshToken } = stored;
		const id = credentialIdOf(context);
		return await spendOnce(id, clientId, refreshToken ?? accessToken, async () => {
			const { helpers } = context;
			await helpers.refreshOAuth2Token.call(renewOnlyIfStill(context, stored), CREDENTIAL);
			let now = await readTokens(context);
			if (now.accessToken === accessToken) {
				// n8n 2 had it join a renewal of this credential for another account.
				await helpers.refreshOAuth2Token.call(renewOnlyIfStill(context, stored), CREDENTIAL);
				now = await readTokens(context);
			}
			if (now.accessToken === undefined) throw notConnected();
			if (now.accessToken === accessToken) throw new Error('Same token');
			this.onTokens(now);
			return { accessToken: now.accessToken, isReplaced: now.refreshToken !== refreshToken };
		});
	}

	/**
	 * After a renewal that failed: takes the token of another process, where there is one.
	 *
	 * @throws {ServiceError} where there is none
	 */
	private async recover(context: TransportContext, token: string, error: unknown): Promise<void> {
		if (await this.adopt(context, token)) return;
		if (error instanceof ServiceError) throw error;
		if (isRecognised(error)) throw this.remember(token, notRenewed(error), FAILED_MS);
		// Another process may have spent the refresh token first: its token is about to be stored.
		for (const wait of WINNER_WAITS_MS) {
			await pause(context, wait);
			if (await this.adopt(context, token)) return;
		}
		if (!isInvalidGrant(error)) throw this.remember(token, notRenewed(error), FAILED_MS);
		throw this.remember(token, reconnectError(), Number.POSITIVE_INFINITY);
	}

	private remember(token: string, error: ServiceError, milliseconds: number): ServiceError {
		this.failed = { token, error, until: Date.now() + milliseconds };
		return error;
	}

	/** Takes over the stored token if it is another one than `token`. */
	private async adopt(context: TransportContext, token: string): Promise<boolean> {
		return this.adopted(await readTokens(context), token);
	}

	private adopted(stored: AccountTokens, token: string): boolean {
		const { accessToken } = stored;
		if (accessToken === undefined) throw notConnected();
		if (accessToken === token) return false;
		this.current = accessToken;
		this.onTokens(stored);
		return true;
	}
}

export type { Session };

/**
 * One session for each account of a credential in this process; the three nodes share this module,
 * so one map.
 */
const sessions = new BoundedMap<string, Session>(1000);

/**
 * What the session of an account is found by: its subject, where the access token tells it;
 * otherwise the refresh token, or the access token where there is none.
 */
function keyOf(credentialId: string, tokens: AccountTokens): string {
	const { clientId, accessToken, refreshToken } = tokens;
	const account = accessToken === undefined ? undefined : accountIn(accessToken);
	return JSON.stringify(
		account === undefined
			? [credentialId, clientId, 'token', refreshToken ?? accessToken]
			: [credentialId, clientId, 'account', account],
	);
}

/** Finds a session by the last tokens of its account too, since runs that began earlier know those. */
function register(session: Session, keys: string[], key: string): void {
	if (keys.includes(key)) return;
	keys.push(key);
	sessions.set(key, session);
	const oldest = keys.length > KNOWN_TOKENS ? keys.shift() : undefined;
	if (oldest !== undefined) sessions.delete(oldest);
}

/**
 * The session of the account that a credential resolves to in this context. One credential may
 * resolve to the accounts of several users.
 *
 * @param tokens those of the account as the credential holds them
 */
export function sessionOf(context: TransportContext, tokens: AccountTokens): Session {
	const id = credentialIdOf(context);
	const key = keyOf(id, tokens);
	return sessions.take(key, () => {
		const keys = [key];
		const session: Session = new Session((seen) => register(session, keys, keyOf(id, seen)));
		return session;
	});
}
