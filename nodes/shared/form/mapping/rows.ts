/** Input items as rows of a sheet: what their columns say, by n8n's column mapping. */
import { isExpression, type IDataObject, type ResourceMapperField } from 'n8n-workflow';
import {
	type Fields,
	onceFor,
	type RecordContent,
	type RecordField,
	type ScalarField,
} from '../../contract/fields';
import { keysOf, requestRows, subjectOf } from '../../contract/operation';
import { collect, invalidInput, invalidValue } from '../../errors/InputError';
import { formatValue } from '../../errors/words';
import { AUTOMATIC } from '../../host/forms';
import { checkFilledRecord } from '../../soap/write';
import { knownValues } from '../../values/records';
import { checkReadable } from '../../values/scalars';
import {
	isEmpty,
	emptyValues,
	isSet,
	ownEntry,
	setterOf,
	valueAt,
	type Values,
} from '../../values/values';
import type { InputItem, InputItems } from '../inputItem';
import { columnsOf, DECIMAL_COMMA, label, parameterName, ROW_NUMBER } from '../names';
import { checkScalar } from '../requestValues';
import { automaticCells, formOf, mappedValues, mapperFields, readMapper } from './mapper';
import { cellValue } from './columns';

/** What a row can have: the keys of the request, the first of them first, and the fields of its record. */
const contentOf = onceFor((request: Fields): RecordContent => {
	const { [subjectOf(request)]: subject, ...others } = keysOf(request);
	const record = requestRows(request)?.of.fields;
	return { fields: { ...(subject && { [subjectOf(request)]: subject }), ...record, ...others } };
});

/** Name of the parameter that maps columns to the fields of a row. */
const mapperOf = (request: Fields): string => columnsOf(requestRows(request)?.name ?? '');

/** Paths of the fields that can find the record of a row. */
const matchable = (request: Fields) => requestRows(request)?.matchOn ?? [];

/**
 * Returns the fields of n8n's resource mapper for the rows of a request: the employee or company, and
 * those that the form always shows, are shown; the others are added as needed.
 */
export function rowFields(request: Fields): ResourceMapperField[] {
	const content = contentOf(request);
	const { fields } = formOf(content);
	const [first, ...others] = matchable(request).map((path) => path.join('.'));
	return mapperFields(content, false).map((one) => {
		const isSubject = one.id === subjectOf(request);
		const isShown = isSubject || one.id === first || fields.get(one.id)?.field.isShown === true;
		return {
			...one,
			required: isSubject,
			removed: !isShown,
			defaultMatch: one.id === first,
			canBeUsedToMatch: one.id === first || others.includes(one.id),
		};
	});
}

/** Returns the path of the field that finds the record of a row; `undefined` if the builder chose none. */
export function matchedPath(request: Fields, item: InputItem): readonly string[] | undefined {
	const [chosen] = [item.readShared(`${mapperOf(request)}.matchingColumns`, [])].flat();
	return matchable(request).find((path) => path.join('.') === chosen);
}

/** What the columns of an input item say. */
export interface Row {
	/** The cells by field, as they are; `undefined` if a column is blank. */
	readonly cells: Values;
	/** The values of the keys and the record by element, without what is blank. */
	readonly known: Values;
	/** Paths of the columns that are for no field. */
	readonly unknown: readonly string[];
	/** Whether columns are found by their names. */
	readonly isAutomatic: boolean;
	/** Whether a mapped column has a value. */
	readonly isFilled: boolean;
}

function readRow(request: Fields, item: InputItem): Row {
	const content = contentOf(request);
	const { isAutomatic, stored, given } = readMapper(item, mapperOf(request), AUTOMATIC);
	checkReadable(given);
	const filled = Object.entries(given).filter(([, cell]) => cellValue(cell) !== undefined);
	const cells = isAutomatic
		? automaticCells(content, given)
		: mappedValues(content, Object.fromEntries(filled));
	const values = knownValues(content, cells, cellValue);
	// A value that the builder typed is the same for all rows.
	const isFilled = isAutomatic
		? Object.keys(values.known).length > 0
		: filled.some(([id]) => isExpression(ownEntry(stored, id)));
	return { cells, ...values, isAutomatic, isFilled };
}

const rowsOf = onceFor((request: Fields) => onceFor((item: InputItem) => readRow(request, item)));

/**
 * Reads what the columns of an input item say, once.
 *
 * @throws {InputError} with every column that names several fields, contradicts another one, or cannot
 * be read
 */
export function rowOf(request: Fields, item: InputItem): Row {
	return rowsOf(request)(item);
}

/**
 * Reads a key of a request from a row; the period also from its field in the form.
 *
 * @throws {InputError} if it is missing, not of the field's kind, or in both and not the same
 */
