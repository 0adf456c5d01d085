/** Revokes the tokens of a connection (docs/dev/interface.md, section 4.1). */
import { jsonParse, type IDataObject } from 'n8n-workflow';
import { revocationPath } from '../../contract/identity';
import type { Effect } from '../../contract/operation';
import { tokensOf, type AccountTokens } from '../../credential/connection';
import {
	partlyRevoked,
	revocationRefused,
	revocationWebPage,
	tokensKeepChanging,
} from '../../errors/connectionErrors';
import type { ServiceAccess } from '../../exchange/exchange';
import { exchangeUnsigned, failureKindOf } from '../../http/retry';
import type { ExchangeResponse } from '../../http/send';
import { isWebPage } from '../../http/statusErrors';
import { attempt } from './questions';

/** How many times to re-check for renewed tokens. */
const MAX_ROUNDS = 3;

const ACCESS_TOKEN_LASTS =
	'The identity server does not revoke access tokens: the last one may be accepted until it expires, an hour after it was issued. ';
const STORED_TOKENS =
	'The credential still holds the tokens, since n8n gives a node no way to remove them. To use it again, open it and connect the account; otherwise delete it.';

/** The error code of RFC 6749, section 5.2, in an answer: all of its body that is shown. */
function errorCodeOf({ body }: ExchangeResponse): string | undefined {
	const { error } = Object(jsonParse(body.toString(), { fallbackValue: {} })) as IDataObject;
	return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : undefined;
}

/**
 * Revokes a token as RFC 7009 describes, since the interface does not specify the request. The client
 * authenticates as at the token endpoint: Basic with URL-encoded id and secret.
 *
 * @throws {ServiceError} if the identity server does not confirm the revocation
 */
async function revokeToken(
	{ host, connection, limits }: ServiceAccess<Effect>,
	kind: 'refresh_token' | 'access_token',
	token: string,
): Promise<undefined> {
	const { clientId, clientSecret } = connection;
	const client = [clientId, clientSecret].map((text) => encodeURIComponent(text.toWellFormed()));
	const request = {
		method: 'POST',
		url: `${connection.identityUrl}${revocationPath}`,
		address: 'Identity Address',
		headers: {
			Accept: 'application/json',
			Authorization: `Basic ${Buffer.from(client.join(':')).toString('base64')}`,
			'Content-Type': 'application/x-www-form-urlencoded',
		},
		body: new URLSearchParams({ token, token_type_hint: kind }).toString(),
		effect: 'write',
	} as const;
	const response = await exchangeUnsigned(host, request, limits);
	if (response.status !== 200) {
		const serviceCode = errorCodeOf(response);
		throw revocationRefused(failureKindOf(response), response.status).with({ serviceCode });
	}
	// RFC 7009 tells clients to ignore the body, but a page does not come from an identity server.
	if (isWebPage(response)) throw revocationWebPage();
}

/**
 * Revokes the stored tokens. The refresh token is first, since revoking it ends the grant.
 *
 * @returns whether the access token was revoked
 */
async function revokeStored(
	access: ServiceAccess<Effect>,
	{ refreshToken, accessToken = access.connection.accessToken }: AccountTokens,
): Promise<boolean> {
	if (refreshToken !== undefined) await revokeToken(access, 'refresh_token', refreshToken);
	const error = await attempt(revokeToken(access, 'access_token', accessToken));
	if (error === undefined) return true;
	if (refreshToken === undefined) throw error;
	// A server need not revoke access tokens (RFC 7009, section 2): this one stays valid until it
	// expires.
	if (error.serviceCode === 'unsupported_token_type') return false;
	throw partlyRevoked(error);
}

/**
 * Revokes the stored tokens, including those renewed meanwhile.
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
		const tokens = tokensOf(await host.readCredential());
		const accessTokenRevoked = await revokeStored(access, tokens);
		await session.settled();
		const { refreshToken } = tokensOf(await host.readCredential());
		if (refreshToken !== tokens.refreshToken) continue;
		return {
			success: true,
			refreshTokenRevoked: refreshToken !== undefined,
			accessTokenRevoked,
			note: `${accessTokenRevoked ? '' : ACCESS_TOKEN_LASTS}${STORED_TOKENS}`,
		};
	}
	throw tokensKeepChanging();
}
