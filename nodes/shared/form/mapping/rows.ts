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
import { attempt, invalidInput, invalidValue, type Problem } from '../../errors/InputError';
import { formatValue } from '../../errors/words';
import { AUTOMATIC } from '../../host/forms';
import { checkFilledRecord } from '../../soap/write';
import { knownValues, mapScalars } from '../../values/records';
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
import { columnsOf, DECIMAL_COMMA, FRACTIONS, label, parameterName, ROW_NUMBER } from '../names';
import { checkScalar } from '../requestValues';
import { automaticCells, formOf, mappedValues, mapperFields, readMapper } from './mapper';
import { cellValue, decimalCell, percentageOf } from './columns';

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
	/** The columns that are for no field. */
	readonly unknown: readonly string[];
	/** Returns whether a column is for a field of the request. */
	isMapped(name: string): boolean;
	/** Whether columns are found by their names. */
	readonly isAutomatic: boolean;
	/** Whether a mapped column has a value. */
	readonly isFilled: boolean;
}

/** Returns the columns of an item that the builder's values do not name. */
function unmappedIn(item: Values, stored: Values): string[] {
	const text = JSON.stringify(Object.values(stored));
	return Object.keys(item).filter((name) => {
		const own = JSON.stringify(name).slice(1, -1);
		return ![`.${own}`, `'${own}'`, `\\"${own}\\"`].some((spelling) => text.includes(spelling));
	});
}

