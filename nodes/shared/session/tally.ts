/** Counts the retries and renewal time of a run, for its hints. */
export class Tally {
	/** Number of requests that were retried after a transient failure. */
	retried = 0;

	/** How long the run waited for new access tokens, in milliseconds; parallel waits count once. */
	renewalMs = 0;

	private waiting = 0;
	private since = 0;
	private readonly begun: Array<Promise<unknown>> = [];

	/** Waits for a new access token and measures the time. */
	async measureRenewal<T>(renewal: Promise<T>): Promise<T> {
		if (this.waiting === 0) this.since = Date.now();
		this.waiting += 1;
		try {
			return await renewal;
		} finally {
			this.waiting -= 1;
			if (this.waiting === 0) this.renewalMs += Date.now() - this.since;
		}
	}

	/** Keeps track of work that the run started without waiting for it; its failure is ignored. */
	track(work: Promise<unknown>): void {
		this.begun.push(work.catch(() => undefined));
	}

	/**
	 * Waits until the tracked work has ended. The process may end with the run, and the successor of a
	 * spent refresh token must be stored before.
	 */
	async settled(): Promise<void> {
		await Promise.all(this.begun);
	}
}
