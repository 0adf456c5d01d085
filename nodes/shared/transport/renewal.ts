import type { TransportContext } from './context';
import { startDeadline } from './deadline';
import { slowIdentityServer } from './renewalErrors';
import type { Limits } from './send';

/**
 * How long a process waits before it renews a token, in milliseconds. The one that got the token goes
 * first; the others leave it the time to store the new one, and come at different moments.
 */
const OWNER_WAITS_MS = [0, 50] as const;
const OTHERS_WAIT_MS = [800, 2000] as const;

/**
 * How long to wait before a renewal.
 *
 * @param isOwner whether this process got the token from the identity server itself
 * @param random a number from 0 up to 1
 * @returns milliseconds
 */
export function pauseBeforeRenewal(isOwner: boolean, random: number): number {
	const [least, most] = isOwner ? OWNER_WAITS_MS : OTHERS_WAIT_MS;
	return least + (most - least) * random;
}

/** How long a call whose token may still be good waits for a new one, in milliseconds. */
const EARLY_RENEWAL_MS = 3000;

/**
 * Waits for a renewal, no longer than for an answer and the pause before it; the renewal itself goes
 * on for others.
 *
 * @throws {ServiceError} where it takes longer, or what the renewal ends with
 * @throws {CancelledError} where the user cancels the run meanwhile
 */
export async function awaitRenewal(
	context: TransportContext,
	{ timeoutMs }: Limits,
	renewal: Promise<void>,
): Promise<void> {
	const milliseconds = timeoutMs + OTHERS_WAIT_MS[1];
	const { ended, release } = startDeadline(context, milliseconds, slowIdentityServer);
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
	context: TransportContext,
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
