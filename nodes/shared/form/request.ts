import { jsonParse, type IExecuteFunctions } from 'n8n-workflow';
import type { Fields, ListField, RecordField, ScalarField } from '../contract/fields';
import type { RequestOf, RestOperation, SoapOperation } from '../contract/operations';
import { InputError } from '../errors/InputError';
import { scalars } from '../soap/scalars';
import { flatten } from './flatten';
import { parameterName } from './names';
import { pickedValue } from './pick';
import { json, JSON_TEXT, ROW, ROW_FIELDS, specify } from './properties';
import { checkRecord, isObject, type Values } from './records';

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
 * @throws {InputError} naming `path`
 */
export function parseJson(value: unknown, path: string): unknown {
	if (typeof value !== 'string') return value;
	const parsed = jsonParse<unknown>(value, { fallbackValue: INVALID });
	if (parsed === INVALID) throw new InputError(path, 'valid JSON', value);
	return parsed;
}

function readRecord(
	context: IExecuteFunctions,
	name: string,
	field: RecordField | ListField,
	itemIndex: number,
): unknown {
	const asJson = context.getNodeParameter(specify(name), itemIndex, '') === JSON_TEXT;
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
 * @throws {InputError} naming `path`
 */
export function checkScalar(value: unknown, path: string, field: ScalarField): unknown {
	const { write, read } = scalars[field.kind];
	const text = write(value ?? undefined, path, field);
	const exact = read(text);
	return exact !== undefined && write(exact, path, field) === text ? exact : text;
}

/**
 * Reads a scalar of the request itself from the form, of which it is always part.
 *
 * @throws {InputError} naming the element that is empty or not of its kind
 */
export function readScalar(
	context: IExecuteFunctions,
	name: string,
	field: ScalarField,
	itemIndex: number,
): unknown {
	const fallback = field.kind === 'boolean' ? false : null;
	const value = context.getNodeParameter(parameterName(name), itemIndex, fallback);
	return checkScalar(value, name, field);
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
