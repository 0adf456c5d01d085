import { jsonParse, sleep } from 'n8n-workflow';
import { CancelledError, type Failure, ServiceError, serviceError } from '../errors/ServiceError';
import { answerOf, tokensOf, type RequestHost, type StoredTokens } from '../host/requests';
import { BoundedMap } from '../http/boundedMap';
import { untilCancelled, withDeadline } from '../http/wait';
import { asksToRetry, interpret, retryDelay } from '../http/failures';
import type { Limits } from '../http/send';

/** How long before it expires a token is renewed, in milliseconds. */
const AHEAD_MS = 60_000;

/** How long a token is valid whose end is not known (docs/dev/interface.md, section 5.3), in milliseconds. */
const LIFETIME_MS = 3_600_000;

/** How long after a renewal another one is not expected to help, in milliseconds. */
const FRESH_MS = 60_000;

/** How long calls share the failure of a renewal that may succeed later, in milliseconds. */
const FAILED_MS = 10_000;

/** Waits between reads for the token that another process may be storing, in milliseconds. */
const WINNER_WAITS_MS = [0, 200, 400, 800, 1600];

export interface SessionRun {
	readonly host: RequestHost;
	/** Bounds of each call; a renewal is waited for as long as an answer. */
	readonly limits: Limits;
}

type Tokens = StoredTokens & { readonly accessToken: string };

/** What a session knows of an access token. Times are in milliseconds since 1970. */
interface TokenState {
	readonly beginsAt: number;
	readonly endsAt: number | undefined;
	/** When it is to be renewed before the service rejects it. */
	dueAt: number;
	/** Until when it counts as just renewed, unless the service has accepted it. */
	freshUntil: number;
	/** A renewal that is under way; `inTime` fails when the timeout is up: nobody waits longer. */
	renewal: { readonly done: Promise<void>; readonly inTime: Promise<void> } | undefined;
	/** Its refresh token, if this process has spent it. */
	spent: string | undefined;
}

/** OAuth errors of a token endpoint (RFC 6749, section 5.2), beside `invalid_grant`: sending the token again is useless. */
const OAUTH_ERRORS = ['invalid_client', 'unauthorized_client', 'invalid_scope'] as const;

type RenewalFailure = Extract<
	Failure,
	`RENEWAL_${string}` | 'CREDENTIAL_NOT_CONNECTED/invalid_grant' | 'IDENTITY_SERVER_BUSY'
>;

/**
 * Interprets what n8n threw for a renewal. It is retried like a read: whether or not the refresh token is
 * spent, there is no other one to try.
 *
 * @returns the failure, and the milliseconds to wait before the refresh token is sent again, unless that is useless
 */
function renewalFailure(
	thrown: unknown,
	attempt: number,
): readonly [failure: RenewalFailure, retryInMs?: number | undefined] {
	const { error, status, headers, text } = answerOf(thrown);
	if (error === 'invalid_grant') return ['CREDENTIAL_NOT_CONNECTED/invalid_grant'];
	const refusal = OAUTH_ERRORS.find((name) => name === error);
	if (refusal !== undefined) return [`RENEWAL_REFUSED/${refusal}`];
	if (status === undefined) {
		const lost = interpret(thrown, 'Identity Address');
		if (lost.code === 'CONNECTION_INSECURE') return ['RENEWAL_REFUSED/insecure'];
		// The error of n8n itself is not that of a request.
		const retryInMs = lost.isTransient ? retryDelay(lost, 'read', attempt) : undefined;
		return [lost.code === 'NOT_REACHED' ? 'RENEWAL_FAILED/unreached' : 'RENEWAL_FAILED', retryInMs];
	}
	const response = { status, headers, body: Buffer.from(text) };
	const retryInMs = retryDelay(response, 'read', attempt);
	if (asksToRetry(response)) return ['IDENTITY_SERVER_BUSY', retryInMs];
	const isOther = error === undefined && status < 500;
	return [isOther ? 'RENEWAL_REFUSED/otherServer' : 'RENEWAL_FAILED', retryInMs];
}

