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
	const deadline = AbortSignal.timeout(timeoutMs);
	const signal = cancel === undefined ? deadline : AbortSignal.any([cancel, deadline]);
	let stop = (): void => {};
	const stopped = new Promise<void>((_, reject) => {
		stop = () => reject(cancel?.aborted ? cancelled() : slowIdentityServer());
		if (signal.aborted) stop();
		else signal.addEventListener('abort', stop);
	});
	try {
		await Promise.race([renewal, stopped]);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}
