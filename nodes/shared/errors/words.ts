/** Words of error messages: lists of names, and values that were given. */

/** So many names are listed. */
const MAX_NAMES = 10;

/** The longest value, and the longest name, in a message, in characters. */
const MAX_SHOWN = 80;

/** A text, cut where it is too long. */
export function shortened(text: string): string {
	return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 3)}...` : text;
}

/** As JSON; a value that has none (nested without end, in a circle, a bigint in it) by its type. */
function jsonOf(value: unknown): string {
	try {
		return JSON.stringify(value) ?? typeof value;
	} catch {
		return Array.isArray(value) ? 'a list' : `an ${typeof value}`;
	}
}

/** Shows a value in an error message: short, on one line, as JSON where that is possible. */
export function shown(value: unknown): string {
	if (typeof value === 'number' || typeof value === 'bigint') return String(value);
	return shortened(jsonOf(value));
}

/** Whether nothing was given: no value, or a text of whitespace alone. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && !value.trim());
}

/** "Code, Description and Id"; names that go on are cut. */
export function inWords(names: readonly string[], conjunction = 'and'): string {
	const more = names.length - MAX_NAMES;
	const all = more > 1 ? [...names.slice(0, MAX_NAMES), `${more} more`] : names;
	return [all.slice(0, -1).join(', '), all.at(-1)].filter(Boolean).join(` ${conjunction} `);
}
