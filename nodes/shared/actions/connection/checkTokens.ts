/** The parts of a connection check about the stored tokens and the granted scopes. */
import { notConnected, type Account } from '../../credential/connection';
import { failure, texts } from '../../errors/ServiceError';
import type { ServiceAccess } from '../../exchange/exchange';
import { expiryOf, isAboutToExpire } from '../../session/token';
import type { Part } from './part';

/**
 * Ensures that the refresh token was exchanged within the last hour, at most once per run. An
 * access token that is not about to expire proves an exchange: it is valid for an hour
 * (docs/dev/interface.md, section 5.3) and was issued in that exchange.
 *
 * @param isForced whether to renew the tokens however fresh they are
 * @throws {ServiceError} if they cannot be renewed
 * @throws {CancelledError} if the user cancelled the run
 */
export async function ensureFreshTokens(access: ServiceAccess, isForced: boolean): Promise<void> {
	const { accessToken } = access.connection;
	const isFresh = expiryOf(accessToken) !== undefined && !isAboutToExpire(accessToken, Date.now());
	if (isFresh && !isForced) return;
	await access.session.renew(access, accessToken, false);
}

/** When the access token expires; `null` if that cannot be read. */
export function accessTokenPart({ accessToken }: Account): Part {
	const expiresAt = expiryOf(accessToken ?? '');
	const left = expiresAt && Math.floor((expiresAt.getTime() - Date.now()) / 1000);
	const secondsLeft = left === undefined ? null : Math.max(0, left);
	const values = { expiresAt: expiresAt?.toISOString() ?? null, secondsLeft };
	if (accessToken === undefined) return [values, notConnected()];
	return [values, secondsLeft === 0 ? failure(texts.check.expired) : undefined];
}

/** Whether a refresh token is stored. */
export function refreshTokenPart({ refreshToken }: Account): Part {
	if (refreshToken !== undefined) return [{ stored: true }];
	return [{ stored: false }, failure(texts.check.noRefreshToken)];
}

/** Which scopes were granted and which not; `null` if no token response named the granted ones. */
export function scopesPart({ askedScopes, grantedScopes: granted }: Account): Part {
	if (granted === undefined) return [{ granted: null, missing: null }];
	const missing = askedScopes.filter((scope) => !granted.includes(scope));
	const values = { granted: [...granted], missing };
	if (missing.length === 0) return [values];
	return [values, failure(texts.check.scopes, { scopes: missing.join(', ') })];
}
