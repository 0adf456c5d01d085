import type { ListField, RecordField, ScalarField } from '../contract/fields';
import type { Rewriting } from '../contract/operations';
import { InputError } from '../errors/InputError';
import { writeRecord } from '../soap/envelope';
import { canonicalText, isSameRecord } from './compare';
import { isObject, knownValues, type Values } from './records';

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

/** A scalar of a record in one spelling, so that `4100` and `"4100"` are the same code. */
function spelled(
	record: RecordField,
	row: Values,
	[name = '', ...inner]: readonly string[],
	path: string,
): string | undefined {
	const field = record.fields[name];
	const value = row[name];
	const here = `${path}.${name}`;
	if (field === undefined || value === undefined || value === null) return undefined;
	if (field.kind === 'record') {
		return isObject(value) ? spelled(field, value, inner, here) : undefined;
	}
	return canonicalText(field as ScalarField, value, here).trim();
}

/** Whether values given for a nested record speak of the one that stands there. */
function isSame(record: RecordField, current: Values, given: Values, path: string): boolean {
	return (record.identifiedBy ?? []).every((name) => {
		const wanted = spelled(record, given, [name], path);
		return wanted === undefined || wanted === spelled(record, current, [name], path);
	});
}

/** Lays the given values over the current ones; a nested record that becomes another one is replaced. */
function overlay(record: RecordField, current: Values, given: Values, path: string): Values {
	const merged = { ...current };
	for (const [name, value] of Object.entries(given)) {
		if (value === undefined || value === null) continue;
		const field = Object.hasOwn(record.fields, name) ? record.fields[name] : undefined;
		const before = merged[name];
		const here = `${path}.${name}`;
		merged[name] =
			field?.kind === 'record' &&
			isObject(value) &&
			isObject(before) &&
			isSame(field, before, value, here)
				? overlay(field, before, value, here)
				: value;
	}
	return merged;
}

/** The place of the current row that a given one means, `undefined` for a new one. */
function placeOf(
	record: RecordField,
	{ matchBy }: Rewriting,
	current: readonly Values[],
	given: Values,
	path: string,
): number | undefined {
	const decisive = matchBy.find((way) => spelled(record, given, way, path) !== undefined);
	if (decisive === undefined) {
		throw new InputError(path, matchBy.map((way) => way.join('.')).join(' or '), given);
	}
	const wanted = spelled(record, given, decisive, path);
	const values = current.map((row, i) => spelled(record, row, decisive, `current[${i}]`));
	const places = values.flatMap((value, place) => (value === wanted ? [place] : []));
	const here = `${path}.${decisive.join('.')}`;
	if (places.length > 1) {
		throw new InputError(here, 'a value that only one current record has', wanted);
	}
	// An identifier of the service's own cannot be new.
	if (places.length === 0 && decisive !== matchBy.at(-1)) {
		throw new InputError(here, `one of the current records (${values.join(', ')})`, wanted);
	}
	return places[0];
}

/**
 * Lays given rows over the current ones of the service: each changes the row that it means, with the
 * fields that it gives, or is added.
 *
 * @param list the contract of the list
 * @param current the rows as the service gave them
 * @param path where the given rows stand, for messages
 * @throws {InputError} where a row means none, or more than one, of the current ones, or one that
 * another row means too
 */
export function mergeRows(
	list: ListField,
	rewriting: Rewriting,
	current: readonly Values[],
	given: readonly Values[],
	path: string,
): MergedRows {
	const record = list.of;
	const parted = current.map((row) => knownValues(record.fields, row));
	const before = parted.map(({ known }) => known);
	const rows = [...before];
	const added: Values[] = [];
	const meant = new Map<number, number>();
	given.forEach((row, i) => {
		const here = `${path}[${i}]`;
		// Before its place in the whole list is another one.
		writeRecord(record, row, here);
		const place = placeOf(record, rewriting, before, row, here);
		if (place === undefined) {
			added.push(row);
			return;
		}
		const other = meant.get(place);
		if (other !== undefined) {
			throw new InputError(here, `another record than ${path}[${other}] means`, row);
		}
		meant.set(place, i);
		const stands = before[place] ?? {};
		const after = overlay(record, stands, row, here);
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
