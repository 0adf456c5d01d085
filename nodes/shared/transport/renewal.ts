import type { IExecuteFunctions } from 'n8n-workflow';
import { cancelled } from '../errors/ServiceError';
import { slowIdentityServer } from './renewalErrors';
import type { Limits } from './send';

/**
 * Waits for a renewal, no longer than for an answer; the renewal itself goes on for others.
 *
 * @throws {ServiceError} where it takes longer, or what the renewal ends with
 * @throws {CancelledError} where the user cancels the run meanwhile
 */
export async function awaitRenewal(
	context: IExecuteFunctions,
	{ timeoutMs }: Limits,
	renewal: Promise<void>,
): Promise<void> {
	const cancel = context.getExecutionCancelSignal();
	// Of this call alone: Node warns of many listeners on one signal.
	const run = AbortSignal.any(cancel === undefined ? [] : [cancel]);
	const deadline = AbortSignal.timeout(timeoutMs);
	let end = (): void => {};
	const ended = new Promise<never>((_, reject) => {
		const onCancel = (): void => reject(cancelled());
		const onDeadline = (): void => reject(slowIdentityServer());
		if (run.aborted) onCancel();
		run.addEventListener('abort', onCancel);
		// Not by AbortSignal.any(): a time-out that is only part of another signal may be collected
		// as garbage before it is due. A listener of its own keeps it.
		deadline.addEventListener('abort', onDeadline);
		end = () => {
			run.removeEventListener('abort', onCancel);
			deadline.removeEventListener('abort', onDeadline);
		};
	});
	try {
		await Promise.race([renewal, ended]);
	} finally {
		end();
	}
}
