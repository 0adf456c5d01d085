import { sleep } from 'n8n-workflow';
import { CancelledError } from '../errors/ServiceError';
import type { TransportContext } from './context';

/** How soon a waiting call notices that its run was cancelled, in milliseconds. */
const STEP_MS = 200;

/**
 * Waits in short steps, since a cancelled run cannot end n8n's `sleep`.
 *
 * @throws {CancelledError} where the user cancels the run meanwhile
 */
export async function pause(context: TransportContext, milliseconds: number): Promise<void> {
	// Counted, since the clock may be set while it waits.
	for (let left = milliseconds; left > 0; left -= STEP_MS) {
		await sleep(Math.min(left, STEP_MS));
		if (context.getExecutionCancelSignal()?.aborted) throw new CancelledError();
	}
}
