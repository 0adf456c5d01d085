/** Calls to the identity server that n8n does not make itself (docs/dev/interface.md, section 4.1). */
import { jsonParse, type IDataObject } from 'n8n-workflow';
import { discovery, revocation, tokenPath, type IdentityOperation } from '../contract/identity';
import type { Account } from '../credential/connection';
import { failure, fill, ServiceError, texts, type Text } from '../errors/ServiceError';
import type { ServiceAccess } from '../exchange/exchange';
import { decodeText } from '../http/charset';
import { exchangeUnsigned, kindOf } from '../http/retry';
import { send, type ExchangeRequest, type ExchangeResponse } from '../http/send';
import { isTransientStatus } from '../http/statusErrors';

/**
 * Advice by error code (RFC 6749, section 5.2; RFC 7009, section 2.2.1), else by HTTP status. No other
 * text is shown.
 */
const REFUSALS: Readonly<Record<string, Text>> = {
	invalid_request: texts.revoke.request.advice,
	invalid_client: texts.revoke.client.advice,
	invalid_grant: texts.revoke.token.advice,
	unauthorized_client: texts.revoke.client.advice,
	unsupported_token_type: texts.revoke.tokenType.advice,
	temporarily_unavailable: texts.revoke.unavailable.advice,
	401: texts.revoke.client.advice,
};

/** Writes an address like those of a connection: normalized, without trailing slashes. */
function normalized(address: string): string {
	const text = URL.canParse(address) ? new URL(address).href : address;
	return text.replace(/\/+$/, '');
}

function nonEmptyText(value: unknown): string | null {
	return typeof value === 'string' && value !== '' ? value : null;
}

/** The JSON object of an answer; an empty object if there is none. */
function objectIn({ body, headers }: ExchangeResponse): Readonly<Record<string, unknown>> {
	try {
		return Object(jsonParse(decodeText(body, headers['content-type']))) as Record<string, unknown>;
	} catch {
		return {};
	}
}

/** Whether an answer redirects. n8n's OAuth client (1.123 and 2.41) follows redirects. */
function isRedirect({ status }: ExchangeResponse): boolean {
	return status >= 300 && status < 400;
}

function identityError(response: ExchangeResponse): ServiceError {
	const { status } = response;
	const fields = { httpStatus: status };
	if (isRedirect(response)) {
		const { title, advice: description } = texts.revoke.redirect;
		return new ServiceError(kindOf(response), fill(title, { status }), { ...fields, description });
	}
	const { title, advice } = texts.revoke.otherStatus;
	const { error } = objectIn(response);
	const serviceCode = Object.keys(REFUSALS).find((code) => code === error);
	const otherwise = isTransientStatus(status) ? texts.revoke.unavailable.advice : advice;
	const description = REFUSALS[serviceCode ?? status] ?? otherwise;
	const isTransient = description === texts.revoke.unavailable.advice;
	const more = { ...fields, description, serviceCode, isTransient };
	return new ServiceError(kindOf(response), fill(title, { status }), more);
}

/** What a call to the identity server needs. */
export type IdentityAccess = Pick<ServiceAccess, 'host' | 'connection' | 'limits'>;

/**
 * Sends one request to the identity server and retries it if that is safe. The request carries
 * neither the access token nor the subscription key.
 *
 * @throws {ServiceError} if there is no answer, or its status is not 200
 */
async function call(
	{ host, connection, limits }: IdentityAccess,
	{ method, path, effect }: IdentityOperation,
	more: Pick<ExchangeRequest, 'headers' | 'body'>,
): Promise<ExchangeResponse> {
	const url = `${connection.identityUrl}${path}`;
	const request = { ...more, method, url, address: 'Identity Address' as const, effect };
	const response = await exchangeUnsigned(host, request, limits);
	if (response.status !== 200) throw identityError(response);
	return response;
}

/** Limits of the request to the token endpoint. */
const PROBE = { timeoutMs: 5000, maxBytes: 2 ** 20 };

function ignoreFailure(error: unknown): undefined {
	if (!(error instanceof ServiceError)) throw error;
	return undefined;
}

/**
 * Asks the token endpoint without any secret, which refuses the request.
 *
 * @throws {ServiceError} if it redirects
 */
async function checkTokenEndpoint({ host, connection }: IdentityAccess): Promise<void> {
	const url = `${connection.identityUrl}${tokenPath}`;
	const request = { method: 'GET', url, address: 'Identity Address', headers: {} } as const;
	const sent = await send(host, { ...request, effect: 'read' }, PROBE).catch(ignoreFailure);
	if (sent === undefined || sent instanceof ServiceError || !isRedirect(sent.response)) return;
	throw failure(texts.check.tokenRedirect, { status: sent.response.status });
}

/**
 * Reads the discovery document of the identity server (docs/dev/interface.md, section 4.1).
 *
 * @returns what it states, with `null` for what it does not, and whether that is what the credential
 * and n8n use
 * @throws {ServiceError} if there is no answer, it is no discovery document, or the token endpoint
 * redirects
 * @throws {CancelledError} if the user cancelled the run
 */
export async function readDiscovery(access: IdentityAccess): Promise<IDataObject> {
	const headers = { Accept: 'application/json' };
	const response = await call(access, discovery, { headers });
	const document = objectIn(response);
	const issuer = nonEmptyText(document.issuer);
	if (issuer === null) throw failure(texts.check.discovery, {}, { httpStatus: response.status });
	await checkTokenEndpoint(access);
	const tokenEndpoint = nonEmptyText(document.token_endpoint);
	const { identityUrl } = access.connection;
	return {
		issuer,
		issuerMatches: normalized(issuer) === identityUrl,
		tokenEndpoint,
		tokenEndpointMatches:
			tokenEndpoint === null ? null : normalized(tokenEndpoint) === `${identityUrl}${tokenPath}`,
	};
}

/**
 * Revokes a token as RFC 7009 describes (docs/dev/interface.md, section 4.1 does not specify the
 * request). The client authenticates as at the token endpoint: Basic with URL-encoded id and
 * secret.
 *
 * @throws {ServiceError} if the identity server does not confirm the revocation
 * @throws {CancelledError} if the user cancelled the run
 */
export async function revokeToken(
	access: IdentityAccess,
	{ clientId, encodedSecret }: Account,
	kind: 'refresh_token' | 'access_token',
	token: string,
): Promise<void> {
	const client = `${encodeURIComponent(clientId.toWellFormed())}:${encodedSecret}`;
	const response = await call(access, revocation, {
		headers: {
			Accept: 'application/json',
			Authorization: `Basic ${Buffer.from(client).toString('base64')}`,
			'Content-Type': 'application/x-www-form-urlencoded',
		},
		body: new URLSearchParams({ token, token_type_hint: kind }).toString(),
	});
	// RFC 7009 tells clients to ignore the body, but a page does not come from an identity server.
	if (/^\s*</.test(response.body.toString('latin1', 0, 100))) {
		throw failure(texts.revoke.web, {}, { httpStatus: response.status });
	}
}
