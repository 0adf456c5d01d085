import type { RenewalCause } from '../errors/credentialErrors';
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

/** The causes that another process may have brought about: it spent the refresh token first. */
const OF_OTHERS: readonly RenewalCause[] = ['invalid_grant', 'otherServer', 'unexpected'];

/** Why a renewal failed. */
export interface RenewalFailure {
	readonly cause: RenewalCause;
	/** Whether another process may have renewed the token, and may still be storing the new one. */
	readonly mayBeRenewed: boolean;
	/**
	 * Milliseconds to wait before the refresh token is sent again; `undefined` if it may be spent, or
	 * sending it again is useless.
	 */
	readonly retryInMs: number | undefined;
}

function causeOf(sent: Answer | ServiceError, error: string | undefined): RenewalCause {
	if (error === 'invalid_grant') return error;
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
	const sent =
		status === undefined
			? interpret(thrown, 'Identity Address')
			: { response: { status, headers, body: Buffer.from(text) }, token: '' };
	const certain = OAUTH_ERRORS.get(error);
	const cause = certain ?? causeOf(sent, error);
	return {
		cause,
		mayBeRenewed: certain === undefined && OF_OTHERS.includes(cause),
		retryInMs: PASSING.includes(cause) ? retryDelay(sent, 'write', attempt) : undefined,
	};
}
