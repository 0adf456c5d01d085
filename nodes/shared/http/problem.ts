import { truncate } from '../errors/words';
import { isObject, type Values } from '../values/values';

/** What an answer says about its failure. */
export interface Problem {
	/** A sentence, or several. */
	readonly text: string;
	/** Its own code of the failure. */
	readonly code: string | undefined;
	/** A sentence for each field that it refuses; empty if it names none. */
	readonly fields: string;
}

/** Maximum length of a text, and number of fields. */
const MAX_TEXT = 500;
const MAX_FIELDS = 10;

/** Keys of texts: the first one is the title, and one of the others may add to it. */
const TITLE_KEYS = ['title', 'message', 'errordescription', 'errormessage', 'faultstring', 'msg'];
const DETAIL_KEYS = ['detail', 'details', 'messagedetail', 'exceptionmessage', 'description'];
const CODE_KEYS = ['code', 'errorcode', 'error'];
/** Keys of an object that holds the failure. */
const INNER_KEYS = ['error', 'fault'];
/** Keys of the fields that are refused, each with its texts, or of a list of failures. */
const FIELD_KEYS = ['errors', 'modelstate', 'validationerrors', 'invalidparams'];
const NAME_KEYS = ['field', 'property', 'propertyname', 'name', 'target', 'path', 'pointer'];

/** An object's values by its keys in lower case, without `_` and `-`: `total_count` is `totalCount`. */
export function folded(object: unknown): Values {
	const entries = Object.entries(isObject(object) ? object : {});
	return Object.fromEntries(
		entries.map(([key, value]) => [key.toLowerCase().replace(/[_-]/g, ''), value]),
	);
}

/** The first line of a text; `undefined` if there is none, or it has markup, which may quote the request. */
function lineOf(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const head = value.trimStart().slice(0, 2 * MAX_TEXT);
	const [line = ''] = head.split(/\s*[\r\n]/, 1);
	return line === '' || /<[a-z!/?]/i.test(line)
		? undefined
		: truncate(line, MAX_TEXT).toWellFormed();
}

/** A single word, or the phrase of an HTTP status: it says no more than the status. */
const PHRASE =
	/^(?:\S*|(?:bad|invalid) request|not found|method not allowed|too many requests|internal server error|bad gateway|service unavailable|gateway time-?out)\.?$/i;

/** Returns the texts that objects have under some keys. */
function textsUnder(all: readonly Values[], keys: readonly string[]): string[] {
	return all.flatMap((values) => keys.flatMap((key) => lineOf(values[key]) ?? []));
}

/** Joins texts as sentences. */
function joined(texts: Iterable<string>): string {
	const all = [...new Set(texts)].map((text) => (/[.!?…]$/.test(text) ? text : `${text}.`));
	return truncate(all.join(' '), MAX_TEXT).toWellFormed();
}

/** Describes the failures of a field, or of a list. */
function failuresOf(failures: unknown, field?: string): string[] {
	const all: unknown[] = Array.isArray(failures) ? failures.slice(0, MAX_FIELDS) : [failures];
	return all.flatMap((failure) => {
		const values = [folded(failure)];
		const text = lineOf(failure) ?? textsUnder(values, [...TITLE_KEYS, ...DETAIL_KEYS])[0];
		const name = lineOf(field) ?? textsUnder(values, NAME_KEYS)[0];
		return text === undefined ? [] : [name ? `'${truncate(name).toWellFormed()}': ${text}` : text];
	});
}

/** Describes the failures under a key: a list, or an object with those of each field. */
function failuresUnder(key: string, value: unknown): string[] {
	if (Array.isArray(value)) return failuresOf(value);
	if (!isObject(value) || !FIELD_KEYS.includes(key)) return [];
	const fields = Object.entries(value).slice(0, MAX_FIELDS);
	return fields.flatMap(([name, failures]) => failuresOf(failures, name));
}

function isCode(value: unknown): value is number | string {
	return ['number', 'string'].includes(typeof value) && /^[\w.:-]{1,40}$/.test(String(value));
}

/**
 * Reads what JSON says about a failure: a problem (RFC 9457) with the fields that ASP.NET adds, the
 * error of an API gateway, of OAuth (RFC 6749) or OData, a list of errors, or a text.
 *
 * @returns `undefined` if it says nothing
 */
export function problemOf(value: unknown): Problem | undefined {
	const isList = Array.isArray(value);
	const outer = folded(isObject(value) ? value : { [isList ? 'errors' : 'message']: value });
	const all = [...INNER_KEYS.map((key) => folded(outer[key])), outer];
	const found = all.flatMap((values) =>
		[...FIELD_KEYS, ...DETAIL_KEYS].flatMap((key) => failuresUnder(key, values[key])),
	);
	const [title, detail, error] = [TITLE_KEYS, DETAIL_KEYS, INNER_KEYS].map((keys) =>
		textsUnder(all, keys).find((text) => !PHRASE.test(text)),
	);
	const first = title ?? detail ?? error ?? found.shift();
	if (first === undefined) return undefined;
	const text = detail === undefined || detail === first ? first : joined([first, detail]);
	const code = all.flatMap((values) => CODE_KEYS.map((key) => values[key])).find(isCode);
	return {
		text,
		code: code === undefined || code === text ? undefined : String(code),
		fields: joined(found.slice(0, MAX_FIELDS)),
	};
}
