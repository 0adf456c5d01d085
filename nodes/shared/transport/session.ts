import { sleep, type ICredentialDataDecryptedObject, type IExecuteFunctions } from 'n8n-workflow';
import { ServiceError } from '../errors/ServiceError';
import { accessTokenOf, CREDENTIAL, readAccessToken } from './connection';
import { isInvalidGrant, notRenewed, reconnectError } from './renewalErrors';
import { unauthorized } from './status';
import { endingFrom } from './token';

/** How long another process is given to store the token it won, in milliseconds, read by read. */
const WINNER_WAITS_MS = [200, 400, 800, 1600];

/** How soon after its renewal a rejected token tells that renewing again is of no use. */
const FRESH_MS = 60_000;

/** How long the items of a batch share the failure of a renewal that may go better later. */
const FAILED_MS = 10_000;

/**
 * The context for a renewal of exactly this token: n8n reads the credential once more before it
 * renews, and what another process stored in between would be renewed again.
 */
function onlyWhile(context: IExecuteFunctions, rejected: string): IExecuteFunctions {
	const getCredentials: IExecuteFunctions['getCredentials'] = async (...args) => {
		const data = await context.getCredentials<ICredentialDataDecryptedObject>(...args);
		if (accessTokenOf(data) !== rejected) throw new Error('Renewed already');
		return data as never;
	};
	return Object.create(context, { getCredentials: { value: getCredentials } }) as IExecuteFunctions;
}

/**
 * The access token of one credential in this process: one renewal at a time, whatever the number
 * of items, nodes and executions that need it (interface.md 5.3: a refresh token is used once).
 */
class Session {
	/** The token last seen to sign a request. */
	private current: string | undefined;
	private renewal: Promise<void> | undefined;
	/** A token that is not renewed ahead of its end: tried before, or ended on arrival (wrong clock). */
	private notAhead: string | undefined;
	/** From when on a token is about to end, in milliseconds since 1970. */
	private ending: { readonly token: string; readonly from: number } | undefined;
	/** The token of the last renewal until the service accepts it. */
	private unproven: { readonly token: string; readonly since: number } | undefined;
	/** A token whose renewal failed, and until when no other call spends a request on trying. */
	private failed:
		| { readonly token: string; readonly error: ServiceError; readonly until: number }
		| undefined;

	/**
	 * Called before every request: renews a token that is about to end, at most once per token.
	 * A failure is left to the request itself, since the token may still be good for it.
	 *
	 * @returns what to wait for; `undefined` where the request can go out at once, as nearly all can
	 */
	prepare(context: IExecuteFunctions): Promise<void> | undefined {
		const token = this.current;
		const isDue = token !== undefined && token !== this.notAhead && this.isEnding(token);
		// Whoever finds a renewal under way waits for it, however it was begun.
		if (!isDue && this.renewal === undefined) return undefined;
		if (isDue) this.notAhead = token;
		return this.renewAhead(context, token ?? '');
	}

	/** The token last known, for taking it out of texts. */
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
		if (this.unproven?.token === token) this.unproven = undefined;
	}

	/**
	 * Sees to it that the stored token is another one than `rejected`; whoever comes while a renewal
	 * is under way waits for it instead of starting one.
	 *
	 * @throws {ServiceError} where no other token is to be had
	 */
	async renew(context: IExecuteFunctions, rejected: string): Promise<void> {
		await this.singleFlight(context, rejected, true);
	}

	/**
	 * As {@link renew}, for a token that nobody rejected: it is renewed however fresh it is.
	 *
	 * @throws {ServiceError} where no other token is to be had
	 */
	async replace(context: IExecuteFunctions, token: string): Promise<void> {
		await this.singleFlight(context, token, false);
	}

	private async renewAhead(context: IExecuteFunctions, token: string): Promise<void> {
		try {
			await this.renew(context, token);
		} catch (error) {
			context.logger.debug('Payroll: renewing the access token ahead of its end failed', {
				reason: error instanceof ServiceError ? error.message : 'unexpected error',
			});
		}
	}

	/** Whether a token is about to end; read once from it, not for every request. */
	private isEnding(token: string): boolean {
		if (this.ending?.token !== token) this.ending = { token, from: endingFrom(token) };
		return this.ending.from <= Date.now();
	}

	/** Waits for a renewal that is under way, whatever comes of it. */
	async settled(): Promise<void> {
		await this.renewal?.catch(() => undefined);
	}

	private async singleFlight(
		context: IExecuteFunctions,
		token: string,
		isRejected: boolean,
	): Promise<void> {
		if (this.renewal === undefined) {
			this.renewal = this.renewNow(context, token, isRejected).finally(() => {
				this.renewal = undefined;
			});
		}
		await this.renewal;
	}

	private isUnproven(token: string): boolean {
		return this.unproven?.token === token && Date.now() - this.unproven.since < FRESH_MS;
	}

	private async renewNow(
		context: IExecuteFunctions,
		rejected: string,
		isRejected: boolean,
	): Promise<void> {
		// Another process, or a call that ended before this one, may have renewed it already.
		if (await this.adopt(context, rejected)) return;
		if (this.failed?.token === rejected && Date.now() < this.failed.until) throw this.failed.error;
		if (isRejected && this.isUnproven(rejected)) {
			throw unauthorized(true);
		}
		try {
			await context.helpers.refreshOAuth2Token.call(onlyWhile(context, rejected), CREDENTIAL);
		} catch (error) {
			if (await this.adopt(context, rejected)) return;
			if (!isInvalidGrant(error)) throw this.remember(rejected, notRenewed(error), FAILED_MS);
			await this.takeFromWinner(context, rejected);
			return;
		}
		const token = await readAccessToken(context);
		this.current = token;
		if (token === undefined) return;
		this.unproven = { token, since: Date.now() };
		if (this.isEnding(token)) this.notAhead = token;
	}

	/** Another process spent the refresh token first: its token is about to be stored. */
	private async takeFromWinner(context: IExecuteFunctions, rejected: string): Promise<void> {
		for (const wait of WINNER_WAITS_MS) {
			await sleep(wait);
			if (await this.adopt(context, rejected)) return;
		}
		throw this.remember(rejected, reconnectError(), Number.POSITIVE_INFINITY);
	}

	private remember(token: string, error: ServiceError, milliseconds: number): ServiceError {
		this.failed = { token, error, until: Date.now() + milliseconds };
		return error;
	}

	/** Takes over the stored token if it is another one than `rejected`. */
	private async adopt(context: IExecuteFunctions, rejected: string): Promise<boolean> {
		const stored = await readAccessToken(context);
		if (stored === undefined || stored === rejected) return false;
		this.current = stored;
		return true;
	}
}

/** One session per credential and process; the three nodes share this module, so one map. */
const sessions = new Map<string, Session>();

/** The session of the credential that the node of this context uses. */
export function sessionOf(context: IExecuteFunctions): Session {
	const id = context.getNode().credentials?.[CREDENTIAL]?.id ?? '';
	let session = sessions.get(id);
	if (session === undefined) {
		session = new Session();
		sessions.set(id, session);
	}
	return session;
}
