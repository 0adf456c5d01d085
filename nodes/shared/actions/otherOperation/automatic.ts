/** *Map Automatically*: the request that the columns of an input item make. */
import { WILDCARD, type RecordContent, type RecordField } from '../../contract/fields';
import { at, collect, invalidInput } from '../../errors/InputError';
import { placeColumns } from '../../form/columns';
import { knownValues, recordProperties, type KnownValues } from '../../values/knownValues';
import { typeOf } from '../../values/recordTypes';
import { isObject, isSet, valueAt, type Values } from '../../values/values';
import { formOf } from './mapper';

/** The only record of a request, if an item lacks it. */
function recordOfItem({ fields }: RecordContent, item: Values): [string, RecordField] | undefined {
	const records = Object.entries(fields).flatMap(([name, field]) =>
		field.kind === 'record' ? [[name, field] as [string, RecordField]] : [],
	);
	const [only] = records;
	return only && records.length === 1 && !Object.hasOwn(item, only[0]) ? only : undefined;
}

/**
 * Returns the request that an input item makes: its columns by the names of the fields. If the item
 * lacks the only record of the request, its columns are also those of the record, so that an item
 * that one operation reads can be changed and written by another.
 *
 * @returns values by element name, and the paths of the item's columns that are not part of the request
 * @throws {InputError} with every column that names several fields, or contradicts another one
 */
export function automaticValues(request: RecordContent, item: Values): KnownValues {
	const { fields } = request;
	const [name, record] = recordOfItem(request, item) ?? [];
	const properties = record ? recordProperties(record, item) : {};
	const inRecord = (path?: readonly string[]) => name !== undefined && path && [name, ...path];
	const outer = formOf(request).columns;
	const inner = record && formOf(typeOf(record, item) ?? record).columns;
	const values = placeColumns(item, (column) => {
		if (Object.hasOwn(fields, column)) return undefined;
		const own = outer.exact(column);
		if (own !== undefined) return own.path;
		if (name !== undefined && Object.hasOwn(properties, column)) return [name, column];
		return (
			inRecord(inner?.exact(column)?.path) ||
			outer.find(column)?.path ||
			inRecord(inner?.find(column)?.path) ||
			undefined
		);
	});
	if (name !== undefined) {
		const shared = Object.entries(values).filter(
			([column]) => column !== name && Object.hasOwn(properties, column),
		);
		const own = { ...Object.fromEntries(shared), ...(values[name] as Values | undefined) };
		if (Object.keys(own).length > 0) values[name] = own;
	}
	return knownValues(request, values);
}

/**
 * Ensures that an input item has a column for each required value.
 *
 * @param values those of {@link automaticValues}
 * @throws {InputError} with the names that each missing column can have
 */
export function requireColumns(request: RecordContent, values: Values): void {
	const { fields, columns } = formOf(request);
	collect(fields.values(), (mapped) => {
		const { path, field, isRequired } = mapped;
		const isOfGiven = isObject(valueAt(values, path.slice(0, -1)));
		const isNeeded = isRequired || (isOfGiven && field.required === true && !field.nillable);
		if (!isNeeded || path.at(-1) === WILDCARD || isSet(valueAt(values, path))) return;
		at(path, () => {
			throw invalidInput(`is missing: name a column ${columns.namesOf(mapped)}.`, 'VALUE_REQUIRED');
		});
	});
}
