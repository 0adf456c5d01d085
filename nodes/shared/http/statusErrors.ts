import type { AddressField } from '../credential/connection';
import { ACCESS_PHRASES, adviceOn } from '../errors/advice';
import { accessRefused, redirected, refusedStatus, tokenRejected } from '../errors/requestErrors';
import type { ServiceError } from '../errors/ServiceError';
import { sentences } from '../errors/words';
import { headOf } from './charset';
import { problemOf, type Problem } from './problem';
import { asksToRetry, failureKindOf, namedPause } from './retry';
import type { ExchangeResponse } from './send';

/** Matches a web page: before its root may stand an XML declaration and comments. */
const WEB_PAGE =
	/^\s*(?:<\?(?:(?!\?>)[^])*\?>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:!doctype\s+)?html\b/i;

/** Whether an answer is a web page. Its text is not used, since it may quote the whole request. */
export function isWebPage(response: ExchangeResponse): boolean {
	const head = headOf(response);
	if (WEB_PAGE.test(head)) return true;
	// A page fragment or a page with another start. JSON, too, is often sent with this content type.
	const isHtml = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i;
	return /^\s*</.test(head) && isHtml.test(String(response.headers['content-type']));
}

/** The text of an answer without a result: its `WWW-Authenticate` header and its body. */
function answerText(response: ExchangeResponse): string | undefined {
	const header = response.headers['www-authenticate'];
	const said = [
		typeof header === 'string' ? header : '',
		isWebPage(response) ? '' : headOf(response),
	].filter((text) => text.trim() !== '');
	return said.length === 0 ? undefined : said.join('\n');
}

/** What the JSON of an answer says about its failure. */
function problemIn(response: ExchangeResponse): Problem | undefined {
	try {
		return problemOf(JSON.parse(headOf(response)));
	} catch {
		return undefined;
	}
}

/**
 * Gives an error the words of its answer as the title, if they are known, and its own title to the
 * description, after the fields that the answer refuses.
 */
export function inOwnWords(error: ServiceError, response: ExchangeResponse): ServiceError {
	const problem = problemIn(response);
	if (problem === undefined) return error;
	const { text, code, fields } = problem;
	return error.with({
		message: text,
		serviceCode: code === String(response.status) ? undefined : code,
		description: sentences(fields, `${error.message}.`, error.description),
	});
}

/** Advice for HTTP 401 and 403, if the answer's text points to the credential. */
function refusalAdvice(response: ExchangeResponse): string | undefined {
	if (response.status !== 401 && response.status !== 403) return undefined;
	const said = answerText(response);
	return said === undefined ? undefined : adviceOn(said, ACCESS_PHRASES);
}

/**
 * The error for a call that is refused with any access token.
 *
 * @param isFresh whether the token was renewed just before
 * @param response the answer that refuses the call
 */
export function unauthorized(isFresh: boolean, response?: ExchangeResponse): ServiceError {
	const advice = response && refusalAdvice(response);
	const error = advice === undefined ? tokenRejected(isFresh) : accessRefused(advice);
	return response ? inOwnWords(error, response).with({ details: answerText(response) }) : error;
}

/**
 * The error for an answer whose status means that it has no result.
 *
 * @param address field that holds the base address of the request
 */
export function statusError(response: ExchangeResponse, address: AddressField): ServiceError {
	const { status } = response;
	const kind = failureKindOf(response);
	if (status >= 300 && status < 400) return redirected(kind, status, address);
	const pause = asksToRetry(response) ? namedPause(response) : undefined;
	const error = refusedStatus(kind, status, address, pause);
	const advice = pause === undefined ? refusalAdvice(response) : undefined;
	const description = advice ?? error.description;
	return inOwnWords(error.with({ description, details: answerText(response) }), response);
}
