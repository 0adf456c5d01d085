import type { RecordField, ScalarField } from '../../contract/fields';
import { costCenter, employeeCostCenter } from '../../contract/resources';
import {
	at,
	collect,
	conflict,
	faulty,
	fill,
	texts,
	unmatched,
	type InputError,
} from '../../errors/InputError';
import { joinNames } from '../../errors/words';
import { checkRecord } from '../../values/checkValues';
import { knownValues } from '../../values/knownValues';
import { findRecord, isSameRecord } from '../../values/records';
import { canonicalText } from '../../values/scalars';
import { isObject, ownEntry, valueAt, type Values } from '../../values/values';

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

/**
 * A scalar as text for comparison: `4100` and `"4100"` are the same code. `undefined` if it has no
 * value.
 */
function comparableText(field: ScalarField, value: unknown): string | undefined {
	if (value === undefined || value === null) return undefined;
	return canonicalText(field, value).trim();
}

/** The elements that identify each nested record. Its other elements are attributes. */
const IDENTITY: Readonly<Record<string, readonly string[]>> = {
	CostCenter: ['Code', 'Id'],
	Kostensoort: ['Code'],
};

/** Whether the given values identify the same nested record as the current ones. */
function isSameNested(record: RecordField, current: Values, given: Values): boolean {
	return (IDENTITY[record.type] ?? []).every((name) => {
		const field = record.fields[name] as ScalarField;
		const wanted = comparableText(field, given[name]);
		return wanted === undefined || wanted === comparableText(field, current[name]);
	});
}

/**
 * Merges the given values into the current ones. A nested record with another identity is replaced.
 */
function mergeValues(record: RecordField, current: Values, given: Values): Values {
	const merged = { ...current };
	for (const [name, value] of Object.entries(given)) {
		if (value === undefined || value === null) continue;
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

/** What identifies a cost center's record, by its label. The first one that has a value decides. */
const RECORD_ID = { label: 'Record ID', path: ['Id'], field: record.fields.Id };
const CODE = {
	label: 'Cost Center Code',
	path: ['CostCenter', 'Code'],
	field: costCenter.fields.Code,
};

type Identifier = typeof CODE | typeof RECORD_ID;

const identifierOf = (row: Values, { path, field }: Identifier): string | undefined =>
	comparableText(field, valueAt(row, path));

/** Returns the error for a value that several current rows have. */
function ambiguous({ path }: Identifier, text: string, rows: readonly Values[]): InputError {
	const ids = rows.flatMap((row) => identifierOf(row, RECORD_ID) ?? []);
	const count = rows.length === 2 ? 'two' : String(rows.length);
	const { label } = RECORD_ID;
	const field = path[path.length - 1]?.toLowerCase() ?? '';
	const which = ids.length === 0 ? '' : ` (${label}s ${joinNames(ids)})`;
	return unmatched(fill(texts.records.ambiguous, { count, field, text, ids: which, label }));
}

/** Returns the index of the current row that a given row matches; `undefined` for a new row. */
function findRow(current: readonly Values[], given: Values): number | undefined {
	const by = [RECORD_ID, CODE].find((one) => identifierOf(given, one) !== undefined);
	if (by === undefined) {
		const labels = `'${RECORD_ID.label}' or '${CODE.label}'`;
		throw faulty(texts.records.unidentified, { labels });
	}
	const wanted = identifierOf(given, by) ?? '';
	const values = current.map((row) => identifierOf(row, by));
	const indexes = values.flatMap((value, index) => (value === wanted ? [index] : []));
	return at(by.path, () => {
		const rows = indexes.map((index) => current[index] ?? {});
		if (rows.length > 1) throw ambiguous(by, wanted, rows);
		// An unknown Id is an error: the service assigns Ids.
		if (rows.length === 1 || by === CODE) return indexes[0];
		const known = joinNames(values.flatMap((value) => value ?? []));
		throw unmatched(
			known === ''
				? fill(texts.records.noRecords, { text: wanted })
				: fill(texts.records.unmatched, { text: wanted, known }),
		);
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
	const indexesAdded: number[] = [];
	/** Index of the given row, by the index of the current row that it matches. */
	const givenByMatch = new Map<number, number>();
	collect(given, (row, i) => {
		const index = at(i, () => {
			// Validate while indexes still match the input.
			checkRecord(record, row);
			return findRow(before, row);
		});
		if (index === undefined) {
			const equal = added.findIndex(
				(one) => findRecord(record, [one], row) && findRecord(record, [row], one),
			);
			if (equal >= 0) throw conflict([i], texts.records.equal, [indexesAdded[equal] ?? 0]);
			added.push(row);
			indexesAdded.push(i);
			return;
		}
		const other = givenByMatch.get(index);
		if (other !== undefined) {
			throw conflict([i], texts.records.twice, [other]);
		}
		givenByMatch.set(index, i);
		const unchanged = before[index] ?? {};
		const after = mergeValues(record, unchanged, row);
		if (!isSameRecord(record, unchanged, after)) rows[index] = after;
	});
	return {
		rows: [...rows, ...added],
		changed: rows.flatMap((after, index) => {
			const unchanged = before[index] ?? after;
			return unchanged === after ? [] : [{ before: unchanged, after }];
		}),
		added,
		kept: rows.filter((row, index) => row === before[index]),
		unknown: [...new Set(separated.flatMap(({ unknown }) => unknown))],
	};
}
