import { jsonParse, type IExecuteFunctions } from 'n8n-workflow';
import type { Field, Fields, ListField, RecordField, ScalarField } from '../contract/fields';
import type { RequestOf, RestOperation, SoapOperation } from '../contract/operations';
import { InputError } from '../errors/InputError';
import { scalars } from '../soap/scalars';
import { flatten } from './flatten';
import { parameterName } from './names';
import { json, ROW, ROW_FIELDS, specify } from './properties';

type Values = Record<string, unknown>;

/** Stands for a text that is not JSON. */
const INVALID = Symbol('invalid JSON');

function isObject(value: unknown): value is Values {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether any value stands in a record; looks no deeper than the contract goes. */
function isSet(field: Field | undefined, value: unknown): boolean {
	if (field?.kind === 'record' && isObject(value)) {
		return Object.entries(value).some(([name, inner]) =>
			isSet(Object.hasOwn(field.fields, name) ? field.fields[name] : undefined, inner),
		);
	}
	return value !== undefined && value !== null;
}

/** Undoes the flattening: `{ costCenterCode: 'A' }` → `{ CostCenter: { Code: 'A' } }`. */
function unflatten(record: RecordField, values: Values): Values {
	const result: Values = {};
	for (const { path, parameter } of flatten(record)) {
		const value = values[parameter];
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

function parseJson(value: unknown, path: string): unknown {
	if (typeof value !== 'string') return value;
	const parsed = jsonParse<unknown>(value, { fallbackValue: INVALID });
	if (parsed === INVALID) throw new InputError(path, 'valid JSON', value);
	return parsed;
}

/** A record without any value would reach the service as an empty element: more likely a mistake. */
function checkRecord(record: RecordField, value: unknown, path: string): void {
	if (!isObject(value)) throw new InputError(path, `an object (${record.type})`, value);
	// Names that the contract does not know are named by the envelope writer, not here.
	if (!isSet(record, value)) {
		throw new InputError(path, 'at least one field', value);
	}
}

function readRecord(
	context: IExecuteFunctions,
	name: string,
	field: RecordField | ListField,
	itemIndex: number,
): unknown {
	const asJson = context.getNodeParameter(specify(name), itemIndex, 'fields') === 'json';
	if (field.kind === 'record') {
		const value = asJson
			? parseJson(context.getNodeParameter(json(name), itemIndex), name)
			: unflatten(field, context.getNodeParameter(parameterName(name), itemIndex, {}) as Values);
		checkRecord(field, value, name);
		return value;
	}
	const rows = asJson
		? parseJson(context.getNodeParameter(json(name), itemIndex), name)
		: formRows(context.getNodeParameter(parameterName(name), itemIndex, {})).map((row) =>
				unflatten(field.of, row),
			);
	if (!Array.isArray(rows) || rows.length === 0) {
		throw new InputError(name, `a list with at least one ${field.of.type}`, rows);
	}
	rows.forEach((row, i) => checkRecord(field.of, row, `${name}[${i}]`));
	return rows;
}

function formRows(value: unknown): Values[] {
	const rows = isObject(value) ? value[ROW] : undefined;
	if (!Array.isArray(rows)) return [];
	return rows.map((row) => (isObject(row) && isObject(row[ROW_FIELDS]) ? row[ROW_FIELDS] : {}));
}

/** A scalar of the request itself: always part of the form, so an empty one is a mistake. */
function readScalar(
	context: IExecuteFunctions,
	name: string,
	field: ScalarField,
	itemIndex: number,
): unknown {
	const fallback = field.kind === 'boolean' ? false : null;
	const value = context.getNodeParameter(parameterName(name), itemIndex, fallback);
	const { write, read } = scalars[field.kind];
	return read(write(value ?? undefined, name, field));
}

/**
 * Reads the values of a request from the node's parameters for one item.
 *
 * @returns values by element name
 * @throws {InputError} naming the element that is missing, empty or not of its kind
 */
export function readRequest<O extends SoapOperation>(
	context: IExecuteFunctions,
	operation: O,
	itemIndex: number,
): RequestOf<O> {
	const fields: Fields = operation.request;
	const values = Object.entries(fields).map(([name, field]) => [
		name,
		field.kind === 'record' || field.kind === 'list'
			? readRecord(context, name, field, itemIndex)
			: readScalar(context, name, field, itemIndex),
	]);
	return Object.fromEntries(values) as RequestOf<O>;
}

/** The values that say whom and when a request is about: its whole numbers (EmployeeId, Period, …). */
export function requestKeys(request: Fields): readonly string[] {
	return Object.entries(request)
		.filter(([, field]) => field.kind === 'int')
		.map(([name]) => name);
}

/**
 * Reads the values of a REST path's parameters for one item.
 *
 * @throws {InputError} naming the parameter that is missing or no text
 */
export function readPathValues(
	context: IExecuteFunctions,
	operation: RestOperation,
	itemIndex: number,
): Record<string, string> {
	return Object.fromEntries(
		Object.entries(operation.pathParameters).map(([name, field]) => [
			name,
			String(readScalar(context, name, field, itemIndex)),
		]),
	);
}
