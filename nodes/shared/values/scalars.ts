/** The rules of all kinds of values that are a text on the wire. */
import type { ScalarField } from '../contract/fields';
import { LIMITS } from '../errors/limits';
import { country } from './country';
import { tooLong, type Kind, type ScalarValue } from './kind';
import { decimal, float, int, integer } from './numbers';
import { date, dateTime, time } from './temporal';
import { base64Binary, boolean, enumeration, string } from './text';

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
};

/** Whether a text is too long to be a number, a date or a time. */
function isTooLong({ kind }: ScalarField, value: unknown): boolean {
	if (['string', 'enumeration', 'base64Binary'].includes(kind)) return false;
	return typeof value === 'string' && value.trim().length > LIMITS.name;
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
