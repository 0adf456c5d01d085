/** Input items as rows of a sheet: what their columns say, by n8n's column mapping. */
import { isExpression, type IDataObject, type ResourceMapperField } from 'n8n-workflow';
import { type Fields, onceFor, type RecordContent, type ScalarField } from '../../contract/fields';
import { keysOf, requestRows, subjectOf } from '../../contract/operation';
import { invalidInput, invalidValue } from '../../errors/InputError';
import { formatValue } from '../../errors/words';
import { AUTOMATIC } from '../../host/forms';
import { knownValues } from '../../values/records';
import { checkReadable } from '../../values/scalars';
import { isEmpty, isSet, ownEntry, type Values } from '../../values/values';
import type { InputItem, InputItems } from '../inputItem';
import { columnsOf, label, parameterName, ROW_NUMBER } from '../names';
import { checkScalar } from '../requestValues';
import { automaticCells, cellValue, mappedValues, readMapper } from './columns';
import { formOf, mapperFields } from './mapper';

/** What a row can have: the keys of the request, the first of them first, and the fields of its record. */
const contentOf = onceFor((request: Fields): RecordContent => {
	const { [subjectOf(request)]: subject, ...others } = keysOf(request);
	const record = requestRows(request)?.of.fields;
	return { fields: { ...(subject && { [subjectOf(request)]: subject }), ...record, ...others } };
});

/** Name of the parameter that maps columns to the fields of a row. */
const mapperOf = (request: Fields): string => columnsOf(requestRows(request)?.name ?? '');

/** Returns the fields of n8n's resource mapper for the rows of a request. The builder adds those that are not always shown. */
export function rowFields(request: Fields): ResourceMapperField[] {
	const content = contentOf(request);
	const { fields } = formOf(content);
	const matchable = requestRows(request)?.matchOn.map((path) => path.join('.')) ?? [];
	return mapperFields(content, false).map((field) => {
		const isSubject = field.id === subjectOf(request);
		const isDefault = field.id === matchable[0];
		const isShown = isSubject || isDefault || fields.get(field.id)?.field.isShown === true;
		return {
			...field,
			required: isSubject,
			removed: !isShown,
			defaultMatch: isDefault,
			canBeUsedToMatch: matchable.includes(field.id),
		};
	});
}

/** Returns the path of the field that finds the record of a row; `undefined` if the builder chose none. */
export function matchedPath(request: Fields, item: InputItem): readonly string[] | undefined {
	const [chosen] = [item.readShared(`${mapperOf(request)}.matchingColumns`, [])].flat();
	return requestRows(request)?.matchOn.find((path) => path.join('.') === chosen);
}

/** What the columns of an input item say. */
export interface Row {
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

const rowsOf = onceFor((request: Fields) =>
	onceFor((item: InputItem): Row => {
		const content = contentOf(request);
		const { isAutomatic, stored, given } = readMapper(item, mapperOf(request), AUTOMATIC);
		checkReadable(given);
		const filled = Object.entries(given).filter(([, cell]) => cellValue(cell) !== undefined);
		const cells = isAutomatic
			? automaticCells(content, given)
			: mappedValues(content, Object.fromEntries(filled));
		const { known, unknown } = knownValues(content, cells, cellValue);
		const expressions = JSON.stringify(Object.values(stored));
		const isNamed = (column: string): boolean => {
			const own = JSON.stringify(column).slice(1, -1);
			return [`.${own}`, `'${own}'`, `\\"${own}\\"`].some((name) => expressions.includes(name));
		};
		const others = isAutomatic ? unknown : Object.keys(item.json).filter((name) => !isNamed(name));
		return {
			known,
			unknown: others.filter((name) => name !== ROW_NUMBER),
			isMapped: (name) => Object.hasOwn(isAutomatic ? cells : stored, name),
			isAutomatic,
			// A value that the builder typed is the same for all rows.
			isFilled: isAutomatic
				? Object.keys(known).length > 0
				: filled.some(([id]) => isExpression(ownEntry(stored, id))),
		};
	}),
);

/**
 * Reads what the columns of an input item say, once.
 *
 * @throws {InputError} with every column that names several fields, contradicts another one, or cannot be read
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
	const parameter = parameterName(name);
	const beside = isSubject ? undefined : item.stored(parameter);
	// Only an expression can differ between the rows.
	const typed = isExpression(beside) ? item.read(parameter, '') : beside;
	if (!isEmpty(typed)) {
		const own = checkScalar(typed, field);
		if (!isSet(cell) || checkScalar(cell, field) === own) return own;
		throw invalidValue(
			cell,
			`in the row contradicts ${formatValue(typed)} in the field '${label(name, field)}'.`,
		);
	}
	if (isSet(cell)) return checkScalar(cell, field);
	const inForm = isSubject ? '' : `Enter it in the field '${label(name, field)}', or `;
	if (isMapped(name)) {
		const text = inForm ? `is empty. ${inForm}fill in the cell.` : 'is empty.';
		throw invalidInput(text, 'VALUE_EMPTY');
	}
	const form = formOf(contentOf(request));
	const mapped = form.fields.get(name);
	const how =
		mapped !== undefined && isAutomatic
			? `name a column ${form.namesOf(mapped)}, or map the columns manually`
			: 'map a column to it';
	const ways = (inForm + how).replace(/^./, (first) => first.toUpperCase());
	throw invalidInput(`is missing. ${ways}.`, 'VALUE_REQUIRED');
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
	const dates = unknown.filter((name) => {
		const isTyped = DATE.test(String(item.json[name] ?? ''));
		const isDate = EFFECTIVE.test(name) || (isTyped && DATE_NAME.test(name));
		return isFixed && isDate && !OTHER_DATE.test(name);
	});
	const effective =
		'All rows are for the period of the form, although this column looks like an effective date';
	const notSent = 'Columns that are for no field, so not sent';
	return [
		{ isProblem: true, text: effective, list: dates },
		{ isProblem: false, text: notSent, list: unknown },
	].filter(({ list }) => list.length > 0);
}
