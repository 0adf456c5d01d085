import { faulty, invalid, missing, type InputError } from '../errors/InputError';
import { formatValue, isEmpty, joinNames } from '../errors/words';
import { INT_MAX, INT_MIN, type ScalarField } from './fields';
import { isXmlText } from './xmlRules';

const INT = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** A decimal with at most this many digits converts to a number without loss. */
const EXACT_DIGITS = 15;

/** Serializes and parses values of one kind. */
interface Codec {
	/** Name of the kind, for messages about responses. */
	readonly expected: string;
	/**
	 * Serializes a value as the text of an element.
	 *
	 * @throws {InputError} if the value is not of this kind
	 */
	write(value: unknown, field: ScalarField): string;
	/** Parses the text of an element; `undefined` if it is not of this kind. */
	read(text: string): number | string | boolean | undefined;
}

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
function digitsOf(decimal: string): string {
	const [whole = '', fraction = ''] = decimal.replace(/^[+-]?0*/, '').split('.');
	// Not `/0+$/`: on a long fraction it would restart the match at every zero.
	return `${whole}.${/^\d*[1-9]/.exec(fraction)?.[0] ?? ''}`;
}

function isFiniteNumber(value: unknown): value is number {
	return Number.isFinite(value);
}

function isInt(value: unknown): value is number {
	return Number.isInteger(value) && Number(value) >= INT_MIN && Number(value) <= INT_MAX;
}

/** Returns the error for a value that is missing or not of its kind. */
function notOfKind(value: unknown, kind: string): InputError {
	return isEmpty(value) ? missing() : invalid(`${formatValue(value)} is not ${kind}.`);
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

const int: Codec = {
	expected: 'a whole number of 32 bits',
	write(value) {
		const text = typeof value === 'string' ? value.trim() : value;
		const number = typeof text === 'string' && INT.test(text) ? Number(text) : text;
		if (isInt(number)) return String(number);
		if (!Number.isInteger(number)) throw notOfKind(value, 'a whole number');
		throw invalid(
			`${formatValue(value)} is out of range. Write a whole number from ${INT_MIN} to ${INT_MAX}`,
		);
	},
	read(text) {
		const number = INT.test(text.trim()) ? Number(text) : Number.NaN;
		if (!isInt(number)) return undefined;
		return number === 0 ? 0 : number;
	},
};

const decimal: Codec = {
	expected: 'a decimal',
	write(value) {
		if (isFiniteNumber(value)) return plainNumber(value);
		if (typeof value === 'string' && DECIMAL.test(value.trim())) return value.trim();
		const meant = typeof value === 'string' ? withDecimalPoint(value) : undefined;
		if (meant === undefined) throw notOfKind(value, 'a number');
		throw invalid(`${formatValue(value)} is not a number. Write ${meant}`);
	},
	read(text) {
		const trimmed = text.trim();
		if (!DECIMAL.test(trimmed)) return undefined;
		const number = Number(trimmed);
		const isExact =
			trimmed.length <= EXACT_DIGITS || digitsOf(plainNumber(number)) === digitsOf(trimmed);
		if (!isExact) return trimmed;
		return number === 0 ? 0 : number;
	},
};

const boolean: Codec = {
	expected: 'true or false',
	write(value) {
		if (value === true || value === 'true') return 'true';
		if (value === false || value === 'false') return 'false';
		throw isEmpty(value) ? missing() : invalid(`${formatValue(value)} is neither true nor false.`);
	},
	read(text) {
		const trimmed = text.trim();
		if (trimmed === 'true' || trimmed === '1') return true;
		if (trimmed === 'false' || trimmed === '0') return false;
		return undefined;
	},
};

const string: Codec = {
	expected: 'a text',
	write(value) {
		// Spreadsheets and expressions provide a house number as a number.
		const text = isFiniteNumber(value) ? plainNumber(value) : value;
		if (typeof text !== 'string') throw notOfKind(value, 'a text');
		if (!isXmlText(text)) {
			throw invalid(`${formatValue(value)} contains a control character or a broken emoji.`);
		}
		return text;
	},
	read: (text) => text,
};

const enumeration: Codec = {
	expected: 'one of a set of names',
	write(value, field) {
		const values = field.kind === 'enumeration' ? field.values : [];
		if (typeof value === 'string' && values.includes(value)) return value;
		const known = joinNames(values, 'or');
		throw isEmpty(value)
			? faulty(`is empty. Choose ${known}.`)
			: invalid(`${formatValue(value)} is not known. Choose ${known}.`);
	},
	// Pass on names that the interface does not list yet, instead of failing.
	read: (text) => text.trim(),
};

/** The codec of each scalar field kind (docs/interface.md, section 2). */
export const scalars: Readonly<Record<ScalarField['kind'], Codec>> = {
	int,
	decimal,
	boolean,
	string,
	enumeration,
};
