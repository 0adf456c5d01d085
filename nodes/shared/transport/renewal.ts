import type { IExecuteFunctions } from 'n8n-workflow';
import { startDeadline } from './deadline';
import { slowIdentityServer } from './renewalErrors';
import type { Limits } from './send';

/** How long a call whose token may still be good waits for a new one, in milliseconds. */
const EARLY_RENEWAL_MS = 3000;

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
	const { ended, release } = startDeadline(context, timeoutMs, slowIdentityServer);
	try {
		await Promise.race([renewal, ended]);
	} finally {
		release();
	}
}

/**
 * Waits a few seconds for a renewal of a token that may still be good.
 *
 * @returns whether the renewal has ended
 * @throws {CancelledError} where the user cancels the run meanwhile
 */
export async function awaitEarlyRenewal(
	context: IExecuteFunctions,
	{ timeoutMs }: Limits,
	renewal: Promise<void>,
): Promise<boolean> {
	const milliseconds = Math.min(EARLY_RENEWAL_MS, timeoutMs);
	const { signal, ended, release } = startDeadline(context, milliseconds, slowIdentityServer);
	const tooLate = ended.catch((error: unknown) => {
		if (signal.aborted) return false;
		throw error;
	});
	try {
		return await Promise.race([renewal.then(() => true), tooLate]);
	} finally {
		release();
	}
}
