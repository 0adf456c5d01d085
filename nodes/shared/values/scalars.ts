import type { SchemaScalar } from '../contract/schemaFields';
import { at, collect, invalid, missing, texts } from '../errors/InputError';
import { isEmpty } from '../errors/words';
import { notOfKind, notOneOf, type Codec } from './codec';
import { decimal, float, int, integer, isFiniteNumber, plainNumber } from './numbers';
import { temporals } from './temporal';
import { isXmlText } from './xmlRules';

/** Whitespace of XML, which separates the entries of `tokens`. */
const BLANKS = /[\t\n\r ]+/;

/** A last character before "=" has bits that mean nothing, and that must be zero. */
const BASE64 = /^[A-Za-z0-9+/]*(?:[AEIMQUYcgkosw048]=|[AQgw]==)?$/;

const boolean: Codec = {
	expected: 'true or false',
	write(value) {
		if (value === true || value === 'true') return 'true';
		if (value === false || value === 'false') return 'false';
		throw isEmpty(value) ? missing() : invalid(texts.values.boolean, value);
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
		if (!isXmlText(text)) throw invalid(texts.values.characters, value);
		return text;
	},
	read: (text) => text,
};

const enumeration: Codec = {
	expected: 'one of a set of names',
	write(value, field) {
		const values = field.kind === 'enumeration' ? field.values : [];
		// The names may be numbers, which JSON gives without quotes.
		const name = isFiniteNumber(value) ? plainNumber(value) : value;
		if (typeof name === 'string' && values.includes(name)) return name;
		throw notOneOf(value, values);
	},
	// Pass on names that the interface does not list yet, instead of failing.
	read: (text, field) =>
		field?.kind === 'enumeration' && field.values.includes(text) ? text : text.trim(),
};

/** What n8n has as the data of a binary property that it keeps outside of the item. */
const FILE_STORES: ReadonlySet<unknown> = new Set([
	'database',
	'filesystem',
	'filesystem-v2',
	's3',
]);

const base64Binary: Codec = {
	expected: 'base64',
	write(value) {
		const text = typeof value === 'string' ? base64Binary.read(value) : undefined;
		if (FILE_STORES.has(text ?? value)) throw invalid(texts.values.stored, value);
		if (typeof text !== 'string') throw notOfKind(value, 'base64');
		return text;
	},
	read(text) {
		const digits = text.split(BLANKS).join('');
		return digits.length % 4 === 0 && BASE64.test(digits) ? digits : undefined;
	},
};

const tokens: Codec = {
	expected: 'a list of values',
	write(value, field) {
		if (!Array.isArray(value)) throw notOfKind(value, 'a list');
		const entries = collect(value, (entry, i) =>
			at(i, () => {
				const text = field.kind === 'tokens' ? scalarText(field.of, entry) : '';
				if (text === '') throw missing();
				if (!BLANKS.test(text)) return text;
				throw invalid(texts.values.whitespace, text);
			}),
		);
		return entries.join(' ');
	},
	read(text, field) {
		if (field?.kind !== 'tokens') return undefined;
		const { of } = field;
		const entries = text.split(BLANKS).filter((entry) => entry !== '');
		const values = entries.map((entry) => scalars[of.kind].read(entry, of));
		return values.every((value) => value !== undefined) ? values : undefined;
	},
};

/** The codec of each scalar field kind. */
export const scalars: Readonly<Record<SchemaScalar['kind'], Codec>> = {
	int,
	decimal,
	boolean,
	string,
	enumeration,
	integer,
	float,
	...temporals,
	base64Binary,
	tokens,
};

/**
 * Returns a value as the text that is sent.
 *
 * @throws {InputError} if the value is not of the field's kind
 */
export function scalarText(field: SchemaScalar, value: unknown): string {
	return scalars[field.kind].write(value, field);
}
