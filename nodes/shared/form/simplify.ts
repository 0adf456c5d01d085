/** n8n's "Simplify": a record as one flat row with English column names, and back. */
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Fields, RecordField, ScalarField } from '../contract/fields';
import { isObject, ownEntry, valueAt, type Values } from '../contract/values';
import { at, collect, invalid } from '../errors/InputError';
import { shown } from '../errors/words';
import { flatten } from './flatten';
import { label, words } from './names';
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

/** Whether the builder chose simplified items; the same for all of them. */
export function readSimplify(context: IExecuteFunctions): boolean {
	return context.getNodeParameter(SIMPLIFY, 0, false) === true;
}

/** A column of a simplified item, and the path of the element that it holds. */
interface Column {
	readonly name: string;
	readonly path: readonly string[];
	readonly field: ScalarField;
}

/** The name of a column, from the label in the form: "Country ISO Code" → `countryIsoCode`. */
function columnName(text: string): string {
	const [first = '', ...others] = text.toLowerCase().split(' ');
	return [first, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}

/** The columns of elements; a list has none. */
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

/** What a model is told of that switch. */
export function simplifyNote(fields: Fields): SwitchNote {
	const columns = columnsOf(fields).map(({ name, field }) => [name, field] as const);
	return { parameter: SIMPLIFY, outputIfOn: itemSchema(Object.fromEntries(columns)) };
}

/** The values that the contract does not know, each in a column of its own. */
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
 * A record as a flat row: a column for each scalar of the contract, `null` where it has no value, and
 * one for each further element that the service sent.
 *
 * @param values the record as it was read
 */
export function simplify({ fields }: Pick<RecordField, 'fields'>, values: Values): Values {
	const known = columnsOf(fields).map(({ name, path }) => [name, valueAt(values, path) ?? null]);
	// The contract's columns come first, and none of them is replaced.
	return Object.fromEntries([...known, ...unknownCells(fields, values, ''), ...known]);
}

function setAt(values: Values, [name = '', ...inner]: readonly string[], value: unknown): void {
	if (inner.length === 0) {
		values[name] = value;
		return;
	}
	const record = { ...(isObject(values[name]) ? values[name] : {}) };
	setAt(record, inner, value);
	values[name] = record;
}

/**
 * Makes a function that puts the values of simplified columns where the service's own elements
 * belong. An item without such columns stays as it is.
 *
 * @param fields the elements that an item may hold
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
				const other = `'${name}', which holds ${shown(value)}`;
				at(path, () => {
					throw invalid(`${shown(own)} contradicts the column ${other}.`);
				});
			}
			setAt(values, path, own);
		});
		return values;
	};
}
