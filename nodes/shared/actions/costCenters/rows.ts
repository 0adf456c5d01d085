/** Rows of cost centers: which record each is about, and what becomes of the records that stand there. */
import type { Fields } from '../../contract/fields';
import { costCenter, employeeCostCenter } from '../../contract/resources';
import {
	at,
	collect,
	collectPartly,
	conflict,
	type InputError,
	invalidBecause,
	invalidInput,
	invalidValue,
	missing,
} from '../../errors/InputError';
import { joinNames, truncate } from '../../errors/words';
import { lettersOf } from '../../values/compare';
import { refuseHidden, trimmed } from '../../values/kind';
import { isSameRecord, knownValues, textAt, type NestedScalar } from '../../values/records';
import { groupedBy, isObject, isSet, ownEntry, valueAt, type Values } from '../../values/values';

/** What a row is found by, in this order. */
const RECORD_ID = { label: 'Record ID', path: ['Id'], field: employeeCostCenter.fields.Id };
export const CODE = {
	label: 'Cost Center Code',
	path: ['CostCenter', 'Code'],
	field: costCenter.fields.Code,
};
export const COST_CENTER_ID = {
	label: 'Cost Center ID',
	path: ['CostCenter', 'Id'],
	field: costCenter.fields.Id,
};
const IDENTITIES = [RECORD_ID, CODE, COST_CENTER_ID];
const DEFAULT = { path: ['Default'], field: employeeCostCenter.fields.Default };

/** The elements that say which cost center or cost type a nested record is. */
export const IDENTITY: ReadonlySet<string> = new Set(['Code', 'Id']);

const trimmedText = (row: Values, scalar: NestedScalar): string => textAt(row, scalar).trim();

/** The code of a row's cost center; empty if it has none. */
export const codeOf = (row: Values): string => trimmedText(row, CODE);

/** What becomes of the records that stand there. */
export interface MergedRows {
	readonly before: readonly Values[];
	/** The whole list to write: the records that stay, in their order, then the added ones. */
	readonly rows: readonly Values[];
	readonly changed: ReadonlyArray<{ readonly before: Values; readonly after: Values }>;
	readonly added: readonly Values[];
	readonly removed: readonly Values[];
	/** The records that stay and that no given row is about. */
	readonly others: readonly Values[];
	/** Paths of fields that the records have and the contract does not. They are not written. */
	readonly unknown: readonly string[];
}

/**
 * Returns a code without whitespace and invisible characters around it.
 *
 * @throws {InputError} if it is probably no code: a dash for none, or a number that a sheet has formatted
 */
function checkedCode(given: unknown): unknown {
	const code = trimmed(given);
	if (typeof given !== 'string' || typeof code !== 'string') return given;
	refuseHidden(given);
	if (/^(?:[-–—?.]+|n\.?v\.?t\.?|n\/a)$/i.test(code)) throw invalidValue(given, 'is no code.');
	const [, whole, thousands] = /^(?:(\d+)[.,]0+|(\d{1,3}[.,]\d{3}))$/.exec(code) ?? [];
	const meant = whole ?? thousands?.replace(/[.,]/, '');
	if (meant === undefined) return code;
	throw invalidValue(
		given,
		`is a number that a sheet has formatted. If the code is ${meant}, write that.`,
	);
}

function unidentified(): InputError {
	const text = `needs '${RECORD_ID.label}' or '${CODE.label}' to identify the record.`;
	return invalidInput(text, 'VALUE_REQUIRED');
}

/**
 * Returns given rows without the whitespace around their codes: `"4300 "` → `"4300"`. What is wrong with
 * rows whatever stands there is found here.
 *
 * @param matchedOn path of the field that rows are matched on, if the builder chose one: a Record ID beside
 * a code is then that of another period, and is left out
 * @returns the rows, and what is wrong with each whose cost center code is blank, that names neither a record
 * nor a cost center, or that is for the same one as another row: it is `undefined`, as one that was so before
 */
