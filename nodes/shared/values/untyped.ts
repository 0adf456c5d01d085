/** Validation of names and values that the contract does not define. */
import { at, collect, invalidInput, invalidValue, missing } from '../errors/InputError';
import { LIMITS } from '../errors/limits';
import { isEmpty } from '../errors/words';
import { notOfKind } from './kind';
import { instantOf } from './temporal';
import { string } from './text';
import { isInstant, type Values } from './values';

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
	collect(Object.keys(values), (name, i) => at(name, () => checkDepth(all[i], LIMITS.depth - 1)));
}
