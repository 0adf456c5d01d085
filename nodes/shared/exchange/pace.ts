import { CancelledError } from '../errors/ServiceError';
import { pause, Turns, untilCancelled } from '../http/wait';
import { askedPause } from '../http/retry';
import type { ExchangeResponse } from '../http/send';

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

	/** Waits for the turn of a request. @throws {CancelledError} if the user cancels the run meanwhile */
	async turn(
		cancel: AbortSignal | undefined,
		requestsPerSecond: number | undefined,
	): Promise<void> {
		if (requestsPerSecond === undefined) return await this.endOfPause(cancel);
		// One call after another, so that a cancelled call leaves no gap.
		const turn = this.turns.do(async () => {
			const due = Math.max(this.next, performance.now());
			await pause(cancel, due - performance.now());
			await this.endOfPause(cancel);
			if (cancel?.aborted) throw new CancelledError();
			this.next = Math.max(due, performance.now() - TIMER_MS) + 1000 / requestsPerSecond;
		});
		await untilCancelled(cancel, turn);
	}

	private async endOfPause(cancel: AbortSignal | undefined): Promise<void> {
		// Another answer may extend the pause while calls wait.
		while (this.pausedUntil > performance.now()) {
			await pause(cancel, this.pausedUntil - performance.now());
		}
	}

	/** Records the pause that an answer asks for, of all calls of the credential. */
	applyRetryAfter(response: ExchangeResponse): void {
		if (![403, 429, 503].includes(response.status)) return;
		const end = performance.now() + askedPause(response);
		this.pausedUntil = Math.max(this.pausedUntil, end);
	}
}
