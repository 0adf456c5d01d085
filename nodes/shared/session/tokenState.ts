import type { RenewalFailure } from './renewalErrors';
import { renewalTime } from './token';

/** How long after its renewal a rejected token is not renewed again, in milliseconds. */
const FRESH_MS = 60_000;

/** What a session knows of an access token. */
export class TokenState {
	/** When it is due for early renewal, in milliseconds since 1970; infinite once that was tried. */
	dueAt: number;
	/** Until when it counts as just renewed, unless the service has accepted it. */
	freshUntil = 0;
	/** Whether the service rejected it; if not, it may still be valid. */
	isRejected = false;
	/** Whether its early renewal is slow: calls only wait for it if the service rejects the token. */
	isSlow = false;
	/** Its renewal in progress. */
	renewal: Promise<void> | undefined;
	/** Why it is not renewed again until then: its renewal failed, or its refresh token is spent. */
	failed: (Pick<RenewalFailure, 'toError'> & { readonly until: number }) | undefined;

	/** @param isOwned whether this process obtained it from the identity server itself, just now */
	constructor(
		token: string,
		readonly isOwned: boolean,
	) {
		const now = Date.now();
		this.dueAt = renewalTime(token, isOwned, now, Math.random());
		if (!isOwned) return;
		this.freshUntil = now + FRESH_MS;
		// A token that is due on arrival shows a wrong clock.
		if (this.dueAt <= now) this.dueAt = Number.POSITIVE_INFINITY;
	}
}
