import type { Effect } from '../contract/operation';
import type { Sender } from '../host/requests';
import { ServiceError, type WriteOutcome } from '../errors/ServiceError';
import { headOf } from './charset';
import {
	type Answer,
	type ExchangeRequest,
	type ExchangeResponse,
	type Limits,
	send,
} from './send';
import { pause } from './wait';

/** Maximum number of attempts per request. */
const MAX_ATTEMPTS = 4;

/** Base of the exponential backoff, in milliseconds: the three waits take at least 3.5 s, to survive an outage of 3 s. */
const BASE_MS = 1000;

/** Longest accepted wait between two attempts, in milliseconds. */
const MAX_WAIT_MS = 60_000;

/** Texts of API gateways: "Quota will be replenished in 6.00:12:34", "Try again in 13 seconds". */
const PAUSE_IN_TEXT =
	/\b(?:quota|limit|again)\b[^\n]{0,200}?\bin (?:(?:(\d{1,9})\.)?(\d\d):(\d\d):(\d\d)|(\d{1,9}) seconds?)\b/i;

const RETRYABLE_STATUS = new Set([429, 502, 503, 504]);

/** Returns the milliseconds from `now` that a `Retry-After` header asks for: it holds seconds or an HTTP date. */
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

/**
 * Returns the pause that an answer asks for, in milliseconds, however long: by its `Retry-After`
 * header, or in the text of HTTP 403 and 429. The text never decides the outcome of a write.
 */
export function namedPause(response: ExchangeResponse): number | undefined {
	const asked = parseRetryAfter(response.headers['retry-after'], Date.now());
	if (asked !== undefined || (response.status !== 403 && response.status !== 429)) return asked;
	const found = PAUSE_IN_TEXT.exec(headOf(response));
	if (found === null) return undefined;
	const parts = found.slice(1).map((part: string | undefined) => Number(part ?? 0));
	const [days = 0, hours = 0, minutes = 0, seconds = 0, inAll = 0] = parts;
	return 1000 * (((days * 24 + hours) * 60 + minutes) * 60 + seconds + inAll);
}

/** Returns the pause to make after an answer, in milliseconds; 0 if it is too long to wait for. */
export function askedPause(response: ExchangeResponse): number {
	const asked = namedPause(response) ?? 0;
	return asked <= MAX_WAIT_MS ? asked : 0;
}

/** Whether an answer asks the client to retry later. HTTP 403 does if it says when. */
export function asksToRetry(response: ExchangeResponse): boolean {
	const { status } = response;
	return RETRYABLE_STATUS.has(status) || (status === 403 && namedPause(response) !== undefined);
}

/** The statuses of requests that are turned away before they are carried out. */
const TURNED_AWAY = new Set([401, 403, 404, 405, 407, 413, 415, 429]);

/**
 * Returns whether a write was applied by the status of its answer. The rules are those of HTTP:
 * docs/dev/interface.md, section 7 specifies no status. A service may act before it answers with another
 * HTTP 4xx, such as 408 or 409. With HTTP 503 and `Retry-After`, it says when to send the request again.
 */
export function outcomeOf(response: ExchangeResponse): WriteOutcome {
	const { status } = response;
	// Of HTTP 503, the header alone counts.
	const isLater = status === 503 && namedPause(response) !== undefined;
	return isLater || TURNED_AWAY.has(status) ? 'notApplied' : 'unknown';
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
	if (attempt >= MAX_ATTEMPTS || (isAnswer && !asksToRetry(sent.response))) return undefined;
	const outcome = isAnswer ? outcomeOf(sent.response) : sent.outcome;
	if (effect === 'write' && outcome !== 'notApplied') return undefined;
	const asked = isAnswer ? namedPause(sent.response) : undefined;
	if (asked !== undefined) return asked <= MAX_WAIT_MS ? asked : undefined;
	const ceiling = BASE_MS * 2 ** (attempt - 1);
	return Math.round(ceiling / 2 + (ceiling / 2) * random);
}

/** Sends a request without the access token, and retries it if that is safe. @throws {ServiceError} if there is no answer */
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
