/** Input items as rows of a sheet: what their columns say, by n8n's column mapping. */
import { isExpression, type ResourceMapperField } from 'n8n-workflow';
import type { Fields, RecordContent, RecordField, ScalarField } from '../../contract/fields';
import { onceFor } from '../../contract/onceFor';
import { keysOf, requestList, subjectOf } from '../../contract/operation';
import { at, invalidInput, invalidValue } from '../../errors/InputError';
import { formatValue, isEmpty } from '../../errors/words';
import { asGiven, AUTOMATIC, columnIn } from '../../host/forms';
import { checkFilledRecord } from '../../soap/writeFields';
import { knownValues } from '../../values/knownValues';
import { checkReadable } from '../../values/untyped';
import { isObject, isSet, ownEntry, valueAt, type Values } from '../../values/values';
import type { InputItem } from '../inputItem';
import { columnsOf, DECIMAL_COMMA, label, parameterName } from '../names';
import { checkScalar } from '../requestValues';
import { automaticCells } from './automatic';
import { cellValue } from './columns';
import { withDecimalPoints } from './decimals';
import { formOf, mappedValues, mapperFields } from './mapper';

/** What a row can have: the keys of the request, the first of them first, and the fields of its record. */
const contentOf = onceFor((request: Fields): RecordContent => {
	const { [subjectOf(request)]: subject, ...others } = keysOf(request);
	const record = requestList(request)?.list.of.fields;
	return { fields: { ...(subject && { [subjectOf(request)]: subject }), ...record, ...others } };
});

/** Name of the parameter that maps columns to the fields of a row. */
const mapperOf = (request: Fields): string => columnsOf(requestList(request)?.name ?? '');

/** Paths of the fields that can find the record of a row. */
const matchable = (request: Fields) => requestList(request)?.list.matchOn ?? [];

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
	/** Whether a mapped column has a value. */
	readonly isFilled: boolean;
}

/**
 * Returns the column of the input item that each field is mapped to; `undefined` if an expression does
 * more than name one.
 */
const columnsIn = onceFor((stored: Values): ReadonlyMap<string, string> | undefined => {
	const expressions = Object.entries(stored).filter(([, value]) => isExpression(value));
	const columns = expressions.map(([id, value]) => [id, columnIn(value as string)] as const);
	const isPlain = columns.every((one): one is [string, string] => one[1] !== undefined);
	return isPlain ? new Map(columns) : undefined;
});

const isAutomatic = (request: Fields, item: InputItem): boolean =>
	item.readShared(`${mapperOf(request)}.mappingMode`, AUTOMATIC) === AUTOMATIC;

/** What the builder mapped to the fields of a row, as stored and as it is for an input item. */
function readMapped(item: InputItem, name: string): { stored: Values; given: Values } {
	const stored = Object(item.readStored(name, {})) as Values;
	const columns = columnsIn(stored);
	// n8n takes a tenth of a millisecond for each expression.
	if (columns === undefined) {
		const read = item.read(name, {}, asGiven);
		return { stored, given: isObject(read) ? read : {} };
	}
	const { json } = item;
	const given = Object.entries(stored).map(([id, value]) => {
		const column = columns.get(id);
		return [id, column === undefined ? value : ownEntry(json, column)];
	});
	return { stored, given: Object.fromEntries(given) as Values };
}

function readRow(request: Fields, item: InputItem): Row {
	const content = contentOf(request);
	if (isAutomatic(request, item)) {
		checkReadable(item.json);
		const cells = automaticCells(content, item.json);
		const values = knownValues(content, cells, cellValue);
		return { cells, ...values, isFilled: Object.keys(values.known).length > 0 };
	}
	const { stored, given } = readMapped(item, `${mapperOf(request)}.value`);
	checkReadable(given);
	const filled = Object.entries(given).filter(([, cell]) => cellValue(cell) !== undefined);
	const cells = mappedValues(content, Object.fromEntries(filled));
	return {
		cells,
		...knownValues(content, cells, cellValue),
		// A value that the builder typed is the same for all rows.
		isFilled: filled.some(([id]) => isExpression(ownEntry(stored, id))),
	};
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

/** Reads a field beside the rows; only an expression can differ between them. */
function readBeside(item: InputItem, name: string): unknown {
	const stored = item.readStored(name, '');
	return isExpression(stored) ? item.read(name, '') : stored;
}

/** Says how a column for a key is given. */
function howToMap(request: Fields, item: InputItem, name: string): string {
	const { fields, columns } = formOf(contentOf(request));
	const mapped = fields.get(name);
	if (mapped === undefined || !isAutomatic(request, item)) return 'map a column to it';
	return `name a column ${columns.namesOf(mapped)}, or map the columns manually`;
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
	const { cells, known } = rowOf(request, item);
	const cell = known[name];
	const isSubject = name === subjectOf(request);
	const typed = isSubject ? undefined : readBeside(item, parameterName(name));
	if (isEmpty(typed)) {
		if (isSet(cell)) return checkScalar(cell, field);
		const how = howToMap(request, item, name);
		const ways = isSubject ? how : `enter it in the field '${label(name, field)}', or ${how}`;
		if (Object.hasOwn(cells, name)) throw invalidInput(`is empty: ${ways}.`, 'VALUE_EMPTY');
		throw invalidInput(`is missing: ${ways}.`, 'VALUE_REQUIRED');
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
	const values = withDecimalPoints(record, Object.fromEntries(own) as Values, isComma);
	checkFilledRecord(record, values);
	const path = matchedPath(request, item);
	if (path !== undefined && isEmpty(valueAt(values, path))) {
		at(path, () => {
			throw invalidInput('is empty, and rows are matched on it.', 'VALUE_EMPTY');
		});
	}
	return values;
}
