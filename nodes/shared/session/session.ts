import type { AccountTokens } from '../credential/connection';
import { noRefreshToken, notRenewed, refreshTokenRefused } from '../errors/credentialErrors';
import { CancelledError, ServiceError } from '../errors/ServiceError';
import { BoundedMap } from '../http/boundedMap';
import { pause, withDeadline } from '../http/deadline';
import { unauthorized } from '../http/statusErrors';
import type { Turns } from '../http/turns';
import { renewalFailure } from './renewalErrors';
import { inTime, storedTokens, type SessionRun, type StoredTokens } from './sessionRun';
import { hasExpired } from './token';
import { FRESH_MS, TokenState, type TokenVerdict } from './tokenState';

/** How long a call waits for a renewal while its token may still be valid, in milliseconds. */
const EARLY_RENEWAL_MS = 3000;

/** Waits between reads for the token that another process may be storing, in milliseconds. */
const WINNER_WAITS_MS = [0, 200, 400, 800, 1600];

/** How many tokens a session remembers. */
const KNOWN_TOKENS = 100;

/**
 * The access token of one account in this process. Only one renewal runs at a time, however many
 * items, nodes and executions need the token, since a refresh token can be used once
 * (docs/dev/interface.md, section 5.3).
 */
export class Session {
	private current: string | undefined;
	/** Until when a fault that names a token renews none. */
	private readonly doubtUntil = { refused: 0, suspected: 0 };
	private readonly tokens = new BoundedMap<string, TokenState>(KNOWN_TOKENS);

	/**
	 * @param turns those of the renewals of the credential
	 * @param onTokens receives each new set of the account's tokens
	 */
	constructor(
		private readonly turns: Turns,
		private readonly onTokens: (tokens: AccountTokens) => void,
	) {}

	/** The latest known token of the account. */
	get token(): string | undefined {
		return this.current;
	}

	/** Records the token that a run found in the credential at its start. */
	begin(token: string): void {
		this.current = token;
	}

	/**
	 * Records that the service accepted a request signed with this token.
	 *
	 * @param wasRefused whether it refused the same request for the token before, so that such faults
	 * do mean the access token
	 */
	markAccepted(token: string, wasRefused = false): void {
		this.current = token;
		if (wasRefused) this.doubtUntil.refused = 0;
		const state = this.stateOf(token);
		state.freshUntil = 0;
		state.isRejected = false;
	}

	/**
	 * Renews a token that is about to expire, once, and a minute later if that failed; to be called before
	 * every request. An early renewal must not fail a call or delay it for long, since the token may still be
	 * valid: then, the first calls wait three seconds for it, and the others do not wait.
	 *
	 * @throws {ServiceError} if a token that is rejected or past its end is not renewed in time
	 * @throws {CancelledError} if the user cancelled the run meanwhile
	 */
	async prepare(run: SessionRun): Promise<void> {
		const token = this.current;
		if (token === undefined) return;
		const state = this.stateOf(token);
		const isDue = state.dueAt <= Date.now();
		if (state.renewal === undefined && !isDue) return;
		if (isDue) state.dueAt = Number.POSITIVE_INFINITY;
		const isRejected = state.isRejected || hasExpired(token);
		if (state.isSlow && !isRejected) return;
		await this.renewEarly(run, token, isRejected);
	}

	/**
	 * Ensures that the stored token differs from this one. Calls that arrive while it is being renewed
	 * share that renewal, and wait for it at most for the timeout of an answer.
	 *
	 * @param isRejected whether the service rejected the token; another one is renewed however fresh
	 * it is
	 * @throws {ServiceError} if no other token can be obtained
	 * @throws {CancelledError} if the user cancelled the run
	 */
	async renew(run: SessionRun, token: string, isRejected: boolean): Promise<void> {
		await inTime(run, this.stateOf(token), this.shareRenewal(run, token, isRejected));
	}

	/**
	 * Does the same for a token that a fault names, at most once a minute for each verdict: the fault may
	 * mean another token, however often it comes.
	 *
	 * @returns whether there is another token to try
	 * @throws as {@link renew}
	 */
	async renewNamed(run: SessionRun, token: string, verdict: TokenVerdict): Promise<boolean> {
		const { freshUntil, renewal } = this.stateOf(token);
		if (renewal === undefined && Date.now() < Math.max(freshUntil, this.doubtUntil[verdict])) {
			return (await this.read(run, token)).accessToken !== token;
		}
		await this.renew(run, token, false);
		this.doubtUntil[verdict] = Date.now() + FRESH_MS;
		return true;
	}

	/** Waits until the renewals in progress have succeeded or failed. */
	async settled(): Promise<void> {
		await Promise.allSettled([...this.tokens.values()].map(async ({ renewal }) => await renewal));
	}

