import type { Field, Fields, RecordContent } from '../contract/fields';
import { isObject, ownEntry, type Values } from './values';

/** The values that a type defines, and the paths of all others. */
export interface KnownValues {
	readonly known: Values;
	readonly unknown: readonly string[];
}

/**
 * Separates the values that a type defines from others. `null` where the element cannot be nil and a
 * nested record that has only other values count as not set.
 *
 * @param meaningOf returns what the value of a field stands for; `undefined` if it is not set
 */
export function knownValues(
	{ fields }: Pick<RecordContent, 'fields'>,
	values: Values,
	meaningOf: (value: unknown) => unknown = (value) => value,
): KnownValues {
	const unknown = new Set<string>();
	const knownFields = (within: Fields, all: Values, prefix: string): Values => {
		const known = Object.entries(all).flatMap(([name, value]) => {
			const field = ownEntry(within, name);
			if (field === undefined) unknown.add(prefix + name);
			const part = field && knownPart(field, value, prefix + name);
			return part === undefined ? [] : [[name, part] as const];
		});
		return Object.fromEntries(known);
	};
	const knownPart = (field: Field, given: unknown, path: string): unknown => {
		const value = meaningOf(given);
		if (value === null) return field.nillable === true ? value : undefined;
		if ((field.kind === 'list' || field.kind === 'repeated') && Array.isArray(value)) {
			return value.map((row) => knownPart(field.of, row, path) ?? row);
		}
		if (field.kind !== 'record' || !isObject(value)) return value;
		const known = knownFields(field.fields, value, `${path}.`);
		return Object.keys(known).length > 0 || Object.keys(value).length === 0 ? known : undefined;
	};
	return { known: knownFields(fields, values, ''), unknown: [...unknown] };
}
