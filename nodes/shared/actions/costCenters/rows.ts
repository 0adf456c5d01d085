/** Rows of cost centers: which record each is about, what becomes of the records that stand there, and that as a text. */
import type { Fields } from '../../contract/fields';
import { employeeCostCenter } from '../../contract/operations';
import {
	at,
	collect,
	collectPartly,
	conflict,
	InputError,
	invalidBecause,
	invalidInput,
	invalidValue,
	missing,
} from '../../values/InputError';
import { joinNames, truncate } from '../../errors/words';
import { formScalars } from '../../form/fields';
import { lettersOf, type Seen } from '../../run/judge';
import { refuseHidden, trimmed } from '../../values/kind';
import { isSameRecord, knownValues, textAt, type NestedScalar } from '../../values/records';
import {
	groupedBy,
	isEmpty,
	isObject,
	isSet,
	ownEntry,
	valueAt,
	type Values,
} from '../../values/values';

/** What a row is found by, in this order. */
const RECORD_ID = { label: 'Record ID', path: ['Id'], field: employeeCostCenter.fields.Id };
const CODE = {
	label: 'Cost Center Code',
	path: ['CostCenter', 'Code'],
	field: employeeCostCenter.fields.CostCenter.fields.Code,
};
const COST_CENTER_ID = {
	label: 'Cost Center ID',
	path: ['CostCenter', 'Id'],
	field: employeeCostCenter.fields.CostCenter.fields.Id,
};
const IDENTITIES = [RECORD_ID, CODE, COST_CENTER_ID];
const COST_TYPE = {
	path: ['Kostensoort', 'Code'],
	field: employeeCostCenter.fields.Kostensoort.fields.Code,
};
const SHARE = {
	label: 'Percentage',
	path: ['Percentage'],
	field: employeeCostCenter.fields.Percentage,
};

/** Whether a record is the default one. */
const isDefault = (row: Values): boolean =>
	textAt(row, { path: ['Default'], field: employeeCostCenter.fields.Default }) === 'true';

/** The elements that say which cost center or cost type a nested record is. */
const IDENTITY: ReadonlySet<string> = new Set(['Code', 'Id']);

const trimmedText = (row: Values, scalar: NestedScalar): string => textAt(row, scalar).trim();

/** The code of a row's cost center; empty if it has none. */
const codeOf = (row: Values): string => trimmedText(row, CODE);

/**
 * Returns which cost center a record is, and how much: what the service assigns or describes is not compared.
 *
 * @param before the record that it was
 */
export function seen(row: Values, before: Values = row): Seen {
	const code = codeOf(row);
	const share = textAt(row, SHARE);
	return {
		isNothing: share !== '' && Number(share) === 0,
		values: {
			[CODE.label]: code || undefined,
			// The identifier of a cost center stands for its code where that is not given.
			[COST_CENTER_ID.label]: code === '' ? textAt(row, COST_CENTER_ID) || undefined : undefined,
			'Cost Type Code': trimmedText(row, COST_TYPE) || undefined,
			Percentage: share === '' ? undefined : Number(share),
			// A service may make a cost center the default by itself, but not keep one that is sent not to be it.
			Default: isDefault(row) || (isDefault(before) ? false : undefined),
		},
	};
}

const unidentified = () =>
	invalidInput(
		`needs '${RECORD_ID.label}' or '${CODE.label}' to identify the record.`,
		'VALUE_REQUIRED',
	);

/** Returns what a row is found by. @throws {InputError} if it names neither a record nor a cost center */
function identityOf(row: Values): (typeof IDENTITIES)[number] {
	const by = IDENTITIES.find((identity) => trimmedText(row, identity) !== '');
	if (by === undefined) throw unidentified();
	return by;
}

/** Returns the error of a row that is for the same cost center as another one. */
function sameCostCenter(row: Values, index: number, other: number): InputError {
	const by = identityOf(row);
	const { problems } = conflict([index], 'is for the same cost center as', [other]);
	const own = { value: trimmedText(row, by), column: [index, ...by.path] };
	return new InputError(problems.map((problem) => ({ ...problem, ...own })));
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
			if (matchedOn.length > 0 && isEmpty(valueAt(own, matchedOn))) {
				const text = 'is empty, and rows are matched on it.';
				throw invalidInput(text, 'VALUE_EMPTY').at(matchedOn);
			}
			if (valueAt(own, CODE.path) === '') throw missing().at(CODE.path);
			const by = identityOf(own);
			return [own, `${by.label} ${trimmedText(own, by)}`] as const;
		});
		const other = indexes.get(key);
		if (other !== undefined) throw sameCostCenter(row, i, other);
		indexes.set(key, i);
		return row;
	});
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

