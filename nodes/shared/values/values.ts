/** Access to a record's values: which are set, which the contract defines, and which are equal. */
import type { Fields, RecordField, ScalarField } from '../contract/fields';
import { at } from '../errors/InputError';
import { plainDecimal } from './numbers';
import { scalars } from './scalars';

/** A record's values by element name. */
export type Values = Record<string, unknown>;

/** Whether a value is an object, and neither `null` nor an array. */
export function isObject(value: unknown): value is Values {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object for values by names that anyone may have chosen: it inherits nothing. */
export function emptyValues(): Values {
	return Object.create(null) as Values;
}

/**
 * Returns an object's own property by name, never an inherited one; `undefined` if there is none.
 */
export function ownEntry<T>(entries: Readonly<Record<string, T>>, name: string): T | undefined {
	return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

/** Returns the value at a path of element names; `undefined` if there is none. */
export function valueAt(values: Values, path: readonly string[]): unknown {
	return path.reduce<unknown>(
		(value, name) => (isObject(value) ? ownEntry(value, name) : undefined),
		values,
	);
}

/** Sets the value at a path of element names. Records on the way are copied, or made. */
export function setAt(
	values: Values,
	[name = '', ...inner]: readonly string[],
	value: unknown,
): void {
	if (inner.length === 0) {
		values[name] = value;
		return;
	}
	const record = Object.assign(emptyValues(), valueAt(values, [name]));
	setAt(record, inner, value);
	values[name] = record;
}

/** A scalar of a record, or of a record nested in it. */
export interface NestedScalar {
	/** Element names from the record down to the scalar, for example `['CostCenter', 'Code']`. */
	readonly path: readonly string[];
	readonly field: ScalarField;
}

/**
 * Returns the scalars among elements and in their records, in the contract's order. Lists have none.
 *
 * @param outer element names from the outermost record to these elements
 */
export function scalarsIn(fields: Fields, outer: readonly string[] = []): readonly NestedScalar[] {
	return Object.entries(fields).flatMap(([name, field]): readonly NestedScalar[] => {
		const path = [...outer, name];
		if (field.kind === 'record') return scalarsIn(field.fields, path);
		return field.kind === 'list' ? [] : [{ path, field }];
	});
}

/**
 * Returns a value as text that is the same for all equal values: `241` and `"241"` are the same
 * house number, `40.0` and `40` the same share.
 *
 * @throws {InputError} if the value is not of the field's kind
 */
export function canonicalText(field: ScalarField, value: unknown): string {
	// The service may have names that the contract does not list.
	if (field.kind === 'enumeration' && typeof value === 'string') return value;
	const text = scalars[field.kind].write(value, field);
	return field.kind === 'decimal' ? plainDecimal(text) : text;
}

/**
 * Returns the canonical text of a record's scalar; empty if it has no value.
 *
 * @throws {InputError} if the value is not of the field's kind
 */
export function textAt(values: Values, { path, field }: NestedScalar): string {
	const value = valueAt(values, path);
	if (value === undefined || value === null) return '';
	return at(path, () => canonicalText(field, value));
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
	const wanted = scalarsIn(record.fields).filter(
		({ path }) => (valueAt(given, path) ?? null) !== null,
	);
	return records.find((candidate) =>
		wanted.every((scalar) => text(candidate, scalar) === text(given, scalar)),
	);
}
