/** The values of records: as text, and those that a type defines. */
import type { Field, RecordContent, ScalarField } from '../contract/fields';
import { trimmed } from './kind';
import { numberAsText, plainDecimal } from './numbers';
import { isObject, isSet, ownEntry, valueAt, type Values } from './values';

/** A scalar of a record, or of a record nested in it. */
export interface NestedScalar {
	readonly label: string;
	/** Element names from the record down to the scalar, for example `['CostCenter', 'Code']`. */
	readonly path: readonly string[];
	readonly field: ScalarField;
}

/**
 * Returns a record's scalars by label as texts that are the same for all equal values: `241` and `"241"`, `40.0` and
 * `40`; empty for a value that is not set. The values are those of a record that was read, or checked.
 */
export function textsOf(scalars: readonly NestedScalar[], values: Values): Record<string, string> {
	const entries = scalars.map(({ label, path, field }) => {
		const value = valueAt(values, path);
		if (!isSet(value)) return [label, ''] as const;
		const text = String(numberAsText(value));
		const isNumber = field.kind === 'decimal' || field.kind === 'int';
		return [label, isNumber ? plainDecimal(String(trimmed(text))) : text] as const;
	});
	return Object.fromEntries(entries);
}

/**
 * Separates the values that a type defines from the paths of all others. `null` where the element cannot be nil
 * and a nested record that has only other values count as not set.
 *
 * @param meaningOf returns what the value of a field stands for; `undefined` if it is not set
 */
export function knownValues(
	{ fields }: Pick<RecordContent, 'fields'>,
	values: Values,
	meaningOf: (value: unknown) => unknown = (value) => value,
): { readonly known: Values; readonly unknown: readonly string[] } {
	const unknown = new Set<string>();
	/** @param prefix of the paths of its values */
	const knownPart = (field: Field, given: unknown, prefix: string): unknown => {
		const value = meaningOf(given);
		if (value === null) return field.nillable === true ? value : undefined;
		if ((field.kind === 'list' || field.kind === 'repeated') && Array.isArray(value)) {
			return value.map((row) => knownPart(field.of, row, prefix) ?? row);
		}
		if (field.kind !== 'record' || !isObject(value)) return value;
		const all = Object.entries(value);
		const known = all.flatMap(([name, inner]) => {
			const own = ownEntry(field.fields, name);
			if (own === undefined) unknown.add(prefix + name);
			const part = own && knownPart(own, inner, `${prefix}${name}.`);
			return part === undefined ? [] : [[name, part] as const];
		});
		return known.length > 0 || all.length === 0 ? Object.fromEntries(known) : undefined;
	};
	const known = knownPart({ kind: 'record', type: '', fields }, values, '') ?? {};
	return { known: known as Values, unknown: [...unknown] };
}
