/** Comparing values by what they mean: `241` and `"241"` are one house number, `40.0` and `40` one share. */
import type { RecordField, ScalarField } from '../contract/fields';
import { at } from '../errors/InputError';
import { scalars } from '../soap/scalars';
import { flatten } from './flatten';
import { isObject, type Values } from './records';

/** A decimal without a plus, the sign of a zero, and zeros that add nothing. */
function plainDecimal(text: string): string {
	const [, sign = '', whole = '', fraction = ''] =
		/^([+-]?)0*(\d*)(?:\.(\d*))?$/.exec(text.trim()) ?? [];
	const digits = /^\d*[1-9]/.exec(fraction)?.[0] ?? '';
	if (whole === '' && digits === '') return '0';
	return `${sign === '-' ? '-' : ''}${whole || '0'}${digits && '.'}${digits}`;
}

/**
 * A value as text, the same for every spelling of it.
 *
 * @throws {InputError} where it is not of the field's kind
 */
export function canonicalText(field: ScalarField, value: unknown): string {
	// The service may know more names than the contract.
	if (field.kind === 'enumeration' && typeof value === 'string') return value;
	const text = scalars[field.kind].write(value, field);
	return field.kind === 'decimal' ? plainDecimal(text) : text;
}

/** The value at a path of element names; `undefined` where there is none. */
export function valueAt(values: Values, path: readonly string[]): unknown {
	return path.reduce<unknown>(
		(value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
		values,
	);
}

/** Text of a record's scalar, empty where it has no value. */
function textAt(values: Values, path: readonly string[], field: ScalarField): string {
	const value = valueAt(values, path);
	if (value === undefined || value === null) return '';
	return at(path, () => canonicalText(field, value));
}

/** Whether two records have the same values; an empty text is the same as none. */
export function isSameRecord(record: RecordField, a: Values, b: Values): boolean {
	return flatten(record).every(({ path, field }) => {
		return textAt(a, path, field) === textAt(b, path, field);
	});
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
	const wanted = flatten(record).filter(({ path }) => (valueAt(given, path) ?? null) !== null);
	return records.find((candidate) =>
		wanted.every(({ path, field }) => {
			return textAt(candidate, path, field).trim() === textAt(given, path, field).trim();
		}),
	);
}
