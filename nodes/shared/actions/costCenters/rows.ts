/** Rows of cost centers: which record each is about, what becomes of the records that stand there, and that as a text. */
import { onceFor } from '../../contract/fields';
import { employeeCostCenter } from '../../contract/operations';
import {
	at,
	collect,
	collectPartly,
	InputError,
	invalidInput,
	invalidValue,
	missing,
	type ProblemCode,
} from '../../values/InputError';
import { joinNames, quoteUnlessName, truncate } from '../../errors/words';
import { formScalars } from '../../form/fields';
import { lettersOf, type Seen } from '../../run/judge';
import { refuseHidden, textsOf, trimmed } from '../../values/kind';
import {
	groupedBy,
	isEmpty,
	isObject,
	isSet,
	knownValues,
	setterOf,
	valueAt,
	type Values,
} from '../../values/values';

/** The fields of a record, as the form has them. */
const FIELDS = formScalars(employeeCostCenter.fields);

/** What a row is found by, in this order. */
const IDENTITIES = [
	{ label: 'Record ID', path: ['Id'] },
	{ label: 'Cost Center Code', path: ['CostCenter', 'Code'] },
	{ label: 'Cost Center ID', path: ['CostCenter', 'Id'] },
] as const;
type Identity = (typeof IDENTITIES)[number]['label'];
const [, { path: CODE }] = IDENTITIES;

/** Whether a field says which cost center or cost type a nested record is. */
const isIdentity = ([, name]: readonly string[]): boolean => name === 'Code' || name === 'Id';

/** The text of each field of a row, by its label. */
type Texts = Readonly<
	Record<Identity | 'Cost Type Code' | 'Percentage' | 'Default', string> & Record<string, string>
>;

/** Returns the texts of a row or a record, made once; those of codes without whitespace around them. */
export const rowTexts = onceFor((row: Values): Texts => {
	const texts = textsOf(FIELDS, row) as Texts;
	const [code, type] = [texts['Cost Center Code'].trim(), texts['Cost Type Code'].trim()];
	return { ...texts, 'Cost Center Code': code, 'Cost Type Code': type };
});

const isDefault = (row: Values): boolean => rowTexts(row).Default === 'true';

/** Returns which cost center a record is, and how much. @param before the record that it was; empty for a new one */
export function seen(row: Values, before: Values = row): Seen {
	const texts = rowTexts(row);
	const { 'Cost Center Code': code, 'Cost Center ID': id, Percentage: share } = texts;
	return {
		isNothing: share === '0' && (isDefault(before) || !isDefault(row)),
		// A row may give the identifier alone, and the service know its code.
		alsoKnownBy: { 'Cost Center ID': id },
		values: {
			'Cost Center Code': code,
			'Cost Center ID': code === '' ? id : '',
			// A blank is compared: one that is to be emptied is not one that is not given.
			'Cost Type Code': texts['Cost Type Code'] || (rowTexts(before)['Cost Type Code'] && ' '),
			Percentage: share === '' ? undefined : Number(share),
			// A service may make a cost center the default by itself, but not keep one that is sent not to be it.
			Default: isDefault(row) || (isDefault(before) ? false : undefined),
		},
	};
}

const unidentified = () =>
	invalidInput(`needs 'Record ID' or 'Cost Center Code' to identify the record.`, 'VALUE_REQUIRED');

/** Returns what a row is found by, and its text. @throws {InputError} if it names neither a record nor a cost center */
function identityOf(row: Values) {
	const texts = rowTexts(row);
	const by = IDENTITIES.find(({ label }) => texts[label] !== '');
	if (by === undefined) throw unidentified();
	return { ...by, text: texts[by.label] };
}

function sameCostCenter(row: Values, index: number, other: number): InputError {
	const { path, text: value } = identityOf(row);
	const text = ' is for the same cost center as ';
	const problem = { code: 'VALUE_CONFLICT', path: [index], text, others: [[other]] } as const;
	return new InputError([{ ...problem, value, column: [index, ...path] }]);
}

