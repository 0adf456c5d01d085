/** What items of output are: their schema, and "Simplify". */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Field, Fields } from '../contract/fields';
import { AS_TOOL } from '../host/forms';
import { isObject, ownEntry, valueAt, type Values } from '../values/values';
import type { InputItem } from './inputItem';
import { columnName, flatten, label, words } from './names';

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
	return itemSchema(
		Object.fromEntries(flatten(fields).map(({ column, field }) => [column, field])),
	);
}

/** Returns the schema of items of which only these fields are known. n8n asks for one in any case. */
export function openSchema(fields: Fields): OutputSchema {
	return { ...itemSchema(fields), additionalProperties: true };
}

const SIMPLIFY = 'simplify';

/** The switch of an operation that reads records whose fields are known. */
export const simplifyProperty: INodeProperties = {
	displayName: 'Simplify',
	name: SIMPLIFY,
	type: 'boolean',
	noDataExpression: true,
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

const [OUTPUT, OUTPUT_FIELDS, SELECTED] = ['output', 'outputFields', 'selected'];

/** What a model reads of the records of a tool: the builder decides. */
export const outputProperties: readonly INodeProperties[] = [
	{
		displayName: 'Output',
		name: OUTPUT,
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'All Fields', value: 'all' },
			{ name: 'Selected Fields', value: SELECTED },
		],
		default: 'all',
		description: 'Which fields of the records the AI model reads',
		displayOptions: { show: AS_TOOL },
	},
	{
		displayName: 'Fields',
		name: OUTPUT_FIELDS,
		type: 'string',
		noDataExpression: true,
		required: true,
		default: '',
		placeholder: 'e.g. Street, City',
		description: 'Names of the fields, as the output has them, separated by commas',
		displayOptions: { show: { ...AS_TOOL, [OUTPUT]: [SELECTED] } },
	},
];

/** Returns the fields that a model reads, or whose records; `undefined` for all. */
export function readOutputFields(item: InputItem): ReadonlySet<string> | undefined {
	if (item.stored(OUTPUT) !== SELECTED) return undefined;
	return new Set(String(item.stored(OUTPUT_FIELDS)).split(/\s*,\s*/));
}

/** Whether the builder chose simplified items. All items share this choice. */
export function readSimplify(item: InputItem): boolean {
	return item.readShared(SIMPLIFY, true) === true;
}

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
 * Returns what converts a record of the service to a flat row: a column for each scalar of the contract (`null`
 * if it has no value), and one for each other element that the service sent.
 */
export function simplifier(fields: Fields): (values: Values) => Values {
	const columns = flatten(fields);
	return (values) => {
		const known = columns.map(({ column, path }) => [column, valueAt(values, path) ?? null]);
		// The contract's columns come first and take precedence: hence they are listed twice.
		return Object.fromEntries([...known, ...unknownCells(fields, values), ...known]) as Values;
	};
}
