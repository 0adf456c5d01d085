/**
 * The parameters of an operation that the service describes, as fields of n8n's resource mapper,
 * and the values that the builder maps to them.
 */
import { isExpression, type ResourceMapperField } from 'n8n-workflow';
import {
	type Field,
	type Fields,
	onceFor,
	type RecordContent,
	sizeOf,
} from '../../contract/fields';
import { collect, invalidInput, type Path } from '../../errors/InputError';
import { distinct, truncate } from '../../errors/words';
import { asGiven, AUTOMATIC, columnIn, inputOf, isJson, setValue } from '../../host/forms';
import { fromPaths, isObject, isSet, ownEntry, valueAt, type Values } from '../../values/values';
import { exampleOf } from '../fieldForm';
import type { InputItem } from '../inputItem';
import { label as labelOf, words } from '../names';
import { parseJsonField } from '../requestValues';
import { cellValue, type ColumnField, Columns, pathTexts, placeColumns } from './columns';
import { LIMITS } from '../../contract/limits';
import { knownValues, type KnownValues } from '../../values/records';

/** Maximum number of elements on the way to a field; what is deeper is given as JSON. */
const MAX_FLAT = 3;

/** Maximum number of fields of nested records; further records are given as JSON. */
const MAX_NESTED = 1000;

/** Nobody chooses from more names, and n8n would store them with the workflow: they become a text. */
const MAX_OPTIONS = 500;

/** Fields of each record in an example. */
const EXAMPLE_FIELDS = 3;

/** The kinds whose notation an example shows. */
const TEMPORAL: ReadonlySet<string> = new Set(['date', 'dateTime', 'time']);

/** How a label names the kinds of numbers. */
const NUMBERS: Partial<Record<Field['kind'], string>> = {
	decimal: 'decimal number',
	float: 'decimal number',
	int: 'whole number',
	integer: 'whole number',
};

/** A field of the form. */
interface MappedField extends ColumnField {
	readonly field: Field;
	/** Whether it and all records that contain it are required, and it cannot be sent as nil. */
	readonly isRequired: boolean;
}

/** Returns the fields of the form: nested records are flattened, except recursive ones. */
function flatFields(
	fields: Fields,
	outer: readonly string[] = [],
	outerLabel = '',
	isRequired = true,
	around: readonly Fields[] = [],
	left = { fields: MAX_NESTED },
): MappedField[] {
	return Object.entries(fields).flatMap(([name, field]) => {
		const path = [...outer, name];
		const label = `${outerLabel} ${labelOf(name, field)}`.trim();
		const required = isRequired && field.required === true;
		const own = { path, label, field, isRequired: required && field.nillable !== true };
		if (field.kind !== 'record' || path.length >= MAX_FLAT) return [own];
		const count = sizeOf(field.fields);
		const within = [...around, fields];
		if (count === 0 || count > left.fields || within.includes(field.fields)) return [own];
		left.fields -= count;
		return flatFields(field.fields, path, label, required, within, left);
	});
}

/** The fields of a form, in the operation's order: by id, and by the names of their columns. */
interface Form {
	readonly fields: ReadonlyMap<string, MappedField>;
	readonly columns: Columns<MappedField>;
}

/**
 * Returns the form of a request or of a record in it. No two of its fields have the same label: "Employee ID
 * (EmployeeId)" and "Employee ID (Employee.Id)".
 */
export const formOf = onceFor(({ fields }: RecordContent): Form => {
	const flat = flatFields(fields);
	const ids = pathTexts(flat.map(({ path }) => path));
	// n8n names the argument of a tool by the letters and digits of the label.
	const given = flat.map(({ label }, i) =>
		ids[i]?.startsWith('/') ? `${label} (field ${i + 1})` : label,
	);
	const labels = distinct(given, (label, i) => `${label} (${ids[i]})`);
	const mapped = flat.map((one, i) => {
		const isMain = one.field.isKey === true || one.field.isShown === true;
		return { ...one, label: labels[i] ?? '', isMain };
	});
	return {
		fields: new Map(mapped.map((one, i) => [ids[i] ?? '', one])),
		columns: new Columns(mapped),
	};
});

