import { CancelledError } from '../errors/ServiceError';
import { pause, untilCancelled } from '../http/deadline';
import { askedPause } from '../http/retry';
import type { ExchangeResponse } from '../http/send';
import { Turns } from '../http/turns';

/** How late a timer may be without making the next call late, too, in milliseconds. */
const TIMER_MS = 10;

/**
 * Decides when the calls of one credential in this process may be sent: after the pause that the
 * service asked for, and no faster than the credential allows.
 */
export class Pace {
	/** End of the last pause that the service asked for, on the monotonic clock. */
	private pausedUntil = 0;

	/** Earliest time for the next request of a rate-limited credential, on the monotonic clock. */
	private next = 0;

	private readonly turns = new Turns();

	/**
	 * Takes a turn; to be called before every request.
	 *
	 * @param requestsPerSecond `undefined` for no limit
	 * @returns a promise to await before sending, which rejects with a {@link CancelledError} if the
	 * user cancels the run; `undefined` if the request can be sent at once
	 */
	turn(
		cancel: AbortSignal | undefined,
		requestsPerSecond: number | undefined,
	): Promise<void> | undefined {
		if (requestsPerSecond !== undefined) return this.limited(cancel, 1000 / requestsPerSecond);
		return this.pauseLeft() > 0 ? this.paused(cancel) : undefined;
	}

	/**
	 * Records the pause that an answer asks for. The pause applies to all calls of the credential.
	 */
	applyRetryAfter(response: ExchangeResponse): void {
		if (response.status !== 429 && response.status !== 503) return;
		this.pauseFor(askedPause(response) ?? 0);
	}

	/** Sends no call of the credential for so many milliseconds. */
	pauseFor(milliseconds: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, performance.now() + milliseconds);
	}

	private async paused(cancel: AbortSignal | undefined): Promise<void> {
		// Another answer may extend the pause while calls wait.
		for (let left = this.pauseLeft(); left > 0; left = this.pauseLeft()) {
			await pause(cancel, left);
		}
	}

	/** Calls take their turns one after another, so that a cancelled call leaves no gap. */
	private async limited(cancel: AbortSignal | undefined, interval: number): Promise<void> {
		const turn = this.turns.do(async () => {
			const due = Math.max(this.next, performance.now());
			await pause(cancel, due - performance.now());
			await this.paused(cancel);
			if (cancel?.aborted) throw new CancelledError();
			this.next = Math.max(due, performance.now() - TIMER_MS) + interval;
		});
		await untilCancelled(cancel, turn);
	}

	private pauseLeft(): number {
		return this.pausedUntil - performance.now();
	}
}
