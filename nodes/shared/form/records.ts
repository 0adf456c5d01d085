import type { Field, Fields, RecordField } from '../contract/fields';
import { faulty } from '../errors/InputError';
import { notRecord } from '../soap/envelope';

/** A record's values by element name. */
export type Values = Record<string, unknown>;

/** Whether a value is an object with names, and no list. */
export function isObject(value: unknown): value is Values {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field by its name, not by what every object inherits. */
function fieldOf(fields: Fields, name: string): Field | undefined {
	return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Whether any value stands in a record; looks no deeper than the contract goes. */
function isSet(field: Field | undefined, value: unknown): boolean {
	if (field?.kind === 'record' && isObject(value)) {
		return Object.entries(value).some(([name, inner]) => isSet(fieldOf(field.fields, name), inner));
	}
	return value !== undefined && value !== null;
}

/**
 * Checks that a record is one and holds a value: without any it would reach the service as an empty
 * element, and is more likely a mistake. Names that the contract does not know are left to the
 * envelope's writer.
 *
 * @throws {InputError} where it is none, or holds none
 */
export function checkRecord(record: RecordField, value: unknown): asserts value is Values {
	if (!isObject(value)) throw notRecord(record, value);
	if (!isSet(record, value)) throw faulty('has no value in any of its fields.');
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
		const field = fieldOf(fields, name);
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