export function readKey(
	request: Fields,
	item: InputItem,
	name: string,
	field: ScalarField,
): unknown {
	const { cells, known, isAutomatic } = rowOf(request, item);
	const cell = known[name];
	const isSubject = name === subjectOf(request);
	// Only an expression can differ between the rows.
	const beside = isSubject ? undefined : item.readStored(parameterName(name), '');
	const typed = isExpression(beside) ? item.read(parameterName(name), '') : beside;
	if (isEmpty(typed)) {
		if (isSet(cell)) return checkScalar(cell, field);
		const { fields, columns } = formOf(contentOf(request));
		const mapped = fields.get(name);
		const how =
			mapped !== undefined && isAutomatic
				? `name a column ${columns.namesOf(mapped)}, or map the columns manually`
				: 'map a column to it';
		const ways = isSubject ? how : `enter it in the field '${label(name, field)}', or ${how}`;
		if (Object.hasOwn(cells, name)) throw invalidInput(`is empty: ${ways}.`, 'VALUE_EMPTY');
		const text = `is missing. ${ways.replace(/^./, (letter) => letter.toUpperCase())}.`;
		throw invalidInput(text, 'VALUE_REQUIRED');
	}
	const own = checkScalar(typed, field);
	if (isSet(cell) && checkScalar(cell, field) !== own) {
		throw invalidValue(
			cell,
			`in the row contradicts ${formatValue(typed)} in the field '${label(name, field)}'.`,
		);
	}
	return own;
}

/** The label of the switch. */
const DECIMAL_COMMA_LABEL = 'Decimal Comma';

/** "33,34" and "1.234,56". */
const WITH_COMMA = /^[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/;
/** "33.34", and "1.234", which may be thousands. */
const WITH_POINT = /^[+-]?\d*\.\d+$/;

const KINDS: ReadonlySet<string> = new Set(['decimal', 'float']);

/**
 * Returns the text of a cell with a decimal point: "1.234,56" → "1234.56". A text that is no number is
 * left to the check of its field.
 *
 * @param isComma whether the builder says that the texts have a decimal comma
 * @throws {InputError} if the text is written the other way
 */
function decimalText(cell: string, isComma: boolean): string {
	const text = cell.trim();
	if (WITH_COMMA.test(text)) {
		const number = text.replaceAll('.', '').replace(',', '.');
		if (isComma) return number;
		throw invalidValue(
			cell,
			`is not a number. Turn on '${DECIMAL_COMMA_LABEL}', or write ${number}.`,
		);
	}
	if (isComma && WITH_POINT.test(text)) {
		throw invalidValue(
			cell,
			`has a decimal point, but '${DECIMAL_COMMA_LABEL}' is on. Write ${text.replace('.', ',')}, or turn it off.`,
		);
	}
	return cell;
}

/**
 * Reads the record of a row by element, with every decimal number as it is written at the service.
 *
 * @throws {InputError} as {@link rowOf}, with every number that is written the other way, and if it has no
 * value in any field, or not in the one that finds its record
 */
export function readRecord(request: Fields, record: RecordField, item: InputItem): Values {
	const { known } = rowOf(request, item);
	const own = Object.entries(known).filter(([name]) => !Object.hasOwn(request, name));
	const isComma = item.readShared(DECIMAL_COMMA, false) === true;
	const values = Object.assign(emptyValues(), Object.fromEntries(own));
	const set = setterOf(values);
	const decimals = [...formOf(record).fields.values()].filter(({ field: { kind } }) =>
		KINDS.has(kind),
	);
	collect(
		decimals,
		({ path }) => {
			const cell = valueAt(values, path);
			if (typeof cell === 'string') set(path, decimalText(cell, isComma));
		},
		({ path }) => path,
	);
	checkFilledRecord(record, values);
	const path = matchedPath(request, item);
	if (path !== undefined && isEmpty(valueAt(values, path))) {
		throw invalidInput('is empty, and rows are matched on it.', 'VALUE_EMPTY').at(path);
	}
	return values;
}

/**
 * Returns the columns of rows that are for no field, such as a name. Where rows that make one call differ, the
 * texts are joined.
 */
export function otherColumns(request: Fields, items: InputItems): IDataObject {
	const stored = JSON.stringify(items[0].readStored(`${mapperOf(request)}.value`, {}));
	const found = new Map<string, Set<unknown>>();
	for (const item of items) {
		const { isAutomatic, unknown } = rowOf(request, item);
		for (const [name, value] of Object.entries(item.json)) {
			const isOther = isAutomatic ? unknown.includes(name) : !stored.includes(name);
			if (!isOther || name === ROW_NUMBER) continue;
			found.set(name, (found.get(name) ?? new Set()).add(value));
		}
	}
	const joined = [...found].map(([name, values]) => {
		return [name, values.size === 1 ? [...values][0] : [...values].map(String).join(', ')] as const;
	});
	return Object.fromEntries(joined) as IDataObject;
}