/**
 * The access token of one credential in this process. Only one renewal runs at a time, however many
 * items, nodes and executions need the token, since a refresh token can be used once
 * (docs/dev/interface.md, section 5.3).
 */
export class Session {
	/** The latest known access token. */
	token: string | undefined;
	/** By access token: calls that began earlier know older ones. */
	private readonly states = new BoundedMap<string, TokenState>(100);
	/** The last renewal that failed; without its error, which would keep in memory the run that made it. */
	private failed = { asked: '', failure: 'RENEWAL_FAILED' as RenewalFailure, until: 0 };
	/** Until when a fault that names a token renews none. */
	private doubtUntil = 0;

	/** Records the tokens that a run found in the credential at its start. */
	begin({ accessToken, expiresAt }: Pick<Tokens, 'accessToken' | 'expiresAt'>): void {
		this.token = accessToken;
		this.stateOf(accessToken, expiresAt);
	}

	/** @param wasRefused whether the service refused the request with another token: its faults do mean the token then */
	markAccepted(token: string, wasRefused = false): void {
		this.token = token;
		if (wasRefused) this.doubtUntil = 0;
		this.stateOf(token).freshUntil = 0;
	}

	/**
	 * Renews a token that expires within a minute, once, and again when it has expired; to be called before
	 * every request. If that fails while the token may be valid, calls go on with it.
	 *
	 * @throws {ServiceError} if a token that has expired is not renewed in time
	 */
	async prepare(run: SessionRun): Promise<void> {
		const token = this.token;
		if (token === undefined) return;
		const state = this.stateOf(token);
		if (state.renewal === undefined && Date.now() < state.dueAt) return;
		await this.renew(run, token, false).catch((error: unknown) => {
			const now = Date.now();
			if (error instanceof CancelledError || (state.endsAt ?? Infinity) <= now) throw error;
			if (state.dueAt <= now) state.dueAt = state.endsAt ?? now + FRESH_MS;
			const reason = error instanceof ServiceError ? error.failure : 'unexpected error';
			run.host.debug('Payroll: renewing the access token early failed', { reason });
		});
	}

	/**
	 * Ensures that the stored token differs from this one. Calls that arrive while it is being renewed
	 * share that renewal, and wait for it at most for the timeout of an answer.
	 *
	 * @param isRejected whether HTTP 401 rejected the token: one that was just renewed is not renewed again then
	 * @throws {ServiceError} if no other token can be obtained
	 */
	async renew(run: SessionRun, token: string, isRejected: boolean): Promise<void> {
		const state = this.stateOf(token);
		if (state.renewal === undefined) {
			const done = this.renewNow(run, token, isRejected).finally(() => (state.renewal = undefined));
			const inTime = withDeadline(undefined, run.limits.timeoutMs, done, () => {
				throw serviceError('RENEWAL_FAILED/timeout');
			});
			state.renewal = { done, inTime };
		}
		await untilCancelled(run.host.cancel, state.renewal.inTime);
	}

	/**
	 * Does the same after an answer that rejects the token, or that may mean it. For the latter, at most once a
	 * minute: it may mean something else, however often it comes.
	 *
	 * @returns whether there is another token to try
	 */
	async renewAfter(run: SessionRun, token: string, isRejected: boolean): Promise<boolean> {
		const { freshUntil, renewal } = this.stateOf(token);
		const isEarly = renewal === undefined && Date.now() < Math.max(freshUntil, this.doubtUntil);
		if (isEarly && !isRejected) return (await this.read(run, token)).accessToken !== token;
		await this.renew(run, token, isRejected);
		if (!isRejected) this.doubtUntil = Date.now() + FRESH_MS;
		return true;
	}

	/** Whether a token begins in the future by the clock of the service, its header `Date`, or of n8n. */
	beginsLater(token: string, date: unknown): boolean {
		const earliest = Math.min(Date.now(), Date.parse(String(date)) || Infinity);
		return this.stateOf(token).beginsAt > earliest;
	}