	private async renewEarly(run: SessionRun, token: string, isRejected: boolean): Promise<void> {
		const state = this.stateOf(token);
		const isOwn = state.renewal === undefined;
		const done = this.shareRenewal(run, token, false).catch((error: unknown) => {
			state.dueAt = Date.now() + FRESH_MS;
			state.isSlow = false;
			run.host.debug('Payroll: renewing the access token early failed', {
				reason: error instanceof ServiceError ? error.message : 'unexpected error',
			});
		});
		if (isRejected) return await inTime(run, state, done);
		if (isOwn) run.host.track(inTime(run, state, done));
		const briefly = Math.min(EARLY_RENEWAL_MS, run.limits.timeoutMs);
		await withDeadline(run.host.cancel, briefly, done, () => void (state.isSlow = true));
	}

	/** Returns what is known of a token; the time of its early renewal is drawn at random once. */
	private stateOf(token: string): TokenState {
		return this.tokens.getOrCreate(token, () => new TokenState(token, false));
	}

	private async shareRenewal(run: SessionRun, token: string, isRejected: boolean): Promise<void> {
		const state = this.stateOf(token);
		state.isRejected ||= isRejected;
		for (;;) {
			state.renewal ??= this.renewNow(run, token, isRejected).finally(() => {
				state.renewal = undefined;
			});
			const isDone = await state.renewal.then(
				() => true,
				(error: unknown) => {
					// If another run began the renewal and was cancelled, this run takes over.
					if (error instanceof CancelledError && !run.host.cancel?.aborted) return false;
					state.failed?.runs.add(run.host);
					throw error;
				},
			);
			if (isDone) return;
		}
	}

	private async renewNow(run: SessionRun, token: string, isRejected: boolean): Promise<void> {
		const state = this.stateOf(token);
		const wait = state.drawWait();
		state.attempt = { pauseMs: wait };
		// Another process or an earlier call may have renewed the token already.
		const stored = await this.read(run, token);
		if (stored.accessToken !== token) return;
		if (stored.refreshToken === undefined) throw noRefreshToken();
		if (stored.refreshToken === state.spent) throw refreshTokenRefused();
		const failure = state.knownFailure(stored.asked, run.host);
		if (failure !== undefined) throw failure;
		if (isRejected && Date.now() < state.freshUntil) throw unauthorized(true);
		await pause(run.host.cancel, wait);
		await this.attempt(run, token, stored.asked);
	}

	/** Makes attempts until the token is renewed. @param asked what the token endpoint is asked with */
	private async attempt(run: SessionRun, token: string, asked: string): Promise<void> {
		const state = this.stateOf(token);
		for (let attempt = 1; ; attempt += 1) {
			try {
				return await this.turns.do(async () => await this.spend(run, token));
			} catch (error) {
				const { cause, mayBeRenewed, retryInMs } = renewalFailure(error, attempt);
				if (retryInMs === undefined) {
					const waits = mayBeRenewed ? WINNER_WAITS_MS : [0];
					if (await this.isReplaced(run, token, waits)) return;
					state.failed = { cause, asked, at: Date.now(), runs: new WeakSet() };
					throw notRenewed(cause);
				}
				state.attempt = { pauseMs: retryInMs };
				await pause(run.host.cancel, retryInMs);
			}
		}
	}

	/** Has n8n spend the refresh token and store the new tokens. */
	private async spend(run: SessionRun, token: string): Promise<void> {
		const before = await this.read(run, token);
		if (before.accessToken !== token) return;
		const renewed = await run.host.renewTokens(before);
		let after = await this.read(run, token);
		if (after.accessToken === token && renewed !== token) {
			// n8n joined this renewal to one that it had begun itself, see `host/renewals`.
			await run.host.renewTokens(before);
			after = await this.read(run, token);
		}
		if (after.accessToken === token) throw new Error('Same token');
		// Some identity servers allow a refresh token to be used again.
		if (after.refreshToken !== before.refreshToken) {
			this.stateOf(token).spent = before.refreshToken;
		}
		this.tokens.set(after.accessToken, new TokenState(after.accessToken, true));
	}

	/** Whether another token is stored, or will be within these waits, in milliseconds. */
	private async isReplaced(run: SessionRun, token: string, waits: number[]): Promise<boolean> {
		for (const wait of waits) {
			await pause(run.host.cancel, wait);
			if ((await this.read(run, token)).accessToken !== token) return true;
		}
		return false;
	}

	/**
	 * Reads the stored tokens. If their access token is another one than `token`, it becomes the
	 * session's.
	 *
	 * @throws {ServiceError} if none is stored
	 */
	private async read({ host }: SessionRun, token: string): Promise<StoredTokens> {
		const stored = await storedTokens(host);
		if (stored.accessToken !== token) {
			this.current = stored.accessToken;
			this.onTokens(stored);
		}
		return stored;
	}
}
