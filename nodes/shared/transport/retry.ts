import type { Effect } from '../contract/soapOperation';
import { failureKinds, kindOfStatus } from '../errors/outcomes';
import type { TransportContext } from './context';
import { ConnectionError } from './networkErrors';
import { pause } from './pause';
import type { ExchangeResponse } from './send';

/** How one attempt ended short of an answer that can be read. */
export type FailedAttempt =
	/** The service was not reached at all: connection refused, or its name not found. */
	| { readonly kind: 'unreached' }
	/** The connection broke or timed out: the service may have received the request. */
	| { readonly kind: 'broken' }
	/** An answer whose status asks to come back later. */
	| { readonly kind: 'status'; readonly status: number; readonly retryAfterMs: number | undefined };

/** How often a request is sent at most. */
const MAX_ATTEMPTS = 4;

/** Base of the exponential back-off, in milliseconds. */
const BASE_MS = 500;

/** Longest wait that is accepted between two attempts, in milliseconds. */
const MAX_WAIT_MS = 60_000;

const RETRYABLE_STATUS = new Set([429, 502, 503, 504]);

/** Whether an answer with this status asks to come back later. */
export function asksToRetry(status: number): boolean {
	return RETRYABLE_STATUS.has(status);
}

/** Whether the service certainly did not act on the request. */
export function certainlyNotApplied(failure: FailedAttempt): boolean {
	const kind =
		failure.kind === 'status'
			? kindOfStatus(failure.status, failure.retryAfterMs !== undefined)
			: failure.kind;
	return failureKinds[kind].outcome === 'notApplied';
}

function accepted(milliseconds: number): number | undefined {
	return milliseconds <= MAX_WAIT_MS ? milliseconds : undefined;
}

/**
 * The pause that an answer asks for.
 *
 * @param headers those of the answer; names in lower case
 * @returns milliseconds, or `undefined` where it asks for none, or for one that is too long to wait
 */
export function askedPause(headers: Readonly<Record<string, unknown>>): number | undefined {
	const asked = parseRetryAfter(headers['retry-after'], Date.now());
	return asked === undefined ? undefined : accepted(asked);
}

/**
 * Decides whether a failed attempt is repeated (design: reads on every passing failure, writes only
 * where the service certainly did not act).
 *
 * @param attempt number of the attempt that failed, from 1
 * @param random a number from 0 up to 1, for the jitter
 * @returns milliseconds to wait before the next attempt, or `undefined` to give up
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
	if (asked !== undefined) return accepted(asked);
	const ceiling = BASE_MS * 2 ** (attempt - 1);
	return Math.round(ceiling / 2 + (ceiling / 2) * random);
}

/**
 * Reads a `Retry-After` header: seconds, or an HTTP date.
 *
 * @returns milliseconds from `now`, or `undefined` where the header is absent or unreadable
 */
export function parseRetryAfter(header: unknown, now: number): number | undefined {
	if (typeof header !== 'string') return undefined;
	const value = header.trim();
	if (/^\d+$/.test(value)) return Number(value) * 1000;
	// A date without letters would be read as one by Date.parse, "-5" for instance.
	const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
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

/** The attempts of one request, counted. */
export class Attempts {
	private count = 1;

	constructor(
		private readonly context: TransportContext,
		private readonly effect: Effect,
	) {}

	/**
	 * Takes what came of an attempt. Where the request is to be sent again, waits until it may be.
	 *
	 * @returns the answer, `undefined` where the request is to be sent again
	 * @throws {ConnectionError} where there is no answer, and none to be had
	 * @throws {CancelledError} where the user cancelled the run while it waited
	 */
	async settle<A extends { readonly response: ExchangeResponse }>(
		sent: A | ConnectionError,
	): Promise<A | undefined> {
		if (sent instanceof ConnectionError) {
			if (await this.again({ kind: sent.reached ? 'broken' : 'unreached' })) return undefined;
			throw sent;
		}
		const failure = statusFailure(sent.response);
		return failure !== undefined && (await this.again(failure)) ? undefined : sent;
	}

	/** Waits for the next attempt; gives `false` where there is none. */
	private async again(failure: FailedAttempt): Promise<boolean> {
		const delay = retryDelay(failure, this.effect, this.count, Math.random());
		if (delay === undefined) return false;
		await pause(this.context, delay);
		this.count += 1;
		return true;
	}
}