function readRow(request: Fields, item: InputItem): Row {
	const content = contentOf(request);
	const { isAutomatic, stored, given } = readMapper(item, mapperOf(request), AUTOMATIC);
	checkReadable(given);
	const filled = Object.entries(given).filter(([, cell]) => cellValue(cell) !== undefined);
	const cells = isAutomatic
		? automaticCells(content, given)
		: mappedValues(content, Object.fromEntries(filled));
	const { known, unknown } = knownValues(content, cells, cellValue);
	const others = isAutomatic ? unknown : unmappedIn(item.json, stored);
	return {
		cells,
		known,
		unknown: others.filter((name) => name !== ROW_NUMBER),
		isMapped: (name) => Object.hasOwn(isAutomatic ? cells : stored, name),
		isAutomatic,
		// A value that the builder typed is the same for all rows.
		isFilled: isAutomatic
			? Object.keys(known).length > 0
			: filled.some(([id]) => isExpression(ownEntry(stored, id))),
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
	const { known, isMapped, isAutomatic } = rowOf(request, item);
	const cell = known[name];
	const isSubject = name === subjectOf(request);
	const beside = isSubject ? undefined : item.readStored(parameterName(name), '');
	// Only an expression can differ between the rows.
	const typed = isExpression(beside) ? item.read(parameterName(name), '') : beside;
	if (isEmpty(typed)) {
		if (isSet(cell)) return checkScalar(cell, field);
		const inForm = !isSubject && `Enter it in the field '${label(name, field)}'`;
		if (isMapped(name)) {
			throw invalidInput(
				['is empty.', inForm && `${inForm}, or fill in the cell.`].filter(Boolean).join(' '),
				'VALUE_EMPTY',
			);
		}
		const { fields, columns } = formOf(contentOf(request));
		const mapped = fields.get(name);
		const how =
			mapped !== undefined && isAutomatic
				? `name a column ${columns.namesOf(mapped)}, or map the columns manually`
				: 'map a column to it';
		const ways = inForm ? `${inForm}, or ${how}` : how.replace(/^./, (one) => one.toUpperCase());
		throw invalidInput(`is missing. ${ways}.`, 'VALUE_REQUIRED');
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

/** What a row gives of its record, and what is wrong with it. */
interface ReadRecord {
	/** Without the values that are not allowed; `undefined` if it is not known which record it is. */
	readonly values: Values | undefined;
	readonly problems: readonly Problem[];
}

/**
 * Reads the record of a row by element, with every decimal number as it is written at the service.
 *
 * @throws {InputError} as {@link rowOf}
 */
export function readRecord(request: Fields, record: RecordField, item: InputItem): ReadRecord {
	const { known } = rowOf(request, item);
	const own = Object.entries(known).filter(([name]) => !Object.hasOwn(request, name));
	const isOn = (name: string) => item.readShared(name, false) === true;
	const [isComma, areFractions] = [isOn(DECIMAL_COMMA), isOn(FRACTIONS)];
	let values = Object.assign(emptyValues(), Object.fromEntries(own));
	const problems: Problem[] = [];
	const matched = matchedPath(request, item);
	const steps = [
		() =>
			mapScalars(record, values, (field, cell) => {
				const value = decimalCell(field, cell, isComma);
				return areFractions && field.isPercentage ? percentageOf(value) : value;
			}) as Values,
		() => (checkFilledRecord(record, values), values),
		() => {
			const isRefused = problems.some(({ path }) => path.join() === matched?.join());
			if (matched === undefined || isRefused || !isEmpty(valueAt(values, matched))) return values;
			throw invalidInput('is empty, and rows are matched on it.', 'VALUE_EMPTY').at(matched);
		},
	];
	for (const step of steps) {
		const { result, problems: found } = attempt(step);
		values = result ?? values;
		const set = setterOf(values);
		for (const { path } of found) set(path.map(String), undefined);
		problems.push(...found);
	}
	// Also a record around what identifies it, and the whole row.
	const isIdentity = ({ path }: Problem) =>
		path.length === 0 || matchable(request).some((one) => path.every((step, i) => step === one[i]));
	return { values: problems.some(isIdentity) ? undefined : values, problems };
}

/**
 * Returns the columns of rows that are for no field, such as a name. Where rows that make one call differ, the
 * texts are joined.
 */
export function otherColumns(request: Fields, items: InputItems): IDataObject {
	const found = new Map<string, Set<unknown>>();
	for (const item of items) {
		for (const name of rowOf(request, item).unknown) {
			if (!Object.hasOwn(item.json, name)) continue;
			found.set(name, (found.get(name) ?? new Set()).add(item.json[name]));
		}
	}
	const joined = [...found].map(([name, values]) => {
		return [name, values.size === 1 ? [...values][0] : [...values].map(String).join(', ')] as const;
	});
	return Object.fromEntries(joined) as IDataObject;
}

/** What a column is called that says from when a row applies, and what its values look like. */
const EFFECTIVE =
	/ingang|effecti|vanaf|geldig|valid|since|from|start|begin|mutatie|wijziging|per ?datum/i;
const DATE_NAME = /dat(?:um|e)/i;
const OTHER_DATE = /geboorte|birth|dienst|hire|employ|print|creat|export|import/i;
const DATE = /^(?:\d{4}-\d\d?-\d\d?(?!\d)|\d\d?[-/.]\d\d?[-/.]\d{4}$)/;

/**
 * Returns the notices about columns that are for no field, and about one that looks like an effective date beside
 * a period that is the same for all rows.
 */
export function columnNotices(request: Fields, item: InputItem, unknown: readonly string[]) {
	const periods = Object.keys(keysOf(request)).filter((name) => name !== subjectOf(request));
	const isFixed = periods.some((name) => !isSet(rowOf(request, item).known[name]));
	const isDate = (name: string): boolean => {
		const isTyped = DATE.test(String(item.json[name] ?? ''));
		return !OTHER_DATE.test(name) && (EFFECTIVE.test(name) || (isTyped && DATE_NAME.test(name)));
	};
	const dates = isFixed ? unknown.filter(isDate) : [];
	return [
		...(dates.length > 0
			? [
					{
						isProblem: true,
						text: 'All rows are for the period of the form, although this column looks like an effective date',
						list: dates,
					},
				]
			: []),
		...(unknown.length > 0
			? [{ isProblem: false, text: 'Columns that are for no field, so not sent', list: unknown }]
			: []),
	];
}
