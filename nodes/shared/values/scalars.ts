/** The rules of all kinds of values that are a text on the wire. */
import type { ScalarField } from '../contract/fields';
import { LIMITS } from '../contract/limits';
import { base64Binary, boolean, country, enumeration, string } from './text';
import { type Kind, notOfKind, type ScalarValue, tooLong } from './kind';
import { decimal, float, int, integer } from './numbers';
import { date, dateTime, instantOf, time } from './temporal';
import { collect, invalidInput, invalidValue, missing } from '../errors/InputError';
import { isEmpty, isInstant, type Values } from './values';

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

/**
 * Checks a value, and returns it as the text that is sent.
 *
 * @throws {InputError} if the value is not of the field's kind
 */
export function writeScalar(field: ScalarField, value: unknown): string {
	if (isTooLong(field, value)) throw tooLong(value);
	return kindOf(field).write(value, field);
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
	if (isTooLong(field, value)) throw tooLong(value);
	return kindOf(field).canonical?.(value, field) ?? writeScalar(field, value);
}

/** Namespace of XML Schema, and of its built-in types. */
export const XSD = 'http://www.w3.org/2001/XMLSchema';
/** Namespace of the prefix `xml`. */
export const XML = 'http://www.w3.org/XML/1998/namespace';

/** A name that is also sent in the `SOAPAction` header: an `NCName` of ASCII characters. */
const SENT_NAME = /^[A-Za-z_][\w.-]*$/;

/**
 * Validates and returns the name of a service or an operation that the contract does not define.
 *
 * @param what for example `an operation, such as CostCenter_Get`
 * @throws {InputError} if the name is missing or malformed
 */
export function checkSentName(name: unknown, what: string): string {
	if (isEmpty(name)) throw missing();
	if (typeof name === 'string' && SENT_NAME.test(name)) return name;
	throw invalidValue(name, `is not the name of ${what}.`);
}

/**
 * Checks a scalar of unknown type, and returns it as text.
 *
 * @throws {InputError} if the value is not a string, number, boolean or date, if it is a whole number
 * that may have lost digits, or if XML cannot represent it
 */
export function untypedText(value: unknown): string {
	if (typeof value === 'boolean') return String(value);
	return string.write(instantOf(value) ?? value);
}

function valuesIn(value: object): readonly unknown[] {
	try {
		return Object.values(value);
	} catch {
		throw invalidInput('holds a value that cannot be read.');
	}
}

function checkDepth(value: unknown, levels: number): void {
	if (typeof value === 'bigint') throw notOfKind(value, 'a value of JSON. Write it as a string');
	if (typeof value !== 'object' || value === null) return;
	// A date is a value of its own.
	if (isInstant(value) || ArrayBuffer.isView(value)) return;
	if (levels === 0) throw invalidInput(`is nested deeper than ${LIMITS.depth} levels.`);
	for (const inner of valuesIn(value)) checkDepth(inner, levels - 1);
}

/** @throws {InputError} with every value that JSON cannot hold: nested too deeply, a BigInt, or a getter that throws */
export function checkReadable(values: Readonly<Values>): void {
	const all = valuesIn(values);
	collect(
		Object.keys(values),
		(_, i) => checkDepth(all[i], LIMITS.depth - 1),
		(name) => name,
	);
}
