import {
	propertiesOf,
	TYPE,
	type RecordContent,
	type Field,
	type Fields,
	type RecordField,
} from '../contract/fields';
import { hasTypes, typeOf } from './recordTypes';
import { isObject, ownEntry, type Values } from './values';

/** The values that a type defines, and the paths of all others. */
export interface KnownValues {
	readonly known: Values;
	readonly unknown: readonly string[];
}

/** Returns what a value of this record can have, by property: also the name of its type. */
export function recordProperties(record: RecordField, value: Values): Fields {
	const properties = propertiesOf(typeOf(record, value) ?? record);
	return hasTypes(record) ? { ...properties, [TYPE]: { kind: 'string' } } : properties;
}

/**
 * Separates the values that a type defines from others. `null` where the element cannot be nil and a
 * nested record that has only other values count as not set. An open record keeps what it has.
 */
export function knownValues(
	{ fields }: Pick<RecordContent, 'fields'>,
	values: Values,
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
	const knownPart = (field: Field, value: unknown, path: string): unknown => {
		if (value === null) return field.nillable === true ? value : undefined;
		if ((field.kind === 'list' || field.kind === 'repeated') && Array.isArray(value)) {
			return value.map((row) => knownPart(field.of, row, path) ?? row);
		}
		if (field.kind !== 'record' || !isObject(value)) return value;
		if ((typeOf(field, value) ?? field).others !== undefined) return value;
		const known = knownFields(recordProperties(field, value), value, `${path}.`);
		return Object.keys(known).length > 0 || Object.keys(value).length === 0 ? known : undefined;
	};
	return { known: knownFields(fields, values, ''), unknown: [...unknown] };
}
