import { untilCancelled } from '../http/wait';

/**
 * How a call ended: `refused` by HTTP 429 or 503, or by a lost connection, which a gateway reports with 502 or
 * 504; `aborted` without saying anything about the load of the service.
 */
export type CallEnd = 'aborted' | 'answered' | 'refused';

/**
 * The places for the calls of one credential in this process. Their number follows AIMD (additive
 * increase, multiplicative decrease, as in TCP): one more after a round without a refusal, half after
 * a refusal. A round is as many answers as there are places. What began before the number was last
 * halved does not count, so that it is halved at most once a round.
 */
export class Places {
	/** Answers in the current round. */
	private answers = 0;
	private halvedAt = Number.NEGATIVE_INFINITY;
	private taken = 0;
	private readonly waiting: Array<() => void> = [];

	/** @param limit how many calls may be in flight at first; @param maximum and at most */
	constructor(
		private limit: number,
		private readonly maximum: number,
	) {}

	/** Waits for a place, in the order of asking. @throws {CancelledError} if the user cancels the run meanwhile */
	async take(cancel: AbortSignal | undefined): Promise<void> {
		// While there is a place, nobody waits.
		if (this.taken < this.limit) {
			this.taken += 1;
			return;
		}
		let enter = (): void => undefined;
		const entered = new Promise<void>((resolve) => (enter = resolve));
		this.waiting.push(enter);
		let isCancelled = true;
		try {
			await untilCancelled(cancel, entered);
			isCancelled = false;
		} finally {
			const index = this.waiting.indexOf(enter);
			if (index >= 0) this.waiting.splice(index, 1);
			else if (isCancelled) this.leave('aborted', 0);
		}
	}

	/** Gives the place of a call back that began at this time, on the monotonic clock. */
	leave(end: CallEnd, began: number): void {
		this.taken -= 1;
		if (end === 'refused' && began >= this.halvedAt) {
			[this.limit, this.answers] = [Math.max(1, Math.floor(this.limit / 2)), 0];
			this.halvedAt = performance.now();
		}
		if (end === 'answered' && began >= this.halvedAt) this.answers += 1;
		if (this.answers >= this.limit) {
			[this.limit, this.answers] = [Math.min(this.maximum, this.limit + 1), 0];
		}
		for (const enter of this.waiting.splice(0, Math.max(0, this.limit - this.taken))) {
			this.taken += 1;
			enter();
		}
	}
}
