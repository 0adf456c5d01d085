/** n8n's "Simplify": converts a record to a flat row with English column names, and back. */
import type { INodeProperties } from 'n8n-workflow';
import type { Fields, RecordField, ScalarField } from '../contract/fields';
import { at, collect, invalid, texts } from '../errors/InputError';
import { formatValue } from '../errors/words';
import { isObject, ownEntry, setAt, valueAt, type Values } from '../values/values';
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

/** A column of a simplified item, and the path of its element. */
interface Column {
	readonly name: string;
	readonly path: readonly string[];
	readonly field: ScalarField;
}

/** Converts a label in the form to a column name: "Country ISO Code" → `countryIsoCode`. */
function columnName(text: string): string {
	const [first = '', ...others] = text.toLowerCase().split(' ');
	return [first, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}

/** The columns of elements. Lists have no columns. */
function columnsOf(fields: Fields): Column[] {
	return Object.entries(fields).flatMap(([name, field]): Column[] => {
		if (field.kind === 'list') return [];
		const text = label(name, field);
		if (field.kind !== 'record') return [{ name: columnName(text), path: [name], field }];
		return flatten(field).map((flat) => ({
			name: columnName(`${text} ${flat.label}`),
			path: [name, ...flat.path],
			field: flat.field,
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

/**
 * Returns a function that converts simplified columns back to the service's elements. An item
 * without such columns is returned unchanged. The function throws an `InputError` with every column
 * that contradicts an element of the same item.
 *
 * @param fields the elements that an item may have
 */
export function unsimplifier(fields: Fields): (item: Values) => Values {
	const columns = columnsOf(fields).filter(({ name, path }) => name !== path.join('.'));
	return (item) => {
		const given = columns.filter(({ name }) => Object.hasOwn(item, name));
		if (given.length === 0) return item;
		const values = { ...item };
		collect(given, ({ name, path }) => {
			const value = item[name];
			delete values[name];
			if (value === null || value === undefined) return;
			const own = valueAt(item, path) ?? value;
			if (String(own) !== String(value)) {
				const column = `'${name}', which holds ${formatValue(value)}`;
				at(path, () => {
					throw invalid(texts.values.column, own, { column });
				});
			}
			setAt(values, path, own);
		});
		return values;
	};
}
