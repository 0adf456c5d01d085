import type { RecordField, RecordList, ScalarField } from '../contract/fields';
import {
	argumentMissing,
	at,
	collect,
	collectAll,
	invalidInput,
	invalidValue,
	missing,
} from '../errors/InputError';
import { UnreadableError } from '../errors/ServiceError';
import { isEmpty, joinNames } from '../errors/words';
import { isTool } from '../host/runs';
import { JsonLimitError, parseJson } from '../rest/json';
import { checkFilledRecord } from '../soap/write';
import { scalarsIn } from '../values/records';
import { readScalar, writeScalar } from '../values/scalars';
import { emptyValues, isObject, isSet, setterOf, valueAt, type Values } from '../values/values';
import { ONLY_THESE, ONLY_THESE_LABEL, shownFields, usualFields } from './fieldForm';
import type { InputItem } from './inputItem';
import {
	additional,
	json,
	JSON_TEXT,
	parameterName,
	ROW,
	ROW_FIELDS,
	specify,
	type FlatField,
} from './names';
import { readSwitch } from './options';
import { fromColumns } from './simplify';

/** Reverts the flattening: `{ costCenterCode: 'A' }` → `{ CostCenter: { Code: 'A' } }`. */
function unflatten(record: RecordField, values: Values): Values {
	const result = emptyValues();
	const set = setterOf(result);
	for (const { path } of scalarsIn(record.fields)) {
		const value = values[parameterName(...path)];
		if (isSet(value)) set(path, value);
	}
	return result;
}

/**
 * Returns the value of a JSON field: a text is parsed, any other value of an expression is
 * unchanged.
 *
 * @throws {InputError} if the value is empty, or a text that {@link parseJson} refuses
 */
export function parseJsonField(value: unknown): unknown {
	if (isEmpty(value)) throw missing();
	if (typeof value !== 'string') return value;
	try {
		return parseJson(value).value;
	} catch (error) {
		if (!(error instanceof UnreadableError)) throw invalidValue(value, 'is not valid JSON.');
		const isLimit = error instanceof JsonLimitError;
		const reason = isLimit ? `has more than ${error.message}.` : `cannot be used. ${error.message}`;
		throw invalidValue(value, reason);
	}
}

function readJson(item: InputItem, parameter: string): unknown {
	const value = item.read(parameter);
	if (isEmpty(value)) throw item.missing(parameter);
	return parseJsonField(value);
}

/** Whether the builder chose JSON for a record or list. */
export function isGivenAsJson(item: InputItem, name: string): boolean {
	return item.read(specify(name), '') === JSON_TEXT;
}

/**
 * Ensures that a record has its usual fields, unless the builder allows it without them: it is probably
 * incomplete otherwise. One that is empty is refused as such.
 *
 * @throws {InputError} naming the fields that are missing or blank
 */
function checkUsualFields(item: InputItem, record: RecordField, value: unknown, asJson: boolean) {
	if (!isObject(value) || !Object.values(value).some(isSet)) return;
	const lacking = usualFields(record).filter(({ path }) => isEmpty(valueAt(value, path)));
	if (lacking.length === 0 || readSwitch(item, ONLY_THESE, false)) return;
	const names = lacking.map(({ label, path }) => `'${asJson ? path.join('.') : label}'`);
	const them = names.length === 1 ? 'it' : 'them';
	const isAsked = ({ path }: FlatField): boolean => item.isExpression(parameterName(...path));
	const without = asJson ? [] : lacking.filter(isAsked).map(({ label }) => `'${label}'`);
	const why =
		without.length === 0
			? ''
			: `The expression of ${joinNames(without, 'and that of')} gives nothing for this item. `;
	throw invalidInput(
		`has no ${joinNames(names, 'and no')}. ${why}Enter ${them}, or turn on '${ONLY_THESE_LABEL}'.`,
		'VALUE_REQUIRED',
	);
}

/**
 * Reads a record or a list of a request from the form.
 *
 * @throws {InputError} with every value that is not allowed
 */
