/** Errors for a failed renewal of the access token. */
import { ServiceError } from '../errors/ServiceError';
import { codeOf, isInsecure, isUnreached } from './networkErrors';

const NOT_RENEWED = 'The access token could not be renewed';
const RECONNECT = 'The credential needs to be reconnected';
const CONNECT_AGAIN = 'Open the credential and connect the account again.';

const SPENT = `The stored refresh token is no longer accepted: it was used before, it is older than 30 days, or the consent was withdrawn. ${CONNECT_AGAIN}`;
const NONE_STORED = `No refresh token is stored. ${CONNECT_AGAIN}`;

/** Advice by the OAuth error that the identity server names (RFC 6749, section 5.2). */
const RENEWAL_ADVICE: Readonly<Record<string, string>> = {
	invalid_client:
		"The identity server does not accept the app: check 'Client ID' and 'Client Secret' in the credential.",
	unauthorized_client:
		"The identity server does not allow the app to renew tokens: check 'Client ID' in the credential, and how the app was registered.",
	invalid_scope: `The identity server does not accept the scopes: check 'Scopes' in the credential. ${CONNECT_AGAIN}`,
};

const SERVER_UNREACHED =
	"The identity server could not be reached: check 'Identity Address' in the credential, and whether it is available.";
const SERVER_INSECURE =
	"The certificate or encryption of the identity server was not accepted: check 'Identity Address' in the credential.";
const NO_TOKEN_ADDRESS =
	"The answer does not look like that of an identity server: check 'Identity Address' in the credential.";
const UNEXPECTED_ANSWER =
	"The identity server did not answer as expected. If this continues, check 'Identity Address', 'Client ID' and 'Client Secret' in the credential.";

/** The messages of n8n 2 and n8n 1 for a missing refresh token. */
const NO_REFRESH_TOKEN = /\bno refresh token\b|^refreshToken is required$/;

/** What n8n throws if a renewal fails: an error of its OAuth client or its own error. */
interface RenewalFailure {
	/** JSON of the answer, if it names an OAuth error. */
	readonly body?: { readonly error?: unknown };
	/** HTTP status of the answer, if it names no OAuth error. */
	readonly status?: unknown;
	readonly failure?: { readonly cause?: unknown };
	readonly message?: unknown;
}

/**
 * Whether a failed renewal means that the refresh token is no longer valid. n8n 2 converts
 * `invalid_grant` into its own error; n8n 1 throws the OAuth client's error with the answer's body.
 */
export function isInvalidGrant(error: unknown): boolean {
	const { body, failure, message } = Object(error) as RenewalFailure;
	return (
		body?.error === 'invalid_grant' ||
		failure?.cause === 'credential-invalid' ||
		/needs to be reconnected/.test(String(message))
	);
}

/**
 * OAuth errors of a token endpoint (RFC 6749, section 5.2) that do not mean a spent refresh token.
 */
const NAMED = new Set([
	'invalid_request',
	'invalid_client',
	'unauthorized_client',
	'unsupported_grant_type',
	'invalid_scope',
]);

/**
 * Whether a failed renewal names its cause. Then no other process spent the refresh token, and
 * waiting for a token from another process is useless.
 */
export function namesCause(error: unknown): boolean {
	const { body, message } = Object(error) as RenewalFailure;
	const code = codeOf(error) ?? '';
	return (
		NAMED.has(String(body?.error)) ||
		isUnreached(code) ||
		isInsecure(code) ||
		NO_REFRESH_TOKEN.test(String(message))
	);
}

function renewalAdvice(error: unknown): string {
	const { body, status } = Object(error) as RenewalFailure;
	const named = body?.error;
	if (typeof named === 'string') {
		return (
			(Object.hasOwn(RENEWAL_ADVICE, named) ? RENEWAL_ADVICE[named] : undefined) ??
			UNEXPECTED_ANSWER
		);
	}
	const code = codeOf(error) ?? '';
	if (isUnreached(code)) return SERVER_UNREACHED;
	if (isInsecure(code)) return SERVER_INSECURE;
	return typeof status === 'number' && status < 500 ? NO_TOKEN_ADDRESS : UNEXPECTED_ANSWER;
}

/** The error for a failed renewal that may succeed later or with a corrected credential. */
export function notRenewed(error: unknown): ServiceError {
	if (NO_REFRESH_TOKEN.test(String((Object(error) as RenewalFailure).message))) {
		return new ServiceError('renewal', RECONNECT, { description: NONE_STORED });
	}
	const description = renewalAdvice(error);
	const isTransient = description === SERVER_UNREACHED || description === UNEXPECTED_ANSWER;
	return new ServiceError('renewal', NOT_RENEWED, { description, isTransient });
}

/** The error for a refresh token that is no longer accepted. */
export function reconnectError(): ServiceError {
	return new ServiceError('renewal', RECONNECT, { description: SPENT });
}

/** The error for a renewal that takes longer than the timeout of an answer. */
export function slowIdentityServer(): ServiceError {
	return new ServiceError('renewal', 'The identity server did not answer in time', {
		description:
			"The access token could not be renewed. Raise 'Timeout (Seconds)' in the node's options if that is expected.",
		isTransient: true,
	});
}
