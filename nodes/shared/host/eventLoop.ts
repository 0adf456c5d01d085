/** Lets n8n's process do other work during work that waits for nothing. */
import { sleep } from 'n8n-workflow';

/** Maximum time of such work in one piece, in milliseconds. */
const MAX_PIECE_MS = 10;

/** When the last piece of any run ended. */
let lastTurn = performance.now();

/** Yields values one by one. Everything else that is due runs between two of them, if the event loop was blocked for long. */
export async function* inTurns<T>(values: Iterable<T>): AsyncGenerator<T> {
	for (const value of values) {
		if (performance.now() - lastTurn > MAX_PIECE_MS) {
			await sleep(0);
			lastTurn = performance.now();
		}
		yield value;
	}
}
