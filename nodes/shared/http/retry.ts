import type { Effect } from '../contract/soapOperation';
import type { Sender } from '../credential/requestHost';
import { kindOfStatus, outcomes, type FailureKind } from '../errors/outcomes';
import { ServiceError } from '../errors/ServiceError';
import { pause } from './deadline';
import {
	send,
	type Answer,
	type ExchangeRequest,
	type ExchangeResponse,
	type Limits,
} from './send';

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
 * @returns `undefined` if the answer asks for no pause, or for a pause too long to wait for
 */
export function askedPause(response: ExchangeResponse): number | undefined {
	const asked = retryAfterOf(response);
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

/** Returns the pause that an answer asks for, in milliseconds, however long. */
function retryAfterOf({ headers }: ExchangeResponse): number | undefined {
	return parseRetryAfter(headers['retry-after'], Date.now());
}

/** Returns the kind of failure that an answer without a result means. */
export function kindOf(response: ExchangeResponse): FailureKind {
	return kindOfStatus(response.status, retryAfterOf(response) !== undefined);
}

/** Returns how an attempt failed; `undefined` if its answer can be read. */
function retryableFailure(sent: Answer | ServiceError): RetryableFailure | undefined {
	if (sent instanceof ServiceError) return sent;
	const { response } = sent;
	if (!asksToRetry(response.status)) return undefined;
	return { kind: kindOf(response), retryAfterMs: retryAfterOf(response) };
}

/**
 * Returns a function that makes attempts until there is an answer to read, and waits before each
 * retry. Its calls, if there are several, share the maximum number of attempts.
 *
 * @param attempt resolves to the answer, or to a failure that may be repeated
 * @param onFirstRetry is called before the second attempt
 * @throws {ServiceError} by the function, if there is no answer and no further attempt
 * @throws {CancelledError} by the function, if the user cancels the run meanwhile
 */
export function retrying(
	cancel: AbortSignal | undefined,
	effect: Effect,
	attempt: () => Promise<Answer | ServiceError>,
	onFirstRetry?: () => void,
): () => Promise<Answer> {
	let count = 1;
	return async () => {
		for (;;) {
			const sent = await attempt();
			const failure = retryableFailure(sent);
			const delay = failure && retryDelay(failure, effect, count, Math.random());
			if (delay === undefined) {
				if (sent instanceof ServiceError) throw sent;
				return sent;
			}
			await pause(cancel, delay);
			if (count === 1) onFirstRetry?.();
			count += 1;
		}
	};
}

/**
 * Sends a request and retries it if that is safe, without a session: for requests that do not carry
 * the access token.
 *
 * @returns the answer, of any status
 * @throws {ServiceError} if there is no answer
 * @throws {CancelledError} if the user cancelled the run
 */
export async function exchangeUnsigned(
	sender: Sender,
	request: ExchangeRequest,
	limits: Limits,
): Promise<ExchangeResponse> {
	const attempt = async () => await send(sender, request, limits);
	return (await retrying(sender.cancel, request.effect, attempt)()).response;
}
