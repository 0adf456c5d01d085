/** Comparison of records: the scalars in them, and which records are equal. */
import { isScalar, type Fields, type RecordField, type ScalarField } from '../contract/fields';
import { at } from '../errors/InputError';
import { canonicalText } from './scalars';
import { groupedBy, isSet, valueAt, type Values } from './values';

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

/** Returns a text that is the same for further texts that count as equal. */
type Comparable = (text: string, path: readonly string[]) => string;

/**
 * Returns the text of a record's scalar to match it by: whitespace around a text, and whether an accent
 * is a character of its own, make no difference. An empty string equals a missing value.
 *
 * @throws {InputError} as {@link textAt}
 */
function matchedText(
	values: Values,
	scalar: NestedScalar,
	comparable: Comparable = (text) => text,
): string {
	return comparable(textAt(values, scalar), scalar.path).trim().normalize();
}

/** Returns the scalars of a record that are given. */
function givenScalars(record: RecordField, values: Values): readonly NestedScalar[] {
	return scalarsIn(record.fields).filter(({ path }) => isSet(valueAt(values, path)));
}

/** Returns a key that two records share if these scalars of them match, by default all. */
export function recordKey(
	record: RecordField,
	values: Values,
	scalars = scalarsIn(record.fields),
): string {
	return JSON.stringify(scalars.map((scalar) => matchedText(values, scalar)));
}

/**
 * Returns the first record that has all the given values; `undefined` if there is none. Fields that
 * are not given are not compared, and texts as in {@link matchedText}.
 */
export function findRecord<V extends Values>(
	record: RecordField,
	records: readonly V[],
	given: Values,
	comparable?: Comparable,
): V | undefined {
	const wanted = givenScalars(record, given).map((scalar) => {
		return { scalar, text: matchedText(given, scalar, comparable) };
	});
	return records.find((candidate) =>
		wanted.every(({ scalar, text }) => matchedText(candidate, scalar, comparable) === text),
	);
}

/**
 * Finds a record of its own for each of the given ones, with all its values.
 *
 * @returns the given ones that have none, and the records that are left
 */
export function unmatchedRecords(
	record: RecordField,
	records: readonly Values[],
	given: readonly Values[],
): { readonly missing: readonly Values[]; readonly others: readonly Values[] } {
	const free = new Set(records);
	const pathsIn = (values: Values) =>
		givenScalars(record, values).map(({ path }) => path.join('.'));
	const groups = [...groupedBy(given, (values) => pathsIn(values).join()).values()];
	// A record that has the values of two rows is left for the one that gives more of them.
	groups.sort(([one], [other]) => pathsIn(other).length - pathsIn(one).length);
	const missing = groups.flatMap((rows) => {
		const scalars = givenScalars(record, rows[0]);
		const matches = groupedBy(free, (values) => recordKey(record, values, scalars));
		return rows.filter((row) => {
			const match = matches.get(recordKey(record, row, scalars))?.pop();
			return match === undefined || !free.delete(match);
		});
	});
	return { missing, others: [...free] };
}
