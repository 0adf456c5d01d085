/** The rules of names and values that the contract does not know. */
import { at, collect, faulty, invalid, missing } from '../errors/InputError';
import { isEmpty, shown } from '../errors/words';
import { scalars } from './scalars';
import { isObject } from './values';
import { isXmlName } from './xmlRules';

/** Elements in their order, by name: a scalar, an object of further elements, or a list of these. */
export type UntypedElements = ReadonlyArray<readonly [name: string, value: unknown]>;

/** An operation's name stands in the `SOAPAction` header too, which carries no other letters. */
const OPERATION_NAME = /^[A-Za-z_][\w.-]*$/;

/** As deep as the reader of answers goes. */
const MAX_DEPTH = 64;

/**
 * Checks the name of an operation that the contract does not know.
 *
 * @throws {InputError} where it is none
 */
export function checkOperationName(name: unknown): string {
	if (isEmpty(name)) throw missing();
	if (typeof name !== 'string' || !OPERATION_NAME.test(name)) {
		throw invalid(`${shown(name)} is not the name of an operation, such as CostCenter_Get.`);
	}
	return name;
}

/** @throws {InputError} where the name is none */
export function checkElementName(name: unknown): string {
	if (isEmpty(name)) throw missing();
	if (typeof name !== 'string' || !isXmlName(name)) {
		throw invalid(`${shown(name)} is not the name of an XML element without a prefix.`);
	}
	return name;
}

/**
 * The text of a scalar whose type the contract does not know.
 *
 * @throws {InputError} where it is no text, number or boolean, or XML cannot carry it
 */
export function untypedText(value: unknown): string {
	if (typeof value === 'boolean') return String(value);
	if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
		throw invalid(`${shown(value)} has more than 15 digits. Write them as a text.`);
	}
	return scalars.string.write(value, { kind: 'string' });
}

/**
 * Checks elements whose types the contract does not know.
 *
 * @throws {InputError} with every name and value that XML cannot carry
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
