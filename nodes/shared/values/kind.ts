/** What all kinds of values share, and the kinds of numbers. */
import { INT_MAX, type ScalarField } from '../contract/fields';
import { LIMITS } from '../contract/limits';
import { joinNames } from '../errors/words';
import { type InputError, invalidInput, invalidValue, missing } from './InputError';
import { isEmpty, isInstant, isSet, valueAt, type Values } from './values';

/** What the text of an element is read as. */
export type ScalarValue = number | string | boolean;

/** The rules of one kind of value: how it is checked, written and read. */
export interface Kind<F extends ScalarField = ScalarField> {
	/** Name of the kind, for messages about responses. */
	readonly expected: string;
	/** A value of the kind, where a field has no example of its own. */
	readonly example?: ScalarValue;
	/** Returns a value as the text of an element. @throws {InputError} if it is not of this kind */
	write(value: unknown, field: F): string;
	/** Returns the value of the text of an element; `undefined` if it is not of this kind. */
	read(text: string, field: F): ScalarValue | undefined;
}

/** Returns the error for a text that is too long. */
export function tooLong(value: unknown): InputError {
	return invalidValue(value, `has more than ${LIMITS.name} characters.`);
}

/** Returns the error for a value that is missing or not of its kind. @param meant what it may be meant as */
export function notOfKind(value: unknown, kind: string, meant: readonly string[] = []): InputError {
	refuseSlip(value);
	if (typeof value === 'string' && meant.length === 0) refuseHidden(value);
	const correction = meant.length === 0 ? '.' : `. Write ${joinNames(meant, 'or')}`;
	const not = isInstant(value) && value.toJSON() ? 'is a date or a duration, not' : 'is not';
	return isEmpty(value) ? missing() : invalidValue(value, `${not} ${kind}${correction}`);
}

/** @throws {InputError} for a value that is missing or none of a set of names */
export function refuseName(value: unknown, names: readonly string[]): never {
	refuseSlip(value);
	const known = joinNames(names, 'or');
	if (isEmpty(value)) throw invalidInput(`is empty. Choose ${known}.`, 'VALUE_EMPTY');
	throw invalidValue(value, `is not known. Choose ${known}.`);
}

/** Characters that nobody sees: soft hyphens, zero-width spaces and joiners, byte order marks. */
const INVISIBLE = '\\u00ad\\u200b-\\u200d\\u2060\\ufeff';
const AROUND = new RegExp(`[\\s${INVISIBLE}]`);
/** A no-break space looks like another character, too. */
const HIDDEN = new RegExp(`[\\u00a0\\u202f${INVISIBLE}]`);

/** Splits a text into its edges of whitespace and invisible characters, and what is between them. */
function edgesOf(text: string): readonly [before: string, between: string, after: string] {
	let [start, end] = [0, text.length];
	while (start < end && AROUND.test(text.charAt(start))) start += 1;
	while (end > start && AROUND.test(text.charAt(end - 1))) end -= 1;
	return [text.slice(0, start), text.slice(start, end), text.slice(end)];
}

/** Returns a text without whitespace and invisible characters around it; any other value as it is. */
export function trimmed(value: unknown): unknown {
	return typeof value === 'string' ? edgesOf(value)[1] : value;
}

/** Returns a text without an edge that has invisible characters; one of whitespace alone stays. */
export function withoutHidden(text: string): string {
	return edgesOf(text)
		.map((part, i) => (i !== 1 && HIDDEN.test(part) ? '' : part))
		.join('');
}

/** @throws {InputError} if there is an invisible character inside a code or an identifier */
export function refuseHidden(given: string): void {
	const [found] = HIDDEN.exec(String(trimmed(given))) ?? [];
	if (found === undefined) return;
	const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
	throw invalidValue(given, `contains an invisible character (U+${code}). Type it again.`);
}

