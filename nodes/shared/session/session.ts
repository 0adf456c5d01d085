import {
	CREDENTIAL,
	credentialIdOf,
	notConnected,
	readTokens,
	type AccountTokens,
} from '../credential/connection';
import { CancelledError, ServiceError } from '../errors/ServiceError';
import type { RequestContext } from '../host/context';
import { pause } from '../http/deadline';
import { unauthorized } from '../http/statusErrors';
import { pauseBeforeRenewal } from './renewal';
import { isInvalidGrant, namesCause, notRenewed, reconnectError } from './renewalErrors';
import { renewOnlyIfStill, spendOnce } from './spending';
import { hasExpired, renewalTime } from './token';

/** Waits between reads for the token that another process may be storing, in milliseconds. */
const WINNER_WAITS_MS = [200, 400, 800, 1600];

/** How long after its renewal a rejected token is not renewed again, in milliseconds. */
const FRESH_MS = 60_000;

/** How long calls share the failure of a renewal that may succeed later, in milliseconds. */
const FAILED_MS = 10_000;

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
 * (docs/interface.md, section 5.3).
 */
export class Session {
	/** The latest known token. */
	private current: string | undefined;
	/** The token that this process obtained from the identity server itself. */
	private owned: string | undefined;
	/** Renewals in progress, by the token that each replaces. */
	private readonly renewals = new Map<string, Renewal>();
	/** A token to skip in early renewal: it was tried, or was due on arrival (wrong clock). */
	private skipEarlyRenewal: string | undefined;
	/**
	 * A token whose early renewal is slow: calls do not wait for it unless the service rejects the
	 * token.
	 */
	private slow: string | undefined;
	/** When a token is due for early renewal, in milliseconds since 1970. */
	private due: { readonly token: string; readonly from: number } | undefined;
	/** The token of the last renewal, until the service accepts it. */
	private unconfirmed: { readonly token: string; readonly since: number } | undefined;
	/** A token whose renewal failed, and until when calls share the error instead of trying again. */
	private failed:
		| { readonly token: string; readonly error: ServiceError; readonly until: number }
		| undefined;

	/** @param onTokens receives each new set of the account's tokens */
	constructor(private readonly onTokens: (tokens: AccountTokens) => void) {}

	/**
	 * Renews a token that is about to expire, at most once per token; to be called before every
	 * request.
	 *
	 * @returns the renewal to wait for; `undefined` if the request can be sent at once, as usual
	 */
	prepare(context: RequestContext): EarlyRenewal | undefined {
		const token = this.current;
		if (token === undefined) return undefined;
		const isDue = token !== this.skipEarlyRenewal && this.isDueForRenewal(token);
		if (!isDue && this.renewals.size === 0) return undefined;
		const underWay = this.renewals.get(token);
		if (underWay === undefined && !isDue) return undefined;
		if (isDue) this.skipEarlyRenewal = token;
		const isRejected = underWay?.isRejected === true || hasExpired(token);
		if (this.slow === token && !isRejected) return undefined;
		const done = this.renewEarly(context, token);
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
		if (this.unconfirmed?.token === token) this.unconfirmed = undefined;
	}

	/** Records that the early renewal of a token took too long: no other call waits for it. */
	markSlow(token: string): void {
		this.slow = token;
	}

	/**
	 * Ensures that the stored token differs from `rejected`. Calls that arrive while `rejected` is
	 * being renewed share that renewal.
	 *
	 * @throws {ServiceError} if no other token can be obtained
	 * @throws {CancelledError} if the user cancelled the run
	 */
	async renew(context: RequestContext, rejected: string): Promise<void> {
		await this.singleFlight(context, rejected, true);
	}

	/**
	 * Like {@link renew}, for a token that was not rejected: renews it however fresh it is.
	 *
	 * @throws {ServiceError} if no other token can be obtained
	 * @throws {CancelledError} if the user cancelled the run
	 */
	async replace(context: RequestContext, token: string): Promise<void> {
		await this.singleFlight(context, token, false);
	}

	/** Waits until the renewals in progress have succeeded or failed. */
	async settled(): Promise<void> {
		await Promise.allSettled([...this.renewals.values()].map(async ({ done }) => await done));
	}

