import { INT_MAX, INT_MIN, type ScalarField } from '../contract/fields';
import { InputError } from '../errors/InputError';
import { isXmlText } from './xml';

const INT = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** Every decimal of so many digits is a number of its own. */
const EXACT_DIGITS = 15;

/** How values of one kind are written and read. */
interface Codec {
	/** What a value of this kind is, for messages. */
	readonly expected: string;
	/** @throws {InputError} naming `path` */
	write(value: unknown, path: string, field: ScalarField): string;
	/** The value of an element's text, `undefined` where it is not of this kind. */
	read(text: string): number | string | boolean | undefined;
}

/** A finite number in plain notation: no exponent, no digit lost. */
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

/** A decimal's digits without what does not change its size. */
function digitsOf(decimal: string): string {
	const [whole = '', fraction = ''] = decimal.replace(/^[+-]?0*/, '').split('.');
	// Not `/0+$/`: it would begin anew at every zero of a long fraction.
	return `${whole}.${/^\d*[1-9]/.exec(fraction)?.[0] ?? ''}`;
}

function isFiniteNumber(value: unknown): value is number {
	return Number.isFinite(value);
}

function isInt(value: unknown): value is number {
	return Number.isInteger(value) && Number(value) >= INT_MIN && Number(value) <= INT_MAX;
}

const int: Codec = {
	expected: 'a whole number of 32 bits',
	write(value, path) {
		const text = typeof value === 'string' ? value.trim() : value;
		const number = typeof text === 'string' && INT.test(text) ? Number(text) : text;
		if (!isInt(number)) throw new InputError(path, int.expected, value);
		return String(number);
	},
	read(text) {
		const number = INT.test(text.trim()) ? Number(text) : Number.NaN;
		if (!isInt(number)) return undefined;
		return number === 0 ? 0 : number;
	},
};

const decimal: Codec = {
	expected: 'a decimal',
	write(value, path) {
		if (isFiniteNumber(value)) return plainNumber(value);
		if (typeof value === 'string' && DECIMAL.test(value.trim())) return value.trim();
		throw new InputError(path, decimal.expected, value);
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
	write(value, path) {
		if (value === true || value === 'true') return 'true';
		if (value === false || value === 'false') return 'false';
		throw new InputError(path, boolean.expected, value);
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
	write(value, path) {
		// Spreadsheets and expressions give a house number as a number.
		const text = isFiniteNumber(value) ? plainNumber(value) : value;
		if (typeof text !== 'string') throw new InputError(path, string.expected, value);
		if (!isXmlText(text)) {
			throw new InputError(path, 'a text without control characters or broken emoji', value);
		}
		return text;
	},
	read: (text) => text,
};

const enumeration: Codec = {
	expected: 'one of a set of names',
	write(value, path, field) {
		const values = field.kind === 'enumeration' ? field.values : [];
		if (typeof value === 'string' && values.includes(value)) return value;
		throw new InputError(path, `one of ${values.join(', ')}`, value);
	},
	// A name the interface does not know yet is passed on rather than made an error.
	read: (text) => text.trim(),
};

/** Writing and reading by field kind. */
export const scalars: Readonly<Record<ScalarField['kind'], Codec>> = {
	int,
	decimal,
	boolean,
	string,
	enumeration,
};
