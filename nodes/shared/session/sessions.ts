import { credentialIdOf, type AccountTokens } from '../credential/connection';
import type { RequestContext } from '../host/context';
import { BoundedMap } from '../http/boundedMap';
import { Session } from './session';
import { accountIn } from './token';

/** Maximum number of keys under which the session of one account is registered. */
const KNOWN_TOKENS = 8;

/**
 * One session per account of a credential in this process. The three nodes share this module, and
 * so this map.
 */
const sessions = new BoundedMap<string, Session>(1000);

/**
 * Returns the key of an account's session. The key holds the account that the access token names;
 * if the token names none, the refresh token, or the access token if no refresh token is stored.
 */
function keyOf(credentialId: string, tokens: AccountTokens): string {
	const { clientId, accessToken, refreshToken } = tokens;
	const account = accessToken === undefined ? undefined : accountIn(accessToken);
	return JSON.stringify(
		account === undefined
			? [credentialId, clientId, 'token', refreshToken ?? accessToken]
			: [credentialId, clientId, 'account', account],
	);
}

/** Registers a session under a further key: runs that started earlier know older tokens. */
function register(session: Session, keys: string[], key: string): void {
	if (keys.includes(key)) return;
	keys.push(key);
	sessions.set(key, session);
	const oldest = keys.length > KNOWN_TOKENS ? keys.shift() : undefined;
	if (oldest !== undefined) sessions.delete(oldest);
}

/**
 * Returns the session of the account that a credential resolves to in this context. One credential
 * may resolve to the accounts of several users.
 *
 * @param tokens the tokens of that account as the credential stores them
 */
export function sessionOf(context: RequestContext, tokens: AccountTokens): Session {
	const id = credentialIdOf(context);
	const key = keyOf(id, tokens);
	return sessions.getOrCreate(key, () => {
		const keys = [key];
		const session: Session = new Session((seen) => register(session, keys, keyOf(id, seen)));
		return session;
	});
}
