import type { RecordField } from '../../contract/fields';
import { employeeCostCenter } from '../../contract/resources';
import { at, collect, conflict, invalidBecause, type InputError } from '../../errors/InputError';
import { joinNames, truncate } from '../../errors/words';
import { knownValues } from '../../values/knownValues';
import { findRecord, isSameRecord, textAt } from '../../values/records';
import { groupedBy, isObject, isSet, ownEntry, type Values } from '../../values/values';
import {
	COST_CENTER_CODE,
	COST_CENTER_ID,
	IDENTITIES,
	IDENTITY,
	RECORD_ID,
	unidentified,
} from './identity';

const record = employeeCostCenter;

/** The result of merging rows into a list: which were changed, added, lost and kept. */
export interface MergedRows {
	/** The current rows. */
	readonly before: readonly Values[];
	/** The whole list to write: the current rows in their order, then the added ones. */
	readonly rows: readonly Values[];
	readonly changed: ReadonlyArray<{ readonly before: Values; readonly after: Values }>;
	readonly added: readonly Values[];
	/** The current rows that are not written. */
	readonly lost: readonly Values[];
	/** The current rows that are written as they are. */
	readonly kept: readonly Values[];
	/** Those of them that no given row is about. */
	readonly others: readonly Values[];
	/** Paths of fields that the current rows have and the contract does not. They are not written. */
	readonly unknown: readonly string[];
}

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
		// A given identity is that of the record, which keeps its spelling.
		if (!isSet(value) || (IDENTITY.has(name) && isSet(merged[name]))) continue;
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

/** Returns the error for a value that several current rows have. */
function ambiguous(by: string, text: string, rows: readonly Values[]): InputError {
	const { label } = RECORD_ID;
	const known = rows.flatMap(({ Id }) => (isSet(Id) ? [String(Id)] : []));
	const ids = known.length === 0 ? '' : ` (${label}s ${joinNames(known)})`;
	const count = String(rows.length);
	return invalidBecause(
		`${count} current records have the ${by} ${text}${ids}. Give a ${label}.`,
		'VALUE_AMBIGUOUS',
	);
}

/** Returns what finds the current row that a given row matches; `undefined` for a new row. */
function rowFinder(current: readonly Values[]): (given: Values) => Values | undefined {
	const indexes = IDENTITIES.map((by) => {
		return { by, index: groupedBy(current, (row) => textAt(row, by).trim()) };
	});
	return (given) => {
		const used = indexes.find(({ by }) => textAt(given, by).trim() !== '');
		if (used === undefined) throw unidentified();
		const { by, index } = used;
		const text = textAt(given, by).trim();
		const rows = index.get(text) ?? [];
		return at(by.path, () => {
			if (rows.length > 1) throw ambiguous(by.label, text, rows);
			if (rows.length === 1 || by === COST_CENTER_CODE) return rows[0];
			if (by === COST_CENTER_ID) {
				// A current row without one may be of this cost center.
				if (index.has('')) throw unidentified();
				return undefined;
			}
			// An unknown Id is an error: the service assigns Ids.
			const known = joinNames([...index.keys()].filter(Boolean));
			const others =
				known === '' ? 'There are no current records' : `The current ones are ${known}`;
			throw invalidBecause(`no current record has ${text}. ${others}.`, 'VALUE_UNKNOWN');
		});
	};
}

const recordId = ({ Id }: Values): string =>
	isSet(Id) ? ` (${RECORD_ID.label} ${String(Id)})` : '';

/**
 * Ensures that no changed row has got the cost center of another one: the service would have two
 * records of it.
 *
 * @param afterOf the changed rows, by the row before
 * @param indexOf returns the index of the given row that changes a current one
 * @throws {InputError} with every row that has
 */
function refuseTaken(
	rows: readonly Values[],
	afterOf: ReadonlyMap<Values, Values>,
	indexOf: (match: Values) => number,
): void {
	for (const by of [COST_CENTER_CODE, COST_CENTER_ID]) {
		const index = groupedBy(rows, (row) => textAt(row, by).trim());
		collect(afterOf, ([match, after]) => {
			const [from, to] = [match, after].map((row) => textAt(row, by).trim());
			const other = index.get(to ?? '')?.find((row) => row !== after);
			if (from === to || to === '' || other === undefined) return;
			at([indexOf(match), ...by.path], () => {
				throw invalidBecause(
					`${truncate(to ?? '')} is the cost center of another record${recordId(other)}, and there would be two. Give that record the sum of both percentages, and this one${recordId(match)} the percentage 0, without another cost center.`,
					'VALUE_CONFLICT',
				);
			});
		});
	}
}

/** Given rows, by what they are about. */
interface MatchedRows {
	/** The current rows that change, with what they become. */
	readonly afterOf: ReadonlyMap<Values, Values>;
	readonly added: readonly Values[];
	/** Index of the given row, by the row that it matches. */
	readonly givenBy: ReadonlyMap<Values, number>;
}

/** Finds the current row of each given one. @throws {InputError} see {@link mergeRows} */
function matchRows(before: readonly Values[], given: readonly Values[]): MatchedRows {
	const find = rowFinder(before);
	const afterOf = new Map<Values, Values>();
	const added: Values[] = [];
	const givenBy = new Map<Values, number>();
	collect(given, (row, i) => {
		const match = at(i, () => find(row));
		if (match === undefined) {
			added.push(row);
			return;
		}
		const other = givenBy.get(match);
		if (other !== undefined) throw conflict([i], 'is for the same cost center as', [other]);
		givenBy.set(match, i);
		const after = mergeValues(record, match, row);
		if (!isSameRecord(record, match, after)) afterOf.set(match, after);
	});
	return { afterOf, added, givenBy };
}

/**
 * Merges given cost centers into the current ones of the service. A given row changes the fields
 * that it has in the current row that it matches. If it matches none, it is added; an unknown Id is
 * an error. Does not mutate its arguments.
 *
 * @param current the rows as the service returned them
 * @param given identified rows
 * @param keepOthers whether the current rows that no given row is about are written, too
 * @throws {InputError} with every given row that has an unknown Id, matches several current rows,
 * matches the same one as another given row, or moves a current row to the cost center of another one
 * that is written
 */
export function mergeRows(
	current: readonly Values[],
	given: readonly Values[],
	keepOthers: boolean,
): MergedRows {
	const separated = current.map((row) => knownValues(record, row));
	const before = separated.map(({ known }) => known);
	const { afterOf, added, givenBy } = matchRows(before, given);
	const others = before.filter((row) => !givenBy.has(row));
	const lost = new Set(keepOthers ? [] : others);
	const standing = before.filter((row) => !lost.has(row));
	const rows = [...standing.map((row) => afterOf.get(row) ?? row), ...added];
	refuseTaken(rows, afterOf, (match) => givenBy.get(match) ?? 0);
	const unknown = separated.flatMap((one) => (lost.has(one.known) ? [] : one.unknown));
	return {
		...{ before, rows, added },
		changed: [...afterOf].map(([row, after]) => ({ before: row, after })),
		lost: [...lost],
		kept: standing.filter((row) => !afterOf.has(row)),
		others: keepOthers ? others : [],
		unknown: [...new Set(unknown)],
	};
}