/** What is left of a failed formula of a sheet in any language, a column that is too narrow, or an expression. */
const SLIP =
	/^(?:#(?:[¡¿]?[\p{L}\p{N}/_]*\p{L}[\p{L}\p{N}/_]*[!?]|\p{L}\/\p{L}|NV|YOK|HIÁNYZIK|NENÍ_K_DISPOZICI|GETTING_DATA|GEGEVENS_OPHALEN|#+)|\[object \w+\]|undefined|nan|null)$/iu;

/** Whether a value is what a failed formula or expression leaves. */
export function isSlip(value: unknown): boolean {
	if (typeof value !== 'string' || value.length > LIMITS.name) return false;
	return SLIP.test(String(trimmed(value)));
}

/** @throws {InputError} if a value is what a failed formula or expression leaves */
export function refuseSlip(value: unknown): void {
	if (!isSlip(value)) return;
	throw invalidValue(value, 'is what a failed formula or expression leaves, not a value.');
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
const FLOAT = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[Ee][+-]?\d+)?|-?INF|NaN)$/;

/**
 * Returns a finite number as text without an exponent, 1.5e-7 → "0.00000015"; any other value as it is.
 *
 * @throws {InputError} if it is whole and beyond 53 bits: it may have lost digits, as 12345678901234567890 has
 */
