/** Calls to the identity server that n8n does not make itself (docs/dev/interface.md, section 4.1). */
import { jsonParse } from 'n8n-workflow';
import { discovery, revocation, tokenPath, type IdentityOperation } from '../contract/identity';
import { failure, fill, ServiceError, texts, type Text } from '../errors/ServiceError';
import type { ServiceAccess } from '../exchange/exchange';
import { decodeText } from '../http/charset';
import { exchangeUnsigned, kindOf } from '../http/retry';
import { send, type ExchangeRequest, type ExchangeResponse } from '../http/send';
import { isTransientStatus } from '../http/statusErrors';
import type { Account } from './account';

/**
 * Advice by error code (RFC 6749, section 5.2; RFC 7009, section 2.2.1). No other text is shown.
 */
const REFUSALS: Readonly<Record<string, Text>> = {
	invalid_request: texts.revoke.request.advice,
	invalid_client: texts.revoke.client.advice,
	invalid_grant: texts.revoke.token.advice,
	unauthorized_client: texts.revoke.client.advice,
	unsupported_token_type: texts.revoke.tokenType.advice,
	temporarily_unavailable: texts.revoke.unavailable.advice,
};

/** What a discovery document states; `null` for what it does not. */
type Discovery = {
	readonly issuer: string;
	/** Whether the issuer is the credential's identity address. */
	readonly issuerMatches: boolean;
	readonly tokenEndpoint: string | null;
	/** Whether n8n requests its tokens there. */
	readonly tokenEndpointMatches: boolean | null;
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

function adviceOn(status: number, code: string | undefined): Text | undefined {
	if (code !== undefined) return REFUSALS[code];
	if (status === 401) return texts.revoke.client.advice;
	return isTransientStatus(status)
		? texts.revoke.unavailable.advice
		: texts.revoke.otherStatus.advice;
}

function identityError(response: ExchangeResponse): ServiceError {
	const { status } = response;
	const isRedirect = status >= 300 && status < 400;
	const { title } = isRedirect ? texts.revoke.redirect : texts.revoke.otherStatus;
	const { error } = isRedirect ? {} : objectIn(response);
	const code = typeof error === 'string' && Object.hasOwn(REFUSALS, error) ? error : undefined;
	const description = isRedirect ? texts.revoke.redirect.advice : adviceOn(status, code);
	return new ServiceError(kindOf(response), fill(title, { status }), {
		description,
		httpStatus: status,
		serviceCode: code,
		isTransient: description === texts.revoke.unavailable.advice,
	});
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
 * Asks the token endpoint without any secret, which refuses the request. n8n's OAuth client (1.123
 * and 2.41) follows a redirect.
 *
 * @throws {ServiceError} if it redirects
 */
async function checkTokenEndpoint({ host, connection }: IdentityAccess): Promise<void> {
	const url = `${connection.identityUrl}${tokenPath}`;
	const request = { method: 'GET', url, address: 'Identity Address', headers: {} } as const;
	const sent = await send(host, { ...request, effect: 'read' }, PROBE).catch(ignoreFailure);
	if (sent === undefined || sent instanceof ServiceError) return;
	const { status } = sent.response;
	if (status >= 300 && status < 400) throw failure(texts.check.tokenRedirect, { status });
}

/**
 * Reads the discovery document of the identity server (docs/dev/interface.md, section 4.1).
 *
 * @throws {ServiceError} if there is no answer, it is no discovery document, or the token endpoint
 * redirects
 * @throws {CancelledError} if the user cancelled the run
 */
export async function readDiscovery(access: IdentityAccess): Promise<Discovery> {
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
