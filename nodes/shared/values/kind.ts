import { isEmpty } from './values';
import type { ScalarField } from '../contract/fields';
import { type InputError, invalidInput, invalidValue, missing } from '../errors/InputError';
import { joinNames } from '../errors/words';
import { LIMITS } from '../contract/limits';

/** What the text of an element is read as. */
export type ScalarValue = number | string | boolean;

/** The rules of one kind of value: how it is checked, written, read and compared. */
export interface Kind<F extends ScalarField = ScalarField> {
	/** Name of the kind, for messages about responses. */
	readonly expected: string;
	/** A value of the kind, where a field has no example of its own. */
	readonly example?: ScalarValue;
	/**
	 * Checks a value, and returns it as the text of an element.
	 *
	 * @throws {InputError} if the value is not of this kind
	 */
	write(value: unknown, field: F): string;
	/** Returns the value of the text of an element; `undefined` if it is not of this kind. */
	read(text: string, field: F): ScalarValue | undefined;
	/**
	 * Returns a text that is the same for all equal values. Default: what is written.
	 *
	 * @throws {InputError} if the value is not of this kind
	 */
	canonical?(value: unknown, field: F): string;
}

export function tooLong(value: unknown): InputError {
	return invalidValue(value, `has more than ${LIMITS.name} characters.`);
}

/**
 * Returns the error for a value that is missing or not of its kind.
 *
 * @param meant what the value may be meant as: offered, and never taken without being written
 */
export function notOfKind(value: unknown, kind: string, meant: readonly string[] = []): InputError {
	const correction = meant.length === 0 ? '.' : `. Write ${joinNames(meant, 'or')}`;
	return isEmpty(value) ? missing() : invalidValue(value, `is not ${kind}${correction}`);
}

/** @throws {InputError} for a value that is missing or none of a set of names */
export function refuseName(value: unknown, names: readonly string[]): never {
	const known = joinNames(names, 'or');
	if (isEmpty(value)) throw invalidInput(`is empty. Choose ${known}.`, 'VALUE_EMPTY');
	throw invalidValue(value, `is not known. Choose ${known}.`);
}

/** Returns a text without whitespace around it; any other value as it is. */
export function trimmed(value: unknown): unknown {
	return typeof value === 'string' ? value.trim() : value;
}

/** Returns a number as JSON has it: without a negative zero. */
export function jsonNumber(number: number): number {
	return number === 0 ? 0 : number;
}
