/** Holds calls until enough are open at once, so that their number is no matter of the machine's speed. */

/** After so long the calls go on all the same, and their greatest number tells what was missing; milliseconds. */
const PATIENCE_MS = 20_000;

export class Hold {
	#held: Array<() => void> = [];
	#timer: NodeJS.Timeout | undefined;
	#isOver = false;

	/** Gives way once `count` calls have come; from then on at once, until `reset`. */
	async pass(count: number): Promise<void> {
		if (this.#isOver || count < 2) return;
		this.#timer ??= setTimeout(() => this.#end(), PATIENCE_MS);
		await new Promise<void>((goOn) => {
			this.#held.push(goOn);
			if (this.#held.length >= count) this.#end();
		});
	}

	#end(): void {
		clearTimeout(this.#timer);
		this.#isOver = true;
		for (const goOn of this.#held.splice(0)) goOn();
	}

	/** Holds calls anew. */
	reset(): void {
		this.#end();
		this.#timer = undefined;
		this.#isOver = false;
	}
}
