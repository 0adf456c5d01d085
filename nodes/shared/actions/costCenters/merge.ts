import type { RecordField } from '../../contract/fields';
import { costCenter, employeeCostCenter } from '../../contract/resources';
import {
	at,
	collect,
	conflict,
	invalidInput,
	invalidBecause,
	type InputError,
} from '../../errors/InputError';
import { joinNames } from '../../errors/words';
import { checkRecord } from '../../values/checkValues';
import { knownValues } from '../../values/knownValues';
import { findRecord, isSameRecord, textAt } from '../../values/records';
import { isObject, isSet, ownEntry, type Values } from '../../values/values';

const record = employeeCostCenter;

/** The result of merging rows into a list: which were changed, added and kept. */
export interface MergedRows {
	/** The whole list to write: the current rows in their order, then the added ones. */
	readonly rows: readonly Values[];
	readonly changed: ReadonlyArray<{ readonly before: Values; readonly after: Values }>;
	readonly added: readonly Values[];
	readonly kept: readonly Values[];
	/** Paths of fields that the current rows have and the contract does not. They are not written. */
	readonly unknown: readonly string[];
}

/** The elements that identify a nested record. Its other elements are attributes. */
const IDENTITY: ReadonlySet<string> = new Set(['Code', 'Id']);

/** Whether the given values identify the same nested record as the current ones. */
function isSameNested(nested: RecordField, current: Values, given: Values): boolean {
	const fields = Object.entries(nested.fields).filter(([name]) => IDENTITY.has(name));
	const identity = { ...nested, fields: Object.fromEntries(fields) };
	return findRecord(identity, [current], given) !== undefined;
}

/**
 * Merges the given values into the current ones. A nested record with another identity is replaced.
 */
function mergeValues(record: RecordField, current: Values, given: Values): Values {
	const merged = { ...current };
	for (const [name, value] of Object.entries(given)) {
		if (!isSet(value)) continue;
		const field = ownEntry(record.fields, name);
		const before = merged[name];
		merged[name] =
			field?.kind === 'record' &&
			isObject(value) &&
			isObject(before) &&
			isSameNested(field, before, value)
				? mergeValues(field, before, value)
				: value;
	}
	return merged;
}

/** What identifies a cost center's record, before its code. */
const RECORD_ID = { label: 'Record ID', path: ['Id'], field: record.fields.Id };
/** The code of a cost center. */
export const COST_CENTER_CODE = {
	label: 'Cost Center Code',
	path: ['CostCenter', 'Code'],
	field: costCenter.fields.Code,
};

/** Returns the error for a code or Id that several current rows have. */
function ambiguous(field: string, text: string, rows: readonly Values[]): InputError {
	const { label } = RECORD_ID;
	const known = rows.map((row) => textAt(row, RECORD_ID)).filter(Boolean);
	const ids = known.length === 0 ? '' : ` (${label}s ${joinNames(known)})`;
	const count = String(rows.length);
	return invalidBecause(
		`${count} current records have the ${field} ${text}${ids}. Give a ${label}.`,
		'VALUE_AMBIGUOUS',
	);
}

/** Returns the index of the current row that a given row matches; `undefined` for a new row. */
function findRow(current: readonly Values[], given: Values): number | undefined {
	const by = [RECORD_ID, COST_CENTER_CODE].find((one) => textAt(given, one).trim() !== '');
	if (by === undefined) {
		const labels = `'${RECORD_ID.label}' or '${COST_CENTER_CODE.label}'`;
		throw invalidInput(`needs ${labels} to identify the record.`, 'VALUE_REQUIRED');
	}
	const text = textAt(given, by).trim();
	const values = current.map((row) => textAt(row, by).trim());
	const rows = current.filter((_, index) => values[index] === text);
	return at(by.path, () => {
		if (rows.length > 1) throw ambiguous(by === COST_CENTER_CODE ? 'code' : 'id', text, rows);
		// An unknown Id is an error: the service assigns Ids.
		if (rows.length === 1) return values.indexOf(text);
		if (by === COST_CENTER_CODE) return undefined;
		const known = joinNames(values.filter(Boolean));
		const others = known === '' ? 'There are no current records' : `The current ones are ${known}`;
		throw invalidBecause(`no current record has ${text}. ${others}.`, 'VALUE_UNKNOWN');
	});
}

/**
 * Merges given cost centers into the current ones of the service. A given row changes the fields
 * that it has in the current row that it matches. If it matches none, it is added; an unknown Id is
 * an error. Does not mutate its arguments.
 *
 * @param current the rows as the service returned them
 * @throws {InputError} with every given row that is not valid, has no value to match by, has an
 * unknown Id, matches several current rows, matches the same one as another given row, or is the same
 * new row as another one
 */
export function mergeRows(current: readonly Values[], given: readonly Values[]): MergedRows {
	const separated = current.map((row) => knownValues(record, row));
	const before = separated.map(({ known }) => known);
	const rows = [...before];
	const added: Values[] = [];
	/** Index of the given row, by the row that it matches or adds. */
	const givenBy = new Map<Values, number>();
	collect(given, (row, i) => {
		const index = at(i, () => {
			// Validate while indexes still match the input.
			checkRecord(record, row);
			return findRow(before, row);
		});
		const isEqual = (one: Values): boolean =>
			findRecord(record, [one], row) !== undefined && findRecord(record, [row], one) !== undefined;
		const match = index === undefined ? added.find(isEqual) : before[index];
		const other = match && givenBy.get(match);
		if (other !== undefined) {
			const same =
				index === undefined ? 'is the same new record as' : 'refers to the same record as';
			throw conflict([i], same, [other]);
		}
		givenBy.set(match ?? row, i);
		if (index === undefined || match === undefined) added.push(row);
		else {
			const after = mergeValues(record, match, row);
			if (!isSameRecord(record, match, after)) rows[index] = after;
		}
	});
	const changed = rows.flatMap((after, index) => {
		const match = before[index] ?? after;
		return match === after ? [] : [{ before: match, after }];
	});
	const kept = rows.filter((row, index) => row === before[index]);
	const unknown = [...new Set(separated.flatMap((one) => one.unknown))];
	return { rows: [...rows, ...added], changed, added, kept, unknown };
}
