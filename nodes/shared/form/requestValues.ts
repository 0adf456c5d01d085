/** Given values as a request: those of the form, JSON, and the check that all of them pass. */
import { type Fields, type RecordContent, type ScalarField } from '../contract/fields';
import { collect, InputError, invalidInput, invalidValue, missing } from '../values/InputError';
import type { RequestRows } from '../contract/operation';
import { UnreadableError } from '../errors/ServiceError';
import { formatValue, joinNames } from '../errors/words';
import { isTool } from '../host/runs';
import { JsonLimitError, parseJson } from '../rest/json';
import { type BytesOf, writtenRequest } from '../soap/write';
import { trimmed, withoutHidden, numberAsText, plainDecimal } from '../values/kind';
import { readScalar, writeScalar } from '../values/scalars';
import {
	emptyValues,
	fromPaths,
	isEmpty,
	isObject,
	isSet,
	setterOf,
	valueAt,
	type Values,
} from '../values/values';
import { formScalars } from './fields';
import type { InputItem } from './inputItem';
import {
	additional,
	json,
	ONLY_THESE,
	ONLY_THESE_LABEL,
	parameterName,
	ROW,
	ROW_FIELDS,
	wayOf,
	WAYS,
} from './names';
import { readSwitch } from './options';
import { ROW_NUMBER } from './places';
import { decimalCommaProperty, fractionsProperty } from './requestForm';

/** Parses the text of a JSON field; an expression may give any other value. @throws {InputError} if it is empty or malformed */
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
 * Returns a record with elements in place of the columns that a tool and Simplify give: `{ costCenterCode: '4100' }` and
 * `{ 'CostCenter.Code': '4100' }` → `{ CostCenter: { Code: '4100' } }`. Whatever else it has stays as it is.
 */
function fromColumns(fields: Fields, value: unknown): unknown {
	if (!isObject(value)) return value;
	const result = Object.assign(emptyValues(), value);
	const set = setterOf(result);
	const scalars = formScalars(fields);
	for (const [name, cell] of Object.entries(value)) {
		const named = scalars.find(({ column, id }) => column === name || id === name);
		if (named === undefined || Object.hasOwn(fields, name)) continue;
		const { path } = named;
		delete result[name];
		if (!isSet(cell)) continue;
		if (isSet(valueAt(result, path))) {
			const text = ' is given twice, as ';
			const problem = { code: 'VALUE_CONFLICT', path: [name], text, others: [path] } as const;
			throw new InputError([problem]);
		}
		set(path, cell);
	}
	return result;
}

/**
 * Reads the record or the list of a request from the form. Its values are not checked.
 *
 * @throws {InputError} if there is none, or it is no list; or with every argument that a model left out, which n8n does
 * not check: it is `undefined`, and an empty text if the model wants none
 */
export function readGiven(item: InputItem, { name, of, isList }: RequestRows): unknown {
	const isJson = wayOf(item, name) === WAYS.json;
	const scalars = formScalars(of.fields);
	const isOfModel = isTool(item.node);
	/** From the fields of the form: `{ costCenterCode: 'A' }` → `{ CostCenter: { Code: 'A' } }`. */
	const recordOf = (row: unknown): unknown => {
		if (isJson) return fromColumns(of.fields, row);
		const { [ROW_FIELDS]: added, ...shown } = isObject(row) ? row : {};
		const others = isObject(added) ? added : {};
		const values = collect(scalars, ({ path, parameter }) => {
			const own = shown[parameter];
			if (isOfModel && own === undefined && Object.hasOwn(shown, parameter)) {
				const text = 'is missing: give a value, or an empty text for none.';
				throw invalidInput(text, 'VALUE_REQUIRED').at(path);
			}
			// A field that the form always shows is not given if it is empty, and nor is any that a model leaves empty.
			const other = isOfModel && others[parameter] === '' ? undefined : others[parameter];
			return [path, (own === '' ? undefined : own) ?? other ?? undefined] as const;
		});
		return fromPaths(values);
	};
	let given: unknown;
	if (isJson) {
		const value = item.read(json(name));
		if (isEmpty(value)) throw item.missing(json(name));
		given = parseJsonField(value);
	} else if (isList) given = (Object(item.read(parameterName(name), {})) as Values)[ROW] ?? [];
	else {
		const shown = scalars.filter(({ field }) => field.isShown);
		const entries = shown.map(({ parameter }) => [parameter, item.read(parameter, '')] as const);
		given = { ...Object.fromEntries(entries), [ROW_FIELDS]: item.read(additional(name), {}) };
	}
	if (!isList) return recordOf(given);
	if (!Array.isArray(given)) throw invalidValue(given, 'is not a list.');
	const rows = collect(given as unknown[], recordOf, (_, i) => i);
	// A model may need fewer rows than the builder offers.
	const isNone = (row: unknown) => isOfModel && !isJson && Object.keys(Object(row)).length === 0;
	const filled = rows.filter((row) => !isNone(row));
	if (filled.length === 0) throw invalidInput('has no rows.', 'VALUE_EMPTY');
	return filled;
}

