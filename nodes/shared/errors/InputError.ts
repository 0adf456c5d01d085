/** As JSON; a value that has none (nested without end, in a circle, a bigint in it) by its type. */
function jsonOf(value: unknown): string {
	try {
		return JSON.stringify(value) ?? typeof value;
	} catch {
		return Array.isArray(value) ? 'a list' : `an ${typeof value}`;
	}
}

/** Shows a value in an error message: short, on one line, as JSON where that is possible. */
function shown(value: unknown): string {
	if (value === undefined) return 'nothing';
	if (typeof value === 'number' || typeof value === 'bigint') return String(value);
	const text = jsonOf(value);
	return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/**
 * A value that the interface does not allow, found before anything was sent.
 * The message names the path of the value and what was expected there, for example
 * `CostCenteren[2].Percentage: expected a decimal, got "abc"`.
 */
export class InputError extends Error {
	override readonly name = 'InputError';

	/** The index of the input item that holds the value, where another one than the call's first may. */
	item: number | undefined;

	constructor(
		readonly path: string,
		readonly expected: string,
		value: unknown,
	) {
		// A name of the input's own may be any text, and the cut may go through an emoji.
		super(`${path}: expected ${expected}, got ${shown(value)}`.toWellFormed());
	}
}
