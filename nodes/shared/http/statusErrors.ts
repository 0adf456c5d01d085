import type { AddressField } from '../credential/connection';
import { adviceOnRefusal } from '../errors/advice';
import type { Template } from '../errors/catalogue';
import { failure, fill, ServiceError, texts, type Text } from '../errors/ServiceError';
import { decodeHead } from './charset';
import { kindOf } from './retry';
import type { ExchangeResponse } from './send';

const STATUS_ADVICE: Readonly<Record<number, Template<'field'>>> = {
	400: texts.refused.badRequest.advice,
	403: texts.refused.forbidden.advice,
	404: texts.refused.notFound.advice,
	405: texts.refused.method.advice,
	415: texts.refused.mediaType.advice,
	429: texts.refused.busy.advice,
	502: texts.refused.unavailable.advice,
	503: texts.refused.unavailable.advice,
	504: texts.refused.unavailable.advice,
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
function refusalAdvice(response: ExchangeResponse): Text | undefined {
	if (response.status !== 401 && response.status !== 403) return undefined;
	const said = textOf(response);
	return said === undefined ? undefined : adviceOnRefusal(said.slice(0, ADVICE_LENGTH));
}

function statusAdvice(response: ExchangeResponse, field: AddressField): Text {
	const { status } = response;
	if (status < 300) return texts.refused.status2.advice;
	const otherwise = status < 500 ? texts.refused.status4 : texts.refused.status5;
	const advice = STATUS_ADVICE[status] ?? otherwise.advice;
	return refusalAdvice(response) ?? fill(advice, { field });
}

/**
 * The error for a call that is refused with any access token.
 *
 * @param isFresh whether the token was renewed just before
 * @param response the answer that refuses the call
 */
export function unauthorized(isFresh: boolean, response?: ExchangeResponse): ServiceError {
	const description = response && refusalAdvice(response);
	const fields = { httpStatus: 401, details: response && textOf(response) };
	if (description === undefined) {
		return failure(isFresh ? texts.refused.freshToken : texts.refused.token, {}, fields);
	}
	const { title } = texts.refused.key;
	return new ServiceError('tokenRejected', title, { description, ...fields });
}

/** Whether the same call may succeed later, given the HTTP status of its answer. */
export function isTransientStatus(status: number): boolean {
	return status === 429 || status >= 500;
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
		const { title, advice } = texts.refused.redirect;
		const description = fill(advice, { field: address });
		return new ServiceError(kind, fill(title, { status }), { description, httpStatus: status });
	}
	return new ServiceError(kind, fill(texts.refused.status4.title, { status }), {
		description: statusAdvice(response, address),
		httpStatus: status,
		details: textOf(response),
		isTransient: isTransientStatus(status),
	});
}