/** Why a field is sent as given; `undefined` if its type is supported. */
function unsupportedIn(field: Field): string | undefined {
	const one = field.kind === 'repeated' ? field.of : field;
	return one.kind === 'any' ? one.unsupported : undefined;
}

/** Returns an example of a JSON field; an empty record for any other field. */
function jsonExample(field: Field): unknown {
	if (!isJson(field) || unsupportedIn(field) !== undefined) return {};
	return exampleOf(field, EXAMPLE_FIELDS);
}

/** The example that a JSON field with records is filled with; `undefined` for any other one. */
function filledExample(example: unknown): string | undefined {
	const text = JSON.stringify(example, null, 2);
	return text.includes('":') ? text : undefined;
}

/**
 * What the label of a field says about its values; empty if the input shows that. In a tool, it says
 * more: n8n passes an AI model the label of a field as the name of its argument, and nothing else.
 *
 * @param isTool or whether the field shows no choices
 * @param example of a JSON field
 */
function noteOf(field: Field, isTool: boolean, example: unknown): string {
	if (isJson(field)) {
		const unsupported = unsupportedIn(field);
		if (unsupported !== undefined) return ` (JSON, sent unchanged: ${unsupported})`;
		const text = JSON.stringify(example);
		const isElsewhere = text === '{}' || (!isTool && filledExample(example) !== undefined);
		return isElsewhere ? ' (JSON)' : ` (JSON, e.g. ${truncate(text)})`;
	}
	if (field.kind === 'base64Binary') return ' (binary field, or base64)';
	if (!isTool) return '';
	if (field.kind === 'enumeration') {
		const first = field.values.slice(0, 40).map((name) => truncate(name));
		return ` (${truncate(first.join(', '))})`;
	}
	if (TEMPORAL.has(field.kind)) return ` (e.g. ${String(exampleOf(field))})`;
	const number = NUMBERS[field.kind];
	return number === undefined ? '' : ` (${number})`;
}

/**
 * Returns the fields of n8n's resource mapper for an operation's request, in the operation's order.
 * Required fields are shown, the builder adds the others as needed. Its form cuts long
 * labels, and shows no description of such a field: a record or list that is given as JSON is filled
 * with its example when it is added, see {@link mappedValues}.
 *
 * A field has no default value that lets an AI model define it: n8n stores these fields in the node,
 * and would ask the model for each of them, also for those that the builder sets or does not add.
 *
 * @param isTool whether the node is a tool of an AI agent
 */
export function mapperFields(request: RecordContent, isTool: boolean): ResourceMapperField[] {
	return [...formOf(request).fields].map(([id, { field, label, isRequired }]) => {
		const input = inputOf(field, isTool);
		const names = field.kind === 'enumeration' && input === 'options' ? field.values : [];
		const isChoice = names.length > 0 && names.length <= MAX_OPTIONS;
		const type = input === 'options' && !isChoice ? 'string' : input;
		const example = jsonExample(field);
		// n8n's own nodes put a file into the field `data`.
		const filled = field.kind === 'base64Binary' ? 'data' : filledExample(example);
		const defaultValue = isTool ? undefined : filled;
		return {
			id,
			displayName: `${label}${noteOf(field, isTool || type !== input, example)}`,
			type,
			...(defaultValue !== undefined && { defaultValue }),
			...(isChoice && { options: names.map((value) => ({ name: words(value), value })) }),
			defaultMatch: false,
			required: isRequired,
			display: true,
			removed: !isRequired,
		};
	});
}

/**
 * Returns the path to a value with the label of its field in place of the names of its elements.
 *
 * @param path from the request, or from the id of a field
 * @param isByColumn whether a column of an item gives the value: the label is followed by its path
 */
export function labelledPath(request: RecordContent, path: Path, isByColumn: boolean): Path {
	const { fields } = formOf(request);
	const row = path.findIndex((step) => typeof step === 'number');
	const names = path.slice(0, row < 0 ? undefined : row).map(String);
	for (let { length } = names; length > 0; length -= 1) {
		const outer = names.slice(0, length);
		const id = outer.join('.');
		const found = fields.get(`/${outer.join('/')}`) ?? fields.get(id);
		if (found === undefined) continue;
		const label = isByColumn && found.label !== id ? `${found.label} (${id})` : found.label;
		return [label, ...path.slice(length)];
	}
	return names.length === 0
		? path
		: [names.map((name) => words(name)).join(' '), ...path.slice(names.length)];
}

