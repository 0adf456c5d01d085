/** Comparison of records: the scalars in them, and which records are equal. */
import { isScalar, type Fields, type RecordField, type ScalarField } from '../contract/fields';
import { at } from '../errors/InputError';
import { canonicalText } from './scalars';
import { isSet, valueAt, type Values } from './values';

/** A scalar of a record, or of a record nested in it. */
export interface NestedScalar {
	/** Element names from the record down to the scalar, for example `['CostCenter', 'Code']`. */
	readonly path: readonly string[];
	readonly field: ScalarField;
}

/**
 * Returns the scalars among elements and in their records, in their order. Lists have none.
 *
 * @param outer element names from the outermost record to these elements
 */
export function scalarsIn(fields: Fields, outer: readonly string[] = []): readonly NestedScalar[] {
	return Object.entries(fields).flatMap(([name, field]): readonly NestedScalar[] => {
		const path = [...outer, name];
		if (field.kind === 'record') return scalarsIn(field.fields, path);
		return isScalar(field) ? [{ path, field }] : [];
	});
}

/**
 * Returns the canonical text of a record's scalar; empty if it has no value.
 *
 * @throws {InputError} if the value is not of the field's kind
 */
export function textAt(values: Values, { path, field }: NestedScalar): string {
	const value = valueAt(values, path);
	return isSet(value) ? at(path, () => canonicalText(field, value)) : '';
}

/** Whether two records have the same values. An empty string equals a missing value. */
export function isSameRecord(record: RecordField, a: Values, b: Values): boolean {
	return scalarsIn(record.fields).every((scalar) => textAt(a, scalar) === textAt(b, scalar));
}

/**
 * Returns the first record that has all the given values; `undefined` if there is none. Fields that
 * are not given are not compared. An empty string equals a missing value; whitespace around a text,
 * and whether an accent is a character of its own, make no difference.
 *
 * @param comparable returns a text that is the same for further texts that count as equal
 */
export function findRecord<V extends Values>(
	record: RecordField,
	records: readonly V[],
	given: Values,
	comparable: (text: string, path: readonly string[]) => string = (text) => text,
): V | undefined {
	const text = (values: Values, scalar: NestedScalar): string =>
		comparable(textAt(values, scalar), scalar.path).trim().normalize();
	const wanted = scalarsIn(record.fields).filter(({ path }) => isSet(valueAt(given, path)));
	return records.find((candidate) =>
		wanted.every((scalar) => text(candidate, scalar) === text(given, scalar)),
	);
}

/** Whether there is a record of its own for each of the given ones, with all its values. */
export function hasRecords(
	record: RecordField,
	records: readonly Values[],
	given: readonly Values[],
): boolean {
	const free = new Set(records);
	return given.every((values) => {
		const match = findRecord(record, [...free], values);
		return match !== undefined && free.delete(match);
	});
}
