/** The rules of all kinds of values that are a text on the wire. */
import type { ScalarField, TokensField } from '../contract/fields';
import { at, collect, invalidValue, missing } from '../errors/InputError';
import { country } from './country';
import { decimal, float } from './decimal';
import { MAX_LENGTH, notOfKind, tooLong, type Kind, type ScalarValue } from './kind';
import { date, dateTime, time } from './temporal';
import { base64Binary, boolean, enumeration, string } from './text';
import { int, integer } from './whole';

/** Whitespace of XML, which separates the entries of `tokens`. */
const BLANKS = /[\t\n\r ]+/;

/**
 * Values of one kind, separated by whitespace.
 *
 * - written: `["Mo", "Tu"]` → `Mo Tu`; not `"Mo"`, `["a b"]`, `[""]`
 * - read: `Mo  Tu` → `["Mo", "Tu"]`
 */
const tokens: Kind<TokensField> = {
	expected: 'a list of values',
	write(value, { of }) {
		if (!Array.isArray(value)) throw notOfKind(value, 'a list');
		const entries = collect(value, (entry, i) =>
			at(i, () => {
				const text = writeScalar(of, entry);
				if (text === '') throw missing();
				if (!BLANKS.test(text)) return text;
				throw invalidValue(text, 'contains whitespace, which would end the entry.');
			}),
		);
		return entries.join(' ');
	},
	read(text, { of }) {
		const entries = text.split(BLANKS).filter((entry) => entry !== '');
		const values = entries.map((entry) => readScalar(of, entry));
		return values.every((value) => value !== undefined) ? values : undefined;
	},
};

type Kinds = { readonly [K in ScalarField['kind']]: Kind<ScalarField & { kind: K }> };

const kinds: Kinds = {
	int,
	decimal,
	boolean,
	country,
	string,
	enumeration,
	integer,
	float,
	dateTime,
	date,
	time,
	base64Binary,
	tokens,
};

/** Whether a text is too long to be a number, a date or a time. */
function isTooLong({ kind }: ScalarField, value: unknown): boolean {
	if (['string', 'enumeration', 'base64Binary', 'tokens'].includes(kind)) return false;
	return typeof value === 'string' && value.trim().length > MAX_LENGTH;
}

/** Returns the rules of a field's kind. */
export function kindOf({ kind }: ScalarField): Kind {
	return kinds[kind];
}

/** @throws {InputError} if a value is too long to be of the field's kind */
function checkedKind(field: ScalarField, value: unknown): Kind {
	if (isTooLong(field, value)) throw tooLong(value);
	return kindOf(field);
}

/**
 * Checks a value, and returns it as the text that is sent.
 *
 * @throws {InputError} if the value is not of the field's kind
 */
export function writeScalar(field: ScalarField, value: unknown): string {
	return checkedKind(field, value).write(value, field);
}

/** Returns the value of a text that was received; `undefined` if it is not of the field's kind. */
export function readScalar(field: ScalarField, text: string): ScalarValue | undefined {
	return isTooLong(field, text) ? undefined : kindOf(field).read(text, field);
}

/**
 * Returns a value as text that is the same for all equal values: `241` and `"241"` are the same
 * house number, `40.0` and `40` the same share.
 *
 * @throws {InputError} if the value is not of the field's kind
 */
export function canonicalText(field: ScalarField, value: unknown): string {
	return checkedKind(field, value).canonical?.(value, field) ?? writeScalar(field, value);
}
