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
 * Returns the scalars of a record and of its nested records, in the contract's order.
 *
 * @param outer element names from the outermost record to this one
 * @throws {TypeError} if the contract has a list inside a record: a mistake in the contract, found
 * when the module loads
 */
export function scalarsIn(
	{ fields }: RecordField,
	outer: readonly string[] = [],
): readonly NestedScalar[] {
	return Object.entries(fields).flatMap(([name, field]): readonly NestedScalar[] => {
		const path = [...outer, name];
		if (field.kind === 'record') return scalarsIn(field, path);
		if (field.kind === 'list') {
			throw new TypeError(`The list ${path.join('.')} is inside a record`);
		}
		return [{ path, field }];
	});
}

/** The values of a record that the contract defines, and the paths of all others. */
export interface KnownValues {
	readonly known: Values;
	readonly unknown: readonly string[];
}

/**
 * Separates the fields of a record that the contract defines from unknown ones. `null`, `undefined`
 * and a nested record without any value count as not set.
 *
 * @param path prefix of the unknown paths, with a dot at its end
 */
export function knownValues(fields: Fields, values: Values, path = ''): KnownValues {
	const known: Values = {};
	const unknown: string[] = [];
	for (const [name, value] of Object.entries(values)) {
		const field = ownEntry(fields, name);
		if (field === undefined) {
			unknown.push(`${path}${name}`);
		} else if (field.kind === 'record' && isObject(value)) {
			const inner = knownValues(field.fields, value, `${path}${name}.`);
			if (Object.keys(inner.known).length > 0) known[name] = inner.known;
			unknown.push(...inner.unknown);
		} else if (value !== null && value !== undefined) {
			known[name] = value;
		}
	}
	return { known, unknown };
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
	return scalarsIn(record).every((scalar) => textAt(a, scalar) === textAt(b, scalar));
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
	const wanted = scalarsIn(record).filter(({ path }) => (valueAt(given, path) ?? null) !== null);
	return records.find((candidate) =>
		wanted.every((scalar) => text(candidate, scalar) === text(given, scalar)),
	);
}
