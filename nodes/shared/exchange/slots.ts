import { untilCancelled } from '../http/deadline';
import { AdaptiveLimit, type CallEnd } from './adaptiveLimit';

/** The places for the calls of one credential in this process. */
export class Slots {
	private readonly limit = new AdaptiveLimit();
	private readonly waiting: Array<() => void> = [];
	private taken = 0;

	/**
	 * Waits for a place; calls get theirs in the order in which they ask.
	 *
	 * @throws {CancelledError} if the user cancels the run meanwhile
	 */
	async take(cancel: AbortSignal | undefined): Promise<void> {
		if (this.taken < this.limit.limit && this.waiting.length === 0) {
			this.taken += 1;
			return;
		}
		let give = (): void => undefined;
		const given = new Promise<void>((resolve) => (give = resolve));
		this.waiting.push(give);
		let isCancelled = true;
		try {
			await untilCancelled(cancel, given);
			isCancelled = false;
		} finally {
			const index = this.waiting.indexOf(give);
			if (index !== -1) this.waiting.splice(index, 1);
			else if (isCancelled) this.giveBack();
		}
	}

	/**
	 * Gives the place of a call to the next one.
	 *
	 * @param start when the call was sent, on the monotonic clock
	 * @returns how long no call should be sent, in milliseconds; usually 0
	 */
	end(end: CallEnd, start: number): number {
		const pauseMs = this.limit.end(end, start, performance.now(), this.taken);
		this.giveBack();
		return pauseMs;
	}

	private giveBack(): void {
		this.taken -= 1;
		while (this.taken < this.limit.limit) {
			const give = this.waiting.shift();
			if (give === undefined) return;
			this.taken += 1;
			give();
		}
	}
}
