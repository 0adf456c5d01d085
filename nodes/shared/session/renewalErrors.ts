import { notRenewed, refreshTokenRefused, type RenewalCause } from '../errors/credentialErrors';
import type { ServiceError } from '../errors/ServiceError';
import { refusalOf } from '../host/renewals';
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

/** Why a renewal failed. */
export interface RenewalFailure {
	/**
	 * Makes the error, for each call anew: an error keeps the run in memory in which it was made, by
	 * the calls in its stack.
	 */
	readonly toError: () => ServiceError;
	/** Whether another process may have renewed the token, and may still be storing the new one. */
	readonly mayBeRenewed: boolean;
	/** Whether the refresh token is no longer accepted, so that trying again is useless. */
	readonly isFinal: boolean;
}

/** Interprets what n8n threw for a renewal. */
export function renewalFailure(thrown: unknown): RenewalFailure {
	const cause = refusalOf(thrown) ?? interpret(thrown, 'Identity Address').kind;
	if (cause === 'invalid_grant') {
		return { toError: refreshTokenRefused, mayBeRenewed: true, isFinal: true };
	}
	const certain = CERTAIN.get(cause);
	const known = certain ?? (cause === 'otherServer' ? cause : 'unexpected');
	return { toError: () => notRenewed(known), mayBeRenewed: certain === undefined, isFinal: false };
}
