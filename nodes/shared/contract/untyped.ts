/** Validation of names and values that the contract does not define. */
import { at, collect, faulty, invalid, missing } from '../errors/InputError';
import { formatValue, isEmpty } from '../errors/words';
import { scalars } from './scalars';
import { isObject } from './values';
import { isXmlName } from './xmlRules';

/**
 * Elements in request order. A value is a scalar, an object of child elements, or a list of these.
 */
export type UntypedElements = ReadonlyArray<readonly [name: string, value: unknown]>;

/**
 * The operation's name is also sent in the `SOAPAction` header, so only ASCII characters are
 * allowed.
 */
const OPERATION_NAME = /^[A-Za-z_][\w.-]*$/;

/** Maximum nesting depth, the same as in the response parser. */
const MAX_DEPTH = 64;

/**
 * Validates and returns the name of an operation that the contract does not define.
 *
 * @throws {InputError} if the name is missing or malformed
 */
export function checkOperationName(name: unknown): string {
	if (isEmpty(name)) throw missing();
	if (typeof name !== 'string' || !OPERATION_NAME.test(name)) {
		throw invalid(`${formatValue(name)} is not the name of an operation, such as CostCenter_Get.`);
	}
	return name;
}

/**
 * Validates and returns the name of an XML element.
 *
 * @throws {InputError} if the name is missing, malformed or prefixed
 */
export function checkElementName(name: unknown): string {
	if (isEmpty(name)) throw missing();
	if (typeof name !== 'string' || !isXmlName(name)) {
		throw invalid(`${formatValue(name)} is not the name of an XML element without a prefix.`);
	}
	return name;
}

/**
 * Serializes a scalar whose type the contract does not define.
 *
 * @throws {InputError} if the value is not a string, number or boolean, if it is an integer that is
 * not a safe integer, or if XML cannot represent it
 */
export function untypedText(value: unknown): string {
	if (typeof value === 'boolean') return String(value);
	if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
		throw invalid(`${formatValue(value)} has more than 15 digits. Write it as a string.`);
	}
	return scalars.string.write(value, { kind: 'string' });
}

/**
 * Validates elements whose types the contract does not define.
 *
 * @param depth nesting depth of these elements, from 1
 * @throws {InputError} with every name and value that XML cannot represent
 */
export function checkUntyped(elements: UntypedElements, depth = 1): void {
	if (depth > MAX_DEPTH) throw faulty(`is nested deeper than ${MAX_DEPTH} levels.`);
	const check = (value: unknown): void => {
		if (value === undefined || value === null) return;
		if (isObject(value)) checkUntyped(Object.entries(value), depth + 1);
		else untypedText(value);
	};
	collect(elements, ([name, value]) =>
		at(name, () => {
			checkElementName(name);
			if (Array.isArray(value)) collect(value, (entry, i) => at(i, () => check(entry)));
			else check(value);
		}),
	);
}
