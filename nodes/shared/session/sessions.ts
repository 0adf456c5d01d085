import type { AccountTokens } from '../credential/connection';
import { BoundedMap } from '../http/boundedMap';
import { Session } from './session';
import { Spending } from './spending';
import { accountIn } from './token';

/**
 * Returns the key of an account's session. The key holds the account that the access token names;
 * if the token names none, the refresh token, or the access token if no refresh token is stored.
 */
function keyOf({ clientId, accessToken, refreshToken }: AccountTokens): string {
	const account = accessToken === undefined ? undefined : accountIn(accessToken);
	return JSON.stringify(
		account === undefined
			? [clientId, 'token', refreshToken ?? accessToken]
			: [clientId, 'account', account],
	);
}

/**
 * The sessions of one credential in this process. One credential may resolve to the accounts of
 * several users; each has one session.
 */
export class Sessions {
	/** By older tokens, too: runs that started earlier know those. */
	private readonly sessions = new BoundedMap<string, Session>(1000);
	private readonly spending = new Spending();

	/** Returns the session of the account with these stored tokens. */
	of(tokens: AccountTokens): Session {
		return this.sessions.getOrCreate(keyOf(tokens), () => {
			const session: Session = new Session(this.spending, (seen) => {
				this.sessions.set(keyOf(seen), session);
			});
			return session;
		});
	}
}
