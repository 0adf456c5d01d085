import { sleep } from 'n8n-workflow';
import { CancelledError } from '../errors/ServiceError';
import type { TransportContext } from '../host/context';

/** How soon a waiting call notices that its run was cancelled, in milliseconds. */
const STEP_MS = 200;

/**
 * Waits in short steps, since a cancelled run cannot interrupt n8n's `sleep`.
 *
 * @throws {CancelledError} if the user cancels the run meanwhile
 */
export async function pause(context: TransportContext, milliseconds: number): Promise<void> {
	// Count the steps instead of reading the clock, which may be set during the wait.
	for (let left = milliseconds; left > 0; left -= STEP_MS) {
		await sleep(Math.min(left, STEP_MS));
		if (context.getExecutionCancelSignal()?.aborted) throw new CancelledError();
	}
}
