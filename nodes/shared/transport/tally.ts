/** What a run takes of the service beside its results: counted by its exchanges, shown in its hints. */
export class Tally {
	/** How many requests there were, each counted once however often it was sent. */
	requests = 0;

	/** How many of them were sent again after a failure that may pass. */
	repeated = 0;

	/** How long the run waited for new access tokens, in milliseconds; not once for each call that did. */
	renewalMs = 0;

	private waiting = 0;
	private since = 0;
	private readonly underWay = new Set<Promise<unknown>>();

	/** Waits for a new access token, and counts the time. */
	async renewing<T>(renewal: Promise<T>): Promise<T> {
		if (this.waiting === 0) this.since = Date.now();
		this.waiting += 1;
		try {
			return await renewal;
		} finally {
			this.waiting -= 1;
			if (this.waiting === 0) this.renewalMs += Date.now() - this.since;
		}
	}

	/** Takes note of what the run began and does not wait for, whatever comes of it. */
	keep(work: Promise<unknown>): void {
		const ended = work.catch(() => undefined).finally(() => this.underWay.delete(ended));
		this.underWay.add(ended);
	}

	/**
	 * Waits until what the run began has ended: n8n may end the process with the run, and a refresh
	 * token that was spent must be replaced by its successor before that.
	 */
	async settled(): Promise<void> {
		await Promise.all(this.underWay);
	}
}
