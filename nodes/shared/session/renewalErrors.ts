import { notRenewed, refreshTokenRefused, type RenewalCause } from '../errors/credentialErrors';
import { outcomes } from '../errors/outcomes';
import { ServiceError } from '../errors/ServiceError';
import { answerOf } from '../host/renewals';
import { interpret } from '../http/networkErrors';
import { asksToRetry, failureKindOf, retryDelay } from '../http/retry';
import type { Answer } from '../http/send';

/** OAuth errors of a token endpoint (RFC 6749, section 5.2) that another process cannot have caused. */
const OAUTH_ERRORS: ReadonlyMap<string | undefined, RenewalCause> = new Map([
	['invalid_client', 'invalid_client'],
	['unauthorized_client', 'unauthorized_client'],
	['invalid_scope', 'invalid_scope'],
	['invalid_request', 'unexpected'],
	['unsupported_grant_type', 'unexpected'],
]);

/** The causes after which the refresh token is certainly not spent, and which may pass. */
const PASSING: readonly RenewalCause[] = ['busy', 'unreached'];

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
	/**
	 * Milliseconds to wait before the refresh token is sent again; `undefined` if it may be spent, or
	 * sending it again is useless.
	 */
	readonly retryInMs: number | undefined;
}

function causeOf(sent: Answer | ServiceError, error: string | undefined): RenewalCause {
	if (sent instanceof ServiceError) {
		return sent.kind === 'unreached' || sent.kind === 'insecure' ? sent.kind : 'unexpected';
	}
	const { response } = sent;
	if (asksToRetry(response) && outcomes[failureKindOf(response)] === 'notApplied') return 'busy';
	return error === undefined && response.status < 500 ? 'otherServer' : 'unexpected';
}

/**
 * Interprets what n8n threw for a renewal. A renewal is a write: it spends the refresh token.
 *
 * @param attempt number of the attempt, from 1
 */
export function renewalFailure(thrown: unknown, attempt: number): RenewalFailure {
	const { error, status, headers, text } = answerOf(thrown);
	if (error === 'invalid_grant') {
		const toError = refreshTokenRefused;
		return { toError, mayBeRenewed: true, isFinal: true, retryInMs: undefined };
	}
	const sent =
		status === undefined
			? interpret(thrown, 'Identity Address')
			: { response: { status, headers, body: Buffer.from(text) }, token: '' };
	const certain = OAUTH_ERRORS.get(error);
	const cause = certain ?? causeOf(sent, error);
	return {
		toError: () => notRenewed(cause),
		mayBeRenewed: certain === undefined && (cause === 'otherServer' || cause === 'unexpected'),
		isFinal: false,
		retryInMs: PASSING.includes(cause) ? retryDelay(sent, 'write', attempt) : undefined,
	};
}
