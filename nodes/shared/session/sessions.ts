import type { AccountTokens } from '../credential/connection';
import { BoundedMap } from '../http/boundedMap';
import { Turns } from '../http/turns';
import { Session } from './session';
import { accountIn } from './token';

/**
 * Returns the key of an account's session. The key holds the account that the access token names;
 * if the token names none, the refresh token, or the access token if no refresh token is stored.
 */
function accountKey({ clientId, accessToken, refreshToken }: AccountTokens): string {
	const account = accessToken === undefined ? undefined : accountIn(accessToken);
	const holder = account === undefined ? (refreshToken ?? accessToken) : ['account', account];
	return JSON.stringify([clientId, holder]);
}

/**
 * The sessions of one credential in this process. One credential may resolve to the accounts of
 * several users; each has one session.
 */
export class Sessions {
	/** By older tokens, too: runs that started earlier know those. */
	private readonly sessions = new BoundedMap<string, Session>(1000);

	/**
	 * Renewals take turns, since n8n joins simultaneous ones (`host/renewals`). If two sessions know one
	 * account, the second one finds the tokens renewed.
	 */
	private readonly turns = new Turns();

	/** Returns the session of the account with these stored tokens. */
	of(tokens: AccountTokens): Session {
		return this.sessions.getOrCreate(accountKey(tokens), () => {
			const session: Session = new Session(this.turns, (seen) => {
				this.sessions.set(accountKey(seen), session);
			});
			return session;
		});
	}
}
