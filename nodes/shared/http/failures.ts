/** What an answer without a result means. */
import type { AddressField } from '../credential/connection';
import { ACCESS_PHRASES, adviceOn } from '../errors/advice';
import { accessRefused, redirected, refusedStatus, tokenRejected } from '../errors/requestErrors';
import type { ServiceError } from '../errors/ServiceError';
import { formatValue, sentences, truncate } from '../errors/words';
import { isObject, type Values } from '../values/values';
import { headOf } from './charset';
import { asksToRetry, failureKindOf, namedPause } from './retry';
import type { ExchangeResponse } from './send';

/** Maximum length of a text of the service, and number of its texts. */
const MAX_TEXT = 500;
const MAX_TEXTS = 10;

/** An object's values by its keys in lower case, without `_` and `-`: `total_count` is `totalCount`. */
export function folded(object: unknown): Values {
	const entries = Object.entries(isObject(object) ? object : {});
	return Object.fromEntries(
		entries.map(([key, value]) => [key.toLowerCase().replace(/[_-]/g, ''), value]),
	);
}

/** The first line of a text; `undefined` if there is none, or it has markup, which may quote the request. */
export function lineOf(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const [line = ''] = value
		.trimStart()
		.slice(0, 2 * MAX_TEXT)
		.split(/\s*[\r\n]/, 1);
	return line === '' || /<[a-z!/?]/i.test(line)
		? undefined
		: truncate(line, MAX_TEXT).toWellFormed();
}

/**
 * Reads what JSON says about a failure: a problem (RFC 9457) with the `errors` of ASP.NET, a message,
 * an object under `error`, or a text.
 *
 * @returns its text, and its own code of the failure; `undefined` if it says nothing
 */
export function problemOf(
	value: unknown,
): { readonly text: string; readonly code: string | undefined } | undefined {
	const outer = folded(isObject(value) ? value : { message: value });
	if (isObject(outer.error)) return problemOf(outer.error);
	const { title, message, detail, errordescription, error, errors, code } = outer;
	// The texts of each field that is refused, or a list of failures.
	const all = isObject(errors) ? errors : [errors].flat().slice(0, MAX_TEXTS);
	const refused = Object.entries(all)
		.slice(0, MAX_TEXTS)
		.flatMap(([field, failures]) =>
			(Array.isArray(failures) ? failures.slice(0, MAX_TEXTS) : [failures]).map((failure) => {
				const text = lineOf(failure) ?? lineOf(folded(failure).message);
				const isNamed = text !== undefined && field !== '' && isObject(errors);
				return isNamed ? `'${truncate(field).toWellFormed()}': ${text}` : text;
			}),
		);
	// A word, such as `invalid_token`, says no more than the status.
	const said = [title, message, detail, errordescription, error]
		.map(lineOf)
		.filter((line) => line !== undefined && /\s/.test(line));
	const lines = new Set([...said, ...refused].flatMap((line) => line ?? []));
	const texts = [...lines].slice(0, MAX_TEXTS);
	if (texts.length === 0) return undefined;
	const ended = texts.map((text) => (texts.length < 2 ? text : text.replace(/(?<![.!?…])$/, '.')));
	return {
		text: truncate(ended.join(' '), MAX_TEXT).toWellFormed(),
		code: /^"?([\w.:-]{1,40})"?$/.exec(formatValue(code ?? ''))?.[1],
	};
}

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
	const body = isWebPage(response) ? '' : headOf(response);
	const said = [typeof header === 'string' ? header : '', body].filter((text) => text.trim());
	return said.length === 0 ? undefined : said.join('\n');
}

/**
 * Gives an error the words of its answer as the title and the details, if there are any. Its own title
 * goes to the description.
 */
export function inOwnWords(given: ServiceError, response: ExchangeResponse): ServiceError {
	const error = given.with({ details: answerText(response) });
	let problem: ReturnType<typeof problemOf>;
	try {
		problem = problemOf(JSON.parse(headOf(response)));
	} catch {
		return error;
	}
	if (problem === undefined) return error;
	return error.with({
		message: problem.text,
		isQuote: true,
		serviceCode: problem.code === String(response.status) ? undefined : problem.code,
		description: sentences(`${error.message}.`, error.description),
	});
}

/** Advice for HTTP 401 and 403, if the answer's text points to the credential. */
function refusalAdvice(response: ExchangeResponse): string | undefined {
	if (response.status !== 401 && response.status !== 403) return undefined;
	return adviceOn(answerText(response) ?? '', ACCESS_PHRASES);
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
	return response ? inOwnWords(error, response) : error;
}

/**
 * The error for an answer whose status means that it has no result.
 *
 * @param address field that holds the base address of the request
 */
export function statusError(response: ExchangeResponse, address: AddressField): ServiceError {
	const { status } = response;
	const kind = failureKindOf(response);
	if (status >= 300 && status < 400) {
		// Without its query, which may hold a secret.
		const [target = ''] = String(response.headers.location ?? '').split(/[?#]/, 1);
		return redirected(kind, status, address, truncate(target, 200));
	}
	const pause = asksToRetry(response) ? namedPause(response) : undefined;
	const error = refusedStatus(kind, status, address, pause);
	const advice = pause === undefined ? refusalAdvice(response) : undefined;
	return inOwnWords(error.with({ description: advice ?? error.description }), response);
}
