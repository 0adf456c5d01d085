/** Serves a limited number of calls at a time; the others wait in the order of their arrival. */
export class Workers {
	#busy = 0;
	readonly #waiting: Array<() => void> = [];

	/** Serves a call once fewer than `count` others are served. */
	async serve(count: number, work: () => Promise<void>): Promise<void> {
		if (this.#busy >= count) await new Promise<void>((begin) => this.#waiting.push(begin));
		else this.#busy += 1;
		try {
			await work();
		} finally {
			// The next call takes this place.
			const next = this.#waiting.shift();
			if (next === undefined) this.#busy -= 1;
			else next();
		}
	}
}
