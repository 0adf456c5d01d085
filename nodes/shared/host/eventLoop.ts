/** Lets n8n's process do other work during work that waits for nothing. */
import { sleep } from 'n8n-workflow';

/** Maximum time of such work in one piece, in milliseconds. */
const MAX_PIECE_MS = 10;

/** When the last piece of any run ended. */
let lastTurn = performance.now();

/** Whether work that goes on would block the event loop for long. */
export function isTurnDue(): boolean {
	return performance.now() - lastTurn > MAX_PIECE_MS;
}

/** Lets everything else that is due run before the work goes on. */
export async function giveTurn(): Promise<void> {
	await sleep(0);
	lastTurn = performance.now();
}

/** Yields values one by one, with turns of the event loop where they are due. */
export async function* inTurns<T>(values: Iterable<T>): AsyncGenerator<T> {
	for (const value of values) {
		if (isTurnDue()) await giveTurn();
		yield value;
	}
}
