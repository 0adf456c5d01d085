/** Given values as a request: those of JSON and of cells, and the check that all of them pass. */
import type { INodeProperties } from 'n8n-workflow';
import type { RecordContent, ScalarField } from '../contract/fields';
import { UnreadableError } from '../errors/ServiceError';
import { formatValue, joinNames } from '../errors/words';
import { parseJson } from '../rest/json';
import { type BytesOf, writtenRequest } from '../soap/write';
import { invalidValue, missing } from '../values/InputError';
import { numberAsText, plainDecimal, trimmed, withoutHidden } from '../values/kind';
import { readScalar, writeScalar } from '../values/scalars';
import { isEmpty, isObject, type Values } from '../values/values';
import { parameterName } from './fields';
import { type InputItem, ROW_NUMBER } from './inputItem';

/** How many names the objects of a value have. */
const namesIn = (value: unknown): number =>
	Object.values(Object(value) as object).reduce<number>(
		(count, inner) => count + (typeof inner === 'object' ? namesIn(inner) : 0),
		isObject(value) ? Object.keys(value).length : 0,
	);

/** Parses the text of a JSON field; an expression may give any other value. @throws {InputError} if it is empty or malformed */
export function parseJsonField(value: unknown): unknown {
	if (isEmpty(value)) throw missing();
	if (typeof value !== 'string') return value;
	try {
		const { value: parsed, names } = parseJson(value);
		if (names === namesIn(parsed)) return parsed;
		throw new UnreadableError('It has a name twice in one object. Repeat an element by a list.');
	} catch (error) {
		if (!(error instanceof UnreadableError)) throw invalidValue(value, 'is not valid JSON.');
		const { limit } = error.facts;
		throw invalidValue(
			value,
			limit ? `has more than ${limit}.` : `cannot be used. ${error.message}`,
		);
	}
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

const bySheet = { type: 'boolean', noDataExpression: true, default: false } as const;

/** The switch for texts of cells with a decimal comma. */
export const decimalCommaProperty: INodeProperties = {
	...bySheet,
	displayName: 'Decimal Comma',
	name: 'decimalComma',
	description: 'Whether the sheet writes numbers with a decimal comma, such as 33,34 and 1.234,56',
};

/** The switch for what Excel has in a cell that it shows as 60 %. */
export const fractionsProperty: INodeProperties = {
	...bySheet,
	displayName: 'Percentages Are Fractions',
	name: 'percentagesAreFractions',
	description:
		'Whether the sheet has 0.6 for 60 %, as Excel stores cells that are formatted as percentages',
};

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