	private async renewEarly(context: RequestContext, token: string): Promise<void> {
		try {
			await this.singleFlight(context, token, false);
		} catch (error) {
			context.logger.debug('Payroll: renewing the access token early failed', {
				reason: error instanceof ServiceError ? error.message : 'unexpected error',
			});
		}
	}

	/** Whether a token is due for early renewal; the time is drawn at random once per token. */
	private isDueForRenewal(token: string): boolean {
		const now = Date.now();
		if (this.due?.token !== token) {
			const from = renewalTime(token, this.owned === token, now, Math.random());
			this.due = { token, from };
		}
		return this.due.from <= now;
	}

	private async singleFlight(
		context: RequestContext,
		token: string,
		isRejected: boolean,
	): Promise<void> {
		let isDone = false;
		while (!isDone) {
			const renewal = this.renewals.get(token) ?? this.start(context, token, isRejected);
			if (isRejected) renewal.isRejected = true;
			// If another run started the renewal and was cancelled, this run takes over.
			isDone = await renewal.done;
			if (!isDone && context.getExecutionCancelSignal()?.aborted) throw new CancelledError();
		}
	}

	private start(context: RequestContext, token: string, isRejected: boolean): Renewal {
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
		context: RequestContext,
		token: string,
		isRejected: boolean,
	): Promise<void> {
		// Another process or an earlier call may have renewed the token already.
		if (await this.adopt(context, token)) return;
		if (this.failed?.token === token && Date.now() < this.failed.until) throw this.failed.error;
		if (isRejected && this.isUnconfirmed(token)) throw unauthorized(true);
		await pause(
			context.getExecutionCancelSignal(),
			pauseBeforeRenewal(this.owned === token, Math.random()),
		);
		const stored = await readTokens(context);
		if (this.adoptIfNew(stored, token)) return;
		let renewed: string;
		try {
			renewed = await this.spend(context, stored);
		} catch (error) {
			await this.recover(context, token, error);
			return;
		}
		this.current = renewed;
		this.owned = renewed;
		this.due = undefined;
		this.unconfirmed = { token: renewed, since: Date.now() };
		if (this.isDueForRenewal(renewed)) this.skipEarlyRenewal = renewed;
	}

	/** Has n8n spend the refresh token and store the new tokens; returns the new access token. */
	private async spend(context: RequestContext, stored: AccountTokens): Promise<string> {
		const { clientId, accessToken = '', refreshToken } = stored;
		const id = credentialIdOf(context);
		return await spendOnce(id, clientId, refreshToken ?? accessToken, async () => {
			const { helpers } = context;
			await helpers.refreshOAuth2Token.call(renewOnlyIfStill(context, stored), CREDENTIAL);
			let now = await readTokens(context);
			if (now.accessToken === accessToken) {
				// n8n 2 joined this renewal to one of the same credential for another account.
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
	 * Handles a failed renewal: adopts the token that another process stored, if there is one.
	 *
	 * @throws {ServiceError} if there is none
	 */
	private async recover(context: RequestContext, token: string, error: unknown): Promise<void> {
		if (await this.adopt(context, token)) return;
		if (error instanceof ServiceError) throw error;
		if (namesCause(error)) throw this.remember(token, notRenewed(error), FAILED_MS);
		// Another process may have spent the refresh token first and may still be storing its new
		// token.
		for (const wait of WINNER_WAITS_MS) {
			await pause(context.getExecutionCancelSignal(), wait);
			if (await this.adopt(context, token)) return;
		}
		if (!isInvalidGrant(error)) throw this.remember(token, notRenewed(error), FAILED_MS);
		throw this.remember(token, reconnectError(), Number.POSITIVE_INFINITY);
	}

	private remember(token: string, error: ServiceError, milliseconds: number): ServiceError {
		this.failed = { token, error, until: Date.now() + milliseconds };
		return error;
	}

	/** Adopts the stored token if it differs from `token`; returns whether it did. */
	private async adopt(context: RequestContext, token: string): Promise<boolean> {
		return this.adoptIfNew(await readTokens(context), token);
	}

	private adoptIfNew(stored: AccountTokens, token: string): boolean {
		const { accessToken } = stored;
		if (accessToken === undefined) throw notConnected();
		if (accessToken === token) return false;
		this.current = accessToken;
		this.onTokens(stored);
		return true;
	}
}
