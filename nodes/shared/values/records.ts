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
