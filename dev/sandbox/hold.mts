/**
 * Holds calls until enough of them are open at once, so that the number of parallel calls does not
 * depend on the machine's speed.
 */

/**
 * How long to hold calls, in milliseconds. Then they continue, and the largest number of open calls
 * shows how many were missing.
 */
const PATIENCE_MS = 20_000;

export class Hold {
	#held: Array<() => void> = [];
	#timer: NodeJS.Timeout | undefined;
	#isOver = false;

	/** Waits until `count` calls are open; after that, returns at once until `reset`. */
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
