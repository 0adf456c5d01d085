/** Validation of names and values that the contract does not define. */
import { ATTRIBUTE } from '../contract/fields';
import { at, collect, invalidInput, invalidValue, missing } from '../errors/InputError';
import { isEmpty } from '../errors/words';
import { instantOf } from './temporal';
import { notOfKind } from './kind';
import { string } from './text';
import { isInstant, type Values } from './values';
import { isInt } from './whole';
import { isXmlName, isXmlText } from './xmlRules';

/** Namespace of XML Schema, and of its built-in types. */
export const XSD = 'http://www.w3.org/2001/XMLSchema';
/** Namespace of the prefix `xml`. */
export const XML = 'http://www.w3.org/XML/1998/namespace';

/** A name that is also sent in the `SOAPAction` header: an `NCName` of ASCII characters. */
const SENT_NAME = /^[A-Za-z_][\w.-]*$/;

/** Maximum nesting depth, the same as in the response parser. */
const MAX_NESTING = 64;

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

/** @throws {InputError} if a text is not the name of an XML element without a prefix */
export function checkElementName(name: string): void {
	if (!isXmlName(name)) {
		throw invalidValue(name, 'is not the name of an XML element without a prefix.');
	}
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
	if (levels === 0) throw invalidInput(`is nested deeper than ${MAX_NESTING} levels.`);
	for (const inner of valuesIn(value)) checkDepth(inner, levels - 1);
}

/** @throws {InputError} with every value that JSON cannot hold: nested too deeply, a BigInt, or a getter that throws */
export function checkReadable(values: Readonly<Values>): void {
	const all = valuesIn(values);
	collect(Object.keys(values), (name, i) => at(name, () => checkDepth(all[i], MAX_NESTING - 1)));
}

/** A name whose namespace is known. */
type SplitName = readonly [namespace: string, local: string];

/** Splits `{namespace}local`; `undefined` if it is malformed. */
function splitName(name: string, common: string): SplitName | undefined {
	const [, namespace = common, local = ''] = /^(?:\{(.+)\})?(.*)$/s.exec(name) ?? [];
	return isXmlName(local) && isXmlText(namespace) ? [namespace, local] : undefined;
}

/** Splits the value of {@link TYPE}; `undefined` if it is malformed. */
export function splitType(type: string): SplitName | undefined {
	return splitName(type, XSD);
}

/** Splits the name of the property of an attribute; `undefined` if it is malformed. */
export function splitAttribute(property: string): SplitName | undefined {
	return splitName(property.slice(ATTRIBUTE.length).replace(/^xml:/, `{${XML}}`), '');
}

/** Returns the type, named as in {@link TYPE}, that a scalar is sent with where any type is allowed. */
export function typeOfScalar(value: unknown): 'boolean' | 'double' | 'int' | 'string' {
	if (typeof value === 'number') return isInt(value) ? 'int' : 'double';
	return typeof value === 'boolean' ? 'boolean' : 'string';
}
