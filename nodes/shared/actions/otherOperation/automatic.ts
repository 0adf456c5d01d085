/** *Map Automatically*: the request that the columns of an input item make. */
import {
	propertiesOf,
	TYPE,
	WILDCARD,
	type Fields,
	type RecordContent,
	type RecordField,
} from '../../contract/fields';
import { at, collect, invalidInput } from '../../errors/InputError';
import { cellValue, placeColumns, refuseColumn } from '../../form/columns';
import { knownValues, type KnownValues } from '../../values/knownValues';
import { hasTypes, typeOf } from '../../values/recordTypes';
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

/** Maximum length of a column that spells a path, and number of records that are searched for it. */
const MAX_SPELLED = 500;

/** The name of the type that an item gives for the record at a dotted path, as a value of that record. */
function typeIn(item: Values, path: string): Values {
	const record = ownEntry(item, path) ?? valueAt(item, path.split('.'));
	const inRecord = isObject(record) ? ownEntry(record, TYPE) : undefined;
	return { [TYPE]: ownEntry(item, `${path}.${TYPE}`) ?? inRecord };
}

/**
 * Returns the path that a column of an item spells element by element, at any depth and in the type of
 * each record. An element with a dot in its name goes before one in a record.
 *
 * @throws {InputError} if the column spells several paths
 */
function exactPath(item: Values, fields: Fields, column: string): Path | undefined {
	let left = MAX_SPELLED;
	const find = (within: Fields, begin: number): Path[] => {
		const rest = column.slice(begin);
		if (Object.hasOwn(within, rest)) return [[rest]];
		const found: Path[] = [];
		left -= 1;
		for (let dot = column.indexOf('.', begin); dot >= 0; dot = column.indexOf('.', dot + 1)) {
			const name = column.slice(begin, dot);
			const field = ownEntry(within, name);
			if (field?.kind !== 'record' || found.length > 1 || left < 0) continue;
			const type = typeOf(field, typeIn(item, column.slice(0, dot))) ?? field;
			const isType = hasTypes(field) && column.slice(dot + 1) === TYPE;
			const inner = isType ? [[TYPE]] : find(propertiesOf(type), dot + 1);
			found.push(...inner.map((path) => [name, ...path]));
		}
		return found;
	};
	if (column.length > MAX_SPELLED && !Object.hasOwn(fields, column)) return undefined;
	const [path, other] = find(fields, 0);
	if (path === undefined || other === undefined) return path;
	const texts = [path, other].map((one) => `/${one.join('/')}`);
	return refuseColumn(column, texts);
}

/**
 * Returns the request that an input item makes: its columns by the names of the fields. If the item
 * lacks the only record of the request, its columns are also those of the record, so that an item
 * that one operation reads can be changed and written by another. A column is for one field: the one
 * whose path it is, else one by its label, and one of the request before one of the record.
 *
 * @returns values by element name, and the paths of the item's columns that are not part of the request
 * @throws {InputError} with every column that names several fields, or contradicts another one
 */
export function automaticValues(request: RecordContent, item: Values): KnownValues {
	const [name, record] = recordOfItem(request, item) ?? [];
	const inRecord = (path?: Path) => (name === undefined || !path ? undefined : [name, ...path]);
	const outer = formOf(request).columns;
	const type = record && (typeOf(record, item) ?? record);
	const inner = type && formOf(type).columns;
	const isType = (column: string) => column === TYPE && record !== undefined && hasTypes(record);
	const values = placeColumns(
		item,
		(column) =>
			exactPath(item, propertiesOf(request), column) ??
			inRecord(isType(column) ? [TYPE] : type && exactPath(item, propertiesOf(type), column)) ??
			outer.find(column)?.path ??
			inRecord(inner?.find(column)?.path),
	);
	return knownValues(request, values, cellValue);
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
