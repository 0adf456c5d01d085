/** What a call without a result means: its error, whether a write was applied, and when the call is sent again. */
import type { Effect } from '../contract/operation';
import type { AddressField } from '../credential/connection';
import { mentionedIn } from '../errors/phrases';
import { ServiceError, serviceError, type WriteOutcome } from '../errors/ServiceError';
import { formatValue, truncate } from '../errors/words';
import { codeOf } from '../host/nodes';
import { isObject, type Values } from '../values/values';
import { type ExchangeResponse, headOf, isWebPage } from './answer';

/** Failures of a connection by Node.js' code of the error. */
const CAUSES = [
	[/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/, 'NOT_REACHED'],
	// A certificate that is not accepted ends the connection before the request is written.
	[
		/^(CERT_|CRL_|ERR_TLS_CERT_|ERROR_IN_C|DEPTH_ZERO_|SELF_SIGNED_CERT_|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$)/,
		'CONNECTION_INSECURE',
	],
	// Any other error of TLS may come later: the record of an answer can be corrupt, and a server can end the
	// connection with an alert (RFC 8446, section 6.2).
	[/^(EPROTO$|ERR_SSL_|ERR_TLS_)/, 'CONNECTION_LOST/secure'],
	[
		/^(E[A-Z]+|HPE_.*|Z_.*|ERR_STREAM_PREMATURE_CLOSE|ERR_NETWORK|ERR_BAD_RESPONSE)$/,
		'CONNECTION_LOST',
	],
] as const;

/** Returns the error to throw for what n8n threw for a request to an address in this field of the credential. */
export function interpret(error: unknown, field: AddressField): ServiceError {
	if (error instanceof ServiceError) return error;
	const cause = codeOf(error) ?? '';
	const [, failure = 'REQUEST_FAILED'] = CAUSES.find(([causes]) => causes.test(cause)) ?? [];
	return serviceError(failure, { field, cause });
}

const MAX_ATTEMPTS = 4;

/** Base of the exponential backoff, in milliseconds: the three waits take at least 3.5 s, to survive an outage of 3 s. */
const BASE_MS = 1000;

/** Longest accepted wait between two attempts, in milliseconds. */
const MAX_WAIT_MS = 60_000;

/** Texts of API gateways: "Quota will be replenished in 6.00:12:34", "Try again in 13 seconds". */
const PAUSE_IN_TEXT =
	/\b(?:quota|limit|again)\b[^\n]{0,200}?\bin (?:(?:(\d{1,9})\.)?(\d\d):(\d\d):(\d\d)|(\d{1,9}) seconds?)\b/i;

const RETRYABLE_STATUS = new Set([429, 502, 503, 504]);

/**
 * Returns the pause that an answer asks for, in milliseconds, however long: by its `Retry-After`
 * header, of seconds or an HTTP date, or in the text of HTTP 403 and 429. The text never decides the outcome of a write.
 */
function namedPause(response: ExchangeResponse): number | undefined {
	const header = response.headers['retry-after'];
	const value = typeof header === 'string' ? header.trim() : '';
	if (/^\d+$/.test(value)) return Number(value) * 1000;
	// An HTTP date is in GMT, also in the notation that does not say so, which Date.parse takes for local time.
	const gmt = /\d$/.test(value) ? `${value} GMT` : value;
	// Date.parse would accept some values without letters as dates, "-5" for instance.
	const date = /[a-z]/i.test(value) ? Date.parse(gmt) : Number.NaN;
	if (!Number.isNaN(date)) return Math.max(0, date - Date.now());
	if (response.status !== 403 && response.status !== 429) return undefined;
	const found = PAUSE_IN_TEXT.exec(headOf(response));
	if (found === null) return undefined;
	const parts = found.slice(1).map((part: string | undefined) => Number(part ?? 0));
	const [days = 0, hours = 0, minutes = 0, seconds = 0, inAll = 0] = parts;
	return 1000 * (((days * 24 + hours) * 60 + minutes) * 60 + seconds + inAll);
}

/** Returns the pause to make after an answer, in milliseconds; 0 if it is too long to wait for. */
export function askedPause(response: ExchangeResponse): number {
	const asked = namedPause(response) ?? 0;
	return asked <= MAX_WAIT_MS ? asked : 0;
}

/** Whether an answer asks the client to retry later. HTTP 403 does if it says when. */
export function asksToRetry(response: ExchangeResponse): boolean {
	const { status } = response;
	return RETRYABLE_STATUS.has(status) || (status === 403 && namedPause(response) !== undefined);
}

/** The statuses of requests that are turned away before they are carried out. */
const TURNED_AWAY = new Set([401, 403, 404, 405, 407, 413, 415, 429]);

/**
 * Returns whether a write was applied by the status of its answer. The rules are those of HTTP:
 * docs/dev/interface.md, section 7 specifies no status. A service may act before it answers with another
 * HTTP 4xx, such as 408 or 409. With HTTP 503 and `Retry-After`, it says when to send the request again.
 */
