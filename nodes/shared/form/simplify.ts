/** n8n's "Simplify": converts a record to a flat row with English column names. */
import type { INodeProperties } from 'n8n-workflow';
import type { Fields, RecordField, ScalarField } from '../contract/fields';
import { isObject, ownEntry, valueAt, type Values } from '../values/values';
import { columnName, type ColumnField } from './columns';
import type { InputItem } from './inputItem';
import { flatten, label, words } from './names';
import { itemSchema } from './outputSchema';
import type { SwitchNote } from './toolDescription';

const SIMPLIFY = 'simplify';

/** The switch of an operation that reads records whose fields are known. */
export const simplifyProperty: INodeProperties = {
	displayName: 'Simplify',
	name: SIMPLIFY,
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Whether the builder chose simplified items. All items share this choice. */
export function readSimplify(item: InputItem): boolean {
	return item.readShared(SIMPLIFY, false) === true;
}

/** A column of a simplified item. */
interface Column extends ColumnField {
	readonly name: string;
	readonly field: ScalarField;
}

/** Returns the columns of elements. Lists have none. */
export function columnsOf(fields: Fields): Column[] {
	return Object.entries(fields).flatMap(([name, field]): Column[] => {
		if (field.kind === 'list') return [];
		const text = label(name, field);
		const flat =
			field.kind === 'record'
				? flatten(field).map((inner) => ({ ...inner, label: `${text} ${inner.label}` }))
				: [{ path: [], label: text, field }];
		return flat.map((one) => ({
			name: columnName(one.label),
			label: one.label,
			path: [name, ...one.path],
			field: one.field,
		}));
	});
}

/**
 * Returns the note about {@link simplifyProperty} in the tool description.
 *
 * @param fields the fields of the operation's items
 */
export function simplifyNote(fields: Fields): SwitchNote {
	const columns = columnsOf(fields).map(({ name, field }) => [name, field] as const);
	return { parameter: SIMPLIFY, outputIfOn: itemSchema(Object.fromEntries(columns)) };
}

/** The values that the contract does not define, each in its own column. */
function unknownCells(fields: Fields, values: Values, outer: string): Array<[string, unknown]> {
	return Object.entries(values).flatMap(([name, value]): Array<[string, unknown]> => {
		const field = ownEntry(fields, name);
		const text = `${outer}${field === undefined ? words(name) : label(name, field)}`;
		if (field === undefined) return [[columnName(text), value]];
		return field.kind === 'record' && isObject(value)
			? unknownCells(field.fields, value, `${text} `)
			: [];
	});
}

/**
 * Converts a record to a flat row: a column for each scalar of the contract (`null` if it has no
 * value), and one for each other element that the service sent.
 *
 * @param values the record as the service returned it
 */
export function simplify({ fields }: Pick<RecordField, 'fields'>, values: Values): Values {
	const known = columnsOf(fields).map(({ name, path }) => [name, valueAt(values, path) ?? null]);
	// The contract's columns come first and take precedence: hence they are listed twice.
	return Object.fromEntries([...known, ...unknownCells(fields, values, ''), ...known]);
}
