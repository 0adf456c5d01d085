/** What items of output are: their schema, and "Simplify". */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Field, Fields } from '../contract/fields';
import { isObject, ownEntry, valueAt, type Values } from '../values/values';
import { columnName, formScalars, label, words } from './fields';
import type { InputItem } from './inputItem';

/** A JSON schema that n8n's editor shows before the first run. */
export type OutputSchema = IDataObject;

/** The types that JSON has for kinds of values. Any other one is a text. */
const TYPES: Partial<Record<Field['kind'], string>> = {
	boolean: 'boolean',
	decimal: 'number',
	int: 'integer',
};

function schemaOf(field: Field): OutputSchema {
	if (field.kind === 'list') return { type: 'array', items: schemaOf(field.of) };
	if (field.kind !== 'record') return { type: TYPES[field.kind] ?? 'string' };
	const properties = Object.entries(field.fields).map(([name, own]) => [name, schemaOf(own)]);
	return { type: 'object', properties: Object.fromEntries(properties) as IDataObject };
}

/** Returns the schema of items with these fields. */
export function itemSchema(fields: Fields): OutputSchema {
	return { ...schemaOf({ kind: 'record', type: '', fields }), version: 1 };
}

/** Returns the schema of simplified items with these fields. */
export function simpleSchema(fields: Fields): OutputSchema {
	const columns = formScalars(fields).map(({ column, field }) => [column, field] as const);
	return itemSchema(Object.fromEntries(columns));
}

/** Returns the schema of items of which only these fields are known. n8n asks for one in any case. */
export function openSchema(fields: Fields): OutputSchema {
	return { ...itemSchema(fields), additionalProperties: true };
}

/** The switch of an operation that reads records whose fields are known. */
export const simplifyProperty: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	noDataExpression: true,
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** The values that the contract does not define, each in its own column. */
function unknownCells(fields: Fields, values: Values, outer = ''): Array<[string, unknown]> {
	return Object.entries(values).flatMap(([name, value]): Array<[string, unknown]> => {
		const field = ownEntry(fields, name);
		if (field === undefined) return [[columnName(outer + words(name)), value]];
		if (field.kind !== 'record' || !isObject(value)) return [];
		return unknownCells(field.fields, value, `${outer}${label(name, field)} `);
	});
}

/**
 * Returns what converts a record of the service to a flat row: a column for each scalar of the contract (`null` if it
 * has no value), and one for each other element. If the builder chose raw data, which all items share, it stays.
 */
export function simplifier(item: InputItem, fields: Fields): (values: Values) => Values {
	if (item.readShared(simplifyProperty.name, true) !== true) return (values) => values;
	const columns = formScalars(fields);
	return (values) => {
		const known = columns.map(({ column, path }) => [column, valueAt(values, path) ?? null]);
		// The contract's columns come first and take precedence: hence they are listed twice.
		return Object.fromEntries([...known, ...unknownCells(fields, values), ...known]) as Values;
	};
}
