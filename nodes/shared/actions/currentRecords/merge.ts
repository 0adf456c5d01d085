import { checkRecord } from '../../values/checkValues';
import type { ListField, RecordField, ScalarField } from '../../contract/fields';
import type { Rewriting } from '../../contract/soapOperation';
import {
	canonicalText,
	findRecord,
	isObject,
	isSameRecord,
	knownValues,
	ownEntry,
	type Values,
} from '../../values/values';
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
import { flatten } from '../../form/flatten';
import { words } from '../../form/names';

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
 * A scalar of a record as text for comparison: `4100` and `"4100"` are the same code. `undefined`
 * if it has no value.
 */
function comparableText(
	record: RecordField,
	row: Values,
	[name = '', ...inner]: readonly string[],
): string | undefined {
	const field = record.fields[name];
	const value = row[name];
	if (field === undefined || value === undefined || value === null) return undefined;
	if (field.kind === 'record') {
		return isObject(value) ? comparableText(field, value, inner) : undefined;
	}
	return canonicalText(field as ScalarField, value).trim();
}

/** Whether the given values identify the same nested record as the current ones. */
function isSameNested(record: RecordField, current: Values, given: Values): boolean {
	return (record.identifiedBy ?? []).every((name) => {
		const wanted = comparableText(record, given, [name]);
		return wanted === undefined || wanted === comparableText(record, current, [name]);
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

/** Returns the label of an element of the record in the form. */
function labelOf(record: RecordField, path: readonly string[]): string {
	const same = flatten(record).find((flat) => flat.path.join('.') === path.join('.'));
	return same?.label ?? path.join('.');
}

/** Returns the error for a value that several current rows have. */
function ambiguous(
	record: RecordField,
	{ matchBy: [identifier = []] }: Rewriting,
	path: readonly string[],
	text: string,
	rows: readonly Values[],
): InputError {
	const label = labelOf(record, identifier);
	const ids = rows.flatMap((row) => comparableText(record, row, identifier) ?? []);
	const count = rows.length === 2 ? 'two' : String(rows.length);
	const field = words(path.at(-1) ?? '').toLowerCase();
	const which = ids.length === 0 ? '' : ` (${label}s ${joinNames(ids)})`;
	return unmatched(fill(texts.records.ambiguous, { count, field, text, ids: which, label }));
}

/** Returns the index of the current row that a given row matches; `undefined` for a new row. */
function findRow(
	record: RecordField,
	rewriting: Rewriting,
	current: readonly Values[],
	given: Values,
): number | undefined {
	const { matchBy } = rewriting;
	const matchPath = matchBy.find((path) => comparableText(record, given, path) !== undefined);
	if (matchPath === undefined) {
		const labels = matchBy.map((path) => `'${labelOf(record, path)}'`);
		throw faulty(texts.records.unidentified, { labels: joinNames(labels, 'or') });
	}
	const wanted = comparableText(record, given, matchPath) ?? '';
	const values = current.map((row) => comparableText(record, row, matchPath));
	const indexes = values.flatMap((value, index) => (value === wanted ? [index] : []));
	// An unknown Id is an error: the service assigns Ids.
	const isUnknown = indexes.length === 0 && matchPath !== matchBy.at(-1);
	return at(matchPath, () => {
		const rows = indexes.map((index) => current[index] ?? {});
		if (rows.length > 1) throw ambiguous(record, rewriting, matchPath, wanted, rows);
		if (!isUnknown) return indexes[0];
		const known = joinNames(values.flatMap((value) => value ?? []));
		throw unmatched(
			known === ''
				? fill(texts.records.noRecords, { text: wanted })
				: fill(texts.records.unmatched, { text: wanted, known }),
		);
	});
}

/**
 * Merges given rows into the current rows of the service. A given row changes the fields that it
 * has in the current row that it matches. If it matches none, it is added; an unknown Id is an
 * error. Does not mutate its arguments.
 *
 * @param list the contract of the list
 * @param rewriting how rows are matched
 * @param current the rows as the service returned them
 * @throws {InputError} with every given row that is not valid, has no value to match by, has an
 * unknown Id, matches several current rows, matches the same one as another given row, or is the same
 * new row as another one
 */
export function mergeRows(
	list: ListField,
	rewriting: Rewriting,
	current: readonly Values[],
	given: readonly Values[],
): MergedRows {
	const record = list.of;
	const separated = current.map((row) => knownValues(record.fields, row));
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
			return findRow(record, rewriting, before, row);
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
