/** The names of the form: of parameters, fields and columns. */
import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import type { Field, Fields } from '../contract/fields';
import { requestRows, type RequestRows } from '../contract/operation';
import { AUTOMATIC } from '../host/forms';
import { ownEntry } from '../values/values';
import type { InputItem } from './inputItem';

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

/** The parameters inside a collection or inside the rows of a fixed collection. */
export function innerProperties({ type, options = [] }: INodeProperties): INodeProperties[] {
	if (type === 'collection') return options as INodeProperties[];
	if (type !== 'fixedCollection') return [];
	return (options as INodePropertyCollection[]).flatMap(({ values }) => values);
}

/** Parameters, each with those inside it. */
export const withInner = (properties: readonly INodeProperties[]): INodeProperties[] =>
	properties.flatMap((property) => [property, ...innerProperties(property)]);

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

/** Formats the keys of a request, for example "Employee ID 1001, Period 6, Year 2026". */
export function formatKeys(request: Fields, keys: Readonly<Record<string, unknown>>): string {
	const texts = Object.entries(keys).map(([name, value]) => {
		const field = ownEntry(request, name);
		return `${field ? label(name, field) : name} ${String(value)}`;
	});
	return texts.join(', ');
}
