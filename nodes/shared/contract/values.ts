/** The rules of a record's values: which are allowed, which are set, and which are equal. */
import { at, collect, faulty, invalid, type InputError } from '../errors/InputError';
import { inWords, shown } from '../errors/words';
import type { Field, Fields, RecordField, ScalarField } from './fields';
import { scalars } from './scalars';

/** A record's values by element name. */
export type Values = Record<string, unknown>;

/** Whether a value is an object with names, and no list. */
export function isObject(value: unknown): value is Values {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object's own entry by its name, never one that every object inherits. */
export function ownEntry<T>(entries: Readonly<Record<string, T>>, name: string): T | undefined {
	return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

/** The value at a path of element names; `undefined` where there is none. */
export function valueAt(values: Values, path: readonly string[]): unknown {
	return path.reduce<unknown>(
		(value, name) => (isObject(value) ? ownEntry(value, name) : undefined),
		values,
	);
}

/** A scalar of a record, or of a record nested in it. */
export interface NestedScalar {
	/** Element names from the record down to the scalar, for example `['CostCenter', 'Code']`. */
	readonly path: readonly string[];
	readonly field: ScalarField;
}

/**
 * The scalars of a record and of the records nested in it, in the contract's order.
 *
 * @throws {TypeError} where the contract holds a list inside a record: a mistake in the contract,
 * found when the module loads
 */
export function scalarsIn(
	{ fields }: RecordField,
	outer: readonly string[] = [],
): readonly NestedScalar[] {
	return Object.entries(fields).flatMap(([name, field]): readonly NestedScalar[] => {
		const path = [...outer, name];
		if (field.kind === 'record') return scalarsIn(field, path);
		if (field.kind === 'list') {
			throw new TypeError(`The list ${path.join('.')} stands inside a record`);
		}
		return [{ path, field }];
	});
}

/** The error for a value that is no record. */
function notRecord({ fields }: RecordField, value: unknown): InputError {
	return invalid(
		`${shown(value)} is not an object with the fields ${inWords(Object.keys(fields))}.`,
	);
}

/**
 * Checks values against the elements that they are for.
 *
 * @throws {InputError} with every value that the contract does not allow, and every unknown name
 */
export function checkValues(fields: Fields, values: Readonly<Values>): void {
	const names = Object.keys(fields);
	const unknown = Object.keys(values).filter((name) => !Object.hasOwn(fields, name));
	collect([...unknown, ...names], (name) =>
		at(name, () => {
			const field = ownEntry(fields, name);
			if (field === undefined) throw faulty(`is not a known field. Known are ${inWords(names)}.`);
			checkValue(field, ownEntry(values, name));
		}),
	);
}

function checkValue(field: Field, value: unknown): void {
	if (value === undefined || value === null) return;
	if (field.kind === 'record') {
		checkRecord(field, value);
	} else if (field.kind === 'list') {
		if (!Array.isArray(value)) throw invalid(`${shown(value)} is not a list.`);
		collect(value, (row, i) => at(i, () => checkRecord(field.of, row)));
	} else {
		scalars[field.kind].write(value, field);
	}
}

/**
 * Checks a record.
 *
 * @throws {InputError} where it is none, or with every value that the contract does not allow
 */
export function checkRecord(record: RecordField, value: unknown): asserts value is Values {
	if (!isObject(value)) throw notRecord(record, value);
	checkValues(record.fields, value);
}

/** Whether any value stands in a record; looks no deeper than the contract goes. */
function isSet(field: Field | undefined, value: unknown): boolean {
	if (field?.kind === 'record' && isObject(value)) {
		return Object.entries(value).some(([name, inner]) =>
			isSet(ownEntry(field.fields, name), inner),
		);
	}
	return value !== undefined && value !== null;
}

/**
 * Checks a record that has to hold a value: without any it would reach the service as an empty
 * element, and is more likely a mistake.
 *
 * @throws {InputError} where it is none or holds none, or as {@link checkRecord}
 */
export function checkFilledRecord(record: RecordField, value: unknown): asserts value is Values {
	if (!isObject(value)) throw notRecord(record, value);
	if (!isSet(record, value)) throw faulty('has no value in any of its fields.');
	checkValues(record.fields, value);
}

/** The values of a record that the contract knows, and the paths of the others. */
export interface KnownValues {
	readonly known: Values;
	readonly unknown: readonly string[];
}

/**
 * Parts what the contract knows of a record from what it does not. What is `null` counts as not set,
 * and so does a nested record without any value.
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

/** A decimal without a plus, the sign of a zero, and zeros that add nothing. */
function plainDecimal(text: string): string {
	const [, sign = '', whole = '', fraction = ''] =
		/^([+-]?)0*(\d*)(?:\.(\d*))?$/.exec(text.trim()) ?? [];
	const digits = /^\d*[1-9]/.exec(fraction)?.[0] ?? '';
	if (whole === '' && digits === '') return '0';
	return `${sign === '-' ? '-' : ''}${whole || '0'}${digits && '.'}${digits}`;
}

/**
 * A value as text, the same for all that mean the same: `241` and `"241"` are one house number,
 * `40.0` and `40` one share.
 *
 * @throws {InputError} where it is not of the field's kind
 */
export function canonicalText(field: ScalarField, value: unknown): string {
	// The service may know more names than the contract.
	if (field.kind === 'enumeration' && typeof value === 'string') return value;
	const text = scalars[field.kind].write(value, field);
	return field.kind === 'decimal' ? plainDecimal(text) : text;
}

/** Canonical text of a record's scalar, empty where it has no value. */
function textAt(values: Values, { path, field }: NestedScalar): string {
	const value = valueAt(values, path);
	if (value === undefined || value === null) return '';
	return at(path, () => canonicalText(field, value));
}

/** Whether two records have the same values; an empty text is the same as none. */
export function isSameRecord(record: RecordField, a: Values, b: Values): boolean {
	return scalarsIn(record).every((scalar) => textAt(a, scalar) === textAt(b, scalar));
}

/**
 * The first record that has all the values of a given one. What is not given is not compared, an
 * empty text is the same as none, and so is whitespace around a text.
 */
export function findRecord<V extends Values>(
	record: RecordField,
	records: readonly V[],
	given: Values,
): V | undefined {
	const wanted = scalarsIn(record).filter(({ path }) => (valueAt(given, path) ?? null) !== null);
	return records.find((candidate) =>
		wanted.every((scalar) => textAt(candidate, scalar).trim() === textAt(given, scalar).trim()),
	);
}