const formatted = (code: unknown, meant: string): InputError =>
	invalidValue(
		code,
		`is a number that a sheet has formatted. If the code is ${meant}, write that.`,
	);

/** A number that a sheet has formatted, unless it is a code that stands there. */
const THOUSANDS = /^\d{1,3}[.,]\d{3}$/;

/** Trims a code. @throws {InputError} if it is probably none: a dash, or a number that a sheet has formatted */
function checkedCode(given: unknown): unknown {
	const code = trimmed(given);
	if (typeof given !== 'string' || typeof code !== 'string') return given;
	refuseHidden(given);
	// A formula, what an expression adds to nothing, or none.
	const isNone = /^(?:=.*|.*undefined.*|[-–—?.]+|n\.?v\.?t\.?|n[./]a\.?)$/i.test(code);
	if (isNone) throw invalidValue(given, 'is no code.');
	const [, meant] = /^(\d+)[.,]0+$/.exec(code) ?? [];
	// "10.000" may be a code that is there.
	if (meant !== undefined && !THOUSANDS.test(code)) throw formatted(given, meant);
	return code;
}

/**
 * Returns given rows without the whitespace around their codes, and what is wrong with them whatever stands there.
 * A row that cannot be used is `undefined`.
 *
 * @param matchedOn path of the field that rows are matched on, if the builder chose one: identifiers beside
 * a code may then be those of another period, or of the code before it was edited, and are left out
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
			if (matchedOn.join() === CODE.join()) {
				delete own.Id;
				if (isObject(own.CostCenter)) delete own.CostCenter.Id;
			}
			if (matchedOn.length > 0 && isEmpty(valueAt(own, matchedOn))) {
				const text = 'is empty, and rows are matched on it.';
				throw invalidInput(text, 'VALUE_EMPTY').at(matchedOn);
			}
			if (valueAt(own, CODE) === '') throw missing().at(CODE);
			const { label, text } = identityOf(own);
			return [own, `${label} ${text}`] as const;
		});
		const other = indexes.get(key);
		if (other !== undefined) throw sameCostCenter(row, i, other);
		indexes.set(key, i);
		return row;
	});
}

/**
 * Merges given values into those of a record, which is returned itself if nothing changes. If the code or identifier of
 * a nested record differs, another one replaces it: the description of the old one does not go along.
 */
