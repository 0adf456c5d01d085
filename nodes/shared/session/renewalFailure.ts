import type { RenewalCause } from '../errors/setupErrors';
import { ServiceError } from '../errors/ServiceError';
import { answerOf } from '../host/requests';
import { interpret } from '../http/send';
import { asksToRetry, retryDelay } from '../http/retry';

/** The OAuth errors of a token endpoint (RFC 6749, section 5.2). Sending the refresh token again is useless. */
const OAUTH_ERRORS: ReadonlyMap<string | undefined, RenewalCause> = new Map([
	['invalid_grant', 'invalid_grant'],
	['invalid_client', 'invalid_client'],
	['unauthorized_client', 'unauthorized_client'],
	['invalid_scope', 'invalid_scope'],
	['invalid_request', 'unexpected'],
	['unsupported_grant_type', 'unexpected'],
]);

/** Why a renewal failed. */
interface RenewalFailure {
	readonly cause: RenewalCause;
	/** Milliseconds to wait before the refresh token is sent again; `undefined` if that is useless. */
	readonly retryInMs: number | undefined;
}

/**
 * Interprets what n8n threw for a renewal. It is retried like a read: whether or not the refresh token is
 * spent, there is no other one to try.
 *
 * @param attempt number of the attempt, from 1
 */
export function renewalFailure(thrown: unknown, attempt: number): RenewalFailure {
	const { error, status, headers, text } = answerOf(thrown);
	const known = OAUTH_ERRORS.get(error);
	if (known !== undefined) return { cause: known, retryInMs: undefined };
	const sent =
		status === undefined
			? interpret(thrown, 'Identity Address')
			: { response: { status, headers, body: Buffer.from(text) }, token: '' };
	const isLost = sent instanceof ServiceError;
	// The error of n8n itself is not that of a request.
	const retryInMs = isLost && !sent.isTransient ? undefined : retryDelay(sent, 'read', attempt);
	if (isLost) {
		const isNamed = sent.kind === 'unreached' || sent.kind === 'insecure';
		return { cause: isNamed ? sent.kind : 'unexpected', retryInMs };
	}
	if (asksToRetry(sent.response)) return { cause: 'busy', retryInMs };
	const isOther = error === undefined && sent.response.status < 500;
	return { cause: isOther ? 'otherServer' : 'unexpected', retryInMs };
}
