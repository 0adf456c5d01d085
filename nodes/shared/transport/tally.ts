/** What a run takes of the service beside its results: counted by its exchange, told in its hints. */
export class Tally {
	/** How many requests there were, each counted once however often it was sent. */
	requests = 0;

	/** How many of them were sent again after a failure that may pass. */
	repeated = 0;

	/** How long the run waited for new access tokens, in milliseconds; not once for each call that did. */
	renewalMs = 0;

	private waiting = 0;
	private since = 0;

	/** Waits for a new access token, and counts the time. */
	async renewing(renewal: Promise<void>): Promise<void> {
		if (this.waiting === 0) this.since = Date.now();
		this.waiting += 1;
		try {
			await renewal;
		} finally {
			this.waiting -= 1;
			if (this.waiting === 0) this.renewalMs += Date.now() - this.since;
		}
	}
}