/**
 * Ensures that a record has its usual fields. It may be empty, and the builder can allow it without them.
 *
 * @param columnAdvice says which column rows lack, by the id of its field; empty if they have it
 * @throws {InputError} naming those that are missing or blank: in a row, each is a cell of its own
 */
export function checkUsualFields(
	item: InputItem,
	{ name, of }: RequestRows,
	value: unknown,
	columnAdvice: (id: string) => string,
): void {
	if (!isObject(value) || !Object.values(value).some(isSet)) return;
	const usual = formScalars(of.fields).filter(({ field }) => field.isUsual);
	const lacking = usual.filter(({ path }) => isEmpty(valueAt(value, path)));
	if (lacking.length === 0 || readSwitch(item, ONLY_THESE, false)) return;
	const turnOn = `turn on '${ONLY_THESE_LABEL}'.`;
	const way = wayOf(item, name);
	if (way === WAYS.items) {
		collect(lacking, ({ id, path }) => {
			const advice = columnAdvice(id) || `Fill it in, or ${turnOn}`;
			throw invalidInput(`is empty. ${advice}`, 'VALUE_REQUIRED').at(path);
		});
		return;
	}
	const isJson = way === WAYS.json;
	const names = lacking.map(({ label, id }) => `'${isJson ? id : label}'`);
	const without = lacking.filter(({ parameter }) => !isJson && item.isExpression(parameter));
	const quoted = without.map(({ label }) => `'${label}'`);
	const labels = joinNames(quoted, 'and that of');
	const why = labels && `The expression of ${labels} gives nothing for this item. `;
	const them = names.length === 1 ? 'it' : 'them';
	const text = `has no ${joinNames(names, 'and no')}. ${why}Enter ${them}, or ${turnOn}`;
	throw invalidInput(text, 'VALUE_REQUIRED');
}

/**
 * Returns a scalar of a request as a value of its type, or as its text if that would lose something, as "12.3400" has.
 *
 * @throws {InputError} if the value is not of the field's kind
 */
export function checkScalar(value: unknown, field: ScalarField): unknown {
	const text = writeScalar(field, value);
	const exact = readScalar(field, text);
	return exact !== undefined && writeScalar(field, exact) === text ? exact : text;
}

/** Reads a scalar of a request from the form. @throws {InputError} if it is empty or not of the field's kind */
export function readScalarParameter(item: InputItem, name: string, field: ScalarField): unknown {
	const parameter = parameterName(name);
	const value = item.read(parameter, field.kind === 'boolean' ? false : null);
	if (isEmpty(value)) throw item.missing(parameter);
	return checkScalar(value, field);
}

/** Returns an identifier as output items of SOAP operations have it: a number, if the text is its canonical form. */
export function identifierInItem(text: string): number | string {
	const number = Number(text);
	return Number.isSafeInteger(number) && String(number) === text ? number : text;
}

/** "33,34" and "1.234,56", or "1,234.56" and "1.234", which may be thousands; perhaps with a sign beside it. */
const NUMBER =
	/^((?:[$£€]|EUR)\s*)?([+-]?(?:\d*|\d{1,3}(?:\.\d{3})+),\d+|[+-]?(?:\d*|\d{1,3}(?:,\d{3})+)\.\d+)(\s*(?:%|€|EUR|procent|percent))?$/i;

/** A point before three digits, which may be meant as thousands: "3.100" is 3.1. */
const MAYBE_THOUSANDS = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

/**
 * Returns what a cell means: the number with a decimal point, "1.234,56" → "1234.56", and the percentage of a fraction,
 * 0.6 → "60"; any other value as it is.
 *
 * @throws {InputError} if the text is written the other way, or a fraction is more than 1 or has a percent sign
 */
