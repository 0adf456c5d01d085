import { renewalRequestOf, tokensOf, type AccountTokens } from '../credential/connection';
import type { RequestHost } from '../credential/requestHost';
import { notConnected, renewalTimeout } from '../errors/credentialErrors';
import { withDeadline } from '../http/deadline';
import type { Limits } from '../http/send';
import type { TokenState } from './tokenState';

/** A run that uses a session. */
export interface SessionRun {
	readonly host: RequestHost;
	/** Bounds of each attempt. */
	readonly limits: Limits;
}

/**
 * Waits for a renewal: for each of its attempts, at most for the timeout of an answer plus the pause
 * before it. The renewal itself continues for other calls.
 *
 * @throws {ServiceError} if an attempt takes longer; otherwise the error that the renewal fails with
 * @throws {CancelledError} if the user cancels the run meanwhile
 */
export async function inTime(
	{ host, limits }: SessionRun,
	state: TokenState,
	renewal: Promise<void>,
): Promise<void> {
	const done = renewal.then(() => true);
	for (let isDone = false; !isDone; ) {
		const { attempt } = state;
		const longest = limits.timeoutMs + attempt.pauseMs;
		isDone = await withDeadline(host.cancel, longest, done, () => {
			if (state.attempt === attempt) throw renewalTimeout();
			return false;
		});
	}
}

/** The tokens of a connected account, as they are stored. */
export interface StoredTokens extends AccountTokens {
	readonly accessToken: string;
	/** What the token endpoint is asked with. */
	readonly asked: string;
}

/** Reads the stored tokens. @throws {ServiceError} if there is none */
export async function storedTokens(host: RequestHost): Promise<StoredTokens> {
	const data = await host.readCredential();
	const { accessToken, ...others } = tokensOf(data);
	if (accessToken === undefined) throw notConnected();
	return { ...others, accessToken, asked: renewalRequestOf(data) };
}
