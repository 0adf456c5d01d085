import type { RecordField, RecordList, ScalarField } from '../contract/fields';
import { collect, collectAll, invalidInput, invalidValue, missing } from '../errors/InputError';
import { UnreadableError } from '../errors/ServiceError';
import { joinNames } from '../errors/words';
import { isTool } from '../host/runs';
import { JsonLimitError, parseJson } from '../rest/json';
import { checkFilledRecord } from '../soap/write';
import { readScalar, writeScalar } from '../values/scalars';
import { fromPaths, isEmpty, isObject, isSet, valueAt, type Values } from '../values/values';
import { ONLY_THESE, ONLY_THESE_LABEL } from './fieldForm';
import type { InputItem } from './inputItem';
import { additional, isGivenAsJson, flatten, json, parameterName, ROW, ROW_FIELDS } from './names';
import { readSwitch } from './options';
import { fromColumns } from './output';

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

/**
 * Returns the record that the fields of the form make: `{ costCenterCode: 'A' }` → `{ CostCenter: { Code: 'A' } }`.
 *
 * @param shown values of the fields that the form always shows; empty ones are not given
 * @param added values of those that the builder added
 * @throws {InputError} with every argument that a model left out, which n8n does not check: it is
 * `undefined`, and an empty text if the model wants none
 */
function formRecord(item: InputItem, record: RecordField, shown: Values, added: unknown): Values {
	const fields = flatten(record.fields);
	if (isTool(item.node)) {
		collect(fields, ({ field, path, parameter }) => {
			const isOffered = field.isShown === true && Object.hasOwn(shown, parameter);
			if (!isOffered || shown[parameter] !== undefined) return;
			const text = 'is missing: give a value, or an empty text for none.';
			throw invalidInput(text, 'VALUE_REQUIRED').at(path);
		});
	}
	const others = isObject(added) ? added : {};
	return fromPaths(
		fields.flatMap(({ path, parameter }) => {
			const own = shown[parameter] === '' ? undefined : shown[parameter];
			const value = own ?? others[parameter] ?? undefined;
			return value === undefined ? [] : [[path, value] as const];
		}),
	);
}

/**
 * Ensures that a record has its usual fields, unless the builder allows it without them: it is probably
 * incomplete otherwise. One that is empty is refused as such.
 *
 * @throws {InputError} naming the fields that are missing or blank
 */
export function checkUsualFields(
	item: InputItem,
	record: RecordField,
	value: unknown,
	asJson: boolean,
): void {
	if (!isObject(value) || !Object.values(value).some((one) => (one ?? null) !== null)) return;
	const lacking = flatten(record.fields).filter(
		({ field, path }) => field.isUsual && isEmpty(valueAt(value, path)),
	);
	if (lacking.length === 0 || readSwitch(item, ONLY_THESE, false)) return;
	const names = lacking.map(({ label, path }) => `'${asJson ? path.join('.') : label}'`);
	const them = names.length === 1 ? 'it' : 'them';
	const without = asJson
		? []
		: lacking
				.filter(({ parameter }) => item.isExpression(parameter))
				.map((one) => `'${one.label}'`);
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
	const readJson = (): unknown => {
		const value = item.read(json(name));
		if (isEmpty(value)) throw item.missing(json(name));
		return parseJsonField(value);
	};
	if (field.kind === 'record') {
		const readFields = (): Values => {
			const shown = flatten(field.fields).flatMap(({ field: { isShown }, parameter }) =>
				isShown ? [[parameter, item.read(parameter, '')]] : [],
			);
			const added = item.read(additional(name), {});
			return formRecord(item, field, Object.fromEntries(shown) as Values, added);
		};
		const value = asJson ? fromColumns(field.fields, readJson()) : readFields();
		collectAll(
			() => checkUsualFields(item, field, value, asJson),
			() => checkFilledRecord(field, value),
		);
		return value;
	}
	const { of } = field;
	const inForm = (): unknown => {
		const value = item.read(parameterName(name), {});
		return (isObject(value) && value[ROW]) ?? [];
	};
	const given = asJson ? readJson() : inForm();
	if (asJson && !Array.isArray(given)) throw invalidValue(given, 'is not a list.');
	const all: readonly unknown[] = Array.isArray(given) ? given : [];
	if (all.length === 0) throw invalidInput('has no rows.', 'VALUE_EMPTY');
	const rows = collect(
		all,
		(row) => {
			if (asJson) return fromColumns(of.fields, row);
			const { [ROW_FIELDS]: added, ...shown } = isObject(row) ? row : {};
			return formRecord(item, of, shown, added);
		},
		(_, i) => i,
	);
	collect(
		rows,
		(row) => checkFilledRecord(of, row),
		(_, i) => i,
	);
	return rows;
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