/** A record that stands there, and what becomes of it. */
interface Entry {
	readonly before: Values;
	/** Paths of its fields that the contract does not have. */
	readonly unknown: readonly string[];
	after: Values;
	/** Index of the given row that is about it. */
	given?: number;
}

/** Returns what finds the record of an identified row; `undefined` for a new one. */
function finder(entries: readonly Entry[]): (row: Values) => Entry | undefined {
	const indexes = new Map(
		IDENTITIES.map((by) => [by, groupedBy(entries, ({ before }) => trimmedText(before, by))]),
	);
	// Here, a sign between two digits is like any other: 41-00 may be meant as 4100.
	const unsigned = (code: string): string => lettersOf(code).replaceAll(' ', '');
	const byLetters = groupedBy(entries, ({ before }) => unsigned(codeOf(before)));
	return (row) => {
		const by = identityOf(row);
		const text = trimmedText(row, by);
		const index = indexes.get(by);
		const [found, ...others] = index?.get(text) ?? [];
		return at(by.path, () => {
			if (found && others.length > 0) {
				const all = [found, ...others].map(({ before }) => before.Id).filter(isSet);
				const ids = all.length === 0 ? '' : ` (${RECORD_ID.label}s ${joinNames(all.map(String))})`;
				const reason = `${others.length + 1} current records have the ${by.label} ${text}${ids}. Give a ${RECORD_ID.label}.`;
				throw invalidBecause(reason, 'VALUE_AMBIGUOUS');
			}
			if (found) return found;
			if (by === CODE) {
				const [alike] = byLetters.get(unsigned(text)) ?? [];
				if (alike === undefined) return undefined;
				const code = truncate(codeOf(alike.before));
				const reason = `${truncate(text)} differs only in case or signs from ${code}, which stands there. Enter ${code}.`;
				const cause = ' differs only in case or signs from one that stands there';
				throw invalidBecause(reason, 'VALUE_AMBIGUOUS', cause);
			}
			if (by === COST_CENTER_ID) {
				// A record without one may be of this cost center.
				if (index?.has('')) throw unidentified();
				return undefined;
			}
			// An unknown Id is an error: the service assigns Ids.
			const known = joinNames([...(index?.keys() ?? [])].filter(Boolean));
			const all = known ? `The current ones are ${known}` : 'There are no current records';
			const cause = ' is of no current record';
			throw invalidBecause(`no current record has ${text}. ${all}.`, 'VALUE_UNKNOWN', cause);
		});
	};
}

/** The fields of a record, as the form has them. */
const FIELDS = formScalars(employeeCostCenter.fields);

/** One text for a changed row, such as "4200: 62.5 → 0 %, ends" and "4100 → 4200, 100 %". */
function changeText(name: string, before: Values, after: Values): string {
	const all = FIELDS.map((field) => {
		const [was, is] = [textAt(before, field), textAt(after, field)];
		const [record, ...inner] = field.path;
		const isIdentity = IDENTITY.has(inner.at(-1) ?? '');
		return { label: field.label, record, isIdentity, was, is, isSame: was === is };
	});
	const moves = all.filter(({ isIdentity, was, is, isSame }) => isIdentity && was && is && !isSame);
	const [from, to] = [codeOf(before), codeOf(after)];
	const isMoved = from !== '' && to !== '' && from !== to;
	const parts = all.flatMap(({ label, record, isIdentity, was, is, isSame }) => {
		if (label === SHARE.label) {
			if (isSame) return isMoved && is !== '' ? [`${is} %`] : [];
			return [`${was || 'empty'} → ${is || 'empty'} %${Number(is || NaN) === 0 ? ', ends' : ''}`];
		}
		if (isSame || (isMoved && label === CODE.label)) return [];
		// A description belongs to the cost center that is replaced, not to the new one.
		const isReplaced = moves.some((move) => move.record === record);
		if (isReplaced && !(isIdentity && is !== '')) return [];
		return [`${label} ${was || 'empty'} → ${is || 'empty'}`];
	});
	return isMoved ? [`${name} → ${to}`, ...parts].join(', ') : `${name}: ${parts.join(', ')}`;
}

