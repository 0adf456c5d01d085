import type { ScalarField } from '../contract/fields';
import { InputError } from '../errors/InputError';
import { isXmlText } from './xml';

const INT_MIN = -(2 ** 31);
const INT_MAX = 2 ** 31 - 1;
const INT = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** An answer's value that is not of its element's kind. */
export class ValueError extends Error {
	override readonly name = 'ValueError';
}

/** How values of one kind are written and read. */
interface Codec {
	/** @throws {InputError} naming `path` */
	write(value: unknown, path: string, field: ScalarField): string;
	/** @throws {ValueError} naming what was expected */
	read(text: string): number | string | boolean;
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

/** A decimal's digits without what does not change its value. */
function canonical(decimal: string): string {
	const negative = decimal.startsWith('-');
	const [whole = '', fraction = ''] = decimal.replace(/^[+-]/, '').split('.');
	const head = whole.replace(/^0+(?=\d)/, '') || '0';
	const tail = fraction.replace(/0+$/, '');
	const digits = tail === '' ? head : `${head}.${tail}`;
	return negative && digits !== '0' ? `-${digits}` : digits;
}

function isInt(value: number): boolean {
	return Number.isInteger(value) && value >= INT_MIN && value <= INT_MAX;
}

const int: Codec = {
	write(value, path) {
		const text = typeof value === 'string' ? value.trim() : value;
		const number = typeof text === 'string' && INT.test(text) ? Number(text) : text;
		if (typeof number !== 'number' || !isInt(number)) {
			throw new InputError(path, 'a whole number of 32 bits', value);
		}
		return String(number);
	},
	read(text) {
		const number = INT.test(text.trim()) ? Number(text) : Number.NaN;
		if (!isInt(number)) throw new ValueError('a whole number of 32 bits');
		return number === 0 ? 0 : number;
	},
};

const decimal: Codec = {
	write(value, path) {
		if (typeof value === 'number' && Number.isFinite(value)) return plainNumber(value);
		if (typeof value === 'string' && DECIMAL.test(value.trim())) return value.trim();
		throw new InputError(path, 'a decimal', value);
	},
	read(text) {
		const trimmed = text.trim();
		if (!DECIMAL.test(trimmed)) throw new ValueError('a decimal');
		const number = Number(trimmed);
		if (!Number.isFinite(number)) return trimmed;
		if (canonical(plainNumber(number)) !== canonical(trimmed)) return trimmed;
		return number === 0 ? 0 : number;
	},
};

const boolean: Codec = {
	write(value, path) {
		if (value === true || value === 'true') return 'true';
		if (value === false || value === 'false') return 'false';
		throw new InputError(path, 'true or false', value);
	},
	read(text) {
		const trimmed = text.trim();
		if (trimmed === 'true' || trimmed === '1') return true;
		if (trimmed === 'false' || trimmed === '0') return false;
		throw new ValueError('true or false');
	},
};

const string: Codec = {
	write(value, path) {
		// Spreadsheets and expressions give a house number as a number.
		const text = typeof value === 'number' && Number.isFinite(value) ? plainNumber(value) : value;
		if (typeof text !== 'string') throw new InputError(path, 'a text', value);
		if (!isXmlText(text)) {
			throw new InputError(path, 'a text without control characters or broken emoji', value);
		}
		return text;
	},
	read: (text) => text,
};

const enumeration: Codec = {
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
