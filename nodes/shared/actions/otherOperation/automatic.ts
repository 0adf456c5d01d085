/** *Map Automatically*: the request that the columns of an input item make. */
import {
	propertiesOf,
	TYPE,
	WILDCARD,
	type RecordContent,
	type SchemaField,
	type SchemaFields,
	type SchemaRecord,
} from '../../contract/schemaFields';
import { faulty, InputError, texts } from '../../errors/InputError';
import { Columns, placeColumns } from '../../form/columns';
import { typeOf } from '../../values/recordTypes';
import { isObject, ownEntry, type KnownValues, type Values } from '../../values/values';
import { fieldsById, type MappedField } from './mapper';

/** The columns of a request or a record. All items of a run have the same. */
const columnsByContent = new WeakMap<RecordContent, Columns<MappedField>>();

function columnsOf(content: RecordContent): Columns<MappedField> {
	const earlier = columnsByContent.get(content);
	if (earlier !== undefined) return earlier;
	const fields = [...fieldsById(content).values()];
	const columns = new Columns(fields.filter(({ path }) => path.at(-1) !== WILDCARD));
	columnsByContent.set(content, columns);
	return columns;
}

/** The properties of a record: those of its type, and its name. */
function recordProperties(record: SchemaRecord, value: Values): SchemaFields {
	return { ...propertiesOf(typeOf(record, value) ?? record), [TYPE]: { kind: 'string' } };
}

/** Returns the values that the schema defines, and notes the paths of all others in `unknown`. */
function knownFields(
	fields: SchemaFields,
	values: Values,
	prefix: string,
	unknown: string[],
): Values {
	const known = Object.entries(values).flatMap(([name, value]) => {
		const field = ownEntry(fields, name);
		if (field !== undefined) return [[name, knownPart(field, value, prefix + name, unknown)]];
		unknown.push(prefix + name);
		return [];
	});
	return Object.fromEntries(known) as Values;
}

/** Returns what the schema defines of a value; an open record takes whatever the value has. */
function knownPart(field: SchemaField, value: unknown, path: string, unknown: string[]): unknown {
	if ((field.kind === 'list' || field.kind === 'repeated') && Array.isArray(value)) {
		return value.map((row) => knownPart(field.of, row, path, unknown));
	}
	if (field.kind !== 'record' || !isObject(value)) return value;
	if ((typeOf(field, value) ?? field).others !== undefined) return value;
	return knownFields(recordProperties(field, value), value, `${path}.`, unknown);
}

/** The only record of a request, if an item lacks it. */
function recordOfItem({ fields }: RecordContent, item: Values): [string, SchemaRecord] | undefined {
	const records = Object.entries(fields).flatMap(([name, field]) =>
		field.kind === 'record' ? [[name, field] as [string, SchemaRecord]] : [],
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
	const outer = columnsOf(request);
	const inner = record && columnsOf(typeOf(record, item) ?? record);
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
	const unknown: string[] = [];
	return { known: knownFields(fields, values, '', unknown), unknown: [...new Set(unknown)] };
}

/**
 * Returns an error about the request of an input item: for each value that is required, the names
 * that its column can have.
 */
export function withColumns(error: unknown, request: RecordContent): unknown {
	if (!(error instanceof InputError)) return error;
	const fields = [...fieldsById(request).values()];
	const problems = error.problems.flatMap((problem) => {
		if (problem.text.trim() !== texts.values.required) return [problem];
		const id = problem.path.join('.');
		const lacking = fields.filter(({ path, isRequired }) => {
			const own = path.join('.');
			return own === id || (isRequired && own.startsWith(`${id}.`));
		});
		const missing = lacking.flatMap((field) => {
			const names = columnsOf(request).namesOf(field);
			const { problems } = faulty(texts.values.noColumn, { names });
			return problems.map(({ text }) => ({ path: field.path, text }));
		});
		return missing.length === 0 ? [problem] : missing;
	});
	return new InputError(problems);
}