/** One text for an added row, such as "4200: added, 100 %, Default". */
function additionText(name: string, row: Values): string {
	const share = textAt(row, SHARE);
	const others = FIELDS.flatMap(({ label, ...field }) => {
		const text = textAt(row, field);
		const isShown = label !== SHARE.label && !/^(?:Cost Center|Record) /.test(label);
		if (!isShown || text === '' || text === 'false') return [];
		return [text === 'true' ? label : `${label} ${text}`];
	});
	return [`${name}: added`, ...(share === '' ? [] : [`${share} %`]), ...others].join(', ');
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
) {
	const entries = current.map((row): Entry => {
		const { known, unknown } = knownValues(employeeCostCenter, row);
		return { before: known, after: known, unknown };
	});
	const find = finder(entries);
	const added: Values[] = [];
	collect(given, (row, i) => {
		if (row === undefined) return;
		const entry = at(i, () => find(row));
		if (entry === undefined) {
			added.push(row);
			return;
		}
		if (entry.given !== undefined) throw sameCostCenter(row, i, entry.given);
		entry.given = i;
		const after = mergeValues(employeeCostCenter.fields, entry.before, row);
		if (!isSameRecord(FIELDS, entry.before, after)) entry.after = after;
	});
	const untouched = entries.filter((entry) => entry.given === undefined);
	const stays = entries.filter((entry) => keepOthers || entry.given !== undefined);
	const becomesDefault = given.map((row) => row !== undefined && isDefault(row));
	for (const entry of becomesDefault.includes(true) ? stays : []) {
		const isGiven = becomesDefault[entry.given ?? -1] === true;
		if (!isGiven && isDefault(entry.after)) entry.after = { ...entry.after, Default: false };
	}
	const rows = [...stays.map(({ after }) => after), ...added];
	const changed = stays.filter(({ before, after }) => before !== after);
	// The service would have two records of a cost center.
	const idOf = ({ Id }: Values) => (isSet(Id) ? ` (${RECORD_ID.label} ${String(Id)})` : '');
	for (const by of [CODE, COST_CENTER_ID]) {
		const keyOf = (row: Values) => lettersOf(trimmedText(row, by));
		const index = groupedBy(rows, keyOf);
		collect(changed, ({ before, after, given: i = 0 }) => {
			const to = trimmedText(after, by);
			const other = index.get(keyOf(after))?.find((row) => row !== after);
			if (keyOf(before) === keyOf(after) || to === '' || other === undefined) return;
			throw invalidBecause(
				`${truncate(to)} is the cost center of another record${idOf(other)}, and there would be two. Give that record the sum of both percentages, and this one${idOf(before)} the percentage 0, without another cost center.`,
				'VALUE_CONFLICT',
			).at([i, ...by.path]);
		});
	}
	const byCode = groupedBy(entries, ({ before }) => codeOf(before));
	/** A record is named by its code, and by its Record ID if the code is not enough; a new row by what identifies it. */
	const nameOf = (row: Values): string => {
		const code = codeOf(row);
		if (row.Id === undefined)
			return code || `${COST_CENTER_ID.label} ${textAt(row, COST_CENTER_ID)}`;
		const isEnough = code !== '' && byCode.get(code)?.length === 1;
		return isEnough ? code : `${code} Record ID ${String(row.Id)}`.trim();
	};
	const texts = [
		...changed.map(({ before, after }) => changeText(nameOf(before), before, after)),
		...added.map((row) => additionText(nameOf(row), row)),
		...(keepOthers ? [] : untouched.map(({ before }) => `${nameOf(before)}: removed`)),
	];
	return {
		/** The whole list to write: the records that stay, in their order, then the added ones. */
		rows,
		/** What changes, such as "4100: 60 → 0 %, ends · 4200: added, 100 %"; empty if nothing does. */
		changes: texts.join(' · '),
		/** What the records are to be once that is applied. */
		wanted: [
			...stays.map(({ before, after }) => seen(after, before)),
			...added.map((row) => seen(row)),
		],
		/** The names of the new records. */
		added: added.map((row) => truncate(nameOf(row))),
		/** The records that stay and that no given row is about. */
		others: keepOthers ? untouched.map(({ before }) => before) : [],
		/** Paths of fields that the records have and the contract does not. They are not written. */
		unknown: [...new Set(stays.flatMap(({ unknown }) => unknown))],
	};
}
