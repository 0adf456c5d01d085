/** Time and chance of a simulation: nothing waits, and every run with the same seed is the same. */

interface Event {
	readonly at: number;
	readonly happen: () => void;
}

/** A clock that jumps from event to event. */
export class Clock {
	/** In milliseconds. */
	now = 0;
	/** The next event last. */
	readonly #events: Event[] = [];

	/** Lets something happen in so many milliseconds; events at the same time keep their order. */
	after(milliseconds: number, happen: () => void): void {
		const at = this.now + milliseconds;
		const place = this.#events.findLastIndex((event) => event.at > at);
		this.#events.splice(place + 1, 0, { at, happen });
	}

	/** Lets events happen until nothing is left to happen. */
	run(): void {
		for (let event = this.#events.pop(); event !== undefined; event = this.#events.pop()) {
			this.now = event.at;
			event.happen();
		}
	}
}

/** Returns a source of numbers from 0 up to 1 (Mulberry32). */
export function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let bits = Math.imul(state ^ (state >>> 15), 1 | state);
		bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
		return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
	};
}
