import type { IDataObject } from 'n8n-workflow';
import type { Effect } from '../contract/soapOperation';
import { joined, texts } from '../errors/catalogue';
import { failure, ServiceError } from '../errors/ServiceError';
import type { ServiceAccess } from '../exchange/exchange';
import { sessionOf } from '../session/sessions';
import { readAccount, type Account } from './account';
import { revokeToken } from './server';

/** How many times to re-check for renewed tokens. */
const MAX_ROUNDS = 3;

/** Returns the same error, stating that the connection has ended in part. */
function partlyRevoked(error: unknown): unknown {
	if (!(error instanceof ServiceError)) return error;
	const description = joined(texts.revoke.inPart.advice, error.description);
	return new ServiceError('revokedInPart', error.message, { ...error, description });
}

function isNotSupported(error: unknown): boolean {
	return error instanceof ServiceError && error.serviceCode === 'unsupported_token_type';
}

/** Which tokens were revoked. */
interface Revoked {
	readonly refreshTokenRevoked: boolean;
	readonly accessTokenRevoked: boolean;
}

/** Revokes the stored tokens. The refresh token is first, since revoking it ends the grant. */
async function revokeStored(
	{ context, connection, limits }: ServiceAccess<Effect>,
	account: Account,
): Promise<Revoked> {
	const { accessToken, refreshToken } = account;
	const revoke = async (kind: 'refresh_token' | 'access_token', token: string): Promise<void> =>
		await revokeToken(context, connection, limits, account, kind, token);
	if (refreshToken === undefined) {
		await revoke('access_token', accessToken ?? connection.accessToken);
		return { refreshTokenRevoked: false, accessTokenRevoked: true };
	}
	await revoke('refresh_token', refreshToken);
	try {
		await revoke('access_token', accessToken ?? connection.accessToken);
	} catch (error) {
		// A server need not revoke access tokens (RFC 7009 section 2): this one stays valid until it
		// expires.
		if (isNotSupported(error)) return { refreshTokenRevoked: true, accessTokenRevoked: false };
		throw partlyRevoked(error);
	}
	return { refreshTokenRevoked: true, accessTokenRevoked: true };
}

/**
 * Revokes the stored tokens (docs/interface.md, section 4.1), including those renewed meanwhile.
 *
 * @returns which tokens were revoked, with a note on what remains
 * @throws {ServiceError} if not all tokens could be revoked; a server that has revoked the refresh
 * token need not support revoking the access token
 * @throws {CancelledError} if the user cancelled the run
 */
export async function endConnection(access: ServiceAccess<Effect>): Promise<IDataObject> {
	const { context, connection } = access;
	const session = sessionOf(context, connection);
	await session.settled();
	let account = await readAccount(context);
	for (let round = 0; round < MAX_ROUNDS; round += 1) {
		const revoked = await revokeStored(access, account);
		await session.settled();
		const now = await readAccount(context);
		if (now.refreshToken === account.refreshToken) {
			const note = joined(
				revoked.accessTokenRevoked ? undefined : texts.revoke.accessTokenLasts,
				texts.revoke.storedTokens,
			);
			return { success: true, ...revoked, note };
		}
		account = now;
	}
	throw failure(texts.revoke.renewed);
}