export function numberAsText(value: unknown): unknown {
	if (typeof value !== 'number' || !Number.isFinite(value)) return value;
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		throw invalidValue(value, 'has more than 15 digits. Write it as a string.');
	}
	const [, sign = '', digits, exponent] = /^(-?)([\d.]+)e-(\d+)$/.exec(String(value)) ?? [];
	if (digits === undefined) return String(value);
	return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${digits.replace('.', '')}`;
}

/** Returns a number as JSON has it: without a negative zero. */
export function jsonNumber(number: number): number {
	return number === 0 ? 0 : number;
}

/** What people write around a number. */
const UNITS = /^(?:[$£€]|EUR)\s*|\s*(?:[%€]|EUR|percent|procent)$/gi;

/** A number with groups of three digits, and perhaps a fraction. */
const GROUPED = /^([+-]?[1-9]\d{0,2}([.,'\s])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/;

/** One group of three digits, which may as well be a fraction: "3.100" is 3.1 or 3100. */
const AMBIGUOUS = /^([+-]?[1-9]\d{0,2})[.,](\d{3})$/;

/** Returns the numbers that a text may stand for: "€ 33,34" → "33.34". */
function meantNumbers(text: string): readonly string[] {
	const bare = text.replace(UNITS, '');
	const [, few, three] = AMBIGUOUS.exec(bare) ?? [];
	if (few !== undefined && three !== undefined) return [`${few}.${three}`, `${few}${three}`];
	const [, groups, , fraction] = GROUPED.exec(bare) ?? [];
	if (groups !== undefined) {
		return [[groups.replace(/[^+\d-]/g, ''), fraction].filter(Boolean).join('.')];
	}
	const pointed = bare.replace(/^([+-]?\d+),(\d+)$/, '$1.$2');
	return DECIMAL.test(pointed) ? [pointed] : [];
}

function writeNumber(value: unknown, form: RegExp): string {
	const text = trimmed(value);
	if (typeof text !== 'string') throw notOfKind(value, 'a number');
	if (form.test(text)) return text;
	const meant = meantNumbers(text);
	if (meant.length === 0 || text.replace(UNITS, '') === text) {
		throw notOfKind(value, 'a number', meant);
	}
	throw invalidValue(value, `has a sign beside the number. Write ${joinNames(meant, 'or')}`);
}

/** Returns the shortest text of a decimal: "+040.0" → "40", "-.50" → "-0.5", "-0" → "0". */
export function plainDecimal(decimal: string): string {
	const [whole = '', zeros = ''] = decimal.replace(/^[+-]?0*/, '').split('.');
	// Not `/0+$/`: on a long fraction it would restart the match at every zero.
	const fraction = /^\d*[1-9]/.exec(zeros)?.[0] ?? '';
	const sign = decimal.startsWith('-') && whole + fraction !== '' ? '-' : '';
	return `${sign}${whole || '0'}${fraction && '.'}${fraction}`;
}

/** Reads a text of a form as a number, if that has all that the text says, and else as it is. */
function readNumber(
	text: string,
	form: RegExp,
	isExact: (number: number, digits: string) => boolean,
): ScalarValue | undefined {
	const digits = text.trim();
	if (!form.test(digits)) return undefined;
	const number = Number(digits);
	return isExact(number, digits) ? jsonNumber(number) : digits;
}

const DIGITS = /^[+-]?\d+$/;

/** Several numbers in one text: a single comma may also be that of a fraction. */
const SEVERAL = /^\d+(?:\s*[;|]\s*\d+|,\s+\d+|,\d{4,})+$/;

/** Returns the error for a value that is no whole number, with what it may be meant as. */
function notWhole(value: unknown): InputError {
	const text = typeof value === 'string' ? value.trim() : '';
	const isSeveral = Array.isArray(value) ? value.length > 1 : SEVERAL.test(text);
	if (isSeveral) {
		return invalidValue(
			value,
			'is more than one whole number. Use one input item or call for each.',
		);
	}
	const [, whole] = /^([+-]?\d+)[.,]0{1,2}$/.exec(text) ?? [];
	// "12.000" may be 12, too.
	const grouped = /000$/.test(text) ? [] : meantNumbers(text).filter((meant) => DIGITS.test(meant));
	return notOfKind(value, 'a whole number', whole === undefined ? grouped : [whole]);
}

const INT_MIN = -INT_MAX - 1;

function isInt(value: unknown): value is number {
	return Number.isInteger(value) && Number(value) >= INT_MIN && Number(value) <= INT_MAX;
}

export const numbers = {
	/**
	 * A decimal number of any length, of which no digit is lost.
	 *
	 * - written: `"12.3400"` → `12.3400`, `1e-7` → `0.0000001`; not `"1e3"`, `"33,34"`, `2 ** 53`
	 * - read: `12.3400` → `12.34`, `12345678901234567890` → `"12345678901234567890"`
	 */
	decimal: {
		expected: 'a decimal',
		example: 0,
		write: (value): string => writeNumber(numberAsText(value), DECIMAL),
		read: (text) =>
			readNumber(text, DECIMAL, (number, digits) => {
				// A decimal of up to 15 digits converts to a number without loss.
				if (digits.length <= 15) return true;
				const isShort = Math.abs(number) < 2 ** 53;
				return isShort && plainDecimal(String(numberAsText(number))) === plainDecimal(digits);
			}),
	},
	/**
	 * - written: `1e21` → `1e+21`, `"-INF"` → `-INF`; not `NaN`, which JSON has not as a number
	 * - read: `1E5` → `100000`, `NaN` → `"NaN"`
	 */
	float: {
		expected: 'a number',
		example: 0,
		write: (value) => writeNumber(Number.isFinite(value) ? String(value) : value, FLOAT),
		read: (text) => readNumber(text, FLOAT, Number.isFinite),
	},
	/** A whole number of any size: the ranges of `byte` and others are left to the service. */
	integer: {
		expected: 'a whole number',
		example: 0,
		write(value) {
			const text = trimmed(numberAsText(value));
			if (typeof text === 'string' && DIGITS.test(text)) return text;
			throw notWhole(value);
		},
		read: (text) => readNumber(text, DIGITS, Number.isSafeInteger),
	},
	/** A whole number of 32 bits: `12`, `" +7 "`; not `1.5`, `"1e3"`. */
	int: {
		expected: 'a whole number of 32 bits',
		example: 0,
		write(value) {
			const text = trimmed(value);
			const number = typeof text === 'string' && DIGITS.test(text) ? Number(text) : text;
			if (isInt(number)) return String(number);
			if (!Number.isInteger(number)) throw notWhole(value);
			const range = `from ${INT_MIN} to ${INT_MAX}`;
			throw invalidValue(value, `is out of range. Write a whole number ${range}`);
		},
		read(text) {
			const number = readNumber(text, DIGITS, isInt);
			return isInt(number) ? number : undefined;
		},
	},
} satisfies Record<string, Kind>;

/**
 * Returns a record's scalars by label as texts that are the same for all equal values: `241` and `"241"`, `40.0` and
 * `40`; empty for a value that is not set. The values are those of a record that was read, or checked.
 */
export function textsOf(
	scalars: ReadonlyArray<{ label: string; path: readonly string[]; field: ScalarField }>,
	values: Values,
): Record<string, string> {
	const entries = scalars.map(({ label, path, field }) => {
		const value = valueAt(values, path);
		if (!isSet(value)) return [label, ''] as const;
		const text = String(numberAsText(value));
		const isNumber = field.kind === 'decimal' || field.kind === 'int';
		return [label, isNumber ? plainDecimal(String(trimmed(text))) : text] as const;
	});
	return Object.fromEntries(entries);
}
