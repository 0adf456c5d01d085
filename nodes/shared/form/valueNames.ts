/** Where in a request something is: whom it is about, and which field, in the form's words. */
import type { INodeProperties } from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import { ownEntry } from '../contract/values';
import { pathText, type Path } from '../errors/InputError';
import { label, labelAt } from './names';
import { json, requestList } from './requestForm';

/** Whom and when a call is about, for example "Employee ID 1001, Period 6, Year 2026". */
export function keysInWords(request: Fields, keys: Readonly<Record<string, unknown>>): string {
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
	/** Names of the elements that say whom and when; input items that are rows hold these too. */
	readonly keys: readonly string[];
	/** The parameters of the form. */
	readonly properties: readonly INodeProperties[];
	/** Whether an element of the request was given as JSON. */
	readonly isJson: (element: string) => boolean;
	/** The input items that are the rows of the request's list; absent where its rows are no items. */
	readonly items?: readonly number[];
}

/** A field in quotes, with the service's own name behind it where it is given under that. */
function quoted(fields: Fields, path: readonly string[], isGivenByElement: boolean): string {
	const element = pathText(path);
	const text = labelAt(fields, path) ?? element;
	return isGivenByElement && text !== element ? `'${text}' (${element})` : `'${text}'`;
}

/** The label of a parameter, also of one inside a collection. */
function parameterLabel(properties: readonly INodeProperties[], name: string): string | undefined {
	for (const { name: own, displayName, type, options = [] } of properties) {
		if (own === name) return displayName;
		const inner =
			type === 'collection' ? parameterLabel(options as INodeProperties[], name) : undefined;
		if (inner !== undefined) return inner;
	}
	return undefined;
}

/** A place in the form that the contract does not know: a parameter, a row of it, a name inside it. */
function parameterPlace(properties: readonly INodeProperties[], path: Path): string {
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
 * What messages call a value: the label of its field in quotes, behind its row or input item where it
 * stands in one. Rows count from 1, input items as n8n counts them, from 0. In JSON and in input items
 * the service's own name is added where it reads otherwise.
 *
 * @param path leads to the value, from the request or from a parameter of the form
 */
export function valueName(
	{ request, keys, properties, isJson, items }: GivenValues,
	path: Path,
): string {
	const [first = '', ...inner] = path;
	if (path.length === 0) return '';
	const element = String(first);
	const field = ownEntry(request, element);
	if (field === undefined) return parameterPlace(properties, path);
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
	const isOnly = requestList(request) !== undefined;
	const place = items ? `Item ${items[index]}` : `Row ${index + 1}`;
	const outer = items || isOnly ? place : `${whole}, ${place.toLowerCase()}`;
	if (rest.length === 0) return outer;
	return `${outer}, ${quoted(field.of.fields, rest.map(String), isByElement)}`;
}

/** The input item that holds a value; `undefined` where it is not in one of several. */
export function itemOf({ request, items }: GivenValues, path: Path): number | undefined {
	const [, row] = path;
	const isRow = requestList(request)?.name === path[0] && typeof row === 'number';
	return items?.[isRow ? row : 0];
}
