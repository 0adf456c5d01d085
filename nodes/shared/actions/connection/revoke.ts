/** Revokes the tokens of the connection as RFC 7009 describes (docs/dev/interface.md, section 4.1). */
import type { INodeProperties } from 'n8n-workflow';
import { identityServer } from '../../contract/operations';
import type { Effect } from '../../contract/operation';
import { ServiceError, serviceError } from '../../errors/ServiceError';
import { InputError } from '../../values/InputError';
import type { ServiceAccess } from '../../exchange/exchange';
import { responseLimitsProperty } from '../../form/options';
import { itemSchema } from '../../form/output';
import { tokensOf } from '../../host/requests';
import { isWebPage } from '../../http/answer';
import { statusError } from '../../http/failures';
import { exchangeUnsigned } from '../../http/send';
import type { WriteAction } from '../../run/action';

const confirmedProperty: INodeProperties = {
	displayName: 'I Understand That the Connection Ends',
	name: 'confirmed',
	type: 'boolean',
	default: false,
	description:
		'Whether to end the connection for every workflow that uses the credential. Turn it on by hand: neither an expression nor an AI model can.',
	noDataExpression: true,
};

/**
 * Revokes the stored tokens, and those that another process stores meanwhile. With the refresh token, a server ends
 * the grant, but need not revoke the access token (RFC 7009, section 2).
 */
async function endConnection({ host, connection, limits, session }: ServiceAccess<Effect>) {
	const { clientId, clientSecret, identityUrl } = connection;
	// As at the token endpoint: URL-encoded id and secret.
	const client = [clientId, clientSecret].map((text) => encodeURIComponent(text.toWellFormed()));
	const headers = {
		Authorization: `Basic ${Buffer.from(client.join(':')).toString('base64')}`,
		'Content-Type': 'application/x-www-form-urlencoded',
	};
	const address = 'Identity Address';
	const target = { url: identityUrl + identityServer.revocation, address } as const;
	const revoke = async (token: string, token_type_hint: string) => {
		const body = new URLSearchParams({ token, token_type_hint }).toString();
		const request = { method: 'POST', ...target, headers, body, effect: 'write' } as const;
		const response = await exchangeUnsigned(host, request, limits);
		// RFC 7009 tells clients to ignore the body, but a page does not come from an identity server. Gateways make HTTP 204
		// of an empty answer.
		if ([200, 204].includes(response.status) && !isWebPage(response)) return;
		const { outcome } = statusError(response, address);
		throw serviceError('REVOCATION_FAILED', { httpStatus: response.status, outcome });
	};
	for (let round = 0; round < 3; round += 1) {
		await session.settled();
		const { refreshToken, accessToken = '' } = tokensOf(await host.readCredential());
		if (refreshToken !== undefined) await revoke(refreshToken, 'refresh_token');
		const failure = await revoke(accessToken, 'access_token').catch((error: unknown) => {
			if (refreshToken === undefined || !(error instanceof ServiceError)) throw error;
			return error;
		});
		await session.settled();
		if (tokensOf(await host.readCredential()).refreshToken !== refreshToken) continue;
		return {
			success: true,
			refreshTokenRevoked: refreshToken !== undefined,
			accessTokenRevoked: failure === undefined,
			note: 'The credential still holds the tokens, since n8n gives a node no way to remove them. To use it again, open it and connect the account; otherwise delete it. An access token that was not revoked may be accepted until it expires, an hour after it was issued.',
		};
	}
	throw serviceError('REVOCATION_FAILED/renewed');
}

const flag = { kind: 'boolean' } as const;
const flags = { success: flag, refreshTokenRevoked: flag, accessTokenRevoked: flag };

/** Revokes the connection's tokens: one call for all input items. */
export const revokeAction: WriteAction = {
	name: 'Revoke',
	action: 'Revoke connection',
	description:
		'End the connection for every workflow that uses the credential; the account has to be connected again',
	...{ kind: 'once', effect: 'write', takesDomain: false, switches: {}, request: {} },
	operation: `POST ${identityServer.revocation}`,
	properties: [confirmedProperty, responseLimitsProperty],
	outputSchema: () => itemSchema({ ...flags, note: { kind: 'string' } }),
	prepare([item], options) {
		// The stored parameter: the value of an expression may come from an item or an AI model.
		const isConfirmed = item.stored('confirmed') === true;
		const text = "Turn on the switch 'I Understand That the Connection Ends' by hand.";
		if (!isConfirmed) throw new InputError([{ code: 'VALUE_REQUIRED', path: [], text }]);
		return {
			...{ subject: '', keys: {}, effect: 'write', options },
			content: () => 'revocation',
			resends: 'always',
			records: { resendsRefused: false },
			plan: () => ({
				...{ notices: [], item: {}, preview: () => ({}) },
				send: async (access) => ({ records: [await endConnection(access)], notices: [] }),
			}),
		};
	},
};
