/** Errors for a failed renewal of the access token. */
import { failure, texts, type ServiceError } from '../errors/ServiceError';
import { noAnswerKind } from '../http/networkErrors';

/**
 * The OAuth errors of a token endpoint (RFC 6749, section 5.2) that do not mean a spent refresh
 * token, each with the error to throw.
 */
const NAMED = new Map([
	['invalid_client', texts.credential.invalidClient],
	['unauthorized_client', texts.credential.unauthorizedClient],
	['invalid_scope', texts.credential.invalidScope],
	['invalid_request', texts.credential.unexpected],
	['unsupported_grant_type', texts.credential.unexpected],
]);

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
 * Whether a failed renewal names its cause. Then no other process spent the refresh token, and
 * waiting for a token from another process is useless.
 */
export function namesCause(error: unknown): boolean {
	const { body, message } = Object(error) as RenewalFailure;
	const kind = noAnswerKind(error);
	return (
		NAMED.has(String(body?.error)) ||
		kind === 'unreached' ||
		kind === 'insecure' ||
		NO_REFRESH_TOKEN.test(String(message))
	);
}

/** The error for a failed renewal that may succeed later or with a corrected credential. */
export function notRenewed(error: unknown): ServiceError {
	const { body, status, message } = Object(error) as RenewalFailure;
	if (NO_REFRESH_TOKEN.test(String(message))) return failure(texts.credential.noRefreshToken);
	if (typeof body?.error === 'string') {
		const named = NAMED.get(body.error) ?? texts.credential.unexpected;
		return failure(named, {}, { isTransient: named === texts.credential.unexpected });
	}
	const kind = noAnswerKind(error);
	if (kind === 'unreached') return failure(texts.credential.unreached, {}, { isTransient: true });
	if (kind === 'insecure') return failure(texts.credential.insecure);
	return typeof status === 'number' && status < 500
		? failure(texts.credential.otherServer)
		: failure(texts.credential.unexpected, {}, { isTransient: true });
}

/** The error for a refresh token that is no longer accepted. */
export function reconnectError(): ServiceError {
	return failure(texts.credential.spent);
}

/** The error for a renewal that takes longer than the timeout of an answer. */
export function slowIdentityServer(): ServiceError {
	return failure(texts.credential.slow, {}, { isTransient: true });
}
