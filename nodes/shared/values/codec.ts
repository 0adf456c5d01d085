import type { SchemaScalar } from '../contract/schemaFields';
import { faulty, invalid, missing, texts, type InputError } from '../errors/InputError';
import { isEmpty, joinNames } from '../errors/words';

/** What the text of an element or attribute is read as; an array for `tokens`. */
export type ScalarValue = number | string | boolean | readonly ScalarValue[];

/** Serializes and parses values of one kind. */
export interface Codec {
	/** Name of the kind, for messages about responses. */
	readonly expected: string;
	/**
	 * Serializes a value as the text of an element.
	 *
	 * @throws {InputError} if the value is not of this kind
	 */
	write(value: unknown, field: SchemaScalar): string;
	/** Parses the text of an element; `undefined` if it is not of this kind. */
	read(text: string, field?: SchemaScalar): ScalarValue | undefined;
}

/** Returns the error for a value that is missing or not of its kind. */
export function notOfKind(value: unknown, kind: string): InputError {
	return isEmpty(value) ? missing() : invalid(texts.values.notKind, value, { kind });
}

/** Returns the error for a value that is not of its kind, with an example of one that is. */
export function notLike(value: unknown, kind: string, example: string): InputError {
	if (isEmpty(value)) return missing();
	return invalid(texts.values.form, value, { kind, example });
}

/** Returns the error for a value that is missing or none of a set of names. */
export function notOneOf(value: unknown, names: readonly string[]): InputError {
	const known = joinNames(names, 'or');
	if (isEmpty(value)) return faulty(texts.values.choice, { known });
	return invalid(texts.values.unknown, value, { known });
}
