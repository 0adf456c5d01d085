import type { IDataObject } from 'n8n-workflow';
import type { Effect } from '../contract/soapOperation';
import { accountOf, type Account } from '../credential/connection';
import { joined, texts } from '../errors/catalogue';
import { failure, ServiceError } from '../errors/ServiceError';
import type { ServiceAccess } from '../exchange/exchange';
import { revokeToken } from './server';

/** How many times to re-check for renewed tokens. */
const MAX_ROUNDS = 3;

/** The error for an access token that was not revoked, while the refresh token was. */
function partlyRevoked(error: unknown): unknown {
	if (!(error instanceof ServiceError)) return error;
	const description = joined(texts.revoke.inPart.advice, error.description);
	return new ServiceError('revokedInPart', error.message, { ...error, description });
}

/**
 * Revokes the stored tokens. The refresh token is first, since revoking it ends the grant.
 *
 * @returns whether the access token was revoked
 */
async function revokeStored(access: ServiceAccess<Effect>, account: Account): Promise<boolean> {
	const { refreshToken, accessToken = access.connection.accessToken } = account;
	const isGrantStored = refreshToken !== undefined;
	if (isGrantStored) await revokeToken(access, account, 'refresh_token', refreshToken);
	try {
		await revokeToken(access, account, 'access_token', accessToken);
		return true;
	} catch (error) {
		// A server need not revoke access tokens (RFC 7009 section 2): this one stays valid until it
		// expires.
		if (isGrantStored && Object(error).serviceCode === 'unsupported_token_type') return false;
		throw isGrantStored ? partlyRevoked(error) : error;
	}
}

/**
 * Revokes the stored tokens (docs/dev/interface.md, section 4.1), including those renewed meanwhile.
 *
 * @returns which tokens were revoked, with a note on what remains
 * @throws {ServiceError} if not all tokens could be revoked; a server that has revoked the refresh
 * token need not support revoking the access token
 * @throws {CancelledError} if the user cancelled the run
 */
export async function endConnection(access: ServiceAccess<Effect>): Promise<IDataObject> {
	const { host, session } = access;
	for (let round = 0; round < MAX_ROUNDS; round += 1) {
		await session.settled();
		const account = accountOf(await host.readCredential());
		const accessTokenRevoked = await revokeStored(access, account);
		await session.settled();
		const { refreshToken } = accountOf(await host.readCredential());
		if (refreshToken !== account.refreshToken) continue;
		const rest = accessTokenRevoked ? undefined : texts.revoke.accessTokenLasts;
		return {
			success: true,
			refreshTokenRevoked: refreshToken !== undefined,
			accessTokenRevoked,
			note: joined(rest, texts.revoke.storedTokens),
		};
	}
	throw failure(texts.revoke.renewed);
}
