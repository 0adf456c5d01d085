import { notConnected, type AccountTokens } from '../credential/connection';
import type { SessionRun } from '../credential/contexts';
import { CancelledError, ServiceError } from '../errors/ServiceError';
import { BoundedMap } from '../http/boundedMap';
import { pause } from '../http/deadline';
import { unauthorized } from '../http/statusErrors';
import { pauseBeforeRenewal } from './renewal';
import { isInvalidGrant, namesCause, notRenewed, reconnectError } from './renewalErrors';
import type { Spending } from './spending';
import { hasExpired, renewalTime } from './token';

/** Waits between reads for the token that another process may be storing, in milliseconds. */
const WINNER_WAITS_MS = [200, 400, 800, 1600];

/** How long after its renewal a rejected token is not renewed again, in milliseconds. */
const FRESH_MS = 60_000;

/** How long calls share the failure of a renewal that may succeed later, in milliseconds. */
const FAILED_MS = 10_000;

/** How many tokens a session remembers. */
const KNOWN_TOKENS = 8;

/** What a session knows of an access token. */
interface TokenState {
	/** Whether this process obtained it from the identity server itself. */
	readonly isOwned: boolean;
	/** When it is due for early renewal, in milliseconds since 1970; infinite once that was tried. */
	dueAt: number;
	/** Whether its early renewal is slow: calls only wait for it if the service rejects the token. */
	isSlow: boolean;
	/** Until when it counts as just renewed, unless the service has accepted it. */
	freshUntil: number;
	/** The error of its renewal, and until when calls share it instead of trying again. */
	failed: { readonly error: ServiceError; readonly until: number } | undefined;
}

function newState(token: string, isOwned: boolean): TokenState {
	const dueAt = renewalTime(token, isOwned, Date.now(), Math.random());
	return { isOwned, dueAt, isSlow: false, freshUntil: 0, failed: undefined };
}

/** A renewal in progress. */
interface Renewal {
	/**
	 * Resolves to `false` if the run was cancelled before the refresh token was spent, else to
	 * `true`.
	 */
	readonly done: Promise<boolean>;
	/** Whether the service rejected the token; if not, the token may still be valid. */
	isRejected: boolean;
}

/** A renewal that a call should wait for before it sends its request. */
export interface EarlyRenewal {
	/** Never rejects if the token may still be valid: the request itself decides then. */
	readonly done: Promise<void>;
	/** The token that is being renewed. */
	readonly token: string;
	/** Whether the service rejected the token, or will: it is past its end. */
	readonly isRejected: boolean;
	/** Whether this call started the renewal. */
	readonly isOwn: boolean;
}

/**
 * The access token of one account in this process. Only one renewal runs at a time, however many
 * items, nodes and executions need the token, since a refresh token can be used once
 * (docs/dev/interface.md, section 5.3).
 */
export class Session {
	private current: string | undefined;
	private readonly tokens = new BoundedMap<string, TokenState>(KNOWN_TOKENS);
	/** Renewals in progress, by the token that each replaces. */
	private readonly renewals = new Map<string, Renewal>();

	/**
	 * @param spending the refresh tokens of the credential
	 * @param onTokens receives each new set of the account's tokens
	 */
	constructor(
		private readonly spending: Spending,
		private readonly onTokens: (tokens: AccountTokens) => void,
	) {}

	/**
	 * Renews a token that is about to expire, at most once per token; to be called before every
	 * request.
	 *
	 * @returns the renewal to wait for; `undefined` if the request can be sent at once, as usual
	 */
	prepare(run: SessionRun): EarlyRenewal | undefined {
		const token = this.current;
		if (token === undefined) return undefined;
		const state = this.stateOf(token);
		const underWay = this.renewals.get(token);
		const isDue = state.dueAt <= Date.now();
		if (underWay === undefined && !isDue) return undefined;
		if (isDue) state.dueAt = Number.POSITIVE_INFINITY;
		const isRejected = underWay?.isRejected === true || hasExpired(token);
		if (state.isSlow && !isRejected) return undefined;
		const done = this.renewEarly(run, token);
		return { done, token, isRejected, isOwn: underWay === undefined };
	}

	/** The latest known token of the account. */
	get token(): string | undefined {
		return this.current;
	}

	/** Records the token that a run found in the credential at its start. */
	begin(token: string): void {
		this.current = token;
	}

	/** Records that the service accepted a request signed with this token. */
	markAccepted(token: string): void {
		this.current = token;
		this.stateOf(token).freshUntil = 0;
	}

	/** Records that the early renewal of a token took too long: no other call waits for it. */
	markSlow(token: string): void {
		this.stateOf(token).isSlow = true;
	}

