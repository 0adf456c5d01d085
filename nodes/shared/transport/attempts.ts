import type { Effect } from '../contract/operations';
import type { TransportContext } from './context';
import { ConnectionError } from './failure';
import { pause } from './pause';
import { asksToRetry, parseRetryAfter, retryDelay, type Failure } from './retry';
import type { ExchangeResponse } from './send';

function failureOf({ status, headers }: ExchangeResponse): Failure | undefined {
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
		const failure = failureOf(sent.response);
		return failure !== undefined && (await this.again(failure)) ? undefined : sent;
	}

	/** Waits for the next attempt; gives `false` where there is none. */
	private async again(failure: Failure): Promise<boolean> {
		const delay = retryDelay(failure, this.effect, this.count, Math.random());
		if (delay === undefined) return false;
		await pause(this.context, delay);
		this.count += 1;
		return true;
	}
}
