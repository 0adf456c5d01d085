/** Whole numbers: `int`, of 32 bits, and `integer`, of any size. */
import { INT_MAX, INT_MIN } from '../contract/fields';
import { invalidValue, type InputError } from '../errors/InputError';
import { numberAsText } from './decimal';
import { jsonNumber, notOfKind, trimmed, type Kind } from './kind';

const DIGITS = /^[+-]?\d+$/;

/** Several numbers in one text: a single comma may also be that of a fraction. */
const SEVERAL = /^\d+(?:\s*[;|]\s*\d+|,\s+\d+|,\d{4,})+$/;

/** Returns the error for a value that is no whole number, with what it may be meant as. */
function notWhole(value: unknown): InputError {
	const text = typeof value === 'string' ? value.trim() : '';
	const isSeveral = Array.isArray(value) ? value.length > 1 : SEVERAL.test(text);
	if (isSeveral) {
		return invalidValue(value, 'is more than one whole number. Use one input item for each.');
	}
	const [, whole] = /^([+-]?\d+)[.,]0{1,2}$/.exec(text) ?? [];
	return notOfKind(value, 'a whole number', whole === undefined ? [] : [whole]);
}

/** Whether a value is a whole number of 32 bits. */
export function isInt(value: unknown): value is number {
	return Number.isInteger(value) && Number(value) >= INT_MIN && Number(value) <= INT_MAX;
}

/**
 * A whole number of 32 bits.
 *
 * - written: `12` → `12`, `" +7 "` → `7`; not `1.5`, `"1e3"`, `2147483648`
 * - read: `+007` → `7`
 */
export const int = {
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
		const number = DIGITS.test(text.trim()) ? Number(text) : Number.NaN;
		return isInt(number) ? jsonNumber(number) : undefined;
	},
} satisfies Kind;

/**
 * A whole number of any size: the ranges of `byte` and others are left to the service.
 *
 * - written: `12` → `12`, `"9223372036854775807"` as it is; not `9007199254740992`, see `plainNumber`
 * - read: `12` → `12`, `9223372036854775807` → `"9223372036854775807"`
 */
export const integer = {
	expected: 'a whole number',
	example: 0,
	write(value) {
		const text = trimmed(numberAsText(value));
		if (typeof text === 'string' && DIGITS.test(text)) return text;
		throw notWhole(value);
	},
	read(text) {
		const digits = text.trim();
		if (!DIGITS.test(digits)) return undefined;
		const number = Number(digits);
		return Number.isSafeInteger(number) ? jsonNumber(number) : digits;
	},
} satisfies Kind;
