import type { Field, Fields } from '../contract/fields';
import { scalarsIn, type NestedScalar } from '../values/records';
import { ownEntry } from '../values/values';

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
/** Parameter names inside the parameter of a repeated record. */
export const ROW = 'row';
export const ROW_FIELDS = 'fields';

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
