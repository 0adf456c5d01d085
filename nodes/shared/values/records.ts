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

/** Returns a key that two records share if each has all values of the other, see {@link findRecord}. */
export function recordKey(record: RecordField, values: Values): string {
	return JSON.stringify(scalarsIn(record.fields).map((scalar) => matchedText(values, scalar)));
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
	const wanted = scalarsIn(record.fields)
		.filter(({ path }) => isSet(valueAt(given, path)))
		.map((scalar) => ({ scalar, text: matchedText(given, scalar, comparable) }));
	return records.find((candidate) =>
		wanted.every(({ scalar, text }) => matchedText(candidate, scalar, comparable) === text),
	);
}

/** Whether there is a record of its own for each of the given ones, with all its values. */
export function hasRecords(
	record: RecordField,
	records: readonly Values[],
	given: readonly Values[],
): boolean {
	const scalars = scalarsIn(record.fields);
	/** The numbers of texts: keys of them are short, however long the texts are. */
	const numbers = new Map<string, number>();
	const numberOf = (text: string): number => {
		const number = numbers.get(text) ?? numbers.size;
		numbers.set(text, number);
		return number;
	};
	const rowOf = (values: Values) => ({
		numbers: scalars.map((scalar) => numberOf(matchedText(values, scalar))),
		given: [...scalars.keys()].filter((i) => isSet(valueAt(values, scalars[i]?.path ?? []))),
	});
	type Row = ReturnType<typeof rowOf>;
	const free = new Set(records.map(rowOf));
	const groups = [...groupedBy(given.map(rowOf), (row) => row.given.join()).values()];
	// A record that has the values of two rows is left for the one that gives more of them.
	groups.sort(([one], [other]) => other.given.length - one.given.length);
	return groups.every((rows) => {
		const [{ given }] = rows;
		const keyOf = ({ numbers }: Row): string => given.map((i) => numbers[i]).join();
		const matches: ReadonlyMap<string, Row[]> = groupedBy(free, keyOf);
		return rows.every((row) => {
			const match = matches.get(keyOf(row))?.pop();
			return match !== undefined && free.delete(match);
		});
	});
}