function outcomeOf(response: ExchangeResponse): WriteOutcome {
	const { status } = response;
	// Of HTTP 503, the header alone counts.
	const isLater = status === 503 && namedPause(response) !== undefined;
	return isLater || TURNED_AWAY.has(status) ? 'notApplied' : 'unknown';
}

/**
 * Decides whether to retry an attempt. Reads are retried after every transient failure; writes only
 * if the service certainly did not apply them. Gives up after the last attempt, or if the service
 * asks for a pause too long to wait for.
 *
 * @param attempt number of the attempt, from 1
 * @returns milliseconds to wait before the next attempt; `undefined` for none
 */
export function retryDelay(
	sent: ExchangeResponse | ServiceError,
	effect: Effect,
	attempt: number,
	random = Math.random(),
): number | undefined {
	const isAnswer = !(sent instanceof ServiceError);
	if (attempt >= MAX_ATTEMPTS || (isAnswer && !asksToRetry(sent))) return undefined;
	const outcome = isAnswer ? outcomeOf(sent) : sent.outcome;
	if (effect === 'write' && outcome !== 'notApplied') return undefined;
	const asked = isAnswer ? namedPause(sent) : undefined;
	if (asked !== undefined) return asked <= MAX_WAIT_MS ? asked : undefined;
	const ceiling = BASE_MS * 2 ** (attempt - 1);
	return Math.round(ceiling / 2 + (ceiling / 2) * random);
}

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

/** Reads what JSON says about a failure: a problem (RFC 9457) with the `errors` of ASP.NET or JSON:API, a message, or a text. */
export function wordsOf(
	value: unknown,
): { readonly text: string; readonly code: string | undefined } | undefined {
	const outer = folded(isObject(value) ? value : { message: value });
	if (isObject(outer.error)) return wordsOf(outer.error);
	const { title, message, exceptionmessage, detail, errordescription, error, code } = outer;
	const errors = outer.errors ?? outer.modelstate;
	// A word, such as `invalid_token`, says no more than the status.
	const said = [title, message, exceptionmessage, detail, errordescription, error]
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
					const inner = isObject(failure) ? wordsOf(failure)?.text : undefined;
					const text = lineOf(failure) ?? lineOf(folded(failure).message) ?? inner;
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

/** The text of an answer without a result: its `WWW-Authenticate` header and its body. */
function answerText(response: ExchangeResponse): string {
	const header = response.headers['www-authenticate'];
	const body = isWebPage(response) ? '' : headOf(response);
	const said = [typeof header === 'string' ? header : '', body];
	return said.filter((text) => text.trim()).join('\n');
}

/** Adds to an error what its answer says. */
export function inOwnWords(error: ServiceError, response: ExchangeResponse): ServiceError {
	const details = answerText(response) || undefined;
	let said: ReturnType<typeof wordsOf>;
	try {
		said = wordsOf(JSON.parse(headOf(response)));
	} catch {
		// It is not JSON.
	}
	const serviceCode = said?.code === String(response.status) ? undefined : said?.code;
	return error.with({ details, said: said?.text, serviceCode });
}

/** The failures by HTTP status; the first that matches counts. */
const STATUSES = [
	[/403/, 'ACCESS_REFUSED'],
	[/404/, 'NOT_FOUND'],
	[/429/, 'RATE_LIMITED'],
	[/^4/, 'CALL_REFUSED'],
	[/50[234]/, 'UNAVAILABLE'],
	[/^5/, 'SERVICE_ERROR'],
] as const;

/** The error for an answer without a result, by its status. @param name what to look up if it is not found */
export function statusError(
	response: ExchangeResponse,
	field: AddressField,
	name?: string,
): ServiceError {
	const { status } = response;
	if (status === 404 && name !== undefined) {
		return inOwnWords(serviceError('NOT_FOUND/subject', { httpStatus: status, name }), response);
	}
	const known = { httpStatus: status, outcome: outcomeOf(response), field };
	if (status >= 300 && status < 400 && status !== 304) {
		// Without its query, which may hold a secret. An address has no blank.
		const [to = ''] = String(response.headers.location ?? '').split(/[?#\s]/, 1);
		return serviceError('REDIRECTED', { ...known, target: truncate(to, 200) });
	}
	const [, byStatus = 'STATUS_UNKNOWN'] =
		STATUSES.find(([statuses]) => statuses.test(String(status))) ?? [];
	const pause = asksToRetry(response) ? namedPause(response) : undefined;
	// HTTP 403 with a pause limits the calls, as HTTP 429 does.
	const failure = status === 403 && pause !== undefined ? 'RATE_LIMITED' : byStatus;
	const isAboutAccess = (status === 401 || status === 403) && pause === undefined;
	const mentioned = isAboutAccess ? mentionedIn(answerText(response)) : undefined;
	// The REST interface has no Domain.
	const mentions = mentioned === 'domain' && field !== 'SOAP Address' ? undefined : mentioned;
	const again = pause === Infinity ? undefined : pause;
	return inOwnWords(serviceError(failure, { ...known, mentions, again }), response);
}
