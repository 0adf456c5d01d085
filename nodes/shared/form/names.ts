import type { Field, Fields } from '../contract/fields';
import { requestList, type RequestList } from '../contract/operation';
import { AUTOMATIC } from '../host/forms';
import { scalarsIn, type NestedScalar } from '../values/records';
import { ownEntry } from '../values/values';
import type { InputItem } from './inputItem';

/**
 * Returns the parameter name of an element: its path in camelCase (`EmployeeId` → `employeeId`).
 */
export function parameterName(...path: string[]): string {
	const name = path.join('');
	return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The ways to give a record: field by field, as JSON, or, for the rows of a list, as input items. */
export const FIELDS = 'fields';
export const JSON_TEXT = 'json';
export const ITEMS = 'items';
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
/** Name of the switch for texts with a decimal comma. */
export const DECIMAL_COMMA = 'decimalComma';
/** Parameter names inside the parameter of a repeated record. */
export const ROW = 'row';
export const ROW_FIELDS = 'fields';

/**
 * Returns the list of a request whose rows are input items; `undefined` if the builder did not choose
 * them. All items share this choice.
 */
export function listOfItems(item: InputItem, request: Fields): RequestList | undefined {
	const list = requestList(request);
	const isChosen = list !== undefined && item.readShared(specify(list.name), '') === ITEMS;
	return isChosen ? list : undefined;
}

/** Whether the builder chose that columns of input items are values of a request, whatever it is. */
export function readsColumns({ node: { parameters } }: InputItem): boolean {
	return Object.entries(parameters).some(([name, value]) => {
		if (name.startsWith(specify(''))) return value === ITEMS;
		return (Object(value) as { mappingMode?: unknown }).mappingMode === AUTOMATIC;
	});
}

/** The column of n8n's Google Sheets node with the number of the row. */
export const ROW_NUMBER = 'row_number';

/** Names a row as its sheet counts it: its first row has the names of the columns. */
export function rowName({ index, json }: InputItem): string {
	const number = json[ROW_NUMBER];
	return `Row ${Number.isInteger(number) ? String(number) : index + 2}`;
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

/**
 * Returns the labels of the elements along a path, joined with spaces; `undefined` if the contract
 * does not define one of them.
 */
export function labelAt(
	fields: Fields,
	[name = '', ...inner]: readonly string[],
): string | undefined {
	const field = ownEntry(fields, name);
	if (field === undefined) return undefined;
	if (inner.length === 0) return label(name, field);
	const within = field.kind === 'record' ? labelAt(field.fields, inner) : undefined;
	return within && `${label(name, field)} ${within}`;
}

/** A scalar of the form, where records are flattened. */
export interface FlatField extends NestedScalar {
	readonly label: string;
}

/** Returns the scalars among elements and in their records, in the contract's order. */
export function flatten(fields: Fields): readonly FlatField[] {
	return scalarsIn(fields).map((scalar) => {
		return { ...scalar, label: labelAt(fields, scalar.path) ?? '' };
	});
}
