import type { IDataObject } from 'n8n-workflow';
import { ServiceError } from '../errors/ServiceError';
import type { Connection } from '../transport/connection';
import type { TransportContext } from '../transport/context';
import type { Limits } from '../transport/send';
import { sessionOf } from '../transport/session';
import { readAccount, type Account } from './account';
import { revokeToken } from './server';

/** How many times to re-check for tokens that were renewed meanwhile. */
const MAX_ROUNDS = 3;

const LIVES_ON =
	'The identity server does not revoke access tokens: the last one may be accepted until it ends, an hour after it was issued.';

const NOTE =
	'The credential still holds the tokens, since n8n gives a node no way to remove them. To use it again, open it and connect the account; otherwise delete it.';

/** The same error, of a connection that has ended in part. */
function endedInPart(error: unknown): unknown {
	if (!(error instanceof ServiceError)) return error;
	const description =
		'The refresh token was revoked, so that the connection ends with the access token, an hour after it was issued at the latest.';
	return new ServiceError('revokedInPart', error.message, {
		...error,
		description: [description, error.description].filter(Boolean).join(' '),
	});
}

function isNotSupported(error: unknown): boolean {
	return error instanceof ServiceError && error.serviceCode === 'unsupported_token_type';
}

/** Which of the tokens were revoked. */
interface Revoked {
	readonly refreshTokenRevoked: boolean;
	readonly accessTokenRevoked: boolean;
}

/** Revokes the tokens that are stored now: the refresh token first, since the grant ends with it. */
async function revokeStored(
	context: TransportContext,
	connection: Connection,
	limits: Limits,
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
		// A server need not be able to (RFC 7009 section 2): such a token lives for its hour.
		if (isNotSupported(error)) return { refreshTokenRevoked: true, accessTokenRevoked: false };
		throw endedInPart(error);
	}
	return { refreshTokenRevoked: true, accessTokenRevoked: true };
}

/**
 * Revokes the stored tokens; those that were renewed meanwhile, too.
 *
 * @returns what was revoked, with a note on what is left
 * @throws {ServiceError} where not all of them are revoked
 * @throws {CancelledError} where the user cancelled the run
 */
export async function endConnection(
	context: TransportContext,
	connection: Connection,
	limits: Limits,
): Promise<IDataObject> {
	const session = sessionOf(context, connection);
	await session.settled();
	let account = await readAccount(context);
	for (let round = 0; round < MAX_ROUNDS; round += 1) {
		const revoked = await revokeStored(context, connection, limits, account);
		await session.settled();
		const now = await readAccount(context);
		if (now.refreshToken === account.refreshToken) {
			const note = [...(revoked.accessTokenRevoked ? [] : [LIVES_ON]), NOTE].join(' ');
			return { success: true, ...revoked, note };
		}
		account = now;
	}
	throw new ServiceError(
		'revokedInPart',
		'The tokens were renewed again and again while they were being revoked',
		{
			description: 'Stop the workflows that use the credential before you revoke it.',
		},
	);
}
