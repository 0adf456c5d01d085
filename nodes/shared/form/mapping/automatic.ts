/** *Map Automatically*: the request that the columns of an input item make. */
import type { RecordContent, RecordField } from '../../contract/fields';
import { at, collect, invalidInput } from '../../errors/InputError';
import { LIMITS } from '../../errors/limits';
import { cellValue, placeColumns } from './columns';
import { knownValues, type KnownValues } from '../../values/knownValues';
import { isObject, isSet, ownEntry, valueAt, type Values } from '../../values/values';
import { formOf } from './mapper';

/** The only record of a request, if an item lacks it. */
function recordOfItem({ fields }: RecordContent, item: Values): [string, RecordField] | undefined {
	const records = Object.entries(fields).flatMap(([name, field]) =>
		field.kind === 'record' ? [[name, field] as [string, RecordField]] : [],
	);
	const [only] = records;
	return only && records.length === 1 && !Object.hasOwn(item, only[0]) ? only : undefined;
}

type Path = readonly string[];

/** Returns the path that a dotted column spells, also through records that are JSON in the form. */
function spelledPath(content: RecordContent, column: string): Path | undefined {
	const path = column.split('.');
	if (path.length > LIMITS.depth) return undefined;
	let within = content.fields;
	for (const name of path.slice(0, -1)) {
		const field = ownEntry(within, name);
		if (field?.kind !== 'record') return undefined;
		within = field.fields;
	}
	return Object.hasOwn(within, path.at(-1) ?? '') ? path : undefined;
}

/** Returns the path of the field that a column is exactly: by its name, by its id in the form, or spelled. */
function exactPath(content: RecordContent, column: string): Path | undefined {
	if (Object.hasOwn(content.fields, column)) return [column];
	return formOf(content).columns.exactly(column)?.path ?? spelledPath(content, column);
}

/**
 * Returns the cells of an input item by the fields that its columns name. If the item
 * lacks the only record of the request, its columns are also those of the record, so that an item
 * that one operation reads can be changed and written by another. A column is for one field: the one
 * whose path it is, else one by its label, and one of the request before one of the record.
 *
 * @returns values by element name; `undefined` if a column is blank
 * @throws {InputError} with every column that names several fields, or contradicts another one
 */
export function automaticCells(request: RecordContent, item: Values): Values {
	const [name, record] = recordOfItem(request, item) ?? [];
	const inRecord = (path?: Path) => (name === undefined || !path ? undefined : [name, ...path]);
	return placeColumns(
		item,
		(column) =>
			exactPath(request, column) ??
			inRecord(record && exactPath(record, column)) ??
			formOf(request).columns.find(column)?.path ??
			inRecord(record && formOf(record).columns.find(column)?.path),
	);
}

/**
 * Returns the request that an input item makes, see {@link automaticCells}.
 *
 * @returns values by element name, and the paths of the item's columns that are not part of the request
 */
export function automaticValues(request: RecordContent, item: Values): KnownValues {
	return knownValues(request, automaticCells(request, item), cellValue);
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
		if (!isNeeded || isSet(valueAt(values, path))) return;
		at(path, () => {
			throw invalidInput(`is missing: name a column ${columns.namesOf(mapped)}.`, 'VALUE_REQUIRED');
		});
	});
}