export function readRecordParameter(
	item: InputItem,
	name: string,
	field: RecordField | RecordList,
): unknown {
	const asJson = isGivenAsJson(item, name);
	if (field.kind === 'record') {
		const value = asJson
			? fromColumns(field.fields, readJson(item, json(name)))
			: unflatten(field, recordParameters(item, name, field));
		collectAll(
			() => checkUsualFields(item, field, value, asJson),
			() => checkFilledRecord(field, value),
		);
		return value;
	}
	const given = asJson
		? readJson(item, json(name))
		: formRows(item, field.of, item.read(parameterName(name), {}));
	if (!Array.isArray(given)) throw invalidValue(given, 'is not a list.');
	if (given.length === 0) throw invalidInput('has no rows.', 'VALUE_EMPTY');
	const rows = asJson
		? collect(given, (row, i) => at(i, () => fromColumns(field.of.fields, row)))
		: given;
	collect(rows, (row, i) => at(i, () => checkFilledRecord(field.of, row)));
	return rows;
}

/** The fields of a record that the builder has added, and the shown ones that are not empty. */
function givenFields(shown: Values, added: unknown): Values {
	const given = Object.entries(shown).filter(([, one]) => one !== '' && isSet(one));
	return { ...(isObject(added) ? added : {}), ...Object.fromEntries(given) };
}

/**
 * Ensures that a model gave the arguments for the fields that are always shown: n8n does not see to it. It
 * gives an empty text for none; one that is left out is `undefined`.
 *
 * @throws {InputError} with every argument that was left out
 */
function requireArguments(item: InputItem, record: RecordField, shown: Values): void {
	if (!isTool(item.node)) return;
	collect(shownFields(record), ({ path }) => {
		const name = parameterName(...path);
		if (!Object.hasOwn(shown, name) || shown[name] !== undefined) return;
		at(path, () => {
			throw argumentMissing();
		});
	});
}

function recordParameters(item: InputItem, name: string, record: RecordField): Values {
	const names = shownFields(record).map(({ path }) => parameterName(...path));
	const read = names.map((parameter) => [parameter, item.read(parameter, '')]);
	const shown = Object.fromEntries(read) as Values;
	requireArguments(item, record, shown);
	return givenFields(shown, item.read(additional(name), {}));
}

/** The values of each row. */
function formRows(item: InputItem, record: RecordField, value: unknown): Values[] {
	const rows = isObject(value) ? value[ROW] : undefined;
	return collect(Array.isArray(rows) ? rows : [], (row, i) => {
		const { [ROW_FIELDS]: added, ...shown } = isObject(row) ? row : {};
		at(i, () => requireArguments(item, record, shown));
		return unflatten(record, givenFields(shown, added));
	});
}

/**
 * Validates a scalar of a request and converts it to its type. The text is kept if the conversion
 * would lose something, such as the zeros of "12.3400".
 *
 * @throws {InputError} if the value is empty or not of the field's kind
 */
export function checkScalar(value: unknown, field: ScalarField): unknown {
	if (!isSet(value)) throw missing();
	const text = writeScalar(field, value);
	const exact = readScalar(field, text);
	return exact !== undefined && writeScalar(field, exact) === text ? exact : text;
}

/**
 * Reads a scalar of a request from the form. It is part of every request.
 *
 * @throws {InputError} if the value is empty or not of the field's kind
 */
export function readScalarParameter(item: InputItem, name: string, field: ScalarField): unknown {
	const parameter = parameterName(name);
	const value = item.read(parameter, field.kind === 'boolean' ? false : null);
	if (isEmpty(value)) throw item.missing(parameter);
	return checkScalar(value, field);
}

/**
 * Converts an identifier for output items: to a number if the text is that number's canonical form,
 * otherwise unchanged. Items of SOAP operations have numbers, so items of REST calls can be joined
 * with them.
 */
export function identifierInItem(text: string): number | string {
	const number = Number(text);
	return Number.isSafeInteger(number) && String(number) === text ? number : text;
}
