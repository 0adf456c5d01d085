/** Formats lists of names and input values for error messages. */

/** Number of names listed before the others are only counted. */
const MAX_NAMES = 10;

/** Units of a duration, in seconds. */
const UNITS = [
	['day', 86_400],
	['hour', 3600],
	['minute', 60],
	['second', 1],
] as const;

/** Maximum length of a value or a name in a message, in characters. */
const MAX_SHOWN = 80;

/** Truncates a text to 80 characters, or another maximum, including the ellipsis (`...`). */
export function truncate(text: string, maximum = MAX_SHOWN): string {
	return text.length > maximum ? `${text.slice(0, maximum - 3)}...` : text;
}

/**
 * Serializes a value as JSON. Falls back to the name of its type if JSON cannot represent it: too
 * deeply nested, circular, or containing a bigint.
 */
function jsonOf(value: unknown): string {
	try {
		return JSON.stringify(value) ?? typeof value;
	} catch {
		return Array.isArray(value) ? 'a list' : `an ${typeof value}`;
	}
}

/** Formats a value for an error message: truncated, on one line, as JSON if possible. */
export function formatValue(value: unknown): string {
	if (typeof value === 'number' || typeof value === 'bigint') return String(value);
	// A long text is cut before it is escaped: of that, no more is shown.
	return truncate(jsonOf(typeof value === 'string' ? value.slice(0, MAX_SHOWN) : value));
}

/** Formats a duration in its two largest units: 754000 → "12 minutes 34 seconds". */
export function formatDuration(milliseconds: number): string {
	let rest = Math.ceil(milliseconds / 1000);
	const parts: string[] = [];
	for (const [unit, size] of UNITS) {
		const count = Math.floor(rest / size);
		rest -= count * size;
		if (count > 0) parts.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
	}
	return parts.slice(0, 2).join(' ') || '0 seconds';
}

/** Whether a value is `undefined`, `null` or a string of whitespace only. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && !value.trim());
}

/**
 * Joins names into a phrase such as "Code, Description and Id". Of more than eleven names, only the
 * first ten are included, with the number of the others.
 *
 * @param conjunction the word before the last name
 */
export function joinNames(names: readonly string[], conjunction = 'and'): string {
	const more = names.length - MAX_NAMES;
	const all = more > 1 ? [...names.slice(0, MAX_NAMES), `${more} more`] : names;
	return [all.slice(0, -1).join(', '), all.at(-1)].filter(Boolean).join(` ${conjunction} `);
}

/** Joins sentences, without those that are empty or missing. */
export function sentences(...all: ReadonlyArray<string | undefined>): string {
	return all.filter(Boolean).join(' ');
}
