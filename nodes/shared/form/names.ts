/** The names of the form: of parameters and columns, and of values in messages. */
import {
	type Field,
	type Fields,
	isRecordList,
	isScalar,
	type RecordField,
} from '../contract/fields';
import { type Effect, requestRows, type RequestRows } from '../contract/operation';
import { AUTOMATIC } from '../host/forms';
import { ownEntry } from '../values/values';
import type { InputItem, InputItems } from './inputItem';
import type { INodeProperties } from 'n8n-workflow';
import { type Path, pathText, type Place } from '../values/InputError';

/** Returns the parameter name of an element: its path in camelCase (`EmployeeId` → `employeeId`). */
export function parameterName(...path: string[]): string {
	const name = path.join('');
	return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The ways to give a record: field by field, as JSON, or, for the rows of a list, as input items. */
export const WAYS = { fields: 'fields', json: 'json', items: 'items' } as const;
/** Returns the name of the parameter that holds the choice of how to give an element. */
export const specify = (element: string): string => `specify${element}`;
/** Returns the name of the parameter that holds an element as JSON. */
export const json = (element: string): string => `${parameterName(element)}Json`;
/** Returns the name of the collection of those fields of a record that are not always shown. */
export const additional = (element: string): string => `${parameterName(element)}Fields`;
/** Returns the name of the parameter that maps columns of input items to the fields of a row. */
export const columnsOf = (element: string): string => `${parameterName(element)}Columns`;
/** Returns the name of the method that n8n calls for the fields of a row. */
export const rowFieldsOf = (element: string): string => `get${element}Columns`;
/** Names of the switches for texts with a decimal comma, and for percentages as a sheet stores them. */
export const DECIMAL_COMMA = 'decimalComma';
export const FRACTIONS = 'percentagesAreFractions';
/** Name and label of the switch that allows a record without its usual fields. */
export const ONLY_THESE = 'onlyTheseFields';
export const ONLY_THESE_LABEL = 'Allow Incomplete Address';
/** Parameter names inside the parameter of a repeated record. */
export const ROW = 'row';
export const ROW_FIELDS = 'fields';

/** Returns how the builder chose to give a record or list. All items share this choice. */
export function wayOf(item: InputItem, name: string): unknown {
	return item.readShared(specify(name), '');
}

/** Returns the records of a request that are input items; `undefined` if the builder did not choose them. */
export function rowsOfItems(item: InputItem, request: Fields): RequestRows | undefined {
	const rows = requestRows(request);
	return rows && wayOf(item, rows.name) === WAYS.items ? rows : undefined;
}

/** Whether the builder chose that columns of input items are values of a request. */
export function readsColumns({ node: { parameters } }: InputItem): boolean {
	return Object.entries(parameters).some(([name, value]) => {
		if (name.startsWith(specify(''))) return value === WAYS.items;
		return (Object(value) as { mappingMode?: unknown }).mappingMode === AUTOMATIC;
	});
}

/** The column of n8n's Google Sheets node with the number of the row. */
export const ROW_NUMBER = 'row_number';

/** The number of a row as its sheet counts it: its first row has the names of the columns. */
export function rowNumber({ index, json }: InputItem): number {
	// A CSV file has it as a text.
	const number = Number(json[ROW_NUMBER] || Number.NaN);
	return Number.isInteger(number) ? number : index + 2;
}

/** Splits a name into words for display (`HouseNumberAddition` → `House Number Addition`). */
export function words(name: string): string {
	return name
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.replace(/\bId\b/g, 'ID')
		.replace(/^./, (first) => first.toUpperCase());
}

/** Returns the display name of a field. */
export function label(name: string, field: Field): string {
	return field.label ?? words(name);
}

/** Returns the column name of a label: "Country ISO Code" → `countryIsoCode`. */
export function columnName(label: string): string {
	const [first = '', ...others] = label.toLowerCase().split(' ');
	return [first, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}

/** Returns the labels of the elements along a path; `undefined` if the contract does not define one of them. */
function labelAt(fields: Fields, [name = '', ...inner]: readonly string[]): string | undefined {
	const field = ownEntry(fields, name);
	if (field === undefined || inner.length === 0) return field && label(name, field);
	const within = field.kind === 'record' ? labelAt(field.fields, inner) : undefined;
	return within && `${label(name, field)} ${within}`;
}

/** Formats the keys of a request, for example "Employee ID 1001, Period 6, Year 2026". */
export function formatKeys(request: Fields, keys: Readonly<Record<string, unknown>>): string {
	return Object.entries(keys)
		.map(([name, value]) => {
			const field = ownEntry(request, name);
			return `${field === undefined ? name : label(name, field)} ${String(value)}`;
		})
		.join(', ');
}

/** What the form of an operation says about its values. */
export interface OperationForm {
	readonly effect: Effect;
	readonly request: Fields;
	readonly properties: readonly INodeProperties[];
}

/** The numbers of the rows of a call: of input items that are rows, and of those that are written one by one. */
export function rowsOf(
	{ effect, request }: Pick<OperationForm, 'effect' | 'request'>,
	items: InputItems,
): string[] {
	const isRows = rowsOfItems(items[0], request) !== undefined;
	const areRows = isRows || (effect === 'write' && items[0].isOneOfSeveral);
	return areRows ? items.map((item) => String(rowNumber(item))) : [];
}

/** The label of a parameter, or of one inside a collection. */
function parameterLabel(properties: readonly INodeProperties[], name: string): string | undefined {
	for (const { name: own, displayName, type, options = [] } of properties) {
		if (own === name) return displayName;
		if (type !== 'collection') continue;
		const inner = parameterLabel(options as INodeProperties[], name);
		if (inner !== undefined) return inner;
	}
	return undefined;
}

/** Names a value inside a parameter: `'Absence.Lines', row 1, 'Code'`. */
function innerNames(path: Path): string[] {
	const row = path.findIndex((step) => typeof step === 'number');
	if (row < 0) return path.length === 0 ? [] : [`'${pathText(path)}'`];
	return [
		...innerNames(path.slice(0, row)),
		`row ${Number(path[row]) + 1}`,
		...innerNames(path.slice(row + 1)),
	];
}

/**
 * Returns where a value stands: its field's label, and its row if it is in one. Rows count from 1; those that
 * are input items, as their sheet does. In JSON, the element name is added if it differs from the label. A value
 * that the contract does not define is named by its parameter and the names inside it.
 *
 * @param items the input items of the call
 * @param path path to the value, from the request or from a parameter of the form
 */
export function placeOf(form: OperationForm, items: InputItems, path: Path): Place {
	const { request, properties } = form;
	const [first = '', ...inner] = path;
	const element = String(first);
	const field = ownEntry(request, element);
	const rows = rowsOfItems(items[0], request);
	const all = rowsOf(form, items);
	const place = (named: readonly string[], column = '', quoted = column && `'${column}'`) => {
		return { rows: named, column, quoted };
	};
	if (path.length === 0) return place(all);
	if (field === undefined) {
		const within = innerNames(inner);
		// A form of its own inside a parameter has labels that are named alone.
		const isForm = properties.some(
			({ name, type }) => name === element && type === 'resourceMapper',
		);
		const outer = parameterLabel(properties, element) ?? pathText([element]);
		const names = isForm && within.length > 0 ? within : [`'${outer}'`, ...within];
		const name = names.join(', ');
		return place([], /^'([^']*)'$/.exec(name)?.[1] ?? name, name);
	}
	if (isScalar(field)) return place(!rows || field.isKey ? all : [], label(element, field));
	const isItems = rows?.name === element;
	const isJson = wayOf(items[0], element) === WAYS.json;
	if (inner.length === 0) {
		const jsonLabel = isJson ? parameterLabel(properties, json(element)) : undefined;
		return isItems ? place(all) : place(all, jsonLabel ?? label(element, field));
	}
	const record = isRecordList(field) ? field.of : (field as RecordField);
	const index = record === field ? undefined : Number(inner.shift());
	const name = pathText(inner);
	const column = inner.length === 0 ? '' : (labelAt(record.fields, inner.map(String)) ?? name);
	const quoted = column && (isJson && column !== name ? `'${column}' (${name})` : `'${column}'`);
	if (index === undefined) return place(all, column, quoted);
	if (isItems) return place([String(rowNumber(items[index] ?? items[0]))], column, quoted);
	const row = String(index + 1);
	if (all.length === 0) return place([row], column, quoted);
	const listed = `'${label(element, field)}' row ${row}`;
	return place(all, column, [listed, quoted].filter(Boolean).join(', '));
}

/** Names a call among several: its first row, or its input item. n8n counts items from 0. */
export function callName(
	form: Pick<OperationForm, 'effect' | 'request'>,
	items: InputItems,
): string {
	const [row] = rowsOf(form, items);
	const [{ index, json: columns }] = items;
	if (row === undefined && !Object.hasOwn(columns, ROW_NUMBER)) return `Item ${index}`;
	return `Row ${row ?? rowNumber(items[0])}`;
}
