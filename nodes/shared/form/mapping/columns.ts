/** Input items as the values of a request: by what the builder maps to its fields, or by the names of their columns. */
import { isExpression } from 'n8n-workflow';
import { onceFor, type RecordContent } from '../../contract/fields';
import { LIMITS } from '../../contract/limits';
import { collect, invalidInput, invalidValue } from '../../errors/InputError';
import { formatValue, truncate } from '../../errors/words';
import { AUTOMATIC, columnIn, isJson } from '../../host/forms';
import { trimmed } from '../../values/kind';
import { knownValues } from '../../values/records';
import {
	emptyValues,
	fromPaths,
	isObject,
	isSet,
	ownEntry,
	setterOf,
	valueAt,
	type Values,
} from '../../values/values';
import type { InputItem } from '../inputItem';
import { parseJsonField } from '../requestValues';
import { formOf, jsonExample } from './mapper';

/** The text of a cell that empties a field. */
const EMPTY_TEXT = '""';

/**
 * Returns what a cell says: nothing if it is blank, as spreadsheets have it for a field that is not to
 * change, and an empty text if it is `""`, two quotes.
 */
export function cellValue(value: unknown): unknown {
	const text = trimmed(value);
	if (text === '') return undefined;
	return text === EMPTY_TEXT ? '' : value;
}

/** The column of the input item that each field is mapped to; `undefined` if an expression does more than name one. */
const columnsIn = onceFor((stored: Values) => {
	const expressions = Object.entries(stored).filter(([, value]) => isExpression(value));
	const columns = new Map(expressions.map(([id, value]) => [id, columnIn(String(value))]));
	return [...columns.values()].includes(undefined) ? undefined : columns;
});

/** What the builder mapped to the fields of a resource mapper, as stored and as it is for an input item. */
interface Mapped {
	/** Whether columns are found by their names: the item itself is given. */
	readonly isAutomatic: boolean;
	readonly stored: Values;
	readonly given: Values;
}

/** Reads a resource mapper. @param mode its mode if the builder stored none */
export function readMapper(item: InputItem, name: string, mode = ''): Mapped {
	const { json } = item;
	if (item.readShared(`${name}.mappingMode`, mode) === AUTOMATIC) {
		return { isAutomatic: true, stored: {}, given: json };
	}
	const { value } = Object(item.stored(name)) as { value?: unknown };
	const stored = Object(value) as Values;
	const columns = columnsIn(stored);
	// n8n takes a tenth of a millisecond for each expression.
	if (columns === undefined) {
		// With its checks, n8n would evaluate the schema that it stores with the values as expressions, and convert
		// dates: `validateResourceMapperValue` in `validate-value-against-schema.ts` of n8n-core.
		const read = item.read(`${name}.value`, {}, { skipValidation: true });
		return { isAutomatic: false, stored, given: isObject(read) ? read : {} };
	}
	const given = Object.entries(stored).map(([id, value]) => {
		const column = columns.get(id);
		return [id, column === undefined ? value : ownEntry(json, column)];
	});
	return { isAutomatic: false, stored, given: Object.fromEntries(given) as Values };
}

/**
 * Returns the request that the builder's values make. They are not checked.
 *
 * @param given values by the ids of the fields; `null` if a field is empty
 * @throws {InputError} with every value that is malformed JSON or still the example of the form, and every unknown id
 */
export function mappedValues(request: RecordContent, given: Values): Values {
	const { fields } = formOf(request);
	const values = collect(
		Object.entries(given).filter(([, value]) => isSet(value)),
		([id, value]): Array<readonly [readonly string[], unknown]> => {
			const known = fields.get(id);
			if (known === undefined) {
				throw invalidInput(
					'is not a parameter of the operation. Open the node to update its parameters.',
				);
			}
			const { path, field } = known;
			// n8n stores `''` for a cleared field.
			if (value === '' && field.kind !== 'string') return [];
			if (typeof value !== 'string' || !isJson(field)) return [[path, value]];
			if (value === jsonExample(field).filled) {
				throw invalidInput(
					'is still the example of the form. Replace it with your values, or remove the field.',
				);
			}
			return [[path, parseJsonField(value)]];
		},
		([id]) => id,
	);
	return fromPaths(values.flat());
}

/**
 * Returns the path of the field that a column is exactly: by its name, by its id in the form, or as the dotted
 * path that it spells, also through records that are JSON in the form.
 */
function exactPath(content: RecordContent, column: string): readonly string[] | undefined {
	if (Object.hasOwn(content.fields, column)) return [column];
	const inForm = formOf(content).fields.get(column)?.path;
	const path = column.split('.');
	if (inForm !== undefined || path.length > LIMITS.depth) return inForm;
	let within = content.fields;
	for (const name of path.slice(0, -1)) {
		const field = ownEntry(within, name);
		if (field?.kind !== 'record') return undefined;
		within = field.fields;
	}
	return Object.hasOwn(within, path.at(-1) ?? '') ? path : undefined;
}

