/** Cost Center: Update, with the records that stand there and the total of the percentages. */
import { costCenterGet, costCenterUpdate } from '../../contract/operations';
import { at, InputError, type Problem } from '../../values/InputError';
import { joinNames, truncate } from '../../errors/words';
import { rowsOfItems } from '../../form/fields';
import type { InputItem } from '../../form/inputItem';
import { matchedPath } from '../../form/mapping/mapper';
import { type Notice, noticeOf, notSentNotices } from '../../form/requestValues';
import { plainDecimal } from '../../values/kind';
import { readScalar } from '../../values/scalars';
import { isSet, type Values } from '../../values/values';
import type { WriteRules } from '../builtIn/soap';
import { identifiedRows, mergeRows, seen, rowTexts } from './rows';

/** The total, in canonical text. */
const WHOLE = '100';

/** Numbers that differ by no more than this are equal: `{{ 100 / 3 }}` three times is 100.000000000000008. */
const NOISE = 1e-9;

/** Returns the percentage of a row; empty if there is none. */
const shareOf = (row: Values): string => rowTexts(row).Percentage;

/** Returns the exact sum of decimals: "33.3", "66.70" → "100". */
function sumOfDecimals(decimals: readonly string[]): string {
	const parts = decimals.map((decimal) => decimal.split('.'));
	const scale = parts.reduce((most, [, { length } = '']) => Math.max(most, length), 1);
	const units = parts.reduce(
		(sum, [whole = '', fraction = '']) => sum + BigInt(whole + fraction.padEnd(scale, '0')),
		0n,
	);
	const digits = String(units)
		.replace('-', '')
		.padStart(scale + 1, '0');
	const sign = units < 0n ? '-' : '';
	return plainDecimal(`${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`);
}

/** Returns the total of the shares of rows; `undefined` if a row has no share. */
function totalOf(rows: readonly Values[]): string | undefined {
	const shares = rows.map(shareOf);
	if (shares.includes('')) return undefined;
	const total = sumOfDecimals(shares);
	return Math.abs(Number(total) - Number(WHOLE)) < NOISE ? WHOLE : total;
}

function codeOrId(row: Values): string {
	const { 'Cost Center Code': code, 'Record ID': id } = rowTexts(row);
	return truncate(code || (id && `Record ID ${id}`));
}

/** Names the shares of rows, for example "4100: 62.5 and 4200: 30". */
const sharesText = (rows: readonly Values[]): string =>
	joinNames(rows.map((row) => [codeOrId(row), truncate(shareOf(row))].filter(Boolean).join(': ')));

const NOT_WHOLE = 'the percentages do not add up to 100';

/** Says what to do about a total that is not 100, for one employee and for several. @param kept what makes it too much */
function adviceOn(
	given: readonly Values[],
	kept: readonly Values[],
	item: InputItem,
): readonly [own: string, common: string] {
	const own = given.map(shareOf).filter((share) => Number(share) > 0);
	const areRows = rowsOfItems(item, costCenterUpdate.request.fields) !== undefined;
	if (own.length > 0 && own.every((share) => Number(share) <= 1)) {
		const how = areRows ? "turn on 'Percentages Are Fractions'" : 'enter 50 for 50 %';
		const text = `These look like fractions: ${how}.`;
		return [text, `${NOT_WHOLE}. ${text}`];
	}
	if (kept.length === 0) {
		const isItem = item.isOneOfSeveral && !areRows;
		const together = isItem ? "If others are in other items, choose 'From Input Items'. " : '';
		const anyway = `${together}To write them anyway, turn off 'Total Must Be 100 %'.`;
		return [anyway, `${NOT_WHOLE}. ${anyway}`];
	}
	const names = joinNames(kept.map(codeOrId).filter(Boolean));
	const [are, them] = kept.length === 1 ? ['is', 'it'] : ['are', 'them'];
	const alone = totalOf(given) ?? WHOLE;
	if (alone === WHOLE) {
		const off = "Turn off 'Keep Other Cost Centers' to remove";
		return [
			`${off} ${names}, which ${are} not in your rows, or give ${them} 0 to end ${them}.`,
			`${NOT_WHOLE}, since others are kept. ${off} them, or give them 0 to end them.`,
		];
	}
	const left = sumOfDecimals([WHOLE, ...kept.map((row) => `-${shareOf(row)}`)]);
	const how =
		Number(left) > 0
			? `Make it ${left} beside ${names}, which ${are} kept, or make it 100`
			: 'Make it 100';
	return [
		`Your rows alone add up to ${truncate(alone)}. ${how} and turn off 'Keep Other Cost Centers'.`,
		`${NOT_WHOLE} alone, and others are kept. Correct them.`,
	];
}

/** Returns a problem of all rows, whose percentages are to be corrected. */
function shareProblems(text: string, cause: string): readonly Problem[] {
	const column = [0, 'Percentage'];
	return [{ code: 'VALUE_INVALID', path: [], text: `: ${text}`, cause, column }];
}

/**
 * Returns what is wrong with the shares of the rows to write: they are to be from 0 to 100 and add up to 100. A row
 * without a share is not checked; the total of the others then only for being too much.
 *
 * @param others rows that stay and that no given row is about
 */
