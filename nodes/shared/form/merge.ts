import type { ListField, RecordField, ScalarField } from '../contract/fields';
import type { Rewriting } from '../contract/soapOperation';
import {
	canonicalText,
	checkRecord,
	isObject,
	isSameRecord,
	knownValues,
	ownEntry,
	type Values,
} from '../contract/values';
import { at, collect, faulty, InputError, invalid } from '../errors/InputError';
import { inWords } from '../errors/words';
import { flatten } from './flatten';
import { words } from './names';

/** A list in which some rows were changed or added, and the others kept. */
export interface MergedRows {
	/** The whole list, as it is to be written: the current rows in their order, then those added. */
	readonly rows: readonly Values[];
	readonly changed: ReadonlyArray<{ readonly before: Values; readonly after: Values }>;
	readonly added: readonly Values[];
	readonly kept: readonly Values[];
	/** Paths of fields of the current rows that the contract does not know, so that they are not written. */
	readonly unknown: readonly string[];
}

/** A scalar of a record as text to compare, so that `4100` and `"4100"` are the same code. */
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

/** Whether values given for a nested record speak of the one that stands there. */
function isSameNested(record: RecordField, current: Values, given: Values): boolean {
	return (record.identifiedBy ?? []).every((name) => {
		const wanted = comparableText(record, given, [name]);
		return wanted === undefined || wanted === comparableText(record, current, [name]);
	});
}

/** Lays the given values over the current ones; a nested record that becomes another one is replaced. */
function overlay(record: RecordField, current: Values, given: Values): Values {
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
				? overlay(field, before, value)
				: value;
	}
	return merged;
}

/** The form's label of an element of the record. */
function labelOf(record: RecordField, path: readonly string[]): string {
	const same = flatten(record).find((flat) => flat.path.join('.') === path.join('.'));
	return same?.label ?? path.join('.');
}

/** The error for a value that several of the current rows have. */
function ambiguous(
	record: RecordField,
	{ matchBy: [identifier = []] }: Rewriting,
	way: readonly string[],
	wanted: string,
	rows: readonly Values[],
): InputError {
	const label = labelOf(record, identifier);
	const ids = rows.flatMap((row) => comparableText(record, row, identifier) ?? []);
	const count = rows.length === 2 ? 'two' : String(rows.length);
	const what = words(way.at(-1) ?? '').toLowerCase();
	const which = ids.length === 0 ? '' : ` (${label}s ${inWords(ids)})`;
	return invalid(`${count} current records have the ${what} ${wanted}${which}. Give a ${label}.`);
}

/** The index of the current row that a given one means, `undefined` for a new one. */
function findRow(
	record: RecordField,
	rewriting: Rewriting,
	current: readonly Values[],
	given: Values,
): number | undefined {
	const { matchBy } = rewriting;
	const decisive = matchBy.find((way) => comparableText(record, given, way) !== undefined);
	if (decisive === undefined) {
		const ways = matchBy.map((way) => `'${labelOf(record, way)}'`);
		throw faulty(`needs ${inWords(ways, 'or')}, to say which record it means.`);
	}
	const wanted = comparableText(record, given, decisive) ?? '';
	const values = current.map((row) => comparableText(record, row, decisive));
	const places = values.flatMap((value, place) => (value === wanted ? [place] : []));
	// An unknown Id is an error: the service assigns Ids.
	const isUnknown = places.length === 0 && decisive !== matchBy.at(-1);
	return at(decisive, () => {
		const rows = places.map((place) => current[place] ?? {});
		if (rows.length > 1) throw ambiguous(record, rewriting, decisive, wanted, rows);
		if (!isUnknown) return places[0];
		const known = inWords(values.flatMap((value) => value ?? []));
		throw invalid(
			known === ''
				? `no current record has ${wanted}. There are none.`
				: `no current record has ${wanted}. The current ones are ${known}.`,
		);
	});
}

/**
 * Lays given rows over the current ones of the service: each changes the row that it means, with the
 * fields that it gives, or is added.
 *
 * @param list the contract of the list
 * @param current the rows as the service gave them
 * @throws {InputError} with every row that means none, or more than one, of the current ones, or one
 * that another row means too
 */
export function mergeRows(
	list: ListField,
	rewriting: Rewriting,
	current: readonly Values[],
	given: readonly Values[],
): MergedRows {
	const record = list.of;
	const parted = current.map((row) => knownValues(record.fields, row));
	const before = parted.map(({ known }) => known);
	const rows = [...before];
	const added: Values[] = [];
	const meant = new Map<number, number>();
	collect(given, (row, i) => {
		const place = at(i, () => {
			// Validate while indexes still match the input.
			checkRecord(record, row);
			return findRow(record, rewriting, before, row);
		});
		if (place === undefined) {
			added.push(row);
			return;
		}
		const other = meant.get(place);
		if (other !== undefined) {
			throw new InputError([{ path: [i], text: ' means the same record as ', other: [other] }]);
		}
		meant.set(place, i);
		const stands = before[place] ?? {};
		const after = overlay(record, stands, row);
		if (!isSameRecord(record, stands, after)) rows[place] = after;
	});
	return {
		rows: [...rows, ...added],
		changed: rows.flatMap((after, place) => {
			const stood = before[place] ?? after;
			return stood === after ? [] : [{ before: stood, after }];
		}),
		added,
		kept: rows.filter((row, place) => row === before[place]),
		unknown: [...new Set(parted.flatMap(({ unknown }) => unknown))],
	};
}
