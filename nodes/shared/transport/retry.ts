import type { Effect } from '../contract/operations';
import { failureKinds, kindOfStatus } from '../errors/outcomes';

/** How one attempt ended short of an answer that can be read. */
export type Failure =
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
export function certainlyNotApplied(failure: Failure): boolean {
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
	failure: Failure,
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