export function identifiedRows(
	rows: ReadonlyArray<Values | undefined>,
	matchedOn: readonly string[] = [],
) {
	const indexes = new Map<string, number>();
	return collectPartly(rows, (given, i) => {
		if (given === undefined) return undefined;
		const [row, key] = at(i, () => {
			const own: Values = { ...given };
			for (const name of ['CostCenter', 'Kostensoort']) {
				const nested = own[name];
				if (!isObject(nested) || !isSet(nested.Code)) continue;
				own[name] = { ...nested, Code: at([name, 'Code'], () => checkedCode(nested.Code)) };
			}
			if (matchedOn.join() === CODE.path.join()) delete own.Id;
			if (valueAt(own, CODE.path) === '') {
				throw missing().at(CODE.path);
			}
			const by = IDENTITIES.find(({ path }) => isSet(valueAt(own, path)));
			if (by === undefined) throw unidentified();
			return [own, `${by.label} ${trimmedText(own, by)}`] as const;
		});
		const other = indexes.get(key);
		if (other !== undefined) throw conflict([i], 'is for the same cost center as', [other]);
		indexes.set(key, i);
		return row;
	});
}

/** Returns the error for a value that several records have. */
function ambiguous(by: string, text: string, rows: readonly Values[]): InputError {
	const known = rows.flatMap(({ Id }) => (isSet(Id) ? [String(Id)] : []));
	const ids = known.length === 0 ? '' : ` (${RECORD_ID.label}s ${joinNames(known)})`;
	return invalidBecause(
		`${rows.length} current records have the ${by} ${text}${ids}. Give a ${RECORD_ID.label}.`,
		'VALUE_AMBIGUOUS',
	);
}

/** Returns what finds the record of a given row; `undefined` for a new one. */
function recordFinder(before: readonly Values[]): (given: Values) => Values | undefined {
	const indexes = IDENTITIES.map((by) => {
		return { by, index: groupedBy(before, (row) => trimmedText(row, by)) };
	});
	const byLetters = groupedBy(before, (row) => lettersOf(codeOf(row)));
	return (given) => {
		const used = indexes.find(({ by }) => trimmedText(given, by) !== '');
		if (used === undefined) throw unidentified();
		const { by, index } = used;
		const text = trimmedText(given, by);
		const [found, ...others] = index.get(text) ?? [];
		return at(by.path, () => {
			if (found && others.length > 0) throw ambiguous(by.label, text, [found, ...others]);
			if (found) return found;
			if (by === CODE) {
				const [alike] = byLetters.get(lettersOf(text)) ?? [];
				if (alike === undefined) return undefined;
				const code = truncate(codeOf(alike));
				const reason = `${truncate(text)} differs only in case or signs from ${code}, which stands there. Enter ${code}.`;
				throw invalidBecause(
					reason,
					'VALUE_AMBIGUOUS',
					' differs only in case or signs from one that stands there',
				);
			}
			if (by === COST_CENTER_ID) {
				// A record without one may be of this cost center.
				if (index.has('')) throw unidentified();
				return undefined;
			}
			// An unknown Id is an error: the service assigns Ids.
			const known = joinNames([...index.keys()].filter(Boolean));
			const all = known ? `The current ones are ${known}` : 'There are no current records';
			const cause = ' is of no current record';
			throw invalidBecause(`no current record has ${text}. ${all}.`, 'VALUE_UNKNOWN', cause);
		});
	};
}

/**
 * Merges given values into those of a record. In place of a nested record comes another one if the given
 * code or identifier differs: what is still that of the old one, such as its description, does not go along.
 */
function mergeValues(fields: Fields, current: Values, given: Values): Values {
	const merged = { ...current };
	for (const [name, value] of Object.entries(given)) {
		const before = merged[name];
		// The spelling of a code stays that of the record.
		if (!isSet(value) || (IDENTITY.has(name) && isSet(before))) continue;
		const field = ownEntry(fields, name);
		if (field?.kind !== 'record' || !isObject(value) || !isObject(before)) {
			merged[name] = value;
			continue;
		}
		const texts = (values: Values, key: string) => String(values[key] ?? '').trim();
		const isKept = (key: string) => texts(value, key) === texts(before, key);
		const isOther = [...IDENTITY].some(
			(key) => isSet(value[key]) && isSet(before[key]) && !isKept(key),
		);
		const own = Object.entries(value).filter(([key]) => !isKept(key));
		merged[name] = isOther ? Object.fromEntries(own) : mergeValues(field.fields, before, value);
	}
	return merged;
}

