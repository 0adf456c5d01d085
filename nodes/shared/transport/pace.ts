import { CancelledError } from '../errors/ServiceError';
import { BoundedMap } from './boundedMap';
import { credentialIdOf } from './connection';
import type { TransportContext } from './context';
import { untilCancelled } from './deadline';
import { pause } from './pause';
import { askedPause } from './retry';
import type { ExchangeResponse } from './send';

/**
 * When the calls of one credential in this process may be sent: not before the service wants to see
 * them again, and no more often than the credential allows.
 */
class Pace {
	/** Until when the service asked to be left alone, by the monotonic clock. */
	private pausedUntil = 0;

	/** When the next request of a limited credential may be sent, by the monotonic clock. */
	private next = 0;

	/** Ends with the turn of the last call that waits for one. */
	private line: Promise<void> = Promise.resolve();

	/**
	 * Called before every request.
	 *
	 * @param requestsPerSecond `undefined` for no limit
	 * @returns what to wait for; `undefined` where the request can be sent at once
	 */
	turn(
		context: TransportContext,
		requestsPerSecond: number | undefined,
	): Promise<void> | undefined {
		if (requestsPerSecond !== undefined) return this.limited(context, 1000 / requestsPerSecond);
		if (this.pausedUntil === 0) return undefined;
		return this.paused(context);
	}

	/** Takes note of an answer: a pause that the service asks for is one for all calls. */
	heed({ status, headers }: ExchangeResponse): void {
		if (status !== 429 && status !== 503) return;
		const milliseconds = askedPause(headers);
		if (milliseconds === undefined) return;
		this.pausedUntil = Math.max(this.pausedUntil, performance.now() + milliseconds);
	}

	private async paused(context: TransportContext): Promise<void> {
		// Asked for anew while these calls waited, the pause becomes longer.
		for (let left = this.pauseLeft(); left > 0; left = this.pauseLeft()) {
			await pause(context, left);
		}
	}

	/** Calls take their turns one after the other, so that one that is cancelled leaves no gap. */
	private async limited(context: TransportContext, interval: number): Promise<void> {
		const turn = this.line.then(async () => {
			await pause(context, this.next - performance.now());
			await this.paused(context);
			if (context.getExecutionCancelSignal()?.aborted) throw new CancelledError();
			this.next = performance.now() + interval;
		});
		this.line = turn.catch(() => undefined);
		await untilCancelled(context, turn);
	}

	private pauseLeft(): number {
		const left = this.pausedUntil - performance.now();
		if (left <= 0) this.pausedUntil = 0;
		return left;
	}
}

const paces = new BoundedMap<string, Pace>(1000);

/** The pace of the credential that the node of this context uses. */
export function paceOf(context: TransportContext): Pace {
	return paces.take(credentialIdOf(context), () => new Pace());
}