function mergeValues(record: Values, given: Values): Values {
	const [was, is] = [rowTexts(record), rowTexts(given)];
	const changed = FIELDS.filter(
		({ label, path }) => was[label] !== is[label] && isSet(valueAt(given, path)),
	);
	if (changed.length === 0) return record;
	const merged = { ...record };
	for (const { path } of changed) {
		const [nested = ''] = path;
		if (isIdentity(path) && isSet(valueAt(record, path))) merged[nested] = {};
	}
	const set = setterOf(merged);
	// Without a Record ID, the code says which record it is: another Cost Center ID does not replace it.
	const { 'Cost Center Code': code } = is;
	if (isEmpty(given.Id) && code !== '' && code === was['Cost Center Code']) {
		set(CODE, valueAt(record, CODE));
	}
	for (const { path } of changed) set(path, valueAt(given, path));
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

/** The records that stand there, by each text that may find them. */
type Index = Readonly<Record<Identity, ReadonlyMap<string, readonly Entry[]>>>;

/** Returns what finds the record of an identified row; `undefined` for a new one. */
function finder(index: Index): (row: Values) => Entry | undefined {
	// Here, a sign between two digits is like any other: 41-00 may be meant as 4100. A sheet makes 41 of 0041.
	const unsigned = (code: string): string =>
		lettersOf(code)
			.replaceAll(' ', '')
			.replace(/^0+(?=.)/, '');
	const byLetters = groupedBy(index['Cost Center Code'].keys(), unsigned);
	return (row) => {
		const { label, path, text } = identityOf(row);
		const refusal = (predicate: string, code: ProblemCode) =>
			invalidValue(valueAt(row, path), predicate, code).at(path);
		const [found, ...others] = index[label].get(text) ?? [];
		if (found && others.length > 0) {
			const all = [found, ...others].map(({ before }) => rowTexts(before)['Record ID']);
			const known = joinNames(all.filter(Boolean));
			const ids = known && ` (Record IDs ${known})`;
			const predicate = `is ambiguous, since ${others.length + 1} current records have it${ids}. Give a Record ID, and match the rows of a sheet on it.`;
			throw refusal(predicate, 'VALUE_AMBIGUOUS');
		}
		// Also where a Record ID finds the record, which would be moved.
		const code = rowTexts(row)['Cost Center Code'];
		if (code !== '' && !index['Cost Center Code'].has(code)) {
			const [alike] = byLetters.get(unsigned(code)) ?? [];
			if (alike !== undefined) {
				const predicate = `differs only in case, signs or leading zeros from one that is there. Enter ${quoteUnlessName(alike)}.`;
				throw invalidValue(valueAt(row, CODE), predicate, 'VALUE_AMBIGUOUS').at(CODE);
			}
			if (THOUSANDS.test(code)) throw formatted(code, code.replace(/[.,]/, '')).at(CODE);
		}
		if (found || label === 'Cost Center Code') return found;
		if (label === 'Cost Center ID') {
			// A record without one may be of this cost center.
			if (index[label].has('')) throw unidentified().at(path);
			return undefined;
		}
		// An unknown Id is an error: the service assigns Ids.
		const known = joinNames([...index[label].keys()].filter(Boolean));
		const all = known ? `The current ones are ${known}` : 'There are no current records';
		throw refusal(`is unknown, since no current record has it. ${all}.`, 'VALUE_UNKNOWN');
	};
}

/** One text for a changed row, such as "4200: 62.5 → 0 %, ends" and "4100 → 4200, 100 %". */
function changeText(name: string, before: Values, after: Values): string {
	const [was, is] = [rowTexts(before), rowTexts(after)];
	const [from, to] = [was['Cost Center Code'], is['Cost Center Code']];
	const isMoved = from !== '' && to !== '' && from !== to;
	/** Whether another one comes in place of a nested record. */
	const isReplaced = (nested = '') =>
		FIELDS.some(({ label, path }) => {
			const isOther = was[label] && is[label] && was[label] !== is[label];
			return path[0] === nested && isIdentity(path) && isOther;
		});
	const parts = FIELDS.flatMap(({ label, path }) => {
		const isSame = was[label] === is[label];
		const [old, own] = [was[label] || 'empty', is[label] || 'empty'];
		if (label === 'Percentage') {
			if (isSame) return isMoved && is[label] !== '' ? [`${own} %`] : [];
			return [`${old} → ${own} %${own === '0' ? ', ends' : ''}`];
		}
		if (isSame || (isMoved && label === 'Cost Center Code')) return [];
		// A description belongs to the cost center that is replaced, not to the new one.
		if (isReplaced(path[0]) && is[label] === '') return [];
		return [`${label} ${old} → ${own}`];
	});
	return isMoved ? [`${name} → ${to}`, ...parts].join(', ') : `${name}: ${parts.join(', ')}`;
}

/** One text for an added row, such as "4200: added, 100 %, Default". */
function additionText(name: string, row: Values): string {
	const { Percentage: share, ...texts } = rowTexts(row);
	const others = Object.entries(texts).flatMap(([label, text]) => {
		const isShown = !/^(?:Cost Center Code|Record ID)$/.test(label);
		if (!isShown || text === '' || text === 'false') return [];
		return [text === 'true' ? label : `${label} ${text}`];
	});
	return [`${name}: added`, ...(share === '' ? [] : [`${share} %`]), ...others].join(', ');
}

/** @throws {InputError} with every changed record that gets the cost center of another one in the list to write */
function refuseDoubles(rows: readonly Values[], changed: readonly Entry[]): void {
	const idOf = ({ Id }: Values) => (isSet(Id) ? ` (Record ID ${String(Id)})` : '');
	for (const { label, path } of IDENTITIES.slice(1)) {
		const keyOf = (row: Values) => lettersOf(rowTexts(row)[label]);
		const moved = changed.filter(({ before, after }) => keyOf(before) !== keyOf(after));
		const byKey = groupedBy(moved.length > 0 ? rows : [], keyOf);
		collect(moved, ({ before, after, given: i = 0 }) => {
			const to = rowTexts(after)[label];
			const other = byKey.get(keyOf(after))?.find((row) => row !== after);
			if (to === '' || other === undefined) return;
			throw invalidValue(
				valueAt(after, path),
				`is the cost center of another record${idOf(other)}, and there would be two. Give that record the sum of both percentages, and this one${idOf(before)} the percentage 0, without another cost center.`,
				'VALUE_CONFLICT',
			).at([i, ...path]);
		});
	}
}

/**
 * Merges given cost centers into the records that stand there. A given row changes the fields that it has
 * in the record that it is about. If there is none, it is added; an unknown Id is an error. If a given
 * row becomes the default, no other record stays it. Does not mutate its arguments.
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
	const by = (label: Identity) => groupedBy(entries, ({ before }) => rowTexts(before)[label]);
	const index = {
		'Record ID': by('Record ID'),
		'Cost Center Code': by('Cost Center Code'),
		'Cost Center ID': by('Cost Center ID'),
	};
	const find = finder(index);
	const added: Values[] = [];
	/** By the letters of their codes, the rows that are added. */
	const addedAt = new Map<string, number>();
	collect(given, (row, i) => {
		if (row === undefined) return;
		const entry = at(i, () => find(row));
		if (entry === undefined) {
			const letters = lettersOf(rowTexts(row)['Cost Center Code']);
			const other = letters === '' ? undefined : addedAt.get(letters);
			if (other !== undefined) throw sameCostCenter(row, i, other);
			addedAt.set(letters, i);
			added.push(row);
			return;
		}
		if (entry.given !== undefined) throw sameCostCenter(row, i, entry.given);
		entry.given = i;
		entry.after = mergeValues(entry.before, row);
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
	refuseDoubles(rows, changed);
	/** A record is named by its code, and by its Record ID if the code is not enough; a new row by what identifies it. */
	const nameOf = (row: Values): string => {
		const { 'Record ID': id, 'Cost Center Code': code, ...texts } = rowTexts(row);
		if (id === '') return code || `Cost Center ID ${texts['Cost Center ID']}`;
		const isEnough = code !== '' && index['Cost Center Code'].get(code)?.length === 1;
		return isEnough ? code : `${code} Record ID ${id}`.trim();
	};
	const removed = keepOthers ? [] : untouched;
	const additions = added.map((row) => seen(row, {}));
	const isAdded = additions.some(({ isNothing }) => isNothing !== true);
	const isChange = isAdded || changed.length + removed.length > 0;
	const texts = [
		...changed.map(({ before, after }) => changeText(nameOf(before), before, after)),
		...(isChange ? added : []).map((row) => additionText(nameOf(row), row)),
		...removed.map(({ before }) => `${nameOf(before)}: removed`),
	];
	return {
		/** The whole list to write: the records that stay, in their order, then the added ones. */
		rows,
		/** What changes, such as "4100: 60 → 0 %, ends · 4200: added, 100 %"; empty if nothing does. */
		changes: texts.join(' · '),
		/** What the records are to be once that is applied. */
		wanted: [...stays.map(({ before, after }) => seen(after, before)), ...additions],
		/** The names of the new records, and of those without a percentage. */
		added: added.map((row) => truncate(nameOf(row))),
		shareless: added.flatMap((row) =>
			rowTexts(row).Percentage === '' ? truncate(nameOf(row)) : [],
		),
		/** The records that stay and that no given row is about. */
		others: keepOthers ? untouched.map(({ before }) => before) : [],
		/** Paths of fields that the records have and the contract does not. They are not written. */
		unknown: [...new Set(stays.flatMap(({ unknown }) => unknown))],
	};
}