	/** Waits until the renewals in progress have ended. */
	async settled(): Promise<void> {
		await Promise.allSettled([...this.states.values()].map(({ renewal }) => renewal?.done));
	}

	/** Returns what is known of a token. @param expiresAt when it expires, if it does not say so itself */
	private stateOf(token: string, expiresAt?: number): TokenState {
		return this.states.getOrCreate(token, () => {
			// The claims of a token are not specified (docs/dev/interface.md, section 5.5): no more than hints.
			const text = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
			const claims = Object(jsonParse(text, { fallbackValue: null })) as Record<string, unknown>;
			const [issuedAt = 0, validFrom = 0, endsAt = expiresAt] = ['iat', 'nbf', 'exp'].map((name) =>
				typeof claims[name] === 'number' ? claims[name] * 1000 : undefined,
			);
			return {
				beginsAt: Math.max(issuedAt, validFrom),
				endsAt,
				dueAt: (endsAt ?? Date.now() + LIFETIME_MS) - AHEAD_MS,
				freshUntil: 0,
				renewal: undefined,
				spent: undefined,
			};
		});
	}

	/** Makes attempts until another token is stored than this one. */
	private async renewNow(run: SessionRun, token: string, isRejected: boolean): Promise<void> {
		const state = this.stateOf(token);
		for (let attempt = 1; ; attempt += 1) {
			// Another process or an earlier call may have renewed the token already.
			const stored = await this.read(run, token);
			if (stored.accessToken !== token) return;
			if (stored.refreshToken === undefined)
				throw serviceError('CREDENTIAL_NOT_CONNECTED/noRefreshToken');
			if (stored.refreshToken === state.spent)
				throw serviceError('CREDENTIAL_NOT_CONNECTED/invalid_grant');
			const { asked, failure: known, until } = this.failed;
			if (asked === stored.asked && Date.now() < until) throw serviceError(known);
			if (isRejected && Date.now() < state.freshUntil)
				throw serviceError('TOKEN_REJECTED', { httpStatus: 401, isFresh: true });
			try {
				await run.host.renewTokens(stored);
				const after = await this.read(run, token);
				if (after.accessToken === token) throw new Error('Same token');
				// Some identity servers allow a refresh token to be used again.
				if (after.refreshToken !== stored.refreshToken) state.spent = stored.refreshToken;
				const own = this.stateOf(after.accessToken);
				own.freshUntil = Date.now() + FRESH_MS;
				// A token that is due on arrival has a short life, or shows a wrong clock.
				const { dueAt, endsAt = 0 } = own;
				if (dueAt <= Date.now()) own.dueAt = endsAt > Date.now() ? endsAt : Infinity;
				return;
			} catch (error) {
				const [failure, retryInMs] = renewalFailure(error, attempt);
				if (retryInMs !== undefined) {
					await sleep(retryInMs);
					continue;
				}
				// The refresh token may be spent by another process, which is storing the new tokens.
				const isSpent = failure === 'CREDENTIAL_NOT_CONNECTED/invalid_grant';
				for (const wait of isSpent ? WINNER_WAITS_MS : [0]) {
					await sleep(wait);
					if ((await this.read(run, token)).accessToken !== token) return;
				}
				const until = isSpent ? Infinity : Date.now() + FAILED_MS;
				this.failed = { asked: stored.asked, failure, until };
				throw serviceError(failure);
			}
		}
	}

	/** Reads the stored tokens. Another access token than `token` becomes the session's. @throws {ServiceError} without one */
	private async read({ host }: SessionRun, token: string): Promise<Tokens> {
		const { accessToken, ...others } = tokensOf(await host.readCredential());
		if (accessToken === undefined) throw serviceError('CREDENTIAL_NOT_CONNECTED');
		const stored = { ...others, accessToken };
		if (accessToken !== token) this.begin(stored);
		return stored;
	}
}