/**
 * Merges given cost centers into the records that stand there. A given row changes the fields that it has
 * in the record that it is about. If there is none, it is added; an unknown Id is an error. If a given row
 * becomes the default, no other record stays it. Does not mutate its arguments.
 *
 * @param current the records as the service returned them
 * @param given identified rows; `undefined` for those that cannot be used
 * @param keepOthers whether the records that no given row is about stay
 * @throws {InputError} with every given row that has an unknown Id, is about several records, about the
 * same one as another row, or gives a record the cost center of another one
 */
export function mergeRows(
	current: readonly Values[],
	given: ReadonlyArray<Values | undefined>,
	keepOthers: boolean,
): MergedRows {
	const separated = current.map((row) => knownValues(employeeCostCenter, row));
	const before = separated.map(({ known }) => known);
	const find = recordFinder(before);
	const afterOf = new Map<Values, Values>();
	const givenBy = new Map<Values, number>();
	const added: Values[] = [];
	collect(given, (row, i) => {
		if (row === undefined) return undefined;
		const match = at(i, () => find(row));
		if (match === undefined) return added.push(row);
		const other = givenBy.get(match);
		if (other !== undefined) throw conflict([i], 'is for the same cost center as', [other]);
		const after = mergeValues(employeeCostCenter.fields, match, row);
		if (!isSameRecord(employeeCostCenter, match, after)) afterOf.set(match, after);
		return givenBy.set(match, i);
	});
	const isDefault = (row: Values | undefined) => row && textAt(row, DEFAULT) === 'true';
	const hasDefault = given.some(isDefault);
	const stays = new Set(keepOthers ? before : givenBy.keys());
	for (const row of stays) {
		const after = afterOf.get(row) ?? row;
		const isGiven = isDefault(given[givenBy.get(row) ?? -1]);
		if (hasDefault && !isGiven && isDefault(after)) afterOf.set(row, { ...after, Default: false });
	}
	const standing = before.filter((row) => stays.has(row));
	const rows = [...standing.map((row) => afterOf.get(row) ?? row), ...added];
	refuseTaken(rows, afterOf, givenBy);
	const unknown = separated.flatMap((row) => (stays.has(row.known) ? row.unknown : []));
	return {
		...{ before, rows, added },
		changed: standing.flatMap((row) => {
			const after = afterOf.get(row);
			return after === undefined ? [] : [{ before: row, after }];
		}),
		removed: before.filter((row) => !stays.has(row)),
		others: standing.filter((row) => !givenBy.has(row)),
		unknown: [...new Set(unknown)],
	};
}

/** Ensures that no row has got the cost center of another one: the service would have two records of it. */
function refuseTaken(
	rows: readonly Values[],
	afterOf: ReadonlyMap<Values, Values>,
	givenBy: ReadonlyMap<Values, number>,
): void {
	const idOf = ({ Id }: Values) => (isSet(Id) ? ` (${RECORD_ID.label} ${String(Id)})` : '');
	for (const by of [CODE, COST_CENTER_ID]) {
		const keyOf = (row: Values) => lettersOf(trimmedText(row, by));
		const index = groupedBy(rows, keyOf);
		collect(afterOf, ([match, after]) => {
			const to = trimmedText(after, by);
			const other = index.get(keyOf(after))?.find((row) => row !== after);
			if (keyOf(match) === keyOf(after) || to === '' || other === undefined) return;
			throw invalidBecause(
				`${truncate(to)} is the cost center of another record${idOf(other)}, and there would be two. Give that record the sum of both percentages, and this one${idOf(match)} the percentage 0, without another cost center.`,
				'VALUE_CONFLICT',
			).at([givenBy.get(match) ?? 0, ...by.path]);
		});
	}
}
