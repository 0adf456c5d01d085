/** Texts and names: `string`, `enumeration`, `boolean` and `base64Binary`. */
import type { EnumerationField } from '../contract/fields';
import { onceFor } from '../contract/onceFor';
import { invalidValue, missing } from '../errors/InputError';
import { isEmpty } from '../errors/words';
import { numberAsText } from './decimal';
import { notOfKind, refuseName, type Kind } from './kind';
import { isXmlText } from './xmlRules';

/**
 * A text; whitespace in it is kept. Spreadsheets and expressions provide a house number as a number.
 *
 * - written: `" a\n"` → ` a\n`, `241` → `241`; not `true`, nor `"\u0000"`, which XML does not allow
 */
export const string = {
	expected: 'a text',
	write(value) {
		const text = numberAsText(value);
		if (typeof text !== 'string') throw notOfKind(value, 'a text');
		if (!isXmlText(text)) {
			throw invalidValue(value, 'contains a control character or a broken emoji.');
		}
		return text;
	},
	read: (text) => text,
} satisfies Kind;

const namesIn = onceFor((values: readonly string[]) => new Set(values));

/**
 * One of the names of the field. A name that the interface does not list yet is refused in a request,
 * and passed on from an answer. JSON may have a name as a number.
 *
 * - written: `"WorkAddress"` → `WorkAddress`
 * - read: ` WorkAddress ` → `"WorkAddress"`, `MoonAddress` → `"MoonAddress"`
 */
export const enumeration = {
	expected: 'one of a set of names',
	write(value, { values }): string {
		const name = numberAsText(value);
		if (typeof name === 'string' && namesIn(values).has(name)) return name;
		return refuseName(value, values);
	},
	read: (text, { values }) => (namesIn(values).has(text) ? text : text.trim()),
	canonical: (value, field): string =>
		typeof value === 'string' ? value : enumeration.write(value, field),
} satisfies Kind<EnumerationField>;

/** Other words for the two values, in English and Dutch, in lower case. */
const TRUE_WORDS: ReadonlySet<string> = new Set([
	'true',
	'1',
	'yes',
	'y',
	'on',
	'ja',
	'j',
	'waar',
	'aan',
]);
const FALSE_WORDS: ReadonlySet<string> = new Set([
	'false',
	'0',
	'no',
	'n',
	'off',
	'nee',
	'onwaar',
	'uit',
]);

function meantBoolean(value: unknown): 'true' | 'false' | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const word = String(value).trim().toLowerCase();
	if (TRUE_WORDS.has(word)) return 'true';
	return FALSE_WORDS.has(word) ? 'false' : undefined;
}

/**
 * - written: `true` and `"true"` → `true`; not `1`, `"yes"`, whose correction is offered
 * - read: `true` and `1` → `true`
 */
export const boolean = {
	expected: 'true or false',
	example: true,
	write(value) {
		if (value === true || value === 'true') return 'true';
		if (value === false || value === 'false') return 'false';
		if (isEmpty(value)) throw missing();
		const meant = meantBoolean(value);
		const correction = meant === undefined ? '.' : `. Write ${meant}`;
		throw invalidValue(value, `is neither true nor false${correction}`);
	},
	read(text) {
		const name = text.trim();
		if (name === 'true' || name === '1') return true;
		return name === 'false' || name === '0' ? false : undefined;
	},
} satisfies Kind;

/** Whether a text is what its own bytes are written as: any other letter, length or last bit differs. */
const isBase64 = (text: string): boolean => Buffer.from(text, 'base64').toString('base64') === text;

function readBase64(text: string): string | undefined {
	if (isBase64(text)) return text;
	const digits = text.replace(/[\t\n\r ]+/g, '');
	return isBase64(digits) ? digits : undefined;
}

/** Bytes: `aGVs\nbG8=` → `aGVsbG8=`; not `"aGVsbG8"`. */
export const base64Binary = {
	expected: 'base64',
	write(value) {
		const text = typeof value === 'string' ? readBase64(value) : undefined;
		if (text === undefined) throw notOfKind(value, 'base64');
		return text;
	},
	read: readBase64,
} satisfies Kind;
