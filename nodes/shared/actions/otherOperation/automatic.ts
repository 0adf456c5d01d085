/** *Map Automatically*: the request that the columns of an input item make. */
import { WILDCARD, type RecordContent, type SchemaRecord } from '../../contract/schemaFields';
import { faulty, InputError, texts } from '../../errors/InputError';
import { Columns, placeColumns } from '../../form/columns';
import { knownValues, recordProperties, type KnownValues } from '../../values/knownValues';
import { typeOf } from '../../values/recordTypes';
import type { Values } from '../../values/values';
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
	return knownValues(request, values);
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
