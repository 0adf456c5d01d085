import { failure, texts, type ServiceError } from '../errors/ServiceError';
import { noAnswerCase } from '../http/networkErrors';

/**
 * The causes that only the credential or the identity server can end: OAuth errors of a token
 * endpoint (RFC 6749, section 5.2), and others.
 */
const CERTAIN = new Map([
	['invalid_client', texts.credential.invalidClient],
	['unauthorized_client', texts.credential.unauthorizedClient],
	['invalid_scope', texts.credential.invalidScope],
	['invalid_request', texts.credential.unexpected],
	['unsupported_grant_type', texts.credential.unexpected],
	['unreached', texts.credential.unreached],
	['insecure', texts.credential.insecure],
]);

/** The causes that may be the work of another process, which spent the refresh token first. */
const UNCERTAIN = new Map([
	['invalid_grant', texts.credential.spent],
	['otherServer', texts.credential.otherServer],
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
	const { kinds } = noAnswerCase(error);
	if (kinds[0] === 'unreached' || kinds[0] === 'insecure') return kinds[0];
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
	const certain = CERTAIN.get(cause);
	const found = certain ?? UNCERTAIN.get(cause) ?? texts.credential.unexpected;
	const isTransient = found === texts.credential.unexpected || found === texts.credential.unreached;
	return {
		error: failure(found, {}, { isTransient }),
		mayBeRenewed: certain === undefined,
		isFinal: found === texts.credential.spent,
	};
}
