import { notRenewed, refreshTokenRefused, type RenewalCause } from '../errors/credentialErrors';
import type { ServiceError } from '../errors/ServiceError';
import { interpret } from '../http/networkErrors';

/**
 * The causes that only the credential or the identity server can end: OAuth errors of a token
 * endpoint (RFC 6749, section 5.2), and others. The other causes may be the work of another process,
 * which spent the refresh token first.
 */
const CERTAIN: ReadonlyMap<string, RenewalCause> = new Map([
	['invalid_client', 'invalid_client'],
	['unauthorized_client', 'unauthorized_client'],
	['invalid_scope', 'invalid_scope'],
	['invalid_request', 'unexpected'],
	['unsupported_grant_type', 'unexpected'],
	['unreached', 'unreached'],
	['insecure', 'insecure'],
]);

/** What n8n throws if a renewal fails: an error of its OAuth client or its own error. */
interface HostError {
	/** JSON of the answer, if it names an OAuth error. */
	readonly body?: { readonly error?: unknown };
	/** HTTP status of the answer, if it names no OAuth error. */
	readonly status?: unknown;
	readonly failure?: { readonly cause?: unknown };
	readonly message?: unknown;
}

/**
 * n8n 2 converts `invalid_grant` into its own error; n8n 1 throws the OAuth client's error with the
 * answer's body.
 */
function causeOf(error: unknown): string {
	const { body, failure, message, status } = Object(error) as HostError;
	const isReconnecting = /needs to be reconnected/.test(String(message));
	if (failure?.cause === 'credential-invalid' || isReconnecting) return 'invalid_grant';
	if (typeof body?.error === 'string') return body.error;
	const { kind } = interpret(error, 'Identity Address');
	if (kind === 'unreached' || kind === 'insecure') return kind;
	return typeof status === 'number' && status < 500 ? 'otherServer' : 'unexpected';
}

/** Why a renewal failed. */
export interface RenewalFailure {
	readonly error: ServiceError;
	/** Whether another process may have renewed the token, and may still be storing the new one. */
	readonly mayBeRenewed: boolean;
	/** Whether the refresh token is no longer accepted, so that trying again is useless. */
	readonly isFinal: boolean;
}

/** Interprets what n8n threw for a renewal. */
export function renewalFailure(thrown: unknown): RenewalFailure {
	const cause = causeOf(thrown);
	if (cause === 'invalid_grant') {
		return { error: refreshTokenRefused(), mayBeRenewed: true, isFinal: true };
	}
	const certain = CERTAIN.get(cause);
	const error = notRenewed(certain ?? (cause === 'otherServer' ? cause : 'unexpected'));
	return { error, mayBeRenewed: certain === undefined, isFinal: false };
}