/** A value as text that is the same for `4100` and `"4100"`. */
const comparable = (value: unknown): string =>
	typeof value === 'object' ? JSON.stringify(value) : String(value);

/**
 * Returns the cells of an input item by the fields that its columns name; any other column keeps its name. If the
 * item lacks the only record of the request, its columns are also those of the record, so that an item
 * that one operation reads can be changed and written by another. A column is for one field: the one
 * whose path it is, else one by its label, and one of the request before one of the record.
 *
 * @returns values by element name; `undefined` if a column is blank
 * @throws {InputError} with every column that names several fields, or contradicts another one
 */
export function automaticCells(request: RecordContent, item: Values): Values {
	const records = Object.entries(request.fields).flatMap(([name, field]) =>
		field.kind === 'record' ? [{ content: field, outer: [name] }] : [],
	);
	const lacking = records.filter(({ outer: [name = ''] }) => !Object.hasOwn(item, name));
	const contents = [{ content: request, outer: [] }, ...(records.length === 1 ? lacking : [])];
	const first = (find: (content: RecordContent) => readonly string[] | undefined) => {
		for (const { content, outer } of contents) {
			const path = find(content);
			if (path !== undefined) return [...outer, ...path];
		}
		return undefined;
	};
	const named = collect(Object.entries(item), ([column, cell]) => {
		// What `""` stands for is left to the reader of the request: here, it would be blank afterwards.
		const value = cellValue(cell) === undefined ? undefined : cell;
		const isText = typeof value === 'number' || typeof value === 'string';
		const exact = first((content) => {
			const path = exactPath(content, column);
			const isRecord = ownEntry(content.fields, path?.[0] ?? '')?.kind === 'record';
			// A cell under the name of a record is its code.
			return path?.length === 1 && isRecord && isText ? undefined : path;
		});
		const path = exact ?? first((content) => formOf(content).find(column)?.path);
		return { column, value, path };
	});
	const taken = new Set(named.map(({ path }) => path?.join('/')));
	const placed = named.map(({ column, value, path }) => {
		if (path !== undefined) return { column, value, path };
		// What people call a field counts only where no column has its name.
		const meant = first((content) => formOf(content).meantBy(column)?.path);
		return { column, value, path: meant && !taken.has(meant.join('/')) ? meant : [column] };
	});
	const values = emptyValues();
	const set = setterOf(values);
	const moved = placed.filter(({ column, path, value }) => {
		const isOwn = path.length === 1 && path[0] === column;
		if (isOwn) values[column] = value;
		return !isOwn;
	});
	/** The column of each value that was moved. */
	const columns = new Map<string, string>();
	collect(moved, ({ column, path, value }) => {
		if (!isSet(value)) return;
		const other = valueAt(values, path);
		const key = path.join('/');
		if (!isSet(other)) {
			// A value around it that is no record is refused later.
			set(path, value);
			columns.set(key, column);
		} else if (comparable(value) !== comparable(other)) {
			const [own, others] = [column, columns.get(key) ?? path.join('.')].map(
				(name) => `in the column '${truncate(name)}'`,
			);
			const text = `${own} contradicts ${formatValue(other)} ${others}.`;
			throw invalidValue(value, text).at(path);
		}
	});
	for (const { path, value } of moved) {
		// A record is not made of empty columns.
		const isPlace = isObject(valueAt(values, path.slice(0, -1)));
		if (!isSet(value) && isPlace && !isSet(valueAt(values, path))) set(path, value);
	}
	return values;
}

/** Returns the request that an input item makes, see {@link automaticCells}, and its columns that are not part of it. */
export function automaticValues(request: RecordContent, item: Values) {
	return knownValues(request, automaticCells(request, item), cellValue);
}

/**
 * Ensures that an input item has a column for each required value.
 *
 * @param values those of {@link automaticValues}
 * @throws {InputError} with the names that each missing column can have
 */
export function requireColumns(request: RecordContent, values: Values): void {
	const form = formOf(request);
	collect(form.fields.values(), (mapped) => {
		const { path, field, isRequired } = mapped;
		const isOfGiven = isObject(valueAt(values, path.slice(0, -1)));
		const isNeeded = isRequired || (isOfGiven && field.required === true && !field.nillable);
		if (!isNeeded || isSet(valueAt(values, path))) return;
		throw invalidInput(`is missing. Name a column ${form.namesOf(mapped)}.`, 'VALUE_REQUIRED').at(
			path,
		);
	});
}