function fromCell(sheet: InputItem, field: ScalarField, cell: unknown): unknown {
	const isComma = sheet.readShared(decimalCommaProperty.name, false) === true;
	const areFractions = sheet.readShared(fractionsProperty.name, false) === true;
	const isFraction = areFractions && field.isPercentage === true;
	const isDecimal = field.kind === 'decimal' || field.kind === 'float';
	const [, before, number = '', sign = before] =
		(isDecimal && NUMBER.exec(String(trimmed(cell)))) || [];
	const isSigned = isFraction && /\d\s*(?:%|procent|percent)\s*$/i.test(String(cell));
	let value = cell;
	if (typeof cell === 'string' && number !== '' && !isSigned) {
		const hasComma = number.lastIndexOf(',') > number.lastIndexOf('.');
		if (hasComma && !isComma) {
			const also = sign ? ', and leave out the sign beside the number' : '';
			const what = `has a decimal comma${sign ? ' and a sign' : ''}`;
			throw invalidValue(cell, `${what}. Turn on 'Decimal Comma'${also}.`);
		}
		if (hasComma && sign) {
			throw invalidValue(cell, `has a sign beside the number. Write ${number}.`);
		}
		if (!hasComma && isComma) {
			const what = `has a decimal point${sign ? ' and a sign' : ''}, but 'Decimal Comma' is on`;
			const written = number.replaceAll(',', '').replace('.', ',');
			const thousands = MAYBE_THOUSANDS.test(number) ? [number.replace('.', '')] : [];
			const how = joinNames([written, ...thousands], 'or');
			throw invalidValue(cell, `${what}. Write ${how}, or turn it off.`);
		}
		if (hasComma) value = number.replaceAll('.', '').replace(',', '.');
	}
	if (!isFraction) return value;
	const text = String(trimmed(numberAsText(value)));
	if (isSigned || Number(text) > 1) {
		const what = isSigned ? 'has a sign beside the number' : 'is more than 1';
		const such = isComma ? '0,6' : '0.6';
		const how = isSigned ? 'leave out the sign and turn it off' : 'turn it off';
		const reason = `${what}, but 'Percentages Are Fractions' is on. Write a fraction, such as ${such} for 60 %, or ${how}.`;
		throw invalidValue(cell, reason);
	}
	if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text)) return value;
	const [whole = '', fraction = ''] = text.split('.');
	const digits = fraction.padEnd(2, '0');
	return plainDecimal(`${whole}${digits.slice(0, 2)}.${digits.slice(2)}`);
}

/** What a notice is about; `HINTS` in `run/hints` says what somebody does about each kind. */
export type NoticeKind = 'check' | 'unusual' | 'new' | 'readAs' | 'notSent' | 'missing' | 'option';

/** A message about a run, shown as a hint. The calls of a run share those with the same text. */
export interface Notice {
	readonly kind: NoticeKind;
	readonly text: string;
	/** What it applies to, listed after the text. By default, the calls that have it. */
	readonly list?: readonly string[];
}

/** Returns a notice about what is in a list; none if the list is empty. */
export function noticeOf(kind: NoticeKind, text: string, list: Iterable<string>): Notice[] {
	const all = [...list];
	return all.length === 0 ? [] : [{ kind, text, list: all }];
}

/** Returns the notice about columns, or fields of the input or the current records, that the request lacks. */
export const notSentNotices = (names: Iterable<string>): Notice[] =>
	noticeOf(
		'notSent',
		'Not sent, since there is no field for it',
		[...names].filter((name) => name !== ROW_NUMBER),
	);

/** A request as it is checked and written. */
export type CheckedRequest = ReturnType<typeof checkedRequest>;

/**
 * Checks the values of a request and writes them in the same walk: as they are meant, without invisible characters
 * around texts, and with the code or name for which a text stands.
 *
 * @param sheet the item whose switches say how its cells have numbers; `undefined` if the values are no cells
 * @param service see {@link writtenRequest}, also for `bytesOf`
 */
export function checkedRequest(
	content: RecordContent,
	given: Readonly<Values>,
	sheet?: InputItem,
	service?: string,
	bytesOf?: BytesOf,
) {
	const names = new Set<string>();
	const fractions = new Set<string>();
	const meaningOf = (value: unknown, field: ScalarField): unknown => {
		const { kind } = field;
		const own = sheet ? fromCell(sheet, field, value) : value;
		if (typeof own !== 'string') return own;
		if (kind === 'string') return withoutHidden(own);
		const number = kind === 'decimal' || kind === 'float' ? String(trimmed(own)) : '';
		if (MAYBE_THOUSANDS.test(number)) {
			fractions.add(`${number} is ${plainDecimal(number)}, not ${number.replace('.', '')}`);
		}
		if (kind !== 'boolean' && kind !== 'country' && kind !== 'enumeration') return own;
		const result = checkScalar(own, field);
		if (typeof result === 'string' && result !== own.trim()) {
			names.add(`${formatValue(own)} as ${result}`);
		}
		return result;
	};
	const written = writtenRequest(content, given, service, meaningOf, bytesOf);
	const thousands =
		'A point before three digits was read as a decimal point. If thousands are meant, leave it out';
	return {
		...written,
		/** What was not taken as it is, and which numbers may be meant as thousands. */
		notices: [
			...noticeOf('readAs', 'Written with the name or code that the service has', names),
			...noticeOf('unusual', thousands, fractions),
		],
	};
}
