/** Lets callers take turns, in the order in which they ask. */
export class Turns {
	/** Ends with the last turn that was asked for. */
	private last: Promise<void> = Promise.resolve();

	/** Waits for a turn; returns a function that ends it. */
	async take(): Promise<() => void> {
		const before = this.last;
		let end = (): void => {};
		this.last = new Promise((resolve) => (end = resolve));
		await before;
		return end;
	}

	/** Does work in a turn of its own. */
	async do<T>(work: () => Promise<T>): Promise<T> {
		const end = await this.take();
		try {
			return await work();
		} finally {
			end();
		}
	}
}
