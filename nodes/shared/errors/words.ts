/** Formats lists of names and input values for error messages. */

/** Number of names listed before the others are only counted. */
const MAX_NAMES = 10;

/** Maximum length of a value or a name in a message, in characters. */
const MAX_SHOWN = 80;

/** Maximum length of one of several names, which may be a phrase. */
const MAX_PHRASE = 200;

/** Returns the beginning of a text that may be large: a slice would keep the whole in memory. */
export function beginning(text: string, length: number): string {
	return Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le');
}

/** Truncates a text to 80 characters, or another maximum, including the ellipsis (`...`). */
export function truncate(text: string, maximum = MAX_SHOWN): string {
	return text.length > maximum ? `${beginning(text, maximum - 3)}...` : text;
}

/** The types of objects that JSON shows: not bytes, nor a `Map`. */
const JSON_TYPES: ReadonlySet<string> = new Set(['Array', 'Date', 'Null', 'Object']);

/**
 * Formats a value for an error message: truncated, on one line, as JSON if possible; else as the name of its type.
 * Of a large value, only the beginning is serialized.
 */
export function formatValue(value: unknown): string {
	if (typeof value === 'number' || typeof value === 'bigint') return String(value);
	const type = Object.prototype.toString.call(value).slice('[object '.length, -1);
	if (typeof value === 'object' && !JSON_TYPES.has(type)) return `a value of the type ${type}`;
	let left = MAX_SHOWN;
	const head = (_: string, part: unknown): unknown => {
		left -= 1;
		if (left < 0) return undefined;
		if (typeof part === 'string' || Array.isArray(part)) return part.slice(0, MAX_SHOWN);
		if (typeof part !== 'object' || part === null) return part;
		return Object.fromEntries(Object.entries(part).slice(0, MAX_SHOWN));
	};
	try {
		return truncate(JSON.stringify(value, head) ?? typeof value);
	} catch {
		return Array.isArray(value) ? 'a list' : `an ${typeof value}`;
	}
}

/** Returns a number with its noun: "1 record", "2 records". */
export function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Joins names: "Code, Description and Id". Of more than eleven, the phrase has ten and the number of the others. */
export function joinNames(names: readonly string[], conjunction = 'and'): string {
	const more = names.length - MAX_NAMES;
	const shown = more > 1 ? names.slice(0, MAX_NAMES) : names;
	const all = shown.map((name) => truncate(name, MAX_PHRASE));
	if (more > 1) all.push(`${more} more`);
	return [all.slice(0, -1).join(', '), all.at(-1)].filter(Boolean).join(` ${conjunction} `);
}

/** Joins sentences, without those that are empty or missing. */
export function sentences(...all: ReadonlyArray<string | false | undefined>): string {
	return all.filter(Boolean).join(' ');
}

/** Returns a text without the characters that a person does not see: they may hide words from him. */
export function readable(text: string): string {
	return text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
}

/** Returns a text of the service for a sentence of the node: in quotes, unless it is a short name. */
export function quoteUnlessName(text: string): string {
	const isName = /^[\p{L}\p{N}]+(?:[ .'/-][\p{L}\p{N}]+){0,3}$/u.test(text);
	return isName ? truncate(text) : JSON.stringify(truncate(text));
}
