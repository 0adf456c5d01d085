import type { RequestHost } from '../credential/requestHost';
import { notRenewed, type RenewalCause } from '../errors/credentialErrors';
import type { ServiceError } from '../errors/ServiceError';
import { renewalTime } from './token';

/**
 * Range of the wait before a process renews a token, in milliseconds. The process that obtained the
 * token goes first. The other processes give it time to store the new token, and start at different
 * moments.
 */
const OWNER_WAITS_MS = [0, 50] as const;
const OTHERS_WAIT_MS = [800, 2000] as const;

/** How long the calls of a run share the failure of a renewal that may succeed later, in milliseconds. */
const FAILED_MS = 10_000;

/** How long after a renewal another one is not expected to help, in milliseconds. */
export const FRESH_MS = 60_000;

/** How long a token is valid whose end cannot be read (docs/dev/interface.md, section 5.3), in milliseconds. */
const LIFETIME_MS = 3_600_000;

/**
 * What an answer other than HTTP 401 says of the access token: it refuses the call for its token, so
 * nothing was carried out; or it may mean a token of the service's own, and the call may have been
 * carried out.
 */
export type TokenVerdict = 'refused' | 'suspected';

/** A renewal that failed; without its error, which would keep in memory the run in which it was made. */
interface FailedRenewal {
	readonly cause: RenewalCause;
	/** What the token endpoint was asked with. */
	readonly asked: string;
	readonly at: number;
	/** The runs that waited for it. */
	readonly runs: WeakSet<RequestHost>;
}

/** What a session knows of an access token. */
export class TokenState {
	/** When it is due for early renewal, in milliseconds since 1970; infinite once it was tried, unless that failed. */
	dueAt: number;
	/** Until when it counts as just renewed, unless the service has accepted it. */
	freshUntil = 0;
	/** Whether the service rejected it; if not, it may still be valid. */
	isRejected = false;
	/** Whether its early renewal is slow: calls only wait for it if the service rejects the token. */
	isSlow = false;
	/** Its renewal in progress. */
	renewal: Promise<void> | undefined;
	/** The attempt of that renewal, with the longest pause before it in milliseconds. */
	attempt = { pauseMs: 0 };
	/** Its refresh token, if this process has spent it. */
	spent: string | undefined;
	/** Its last renewal that failed. */
	failed: FailedRenewal | undefined;

	/** @param isOwned whether this process obtained it from the identity server itself, just now */
	constructor(
		token: string,
		readonly isOwned: boolean,
	) {
		const now = Date.now();
		const end = renewalTime(token, isOwned, now, Math.random());
		this.dueAt = Number.isFinite(end) ? end : now + LIFETIME_MS;
		if (!isOwned) return;
		this.freshUntil = now + FRESH_MS;
		// A token that is due on arrival shows a wrong clock.
		if (this.dueAt <= now) this.dueAt = Number.POSITIVE_INFINITY;
	}

	/** Draws the wait before the first attempt of a renewal, in milliseconds. */
	drawWait(): number {
		const [least, most] = this.isOwned ? OWNER_WAITS_MS : OTHERS_WAIT_MS;
		return least + (most - least) * Math.random();
	}

	/**
	 * Returns why the token endpoint is not asked again now: for any run if it refused the refresh
	 * token, for ten seconds if the run has waited for a renewal that failed. `undefined` if it is to
	 * be asked, as after a correction of the credential.
	 */
	knownFailure(asked: string, run: RequestHost): ServiceError | undefined {
		const { failed } = this;
		if (failed === undefined || failed.asked !== asked) return undefined;
		const isRecent = failed.runs.has(run) && Date.now() < failed.at + FAILED_MS;
		return failed.cause === 'invalid_grant' || isRecent ? notRenewed(failed.cause) : undefined;
	}
}
