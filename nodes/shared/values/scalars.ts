/** All kinds of values that are a text on the wire. */
import type { ScalarField } from '../contract/fields';
import { LIMITS } from '../contract/limits';
import { collect, invalidInput, invalidValue, missing } from './InputError';
import { type Kind, notOfKind, type ScalarValue, tooLong } from './kind';
import { decimal, float, int, integer } from './numbers';
import { date, dateTime, time } from './temporal';
import { base64Binary, boolean, country, enumeration, string } from './text';
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

/** Returns the rules of a field's kind. */
export function kindOf({ kind }: ScalarField): Kind {
	return kinds[kind];
}

/** Whether a text is too long to be a number, a date or a time. */
function isTooLong({ kind }: ScalarField, value: unknown): boolean {
	if (['string', 'enumeration', 'base64Binary'].includes(kind)) return false;
	return typeof value === 'string' && value.trim().length > LIMITS.name;
}

/** Returns a value as the text that is sent. @throws {InputError} if it is not of the field's kind */
export function writeScalar(field: ScalarField, value: unknown): string {
	if (isTooLong(field, value)) throw tooLong(value);
	return kindOf(field).write(value, field);
}

/** Returns the value of a text that was received; `undefined` if it is not of the field's kind. */
export function readScalar(field: ScalarField, text: string): ScalarValue | undefined {
	return isTooLong(field, text) ? undefined : kindOf(field).read(text, field);
}

/** A name that is also sent in the `SOAPAction` header: an `NCName` of ASCII characters. */
const SENT_NAME = /^[A-Za-z_][\w.-]*$/;

/**
 * Returns the name of a service or an operation that the contract does not define.
 *
 * @param what for example `an operation, such as CostCenter_Get`
 * @throws {InputError} if the name is missing or malformed
 */
export function checkSentName(name: unknown, what: string): string {
	if (isEmpty(name)) throw missing();
	if (typeof name === 'string' && SENT_NAME.test(name)) return name;
	throw invalidValue(name, `is not the name of ${what}.`);
}

function checkDepth(value: unknown, levels: number): void {
	if (typeof value === 'bigint') throw notOfKind(value, 'a value of JSON. Write it as a string');
	if (typeof value !== 'object' || value === null) return;
	// A date is a value of its own.
	if (isInstant(value) || ArrayBuffer.isView(value)) return;
	if (levels === 0) throw invalidInput(`is nested deeper than ${LIMITS.depth} levels.`);
	for (const inner of Object.values(value)) checkDepth(inner, levels - 1);
}

/** @throws {InputError} with every value that JSON cannot hold: nested too deeply, or a BigInt */
export function checkReadable(values: Readonly<Values>): void {
	collect(
		Object.entries(values),
		([, value]) => checkDepth(value, LIMITS.depth - 1),
		([name]) => name,
	);
}
