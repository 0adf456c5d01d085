import { jsonParse, type IExecuteFunctions } from 'n8n-workflow';
import type { Fields, ListField, RecordField, ScalarField } from '../contract/fields';
import type { RestOperation } from '../contract/operations';
import { scalars } from '../contract/scalars';
import type { RequestOf, SoapOperation } from '../contract/soapOperation';
import { checkFilledRecord, isObject, type Values } from '../contract/values';
import { at, collect, faulty, invalid, missing } from '../errors/InputError';
import { isEmpty, shown } from '../errors/words';
import { fillPath } from '../rest/path';
import { flatten } from './flatten';
import { parameterName } from './names';
import { pickedValue } from './pick';
import { json, JSON_TEXT, ROW, ROW_FIELDS, specify } from './requestForm';

/** Stands for a text that is not JSON. */
const INVALID = Symbol('invalid JSON');

/** Undoes the flattening: `{ costCenterCode: 'A' }` → `{ CostCenter: { Code: 'A' } }`. */
function unflatten(record: RecordField, values: Values): Values {
	const result: Values = {};
	for (const { path, parameter } of flatten(record)) {
		const value = pickedValue(values[parameter]);
		if (value === undefined || value === null) continue;
		let target = result;
		for (const name of path.slice(0, -1)) {
			const inner = (target[name] ??= {}) as Values;
			target = inner;
		}
		target[path.at(-1) ?? parameter] = value;
	}
	return result;
}

/**
 * The value of a JSON field: its text parsed, or what an expression gave.
 *
 * @throws {InputError} where the text is empty, or not JSON
 */
export function parseJsonField(value: unknown): unknown {
	if (isEmpty(value)) throw missing();
	if (typeof value !== 'string') return value;
	const parsed = jsonParse<unknown>(value, { fallbackValue: INVALID });
	if (parsed === INVALID) throw invalid(`${shown(value)} is not valid JSON.`);
	return parsed;
}

/** Whether the builder chose to give a record or list as JSON. */
export function isGivenAsJson(
	context: IExecuteFunctions,
	name: string,
	itemIndex: number,
): boolean {
	return context.getNodeParameter(specify(name), itemIndex, '') === JSON_TEXT;
}

function readRecordParameter(
	context: IExecuteFunctions,
	name: string,
	field: RecordField | ListField,
	itemIndex: number,
): unknown {
	const asJson = isGivenAsJson(context, name, itemIndex);
	if (field.kind === 'record') {
		const value = asJson
			? parseJsonField(context.getNodeParameter(json(name), itemIndex))
			: unflatten(field, context.getNodeParameter(parameterName(name), itemIndex, {}) as Values);
		checkFilledRecord(field, value);
		return value;
	}
	const rows = asJson
		? parseJsonField(context.getNodeParameter(json(name), itemIndex))
		: formRows(context.getNodeParameter(parameterName(name), itemIndex, {})).map((row) =>
				unflatten(field.of, row),
			);
	if (!Array.isArray(rows)) throw invalid(`${shown(rows)} is not a list.`);
	if (rows.length === 0) throw faulty('has no rows.');
	collect(rows, (row, i) => at(i, () => checkFilledRecord(field.of, row)));
	return rows;
}

/**
 * The values of each row: those that were added, and over them those that the row shows and that are
 * not empty. A row of an earlier version has added values only.
 */
function formRows(value: unknown): Values[] {
	const rows = isObject(value) ? value[ROW] : undefined;
	if (!Array.isArray(rows)) return [];
	return rows.map((row) => {
		const { [ROW_FIELDS]: added, ...shown } = isObject(row) ? row : {};
		const given = Object.entries(shown).filter(([, one]) => one !== '' && (one ?? null) !== null);
		return { ...(isObject(added) ? added : {}), ...Object.fromEntries(given) };
	});
}

/**
 * A scalar of a request as it goes out: a value of its kind, or the very text where that would lose
 * something, such as the zeros of "12.3400". An empty one is a mistake.
 *
 * @throws {InputError} where it is empty or not of its kind
 */
export function checkScalar(value: unknown, field: ScalarField): unknown {
	const { write, read } = scalars[field.kind];
	if (value === undefined || value === null) throw missing();
	const text = write(value, field);
	const exact = read(text);
	return exact !== undefined && write(exact, field) === text ? exact : text;
}

/**
 * Reads a scalar of the request itself from the form, of which it is always part.
 *
 * @throws {InputError} where it is empty or not of its kind
 */
export function readScalarParameter(
	context: IExecuteFunctions,
	name: string,
	field: ScalarField,
	itemIndex: number,
): unknown {
	const fallback = field.kind === 'boolean' ? false : null;
	return checkScalar(context.getNodeParameter(parameterName(name), itemIndex, fallback), field);
}

/**
 * Reads the values of a request from the node's parameters for one item.
 *
 * @returns values by element name
 * @throws {InputError} with every value that is missing, empty or not allowed
 */
export function readRequest<O extends SoapOperation>(
	context: IExecuteFunctions,
	operation: O,
	itemIndex: number,
): RequestOf<O> {
	const fields: Fields = operation.request;
	const values = collect(Object.entries(fields), ([name, field]) => {
		const read = (): unknown =>
			field.kind === 'record' || field.kind === 'list'
				? readRecordParameter(context, name, field, itemIndex)
				: readScalarParameter(context, name, field, itemIndex);
		return [name, at(name, read)];
	});
	return Object.fromEntries(values) as RequestOf<O>;
}

/**
 * Reads the values of a REST path's parameters for one item.
 *
 * @throws {InputError} with every one that is missing, or no identifier
 */
export function readPathValues(
	context: IExecuteFunctions,
	operation: RestOperation,
	itemIndex: number,
): Record<string, string> {
	const values = collect(Object.entries(operation.pathParameters), ([name, field]) => [
		name,
		at(name, () => String(readScalarParameter(context, name, field, itemIndex))),
	]);
	const read = Object.fromEntries(values) as Record<string, string>;
	fillPath(operation, read);
	return read;
}
