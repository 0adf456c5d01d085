/** Names the keys and values of a request in the words of the form. */
import type { INodeProperties } from 'n8n-workflow';
import { isRecordList, isScalar, type Fields } from '../contract/fields';
import { pathText, type Path } from '../errors/InputError';
import { joinNames } from '../errors/words';
import { ownEntry } from '../values/values';
import type { InputItems } from './inputItem';
import { json, label, labelAt, listOfItems, ROW_NUMBER, rowName } from './names';
import { isGivenAsJson } from './requestValues';

/** Formats the keys of a request, for example "Employee ID 1001, Period 6, Year 2026". */
export function formatKeys(request: Fields, keys: Readonly<Record<string, unknown>>): string {
	return Object.entries(keys)
		.map(([name, value]) => {
			const field = ownEntry(request, name);
			return `${field === undefined ? name : label(name, field)} ${String(value)}`;
		})
		.join(', ');
}

/** Maximum number of rows of a call that are named, see {@link joinNames}. */
const MAX_ROWS = 11;

/** The form of an operation. */
export interface OperationForm {
	readonly request: Fields;
	readonly properties: readonly INodeProperties[];
}

/** A field's label in quotes, with the element name if the builder used that to give the value. */
function quoted(fields: Fields, path: readonly string[], isGivenByElement: boolean): string {
	const element = pathText(path);
	const text = labelAt(fields, path) ?? element;
	return isGivenByElement && text !== element ? `'${text}' (${element})` : `'${text}'`;
}

/** The label of a parameter, or of one inside a collection. */
function parameterLabel(properties: readonly INodeProperties[], name: string): string | undefined {
	for (const { name: own, displayName, type, options = [] } of properties) {
		if (own === name) return displayName;
		const inner =
			type === 'collection' ? parameterLabel(options as INodeProperties[], name) : undefined;
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
 * Names a value that the contract does not define: a parameter, or a name inside it. A form of its own
 * inside a parameter has labels that are named alone.
 */
function parameterValueName(properties: readonly INodeProperties[], path: Path): string {
	const [first = '', ...inner] = path;
	const isForm = properties.some(({ name, type }) => name === first && type === 'resourceMapper');
	const [field, ...within] = innerNames(inner);
	if (isForm && field !== undefined) return [field, ...within].join(', ');
	const outer = `'${parameterLabel(properties, String(first)) ?? pathText([first])}'`;
	return [outer, ...innerNames(inner)].join(', ');
}

/**
 * Returns the name of a value for messages: its field's label in quotes, after its row if it is in one.
 * Rows count from 1; those that are input items, as their sheet does. In JSON, the element name is added
 * if it differs from the label.
 *
 * @param items the input items of the call
 * @param path path to the value, from the request or from a parameter of the form
 */
export function valueName(
	{ request, properties }: OperationForm,
	items: InputItems,
	path: Path,
): string {
	const [first = '', ...inner] = path;
	if (path.length === 0) return '';
	const element = String(first);
	const field = ownEntry(request, element);
	if (field === undefined) return parameterValueName(properties, path);
	const isInItems = listOfItems(items[0], request) !== undefined;
	if (isScalar(field)) {
		const name = quoted(request, [element], false);
		return isInItems && field.isKey === true ? `${rowName(items[0])}, ${name}` : name;
	}
	const isJson = isGivenAsJson(items[0], element);
	if (inner.length === 0 && isInItems && isRecordList(field)) {
		return rowNames(request, items).replace('row', 'Row');
	}
	if (inner.length === 0) {
		const jsonLabel = isJson ? parameterLabel(properties, json(element)) : undefined;
		return `'${jsonLabel ?? label(element, field)}'`;
	}
	if (field.kind === 'record') return quoted(field.fields, inner.map(String), isJson);
	const [row, ...rest] = inner;
	const index = Number(row);
	const outer = isInItems ? rowName(items[index] ?? items[0]) : `Row ${index + 1}`;
	if (rest.length === 0 || !isRecordList(field)) return outer;
	return `${outer}, ${quoted(field.of.fields, rest.map(String), isJson)}`;
}

/** Names the rows of a call: "row 2" or "rows 2 and 3"; empty if rows are not input items. */
export function rowNames(request: Fields, items: InputItems): string {
	if (listOfItems(items[0], request) === undefined) return '';
	const numbers = items.slice(0, MAX_ROWS).map((item) => rowName(item).replace('Row ', ''));
	return `${items.length === 1 ? 'row' : 'rows'} ${joinNames(numbers, 'and', items.length)}`;
}

/** Names a call among several: its first row, or its input item. n8n counts items from 0. */
export function callName(request: Fields, items: InputItems): string {
	const [first] = items;
	const isRow = listOfItems(first, request) !== undefined || Object.hasOwn(first.json, ROW_NUMBER);
	return isRow ? rowName(first) : `Item ${first.index}`;
}
