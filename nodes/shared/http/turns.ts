/** Lets callers take turns, in the order in which they ask. */
export class Turns {
	/** Ends with the last turn that was asked for. */
	private last: Promise<void> = Promise.resolve();

	/** Does work in a turn of its own. */
	async do<T>(work: () => Promise<T>): Promise<T> {
		const turn = this.last.then(work);
		const end = (): void => undefined;
		this.last = turn.then(end, end);
		return await turn;
	}
}
