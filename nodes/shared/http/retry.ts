import type { Effect } from '../contract/soapOperation';
import { kindOfStatus, outcomes } from '../errors/outcomes';
import type { TransportContext } from '../host/context';
import { ConnectionError } from './networkErrors';
import { pause } from './pause';
import type { ExchangeResponse } from './send';

/** How an attempt failed to bring an answer that can be read. */
export type FailedAttempt =
	/** The service was not reached: the connection was refused or the host name not found. */
	| { readonly kind: 'unreached' }
	/** The connection broke or timed out: the service may have received the request. */
	| { readonly kind: 'broken' }
	/** The status of the answer asks the client to retry later. */
	| { readonly kind: 'status'; readonly status: number; readonly retryAfterMs: number | undefined };

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

/** Whether the service certainly did not apply the request. */
export function certainlyNotApplied(failure: FailedAttempt): boolean {
	const kind =
		failure.kind === 'status'
			? kindOfStatus(failure.status, failure.retryAfterMs !== undefined)
			: failure.kind;
	return outcomes[kind] === 'notApplied';
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
	failure: FailedAttempt,
	effect: Effect,
	attempt: number,
	random: number,
): number | undefined {
	if (attempt >= MAX_ATTEMPTS) return undefined;
	if (effect === 'write' && !certainlyNotApplied(failure)) return undefined;
	const asked = failure.kind === 'status' ? failure.retryAfterMs : undefined;
	if (asked !== undefined) return withinMaxWait(asked);
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

function statusFailure({ status, headers }: ExchangeResponse): FailedAttempt | undefined {
	if (!asksToRetry(status)) return undefined;
	return {
		kind: 'status',
		status,
		retryAfterMs: parseRetryAfter(headers['retry-after'], Date.now()),
	};
}

/** Counts the attempts of one request. */
export class Attempts {
	private count = 1;

	constructor(
		private readonly context: TransportContext,
		private readonly effect: Effect,
	) {}

	/**
	 * Decides what follows an attempt. If the request is to be retried, waits for the delay first.
	 *
	 * @returns the answer; `undefined` if the request is to be sent again
	 * @throws {ConnectionError} if there is no answer and no further attempt
	 * @throws {CancelledError} if the user cancels the run during the wait
	 */
	async settle<A extends { readonly response: ExchangeResponse }>(
		sent: A | ConnectionError,
	): Promise<A | undefined> {
		if (sent instanceof ConnectionError) {
			if (await this.waitForRetry({ kind: sent.reached ? 'broken' : 'unreached' }))
				return undefined;
			throw sent;
		}
		const failure = statusFailure(sent.response);
		return failure !== undefined && (await this.waitForRetry(failure)) ? undefined : sent;
	}

	/** Waits for the next attempt; returns `false` if there is none. */
	private async waitForRetry(failure: FailedAttempt): Promise<boolean> {
		const delay = retryDelay(failure, this.effect, this.count, Math.random());
		if (delay === undefined) return false;
		await pause(this.context, delay);
		this.count += 1;
		return true;
	}
}