	/**
	 * Ensures that the stored token differs from this one. Calls that arrive while it is being renewed
	 * share that renewal.
	 *
	 * @param isRejected whether the service rejected the token; another one is renewed however fresh
	 * it is
	 * @throws {ServiceError} if no other token can be obtained
	 * @throws {CancelledError} if the user cancelled the run
	 */
	async renew(run: SessionRun, token: string, isRejected: boolean): Promise<void> {
		let isDone = false;
		while (!isDone) {
			const renewal = this.renewals.get(token) ?? this.start(run, token, isRejected);
			if (isRejected) renewal.isRejected = true;
			// If another run started the renewal and was cancelled, this run takes over.
			isDone = await renewal.done;
			if (!isDone && run.cancel?.aborted) throw new CancelledError();
		}
	}

	/** Waits until the renewals in progress have succeeded or failed. */
	async settled(): Promise<void> {
		await Promise.allSettled([...this.renewals.values()].map(async ({ done }) => await done));
	}

	private async renewEarly(run: SessionRun, token: string): Promise<void> {
		try {
			await this.renew(run, token, false);
		} catch (error) {
			run.debug('Payroll: renewing the access token early failed', {
				reason: error instanceof ServiceError ? error.message : 'unexpected error',
			});
		}
	}

	/** Returns what is known of a token; the time of its early renewal is drawn at random once. */
	private stateOf(token: string): TokenState {
		return this.tokens.getOrCreate(token, () => newState(token, false));
	}

	private start(run: SessionRun, token: string, isRejected: boolean): Renewal {
		const done = this.renewNow(run, token, isRejected)
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

	private async renewNow(run: SessionRun, token: string, isRejected: boolean): Promise<void> {
		// Another process or an earlier call may have renewed the token already.
		if ((await this.readUnlessRenewed(run, token)) === undefined) return;
		const { failed, freshUntil, isOwned } = this.stateOf(token);
		if (failed !== undefined && Date.now() < failed.until) throw failed.error;
		if (isRejected && Date.now() < freshUntil) throw unauthorized(true);
		await pause(run.cancel, pauseBeforeRenewal(isOwned, Math.random()));
		const stored = await this.readUnlessRenewed(run, token);
		if (stored === undefined) return;
		let renewed: string;
		try {
			renewed = await this.spend(run, stored);
		} catch (error) {
			await this.recover(run, token, error);
			return;
		}
		this.current = renewed;
		const state = newState(renewed, true);
		state.freshUntil = Date.now() + FRESH_MS;
		// A token that is due on arrival shows a wrong clock.
		if (state.dueAt <= Date.now()) state.dueAt = Number.POSITIVE_INFINITY;
		this.tokens.set(renewed, state);
	}

	/** Has n8n spend the refresh token and store the new tokens; returns the new access token. */
	private async spend(run: SessionRun, stored: AccountTokens): Promise<string> {
		const { clientId, accessToken = '', refreshToken } = stored;
		return await this.spending.once(clientId, refreshToken ?? accessToken, async () => {
			await run.renewTokens(stored);
			let now = await run.readTokens();
			if (now.accessToken === accessToken) {
				// n8n 2 joined this renewal to one of the same credential for another account.
				await run.renewTokens(stored);
				now = await run.readTokens();
			}
			if (now.accessToken === undefined) throw notConnected();
			if (now.accessToken === accessToken) throw new Error('Same token');
			this.onTokens(now);
			return { accessToken: now.accessToken, isReplaced: now.refreshToken !== refreshToken };
		});
	}

	/**
	 * Handles a failed renewal: adopts the token that another process stored, if there is one.
	 *
	 * @throws {ServiceError} if there is none
	 */
	private async recover(run: SessionRun, token: string, error: unknown): Promise<void> {
		if ((await this.readUnlessRenewed(run, token)) === undefined) return;
		if (error instanceof ServiceError) throw error;
		if (namesCause(error)) throw this.remember(token, notRenewed(error), FAILED_MS);
		// Another process may have spent the refresh token first and may still be storing its new
		// token.
		for (const wait of WINNER_WAITS_MS) {
			await pause(run.cancel, wait);
			if ((await this.readUnlessRenewed(run, token)) === undefined) return;
		}
		if (!isInvalidGrant(error)) throw this.remember(token, notRenewed(error), FAILED_MS);
		throw this.remember(token, reconnectError(), Number.POSITIVE_INFINITY);
	}

	private remember(token: string, error: ServiceError, milliseconds: number): ServiceError {
		this.stateOf(token).failed = { error, until: Date.now() + milliseconds };
		return error;
	}

	/**
	 * Reads the stored tokens. If their access token is another one than `token`, it becomes the
	 * session's.
	 *
	 * @returns the tokens if `token` is still stored
	 */
	private async readUnlessRenewed(
		run: SessionRun,
		token: string,
	): Promise<AccountTokens | undefined> {
		const stored = await run.readTokens();
		if (stored.accessToken === undefined) throw notConnected();
		if (stored.accessToken === token) return stored;
		this.current = stored.accessToken;
		this.onTokens(stored);
		return undefined;
	}
}
