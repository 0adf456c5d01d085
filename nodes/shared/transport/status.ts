import { ServiceError, type WriteOutcome } from '../errors/ServiceError';
import { certainlyNotApplied, parseRetryAfter } from './retry';
import type { ExchangeResponse } from './send';

const ADVICE: Readonly<Record<number, string>> = {
	400: 'The service could not read the request.',
	403: 'The consent given does not allow this call. Check the scopes in the credential and reconnect it.',
	404: 'Check the addresses in the credential, and the values given.',
	405: 'Check the addresses in the credential.',
	415: 'Check the SOAP version in the credential.',
	429: 'The service asks to slow down. Lower "Concurrency" in the node\'s options, or run again later.',
	500: 'The service met an error of its own. Run again later.',
	502: 'The service is not available at the moment. Run again later.',
	503: 'The service is not available at the moment. Run again later.',
	504: 'The service is not available at the moment. Run again later.',
};

/** Whether a write that was answered so was carried out. */
function outcomeOf(response: ExchangeResponse): WriteOutcome {
	// A service may act and then redirect, as 303 does; 307 and 308 ask to send the call elsewhere.
	if (response.status < 307) return 'unknown';
	if (response.status < 500) return 'notApplied';
	const retryAfterMs = parseRetryAfter(response.headers['retry-after'], Date.now());
	return certainlyNotApplied({ kind: 'status', status: response.status, retryAfterMs })
		? 'notApplied'
		: 'unknown';
}

/**
 * The error for an answer whose status says that it holds no result.
 *
 * @param details text of the answer that may help, for the error's details
 */
export function statusError(response: ExchangeResponse, details?: string): ServiceError {
	const { status } = response;
	if (status >= 300 && status < 400) {
		return new ServiceError(`The payroll service answered with a redirect (HTTP ${status})`, {
			description:
				'Redirects are not followed, so that no other address receives the access token. Enter the final address in the credential.',
			httpStatus: status,
			outcome: outcomeOf(response),
		});
	}
	return new ServiceError(`The payroll service answered with HTTP ${status}`, {
		description: ADVICE[status] ?? 'The service refused the call.',
		httpStatus: status,
		details,
		outcome: outcomeOf(response),
	});
}

/** The error for an answer that arrived whole and cannot be understood. */
export function unreadable(
	response: ExchangeResponse,
	message: string,
	description: string,
): ServiceError {
	return new ServiceError(message, {
		description,
		httpStatus: response.status,
		outcome: outcomeOf(response),
	});
}
