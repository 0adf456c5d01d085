import type { Effect } from '../contract/soapOperation';
import { kindOfStatus, outcomes, type FailureKind } from '../errors/outcomes';
import { ServiceError } from '../errors/ServiceError';
import type { RequestContext } from '../host/context';
import { pause } from './deadline';
import { sendUnsigned, type ExchangeRequest, type ExchangeResponse, type Limits } from './send';

/** The failure of an attempt that may be repeated. */
export interface RetryableFailure {
	readonly kind: FailureKind;
	/** The pause that the answer asks for. */
	readonly retryAfterMs?: number | undefined;
}

/** Maximum number of attempts per request. */
const MAX_ATTEMPTS = 4;

/** Base of the exponential backoff, in milliseconds. */
const BASE_MS = 500;

/** Longest accepted wait between two attempts, in milliseconds. */
const MAX_WAIT_MS = 60_000;

const RETRYABLE_STATUS = new Set([429, 502, 503, 504]);

/** Whether an HTTP status asks the client to retry later. */
export function asksToRetry(status: number): boolean {
	return RETRYABLE_STATUS.has(status);
}

function withinMaxWait(milliseconds: number): number | undefined {
	return milliseconds <= MAX_WAIT_MS ? milliseconds : undefined;
}

/**
 * Returns the pause that an answer asks for, in milliseconds.
 *
 * @param headers headers of the answer, with names in lower case
 * @returns `undefined` if the answer asks for no pause, or for a pause too long to wait for
 */
export function askedPause(headers: Readonly<Record<string, unknown>>): number | undefined {
	const asked = parseRetryAfter(headers['retry-after'], Date.now());
	return asked === undefined ? undefined : withinMaxWait(asked);
}

/**
 * Decides whether to retry a failed attempt. Reads are retried after every failure; writes only if
 * the service certainly did not apply them. Gives up after the last attempt, or if the service asks
 * for a pause too long to wait for.
 *
 * @param attempt number of the failed attempt, from 1
 * @param random a number from 0 up to 1, for the jitter
 * @returns milliseconds to wait before the next attempt; `undefined` to give up
 */
export function retryDelay(
	{ kind, retryAfterMs }: RetryableFailure,
	effect: Effect,
	attempt: number,
	random: number,
): number | undefined {
	if (attempt >= MAX_ATTEMPTS) return undefined;
	if (effect === 'write' && outcomes[kind] !== 'notApplied') return undefined;
	if (retryAfterMs !== undefined) return withinMaxWait(retryAfterMs);
	const ceiling = BASE_MS * 2 ** (attempt - 1);
	return Math.round(ceiling / 2 + (ceiling / 2) * random);
}

/**
 * Parses a `Retry-After` header, which holds seconds or an HTTP date.
 *
 * @param now milliseconds since 1970
 * @returns milliseconds from `now`; `undefined` if the header is missing or malformed
 */
export function parseRetryAfter(header: unknown, now: number): number | undefined {
	if (typeof header !== 'string') return undefined;
	const value = header.trim();
	if (/^\d+$/.test(value)) return Number(value) * 1000;
	// An HTTP date is in GMT, also in the notation that does not say so, which Date.parse takes for local time.
	const gmt = /\d$/.test(value) ? `${value} GMT` : value;
	// Date.parse would accept some values without letters as dates, "-5" for instance.
	const date = /[a-z]/i.test(value) ? Date.parse(gmt) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Returns how an attempt failed; `undefined` if its answer can be read. */
function retryableFailure(
	sent: { readonly response: ExchangeResponse } | ServiceError,
): RetryableFailure | undefined {
	if (sent instanceof ServiceError) return sent;
	const { status, headers } = sent.response;
	if (!asksToRetry(status)) return undefined;
	const retryAfterMs = parseRetryAfter(headers['retry-after'], Date.now());
	return { kind: kindOfStatus(status, retryAfterMs !== undefined), retryAfterMs };
}

/** The attempts of one request. */
export class Attempts {
	private count = 1;

	/** @param onFirstRetry is called before the second attempt */
	constructor(
		private readonly cancel: AbortSignal | undefined,
		private readonly effect: Effect,
		private readonly onFirstRetry?: () => void,
	) {}

	/**
	 * Makes attempts until there is an answer to read, and waits before each retry.
	 *
	 * @param attempt resolves to the answer, or to a failure that may be repeated
	 * @throws {ServiceError} if there is no answer and no further attempt
	 * @throws {CancelledError} if the user cancels the run meanwhile
	 */
	async send<A extends { readonly response: ExchangeResponse }>(
		attempt: () => Promise<A | ServiceError>,
	): Promise<A> {
		for (;;) {
			const sent = await attempt();
			const failure = retryableFailure(sent);
			const delay = failure && retryDelay(failure, this.effect, this.count, Math.random());
			if (delay === undefined) {
				if (sent instanceof ServiceError) throw sent;
				return sent;
			}
			await pause(this.cancel, delay);
			if (this.count === 1) this.onFirstRetry?.();
			this.count += 1;
		}
	}
}

/**
 * Sends a request without the access token, and retries it if that is safe.
 *
 * @returns the answer, of any status
 * @throws {ServiceError} if there is no answer
 * @throws {CancelledError} if the user cancelled the run
 */
export async function exchangeUnsigned(
	context: RequestContext,
	request: ExchangeRequest,
	limits: Limits,
): Promise<ExchangeResponse> {
	const attempts = new Attempts(context.getExecutionCancelSignal(), request.effect);
	const attempt = async () => await sendUnsigned(context, request, limits);
	return (await attempts.send(attempt)).response;
}
