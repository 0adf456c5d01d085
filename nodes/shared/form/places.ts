/** Where values stand, in the words of the form and the sheet: for messages about them. */
import { type Fields, isRecordList, isScalar, type RecordField } from '../contract/fields';
import type { Effect } from '../contract/operation';
import type { INodeProperties } from 'n8n-workflow';
import { type Path, pathText, type Place } from '../values/InputError';
import { ownEntry } from '../values/values';
import { json, label, rowsOfItems, wayOf, WAYS, withInner } from './fields';
import { type InputItems, ROW_NUMBER } from './inputItem';

/** Returns the labels of the elements along a path; `undefined` if the contract does not define one of them. */
function labelAt(fields: Fields, [name = '', ...inner]: readonly string[]): string | undefined {
	const field = ownEntry(fields, name);
	if (field === undefined || inner.length === 0) return field && label(name, field);
	const within = field.kind === 'record' ? labelAt(field.fields, inner) : undefined;
	return within && `${label(name, field)} ${within}`;
}

/** What the form of an operation says about its values. */
export interface OperationForm {
	readonly effect: Effect;
	readonly request: Fields;
	readonly properties: readonly INodeProperties[];
}

/** The numbers of the rows of a call: of input items that are rows, and of those that are written one by one. */
export function rowsOf({ effect, request }: OperationForm, items: InputItems): string[] {
	const isRows = rowsOfItems(items[0], request) !== undefined;
	const areRows = isRows || (effect === 'write' && items[0].isOneOfSeveral);
	return areRows ? items.map((item) => String(item.rowNumber)) : [];
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
 * @param path path to the value, from the request or from a parameter of the form
 */
export function placeOf(form: OperationForm, items: InputItems, path: Path): Place {
	const { request, properties } = form;
	const labelOf = (parameter: string) =>
		withInner(properties).find(({ name }) => name === parameter)?.displayName;
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
		const isForm = properties.some((own) => own.name === element && own.type === 'resourceMapper');
		const outer = labelOf(element) ?? pathText([element]);
		const names = isForm && within.length > 0 ? within : [`'${outer}'`, ...within];
		const name = names.join(', ');
		return place(rows ? [] : all, /^'([^']*)'$/.exec(name)?.[1] ?? name, name);
	}
	if (isScalar(field)) return place(!rows || field.isKey ? all : [], label(element, field));
	const isItems = rows?.name === element;
	const isJson = wayOf(items[0], element) === WAYS.json;
	if (inner.length === 0) {
		const jsonLabel = isJson ? labelOf(json(element)) : undefined;
		return isItems ? place(all) : place(all, jsonLabel ?? label(element, field));
	}
	const record = isRecordList(field) ? field.of : (field as RecordField);
	const index = record === field ? undefined : Number(inner.shift());
	const name = pathText(inner);
	const column = inner.length === 0 ? '' : (labelAt(record.fields, inner.map(String)) ?? name);
	const quoted = column && (isJson && column !== name ? `'${column}' (${name})` : `'${column}'`);
	if (index === undefined) return place(all, column, quoted);
	if (isItems) return place([String((items[index] ?? items[0]).rowNumber)], column, quoted);
	const row = String(index + 1);
	if (all.length === 0) return place([row], column, quoted);
	const listed = `'${label(element, field)}' row ${row}`;
	return place(all, column, [listed, quoted].filter(Boolean).join(', '));
}

/** Names a call among several: its first row, or its input item. n8n counts items from 0. */
export function callName(form: OperationForm, items: InputItems): string {
	const [row] = rowsOf(form, items);
	const [{ index, json: columns }] = items;
	if (row === undefined && !Object.hasOwn(columns, ROW_NUMBER)) return `Item ${index}`;
	return `Row ${row ?? items[0].rowNumber}`;
}