function totalProblems(
	rows: readonly Values[],
	given: readonly Values[],
	others: readonly Values[],
	item: InputItem,
): readonly Problem[] {
	// A row without a share may have any from 0 on.
	const least = sumOfDecimals(rows.map(shareOf).filter(Boolean));
	const total = totalOf(rows) ?? (Number(least) > Number(WHOLE) + NOISE ? least : WHOLE);
	if (total !== WHOLE) {
		const over = sumOfDecimals([total, `-${WHOLE}`]);
		const isOver = Number(over) > 0;
		const isWhat = `${truncate(over.replace('-', ''))} is ${isOver ? 'too much' : 'missing'}`;
		const kept = isOver ? others.filter((row) => Number(shareOf(row)) > 0) : [];
		const [advice, cause] = adviceOn(given, kept, item);
		const text = `the percentages add up to ${truncate(total)} (${sharesText(rows)}), not to 100: ${isWhat}. ${advice}`;
		return shareProblems(text, cause);
	}
	const outside = rows.filter((row) => {
		const share = Number(shareOf(row));
		return share < -NOISE || share > Number(WHOLE) + NOISE;
	});
	if (outside.length === 0) return [];
	return shareProblems(
		`not a percentage from 0 to 100: ${sharesText(outside)}. To write it anyway, turn off 'Total Must Be 100 %'.`,
		'a percentage is not from 0 to 100',
	);
}

/** Returns a notice if the shares of all cost centers of an employee do not add up to 100. */
export function shareNotices(rows: readonly Values[], whom: string): readonly Notice[] {
	const total = rows.length === 0 ? WHOLE : (totalOf(rows) ?? WHOLE);
	const list = total === WHOLE ? [] : [`${whom} (${total})`];
	return noticeOf('unusual', 'Percentage does not add up to 100', list);
}

/** Whether nothing is left out on which the total depends: a key, a row, or its share. */
const isTotalKnown = (rows: readonly unknown[], broken: readonly Problem[]): boolean =>
	rows.every(isSet) && broken.every(({ path }) => path.length > 2 && path.at(-1) !== 'Percentage');

/** Parts of the title of a row, for example "4100: 40 %". It cannot evaluate an expression. */
const CODE_TEXT = "String($collection.item.value.costCenterCode ?? '')";
const SHARE_TEXT = "String($collection.item.value.percentage ?? '').replace(/^[^=].*/, '$& %')";

/** The rules of an update. Their switches take no expression: the tool description depends on them. */
export const costCenterRules: WriteRules<'keepOthers' | 'totalMustBe100'> = {
	switches: {
		keepOthers: {
			displayName: 'Keep Other Cost Centers',
			default: true,
			noDataExpression: true,
			description:
				'Whether to keep the cost centers that you do not enter. If off, they are removed.',
		},
		totalMustBe100: {
			displayName: 'Total Must Be 100 %',
			default: true,
			noDataExpression: true,
			description:
				'Whether to refuse percentages that are below 0 or above 100, or that do not add up to 100, before the cost centers of the employee are written. The cost centers that are kept count, too; if one has no percentage, only a total of more than 100 is refused.',
		},
	},
	output: {
		written: { kind: 'boolean' },
		percentageTotal: { kind: 'decimal' },
	},
	title: `={{ [${CODE_TEXT}, ${SHARE_TEXT}].filter((text) => text !== '' && !text.startsWith('=')).join(': ') }}`,
	reads: costCenterGet,
	isRepeatable: () => true,
	rerun: () => 'That is safe here, because what is as wanted already is not written again.',
	seen: (record) => seen(record),
	exclusive: ({ keepOthers }) =>
		keepOthers
			? undefined
			: "for the same employee and period, and with 'Keep Other Cost Centers' off, each removes what the other writes. To write such rows in one call, choose 'From Input Items'.",
	check({ request, options: { keepOthers, totalMustBe100 }, item, broken }) {
		const matchedOn = matchedPath(costCenterUpdate.request.fields, item);
		const all = request.CostCenteren as ReadonlyArray<Values | undefined>;
		const { results: given, problems } = identifiedRows(all, matchedOn);
		const rows = given.filter(isSet);
		// Whatever else stands there is removed then.
		const isTotal = totalMustBe100 && !keepOthers && isTotalKnown(given, broken);
		const total = isTotal ? totalProblems(rows, rows, [], item) : [];
		return {
			request: { ...request, CostCenteren: given },
			problems: new InputError([...problems, ...total]).at('CostCenteren').problems,
		};
	},
	plan({ request, options, whom, item, broken }, before = []) {
		const all = request.CostCenteren as ReadonlyArray<Values | undefined>;
		const merged = at('CostCenteren', () => mergeRows(before, all, options.keepOthers));
		const { rows, changes } = merged;
		if (options.totalMustBe100 && changes !== '' && isTotalKnown(all, broken)) {
			const problems = totalProblems(rows, all.filter(isSet), merged.others, item);
			if (problems.length > 0) throw new InputError(problems).at('CostCenteren');
		}
		const total = totalOf(rows);
		const percentageTotal = (total && readScalar({ kind: 'decimal' }, total)) ?? null;
		const shown = { changes: changes || 'nothing would change', percentageTotal };
		const notices = shareNotices(rows, whom);
		if (changes === '') {
			const none = { changes: 'nothing changed', percentageTotal };
			const item = { ...none, success: true, written: false, outcome: 'unchanged' };
			const text = 'Not sent, since 0 % ends a cost center that is not there';
			const missing = noticeOf('notSent', text, merged.added);
			return { request: undefined, item, shown, notices: [...notices, ...missing] };
		}
		return {
			request: { ...request, CostCenteren: rows },
			wanted: { kind: 'all', records: merged.wanted },
			item: { percentageTotal, written: true },
			shown,
			notices: [
				...notices,
				...noticeOf('unusual', 'Added without a percentage', merged.shareless),
				// A mistyped code would be new.
				...noticeOf('new', 'Cost Center Codes that are new', merged.added),
				...notSentNotices(merged.unknown),
			],
		};
	},
};
