import type { Effect } from '../contract/operation';
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

/** Maximum number of attempts per request. */
const MAX_ATTEMPTS = 4;

/**
 * Base of the exponential backoff, in milliseconds: the three waits take at least 3.5 s, so that a call
 * survives an outage of 3 s.
 */
const BASE_MS = 1000;

/** Longest accepted wait between two attempts, in milliseconds. */
const MAX_WAIT_MS = 60_000;

const RETRYABLE_STATUS = new Set([429, 502, 503, 504]);

/** Whether an HTTP status asks the client to retry later. */
export function asksToRetry(status: number): boolean {
	return RETRYABLE_STATUS.has(status);
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

/** Returns the pause that an answer asks for, in milliseconds; 0 if it is too long to wait for. */
export function askedPause(response: ExchangeResponse): number {
	const asked = retryAfterOf(response) ?? 0;
	return asked <= MAX_WAIT_MS ? asked : 0;
}

/** Returns the kind of failure that an answer without a result means. */
export function failureKindOf(response: ExchangeResponse): FailureKind {
	return kindOfStatus(response.status, retryAfterOf(response) !== undefined);
}

/**
 * Decides whether to retry an attempt. Reads are retried after every transient failure; writes only
 * if the service certainly did not apply them. Gives up after the last attempt, or if the service
 * asks for a pause too long to wait for.
 *
 * @param sent an answer, or a failure that may be repeated
 * @param attempt number of the attempt, from 1
 * @param random a number from 0 up to 1, for the jitter
 * @returns milliseconds to wait before the next attempt; `undefined` for none
 */
export function retryDelay(
	sent: Answer | ServiceError,
	effect: Effect,
	attempt: number,
	random = Math.random(),
): number | undefined {
	const isAnswer = !(sent instanceof ServiceError);
	if (attempt >= MAX_ATTEMPTS || (isAnswer && !asksToRetry(sent.response.status))) return undefined;
	const kind = isAnswer ? failureKindOf(sent.response) : sent.kind;
	if (effect === 'write' && outcomes[kind] !== 'notApplied') return undefined;
	const asked = isAnswer ? retryAfterOf(sent.response) : undefined;
	if (asked !== undefined) return asked <= MAX_WAIT_MS ? asked : undefined;
	const ceiling = BASE_MS * 2 ** (attempt - 1);
	return Math.round(ceiling / 2 + (ceiling / 2) * random);
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
	for (let attempt = 1; ; attempt += 1) {
		const sent = await send(sender, request, limits);
		const delay = retryDelay(sent, request.effect, attempt);
		if (delay !== undefined) await pause(sender.cancel, delay);
		else if (sent instanceof ServiceError) throw sent;
		else return sent.response;
	}
}
