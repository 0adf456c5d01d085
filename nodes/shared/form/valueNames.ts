/** Names the keys and values of a request in the words of the form. */
import type { INodeProperties } from 'n8n-workflow';
import { isRecordList, isScalar, type Fields } from '../contract/fields';
import { pathText, type Path } from '../errors/InputError';
import { ownEntry } from '../values/values';
import type { InputItem, InputItems } from './inputItem';
import { listOfItems } from './items';
import { json, label, labelAt } from './names';
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

/** Names a value that the contract does not define: a parameter, or a name inside it. */
function parameterValueName(properties: readonly INodeProperties[], path: Path): string {
	const [first = '', ...inner] = path;
	const outer = `'${parameterLabel(properties, String(first)) ?? pathText([first])}'`;
	return inner.length === 0 ? outer : `${outer}, '${pathText(inner)}'`;
}

/**
 * Returns the name of a value for messages: its field's label in quotes, after its row or input
 * item if it is in one. Rows count from 1, input items from 0 as in n8n. In JSON and in input
 * items, the element name is added if it differs from the label.
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
		const isInItem = isInItems && field.isKey === true;
		const name = quoted(request, [element], isInItem);
		return isInItem ? `Item ${items[0].index}, ${name}` : name;
	}
	const isJson = isGivenAsJson(items[0], element);
	if (inner.length === 0) {
		const jsonLabel = isJson ? parameterLabel(properties, json(element)) : undefined;
		return `'${jsonLabel ?? label(element, field)}'`;
	}
	const isByElement = isInItems || isJson;
	if (field.kind === 'record') return quoted(field.fields, inner.map(String), isByElement);
	const [row, ...rest] = inner;
	const index = Number(row);
	const outer = isInItems ? `Item ${items[index]?.index}` : `Row ${index + 1}`;
	if (rest.length === 0 || !isRecordList(field)) return outer;
	return `${outer}, ${quoted(field.of.fields, rest.map(String), isByElement)}`;
}

/** Returns the input item that contains a value; `undefined` if rows are not input items. */
export function itemOf(request: Fields, items: InputItems, path: Path): InputItem | undefined {
	const list = listOfItems(items[0], request);
	const [element, row] = path;
	if (list === undefined) return undefined;
	return list.name === element && typeof row === 'number' ? items[row] : items[0];
}
