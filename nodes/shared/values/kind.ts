import type { SchemaScalar } from '../contract/schemaFields';
import { faulty, invalid, missing, texts, type InputError } from '../errors/InputError';
import { isEmpty, joinNames } from '../errors/words';

/** What the text of an element or attribute is read as; an array for `tokens`. */
export type ScalarValue = number | string | boolean | readonly ScalarValue[];

/** The rules of one kind of value: how it is checked, written, read and compared. */
export interface Kind<F extends SchemaScalar = SchemaScalar> {
	/** Name of the kind, for messages about responses. */
	readonly expected: string;
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

/** Returns the error for a value that is missing or not of its kind. */
export function notOfKind(value: unknown, kind: string): InputError {
	return isEmpty(value) ? missing() : invalid(texts.values.notKind, value, { kind });
}

/** Returns the error for a value that is missing or none of a set of names. */
export function notOneOf(value: unknown, names: readonly string[]): InputError {
	const known = joinNames(names, 'or');
	if (isEmpty(value)) return faulty(texts.values.choice, { known });
	return invalid(texts.values.unknown, value, { known });
}

/** Returns a text without whitespace around it; any other value as it is. */
export function trimmed(value: unknown): unknown {
	return typeof value === 'string' ? value.trim() : value;
}

/** Returns a number as JSON has it: without a negative zero. */
export function jsonNumber(number: number): number {
	return number === 0 ? 0 : number;
}
