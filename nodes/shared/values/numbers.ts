/** Numbers as XML Schema writes them. No digit is lost, except of a `float`. */
import { INT_MAX, INT_MIN } from '../contract/fields';
import { invalid, texts } from '../errors/InputError';
import { notOfKind, type Codec } from './codec';

const INT = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
const FLOAT = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[Ee][+-]?\d+)?|-?INF|NaN)$/;

/** A decimal with at most this many digits converts to a number without loss. */
const EXACT_DIGITS = 15;

/** Formats a finite number in plain notation: without an exponent, and without losing a digit. */
export function plainNumber(value: number): string {
	const shortest = String(value);
	const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(shortest);
	if (match === null) return shortest;
	const [, sign = '', whole = '', fraction = '', exponent = ''] = match;
	const digits = whole + fraction;
	const point = 1 + Number(exponent);
	if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
	return `${sign}${digits.padEnd(point, '0')}`;
}

/** A decimal's digits without sign, leading zeros and trailing zeros of the fraction. */
export function digitsOf(decimal: string): string {
	const [whole = '', fraction = ''] = decimal.replace(/^[+-]?0*/, '').split('.');
	// Not `/0+$/`: on a long fraction it would restart the match at every zero.
	return `${whole}.${/^\d*[1-9]/.exec(fraction)?.[0] ?? ''}`;
}

/** A decimal without a plus sign, the sign of a zero, and insignificant zeros. */
export function plainDecimal(decimal: string): string {
	const [whole = '', fraction = ''] = digitsOf(decimal).split('.');
	const sign = decimal.startsWith('-') && whole + fraction !== '' ? '-' : '';
	return `${sign}${whole || '0'}${fraction && '.'}${fraction}`;
}

function compareDigits(a: string, b: string): number {
	const longer = a.indexOf('.') - b.indexOf('.');
	if (longer !== 0 || a === b) return longer;
	return a < b ? -1 : 1;
}

/** Compares decimals of any length: negative if the first is smaller, 0 if they are equal. */
export function compareDecimals(a: string, b: string): number {
	const [x, y] = [digitsOf(a), digitsOf(b)];
	const isNegative = a.startsWith('-') && x !== '.';
	if (isNegative !== (b.startsWith('-') && y !== '.')) return isNegative ? -1 : 1;
	return isNegative ? compareDigits(y, x) : compareDigits(x, y);
}

/** Returns the exact sum of decimals, see {@link plainDecimal}. */
export function sumOfDecimals(decimals: readonly string[]): string {
	const parts = decimals.map((decimal) => decimal.split('.'));
	const scale = parts.reduce((most, [, { length } = '']) => Math.max(most, length), 1);
	const units = parts.reduce(
		(sum, [whole = '', fraction = '']) => sum + BigInt(whole + fraction.padEnd(scale, '0')),
		0n,
	);
	const digits = String(units)
		.replace('-', '')
		.padStart(scale + 1, '0');
	const sign = units < 0n ? '-' : '';
	return plainDecimal(`${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`);
}

export function isFiniteNumber(value: unknown): value is number {
	return Number.isFinite(value);
}

/**
 * Ensures that a whole number is exact.
 *
 * @throws {InputError} if the value is a number beyond 53 bits
 */
export function checkExact(value: unknown): void {
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		throw invalid(texts.values.inexact, value);
	}
}

/** Whether a value is a whole number of 32 bits. */
export function isInt(value: unknown): value is number {
	return Number.isInteger(value) && Number(value) >= INT_MIN && Number(value) <= INT_MAX;
}

function trimmed(value: unknown): unknown {
	return typeof value === 'string' ? value.trim() : value;
}

/** JSON has no negative zero. */
function withoutSignOfZero(number: number): number {
	return number === 0 ? 0 : number;
}

/**
 * Replaces a decimal comma with a point. Returns `undefined` if the comma may also be a thousands
 * separator, as in "1,234".
 */
function withDecimalPoint(value: unknown): string | undefined {
	const [, whole, fraction = ''] = /^([+-]?\d+),(\d+)$/.exec(String(value).trim()) ?? [];
	if (whole === undefined) return undefined;
	const isAmbiguous = fraction.length === 3 && /^[+-]?[1-9]\d{0,2}$/.test(whole);
	return isAmbiguous ? undefined : `${whole}.${fraction}`;
}

/** Serializes a number that may have a fraction. */
function writeFractional(value: unknown, form: RegExp, format: (number: number) => string): string {
	if (isFiniteNumber(value)) return format(value);
	const text = trimmed(value);
	if (typeof text === 'string' && form.test(text)) return text;
	const meant = typeof text === 'string' ? withDecimalPoint(text) : undefined;
	if (meant === undefined) throw notOfKind(value, 'a number');
	throw invalid(texts.values.number, value, { meant });
}

export const int: Codec = {
	expected: 'a whole number of 32 bits',
	write(value) {
		const text = trimmed(value);
		const number = typeof text === 'string' && INT.test(text) ? Number(text) : text;
		if (isInt(number)) return String(number);
		if (!Number.isInteger(number)) throw notOfKind(value, 'a whole number');
		throw invalid(texts.values.int, value, { lowest: INT_MIN, highest: INT_MAX });
	},
	read(text) {
		const number = INT.test(text.trim()) ? Number(text) : Number.NaN;
		return isInt(number) ? withoutSignOfZero(number) : undefined;
	},
};

export const integer: Codec = {
	expected: 'a whole number',
	write(value, field) {
		checkExact(value);
		const text = trimmed(typeof value === 'number' ? String(value) : value);
		if (typeof text !== 'string' || !INT.test(text)) throw notOfKind(value, 'a whole number');
		const { min, max } = field.kind === 'integer' ? field : {};
		if (min !== undefined && compareDecimals(text, min) < 0) {
			throw invalid(texts.values.bound, text, { limit: `at least ${min}` });
		}
		if (max !== undefined && compareDecimals(text, max) > 0) {
			throw invalid(texts.values.bound, text, { limit: `at most ${max}` });
		}
		return text;
	},
	read(text) {
		const digits = text.trim();
		if (!INT.test(digits)) return undefined;
		const number = Number(digits);
		return Number.isSafeInteger(number) ? withoutSignOfZero(number) : digits;
	},
};

export const decimal: Codec = {
	expected: 'a decimal',
	write: (value) => writeFractional(value, DECIMAL, plainNumber),
	read(text) {
		const digits = text.trim();
		if (!DECIMAL.test(digits)) return undefined;
		const number = Number(digits);
		const isExact =
			digits.length <= EXACT_DIGITS || digitsOf(plainNumber(number)) === digitsOf(digits);
		return isExact ? withoutSignOfZero(number) : digits;
	},
};

export const float: Codec = {
	expected: 'a number',
	write: (value) => writeFractional(value, FLOAT, String),
	read(text) {
		const digits = text.trim();
		if (!FLOAT.test(digits)) return undefined;
		const number = Number(digits);
		return isFiniteNumber(number) ? withoutSignOfZero(number) : digits;
	},
};
