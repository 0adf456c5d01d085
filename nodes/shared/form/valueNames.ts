/** Names the keys and values of a request in the words of the form. */
import type { INodeProperties } from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import { pathText, type Path } from '../errors/InputError';
import { ownEntry } from '../values/values';
import { label, labelAt } from './names';
import { json, requestList } from './requestForm';

/** Formats the keys of a request, for example "Employee ID 1001, Period 6, Year 2026". */
export function formatKeys(request: Fields, keys: Readonly<Record<string, unknown>>): string {
	return Object.entries(keys)
		.map(([name, value]) => {
			const field = ownEntry(request, name);
			return `${field === undefined ? name : label(name, field)} ${String(value)}`;
		})
		.join(', ');
}

/** How the values of a call were given. */
export interface GivenValues {
	readonly request: Fields;
	/**
	 * Names of the elements that identify the employee or company and the period. If rows are input
	 * items, the items contain these too.
	 */
	readonly keys: readonly string[];
	/** The parameters of the form. */
	readonly properties: readonly INodeProperties[];
	/** Whether an element of the request was given as JSON. */
	readonly isJson: (element: string) => boolean;
	/** Indexes of the input items that are the rows of the request's list; absent if they are not. */
	readonly items?: readonly number[];
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

/**
 * Names a value that the contract does not define: a parameter, one of its rows, or a name inside
 * it.
 */
function parameterValueName(properties: readonly INodeProperties[], path: Path): string {
	const [first = '', ...inner] = path;
	const [row, ...rest] = inner;
	const outer =
		typeof row === 'number'
			? `Row ${row + 1}`
			: `'${parameterLabel(properties, String(first)) ?? pathText([first])}'`;
	const within = typeof row === 'number' ? rest : inner;
	return within.length === 0 ? outer : `${outer}, '${pathText(within)}'`;
}

/**
 * Returns the name of a value for messages: its field's label in quotes, after its row or input
 * item if it is in one. Rows count from 1, input items from 0 as in n8n. In JSON and in input
 * items, the element name is added if it differs from the label.
 *
 * @param path path to the value, from the request or from a parameter of the form
 */
export function valueName(
	{ request, keys, properties, isJson, items }: GivenValues,
	path: Path,
): string {
	const [first = '', ...inner] = path;
	if (path.length === 0) return '';
	const element = String(first);
	const field = ownEntry(request, element);
	if (field === undefined) return parameterValueName(properties, path);
	const isByElement = items !== undefined || isJson(element);
	if (field.kind !== 'record' && field.kind !== 'list') {
		const isInItem = items !== undefined && keys.includes(element);
		const name = quoted(request, [element], isInItem);
		return isInItem ? `Item ${items[0]}, ${name}` : name;
	}
	const jsonLabel = isJson(element) ? parameterLabel(properties, json(element)) : undefined;
	const whole = `'${jsonLabel ?? label(element, field)}'`;
	if (inner.length === 0) return whole;
	if (field.kind === 'record') return quoted(field.fields, inner.map(String), isByElement);
	const [row, ...rest] = inner;
	const index = Number(row);
	const outer = items ? `Item ${items[index]}` : `Row ${index + 1}`;
	if (rest.length === 0) return outer;
	return `${outer}, ${quoted(field.of.fields, rest.map(String), isByElement)}`;
}

/**
 * Returns the index of the input item that contains a value; `undefined` if rows are not input
 * items.
 */
export function itemOf({ request, items }: GivenValues, path: Path): number | undefined {
	const [, row] = path;
	const isRow = requestList(request)?.name === path[0] && typeof row === 'number';
	return items?.[isRow ? row : 0];
}
