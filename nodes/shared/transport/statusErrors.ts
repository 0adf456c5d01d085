import { adviceOnRefusal } from '../errors/advice';
import { kindOfStatus, type FailureKind } from '../errors/outcomes';
import { ServiceError } from '../errors/ServiceError';
import { decodeHead } from './charset';
import type { AddressField } from './connection';
import { parseRetryAfter } from './retry';
import type { ExchangeResponse } from './send';

const SERVICE_UNAVAILABLE = 'The service is not available at the moment.';
const SERVER_FAILED = 'The service reported an internal error.';

const STATUS_ADVICE: Readonly<Record<number, string>> = {
	400: 'The service could not read the request.',
	403: "The consent probably does not cover this call: check 'Scopes' in the credential and connect the account again. If it does, check 'Subscription Key'.",
	415: "Check 'SOAP Version' in the credential.",
	429: "The service asks to slow down. Limit 'Concurrency' in the node's options, or 'Requests per Second' in the credential.",
	502: SERVICE_UNAVAILABLE,
	503: SERVICE_UNAVAILABLE,
	504: SERVICE_UNAVAILABLE,
};

/**
 * How much of an answer is decoded, in bytes: more than is ever shown, so that a cut is noticed.
 */
const HEAD_BYTES = 65_536;

/** How much of an answer's text is searched for advice, in characters. */
const ADVICE_LENGTH = 16_384;

/** Start and end of what may precede the root of a document. */
const PROLOG = [
	['<?xml', '?>'],
	['<!--', '-->'],
] as const;

/** The beginning of an answer's text, as far as it can be decoded. */
function headOf({ body, headers }: ExchangeResponse): string {
	return decodeHead(body, headers['content-type'], HEAD_BYTES);
}

/** Removes what may precede the root of a document: whitespace, an XML declaration, comments. */
function withoutProlog(text: string): string {
	let rest = text.trimStart();
	for (const [start, end] of PROLOG) {
		while (rest.startsWith(start)) {
			const at = rest.indexOf(end);
			if (at < 0) return rest;
			rest = rest.slice(at + end.length).trimStart();
		}
	}
	return rest;
}

/** Whether an answer is a web page. Its text is not used, since it may quote the whole request. */
export function isWebPage(response: ExchangeResponse): boolean {
	const document = withoutProlog(headOf(response));
	if (/^(?:<!doctype html|<html)\b/i.test(document)) return true;
	// A page fragment or a page with another start. JSON, too, is often sent with this content type.
	const isHtml = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i;
	return document.startsWith('<') && isHtml.test(String(response.headers['content-type']));
}

/** The text of an answer without a result: its `WWW-Authenticate` header and its body. */
function textOf(response: ExchangeResponse): string | undefined {
	const header = response.headers['www-authenticate'];
	const said = [
		typeof header === 'string' ? header : '',
		isWebPage(response) ? '' : headOf(response),
	].filter((text) => text.trim() !== '');
	return said.length === 0 ? undefined : said.join('\n');
}

/** Advice for HTTP 401 and 403, if the answer's text points to the credential. */
function refusalAdvice(response: ExchangeResponse): string | undefined {
	if (response.status !== 401 && response.status !== 403) return undefined;
	const said = textOf(response);
	return said && adviceOnRefusal(said.slice(0, ADVICE_LENGTH));
}

function statusAdvice(response: ExchangeResponse, address: AddressField): string {
	const { status } = response;
	if (status === 404) return `Check '${address}' in the credential, and the values given.`;
	if (status === 405) return `Check '${address}' in the credential.`;
	if (status < 300)
		return 'Only an answer with HTTP 200 has a result; the meaning of this one is unknown.';
	const otherwise = status < 500 ? 'The service refused the call.' : SERVER_FAILED;
	return refusalAdvice(response) ?? STATUS_ADVICE[status] ?? otherwise;
}

/**
 * The error for a call that is refused with any access token.
 *
 * @param isFresh whether the token was renewed just before
 * @param response the answer that refuses the call
 */
export function unauthorized(isFresh: boolean, response?: ExchangeResponse): ServiceError {
	const advice = response && refusalAdvice(response);
	const details = response && textOf(response);
	if (advice !== undefined) {
		return new ServiceError('tokenRejected', 'The payroll service refused access', {
			description: advice,
			httpStatus: 401,
			details,
		});
	}
	const renewed = 'The token was just renewed, but it was still rejected. ';
	return new ServiceError('tokenRejected', 'The payroll service does not accept the access token', {
		description: `${isFresh ? renewed : ''}Check 'Subscription Key' and 'Scopes' in the credential, then connect the account again.`,
		httpStatus: 401,
		details,
	});
}

/** Whether the same call may succeed later, given the HTTP status of its answer. */
export function isTransientStatus(status: number): boolean {
	return status === 429 || status >= 500;
}

/** Returns the kind of failure that an answer without a result means. */
export function kindOf({ status, headers }: ExchangeResponse): FailureKind {
	return kindOfStatus(status, parseRetryAfter(headers['retry-after'], Date.now()) !== undefined);
}

/**
 * The error for an answer whose status means that it has no result.
 *
 * @param address field that holds the base address of the request
 */
export function statusError(response: ExchangeResponse, address: AddressField): ServiceError {
	const { status } = response;
	const kind = kindOf(response);
	if (status >= 300 && status < 400) {
		return new ServiceError(kind, `The payroll service answered with a redirect (HTTP ${status})`, {
			description: `Redirects are not followed, so that no other address receives the access token. Enter the final address under '${address}' in the credential.`,
			httpStatus: status,
		});
	}
	return new ServiceError(kind, `The payroll service answered with HTTP ${status}`, {
		description: statusAdvice(response, address),
		httpStatus: status,
		details: textOf(response),
		isTransient: isTransientStatus(status),
	});
}

/** The error for a complete answer that cannot be read. */
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
