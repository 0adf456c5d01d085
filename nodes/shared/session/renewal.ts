import { withDeadline } from '../http/deadline';
import type { Limits } from '../http/send';
import { slowIdentityServer } from './renewalErrors';

/**
 * Range of the wait before a process renews a token, in milliseconds. The process that obtained the
 * token goes first. The other processes give it time to store the new token, and start at different
 * moments.
 */
const OWNER_WAITS_MS = [0, 50] as const;
const OTHERS_WAIT_MS = [800, 2000] as const;

/**
 * Returns how long to wait before a renewal, in milliseconds.
 *
 * @param isOwner whether this process obtained the token from the identity server itself
 * @param random a number from 0 up to 1, for the jitter
 */
export function pauseBeforeRenewal(isOwner: boolean, random: number): number {
	const [least, most] = isOwner ? OWNER_WAITS_MS : OTHERS_WAIT_MS;
	return least + (most - least) * random;
}

/** How long a call waits for a renewal while its token may still be valid, in milliseconds. */
const EARLY_RENEWAL_MS = 3000;

/**
 * Waits for a renewal, at most for the timeout of an answer plus the longest wait before a renewal.
 * The renewal itself continues for other calls.
 *
 * @throws {ServiceError} if the renewal takes longer; otherwise the error that it fails with
 * @throws {CancelledError} if the user cancels the run meanwhile
 */
export async function awaitRenewal(
	cancel: AbortSignal | undefined,
	{ timeoutMs }: Limits,
	renewal: Promise<void>,
): Promise<void> {
	await withDeadline(cancel, timeoutMs + OTHERS_WAIT_MS[1], renewal, () => {
		throw slowIdentityServer();
	});
}

/**
 * Waits at most three seconds for the renewal of a token that may still be valid.
 *
 * @returns whether the renewal ended in time
 * @throws {CancelledError} if the user cancels the run meanwhile
 */
export async function awaitEarlyRenewal(
	cancel: AbortSignal | undefined,
	{ timeoutMs }: Limits,
	renewal: Promise<void>,
): Promise<boolean> {
	const inTime = renewal.then(() => true);
	return await withDeadline(cancel, Math.min(EARLY_RENEWAL_MS, timeoutMs), inTime, () => false);
}
