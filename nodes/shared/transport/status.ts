import { adviceOnRefusal } from '../errors/sayings';
import { kindOfStatus, type FailureKind } from '../errors/outcomes';
import { ServiceError } from '../errors/ServiceError';
import type { AddressField } from './connection';
import { parseRetryAfter } from './retry';
import type { ExchangeResponse } from './send';

const UNAVAILABLE = 'The service is not available at the moment. Run again later.';
const FAILED = 'The service met an error of its own. Run again later.';

const ADVICE: Readonly<Record<number, string>> = {
	400: 'The service could not read the request.',
	403: 'Probably the consent does not cover this call: check "Scopes" in the credential and connect the account again. If it does, check "Subscription Key".',
	415: 'Check "SOAP Version" in the credential.',
	429: 'The service asks to slow down. Lower "Concurrency" in the node\'s options, or run again later.',
	502: UNAVAILABLE,
	503: UNAVAILABLE,
	504: UNAVAILABLE,
};

/** So much of an answer's text is looked at for advice, in bytes. */
const HEAD_BYTES = 16_384;

/** The beginning of an answer's text; what servers say of themselves is plain ASCII. */
function headOf({ body }: ExchangeResponse): string {
	return body.toString('utf8', 0, HEAD_BYTES);
}

/** Whether an answer is a page for people; it may quote a whole request, so it says nothing of one. */
export function isWebPage(response: ExchangeResponse): boolean {
	return /^\s*(?:<!doctype html|<html)\b/i.test(headOf(response));
}

/** What a server says in an answer without a result, in its header and its body. */
function saidIn(response: ExchangeResponse): string | undefined {
	const header = response.headers['www-authenticate'];
	const said = [
		typeof header === 'string' ? header : '',
		isWebPage(response) ? '' : headOf(response),
	].filter((text) => text.trim() !== '');
	return said.length === 0 ? undefined : said.join('\n');
}

/** What to do about a refusal, as far as it speaks of the credential. */
function refusalAdvice(response: ExchangeResponse): string | undefined {
	if (response.status !== 401 && response.status !== 403) return undefined;
	const said = saidIn(response);
	return said && adviceOnRefusal(said);
}

function adviceOn(response: ExchangeResponse, address: AddressField): string {
	const { status } = response;
	if (status === 404) return `Check "${address}" in the credential, and the values given.`;
	if (status === 405) return `Check "${address}" in the credential.`;
	if (status < 300)
		return 'Only HTTP 200 comes with a result; what this answer means is not known.';
	const otherwise = status < 500 ? 'The service refused the call.' : FAILED;
	return refusalAdvice(response) ?? ADVICE[status] ?? otherwise;
}

/**
 * The error for a call that is refused with whatever access token.
 *
 * @param isFresh whether the token was renewed a moment before
 * @param response the refusal
 */
export function unauthorized(isFresh: boolean, response?: ExchangeResponse): ServiceError {
	const advice = response && refusalAdvice(response);
	const details = response && saidIn(response);
	if (advice !== undefined) {
		return new ServiceError('tokenRejected', 'The payroll service refused access', {
			description: advice,
			httpStatus: 401,
			details,
		});
	}
	const renewed = 'The token was renewed a moment ago and is rejected all the same. ';
	return new ServiceError('tokenRejected', 'The payroll service does not accept the access token', {
		description: `${isFresh ? renewed : ''}Check "Subscription Key" and "Scopes" in the credential, then connect the account again.`,
		httpStatus: 401,
		details,
	});
}

/** The kind of failure that an answer without a result is. */
export function kindOf({ status, headers }: ExchangeResponse): FailureKind {
	return kindOfStatus(status, parseRetryAfter(headers['retry-after'], Date.now()) !== undefined);
}

/**
 * The error for an answer whose status says that it holds no result.
 *
 * @param address where the request went
 * @param details what the answer says, where it is more than the beginning of its text
 */
export function statusError(
	response: ExchangeResponse,
	address: AddressField,
	details?: string,
): ServiceError {
	const { status } = response;
	const kind = kindOf(response);
	if (status >= 300 && status < 400) {
		return new ServiceError(kind, `The payroll service answered with a redirect (HTTP ${status})`, {
			description: `Redirects are not followed, so that no other address receives the access token. Enter the final address under "${address}" in the credential.`,
			httpStatus: status,
		});
	}
	return new ServiceError(kind, `The payroll service answered with HTTP ${status}`, {
		description: adviceOn(response, address),
		httpStatus: status,
		details: details ?? saidIn(response),
	});
}

/** The error for an answer that arrived whole and cannot be understood. */
export function unreadable(
	response: ExchangeResponse,
	message: string,
	description: string,
): ServiceError {
	return new ServiceError(kindOf(response), message, {
		description,
		httpStatus: response.status,
	});
}
