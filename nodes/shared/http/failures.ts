/** What an answer without a result means. */
import type { AddressField } from '../credential/connection';
import { ACCESS_PHRASES, adviceOn } from '../errors/advice';
import { serviceError } from '../errors/catalog';
import type { ServiceError } from '../errors/ServiceError';
import { formatDuration, formatValue, sentences, truncate } from '../errors/words';
import { isObject, type Values } from '../values/values';
import { headOf } from './charset';
import { asksToRetry, namedPause, outcomeOf } from './retry';
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
export function wordsOf(
	value: unknown,
): { readonly text: string; readonly code: string | undefined } | undefined {
	const outer = folded(isObject(value) ? value : { message: value });
	if (isObject(outer.error)) return wordsOf(outer.error);
	const { title, message, detail, errordescription, error, errors, code } = outer;
	// A word, such as `invalid_token`, says no more than the status.
	const said = [title, message, detail, errordescription, error]
		.map(lineOf)
		.filter((line) => line !== undefined && /\s/.test(line));
	// The texts of each field that is refused, or a list of failures.
	const refused = Object.entries(isObject(errors) ? errors : { '': errors })
		.slice(0, MAX_TEXTS)
		.flatMap(([field, failures]) =>
			[failures]
				.flat()
				.slice(0, MAX_TEXTS)
				.map((failure) => {
					const text = lineOf(failure) ?? lineOf(folded(failure).message);
					return text && field ? `'${truncate(field).toWellFormed()}': ${text}` : text;
				}),
		);
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
	let said: ReturnType<typeof wordsOf>;
	try {
		said = wordsOf(JSON.parse(headOf(response)));
	} catch {
		// It is not JSON.
	}
	if (said === undefined) return error;
	return error.with({
		message: said.text,
		isQuote: true,
		serviceCode: said.code === String(response.status) ? undefined : said.code,
		description: sentences(`${error.message}.`, error.description),
	});
}

/** The error for a call that is refused with any access token. @param isFresh whether the token was renewed just before */
export function unauthorized(isFresh: boolean, response: ExchangeResponse): ServiceError {
	const advice = adviceOn(answerText(response) ?? '', ACCESS_PHRASES);
	const error =
		advice === undefined
			? serviceError(isFresh ? 'TOKEN_REJECTED/fresh' : 'TOKEN_REJECTED')
			: serviceError('ACCESS_REFUSED/401', { advice });
	return inOwnWords(error, response);
}

/** The failures by HTTP status; the first that matches counts. */
const STATUSES = [
	[/400/, 'CALL_REFUSED/400'],
	[/403/, 'ACCESS_REFUSED/403'],
	[/404/, 'NOT_FOUND'],
	[/405/, 'CALL_REFUSED/405'],
	[/415/, 'CALL_REFUSED/415'],
	[/429/, 'RATE_LIMITED'],
	[/^4/, 'CALL_REFUSED'],
	[/50[234]/, 'UNAVAILABLE'],
	[/^5/, 'SERVICE_ERROR'],
] as const;

/**
 * The error for an answer whose status means that it has no result.
 *
 * @param field that holds the base address of the request
 */
export function statusError(response: ExchangeResponse, field: AddressField): ServiceError {
	const { status } = response;
	const known = { httpStatus: status, outcome: outcomeOf(response) };
	if (status >= 300 && status < 400) {
		// Without its query, which may hold a secret.
		const [to = ''] = String(response.headers.location ?? '').split(/[?#]/, 1);
		const target = to && `It leads to ${truncate(to, 200)}. `;
		return serviceError('REDIRECTED', { status, field, target }).with(known);
	}
	const [, byStatus = 'STATUS_UNKNOWN'] =
		STATUSES.find(([statuses]) => statuses.test(String(status))) ?? [];
	const pause = asksToRetry(response) ? namedPause(response) : undefined;
	let failure: typeof byStatus | 'NOT_FOUND/service' | 'RATE_LIMITED/quota' = byStatus;
	if (status === 404 && field === 'SOAP Address') failure = 'NOT_FOUND/service';
	// HTTP 403 with a pause limits the calls, as HTTP 429 does.
	if (status === 403 && pause !== undefined) failure = 'RATE_LIMITED/quota';
	const error = serviceError(failure, { status, field }).with(known);
	const isAboutAccess = (status === 401 || status === 403) && pause === undefined;
	const about = isAboutAccess ? adviceOn(answerText(response) ?? '', ACCESS_PHRASES) : undefined;
	const isKnown = pause !== undefined && pause < Infinity;
	const again = isKnown ? `The service can be called again in ${formatDuration(pause)}.` : '';
	const description = sentences(about ?? error.description, again);
	return inOwnWords(error.with({ description }), response);
}
