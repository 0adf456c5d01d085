/** Revokes the tokens of the connection as RFC 7009 describes (docs/dev/interface.md, section 4.1). */
import { jsonParse, type IDataObject, type INodeProperties } from 'n8n-workflow';
import { revocationPath } from '../../contract/identity';
import type { Effect } from '../../contract/operation';
import { tokensOf, type AccountTokens } from '../../credential/connection';
import {
	partlyRevoked,
	revocationRefused,
	revocationWebPage,
	tokensKeepChanging,
} from '../../errors/connectionErrors';
import { InputError } from '../../errors/InputError';
import type { ServiceAccess } from '../../exchange/exchange';
import type { InputItem } from '../../form/inputItem';
import { responseLimitsProperty } from '../../form/options';
import { itemSchema } from '../../form/outputSchema';
import { exchangeUnsigned, failureKindOf } from '../../http/retry';
import type { ExchangeResponse } from '../../http/send';
import { isWebPage } from '../../http/statusErrors';
import type { ActionTexts, WriteAction } from '../../run/action';
import { attempt } from './questions';

const confirmedProperty: INodeProperties = {
	displayName: 'I Understand That the Connection Ends',
	name: 'confirmed',
	type: 'boolean',
	default: false,
	description:
		'Whether to end the connection for every workflow that uses the credential. Turn it on by hand: neither an expression nor an AI model can.',
	hint: 'To use the credential again afterwards, open it and connect the account',
	// Allow neither an expression nor n8n's "let the model define this parameter".
	noDataExpression: true,
};

/** Reads the stored parameter: the value of an expression may come from an item or an AI model. */
function requireConfirmation(item: InputItem): void {
	const confirmed = item.stored(confirmedProperty.name);
	if (confirmed === true) return;
	const name = `'${confirmedProperty.displayName}'`;
	const text =
		typeof confirmed === 'string'
			? `The switch ${name} does not accept an expression. Turn it on by hand.`
			: `Turn on the switch ${name}.`;
	throw new InputError([{ code: 'VALUE_REQUIRED', path: [], text }]);
}

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

/** Revokes a token. The client authenticates as at the token endpoint: URL-encoded id and secret. */
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

/** Revokes the refresh token first, which ends the grant. Returns whether the access token was revoked. */
async function revokeStored(
	access: ServiceAccess<Effect>,
	{ refreshToken, accessToken = access.connection.accessToken }: AccountTokens,
): Promise<boolean> {
	if (refreshToken !== undefined) await revokeToken(access, 'refresh_token', refreshToken);
	const error = await attempt(revokeToken(access, 'access_token', accessToken));
	if (error === undefined) return true;
	if (refreshToken === undefined) throw error;
	// A server need not revoke access tokens (RFC 7009, section 2).
	if (error.serviceCode === 'unsupported_token_type') return false;
	throw partlyRevoked(error);
}

/** Revokes the stored tokens, including those renewed meanwhile. */
async function endConnection(access: ServiceAccess<Effect>): Promise<IDataObject> {
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

/** Creates the action that revokes the connection's tokens: one call for all input items. */
export function revokeAction(actionTexts: ActionTexts): WriteAction {
	return {
		...actionTexts,
		kind: 'once',
		effect: 'write',
		takesDomain: false,
		operation: `POST ${revocationPath}`,
		request: {},
		properties: [confirmedProperty, responseLimitsProperty],
		outputSchema: () =>
			itemSchema({
				success: { kind: 'boolean' },
				refreshTokenRevoked: { kind: 'boolean' },
				accessTokenRevoked: { kind: 'boolean' },
				note: { kind: 'string' },
			}),
		keysInItems: (_, keys) => keys,
		switches: {},
		prepare([first], options) {
			requireConfirmation(first);
			const send = async (access: ServiceAccess<Effect>) => ({
				records: [await endConnection(access)],
				notices: [],
			});
			return {
				...{ subject: '', keys: {}, whom: '', effect: 'write', options },
				content: () => 'revocation',
				resends: 'always',
				records: undefined,
				plan: () => {
					const write = { wanted: undefined, send };
					return { notices: [], item: {}, preview: () => ({}), write };
				},
			};
		},
	};
}