/**
 * Returns the column of the input item that each field is mapped to; `undefined` if an expression does
 * more than name one.
 */
const columnsIn = onceFor((stored: Values): ReadonlyMap<string, string> | undefined => {
	const expressions = Object.entries(stored).filter(([, value]) => isExpression(value));
	const columns = expressions.map(([id, value]) => [id, columnIn(value as string)] as const);
	const isPlain = columns.every((one): one is [string, string] => one[1] !== undefined);
	return isPlain ? new Map(columns) : undefined;
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
	const stored = Object(item.readStored(`${name}.value`, {})) as Values;
	const columns = columnsIn(stored);
	// n8n takes a tenth of a millisecond for each expression.
	if (columns === undefined) {
		const read = item.read(`${name}.value`, {}, asGiven);
		return { isAutomatic: false, stored, given: isObject(read) ? read : {} };
	}
	const given = Object.entries(stored).map(([id, value]) => {
		const column = columns.get(id);
		return [id, column === undefined ? value : ownEntry(json, column)];
	});
	return { isAutomatic: false, stored, given: Object.fromEntries(given) as Values };
}

/**
 * Returns the request that the builder's values make.
 *
 * @param given values by the ids of {@link mapperFields}; `null` if a field is empty
 * @returns values by element name; not yet validated
 * @throws {InputError} with every value that is not valid JSON or still the example of the form, and
 * every name that the operation does not have
 */
export function mappedValues(request: RecordContent, given: Values): Values {
	const { fields } = formOf(request);
	const values = collect(
		Object.entries(given).filter(([, value]) => setValue(value, true) !== undefined),
		([id, value]): Array<readonly [readonly string[], unknown]> => {
			const { path, field } = fields.get(id) ?? {};
			if (path === undefined || field === undefined) {
				throw invalidInput(
					'is not a parameter of the operation. Open the node to update its parameters.',
				);
			}
			const own = setValue(value, field.kind === 'string');
			if (own === undefined) return [];
			if (typeof own !== 'string' || !isJson(field)) return [[path, own]];
			if (own === filledExample(jsonExample(field))) {
				throw invalidInput(
					'is still the example of the form. Replace it with your values, or remove the field.',
				);
			}
			return [[path, parseJsonField(own)]];
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
	const inForm = formOf(content).columns.exactly(column)?.path;
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
	const records = Object.entries(request.fields).flatMap(([name, field]) =>
		field.kind === 'record' ? [[name, field] as const] : [],
	);
	const [only] = records;
	const isLacking = only && records.length === 1 && !Object.hasOwn(item, only[0]);
	const [name, record] = isLacking ? only : [];
	const inRecord = (path?: readonly string[]) =>
		name === undefined || !path ? undefined : [name, ...path];
	const exactly = (column: string) => {
		const path = exactPath(request, column);
		const isRecord = ownEntry(request.fields, path?.[0] ?? '')?.kind === 'record';
		const isText = ['number', 'string'].includes(typeof cellValue(item[column]));
		// A cell under the name of a record is its code.
		return path?.length === 1 && isRecord && isText ? undefined : path;
	};
	const named = (column: string) =>
		exactly(column) ??
		inRecord(record && exactPath(record, column)) ??
		formOf(request).columns.find(column)?.path ??
		inRecord(record && formOf(record).columns.find(column)?.path);
	const meant = (column: string) =>
		formOf(request).columns.meantBy(column)?.path ??
		inRecord(record && formOf(record).columns.meantBy(column)?.path);
	// What people call a field counts only where no column has its name.
	const taken = new Set<string>();
	collect(Object.keys(item), (column) => taken.add(named(column)?.join('/') ?? ''));
	return placeColumns(item, (column) => {
		const own = named(column);
		const other = own ?? meant(column);
		return own === undefined && taken.has(other?.join('/') ?? '') ? undefined : other;
	});
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
		throw invalidInput(
			`is missing. Name a column ${columns.namesOf(mapped)}.`,
			'VALUE_REQUIRED',
		).at(path);
	});
}
