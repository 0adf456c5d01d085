/** The shares of an employee's cost centers, which are expected to add up to 100. */
import { employeeCostCenter } from '../../contract/resources';
import { invalidBecause, type Problem } from '../../errors/InputError';
import { joinNames, truncate } from '../../errors/words';
import type { Notice } from '../../run/action';
import { decimal, plainDecimal, sumOfDecimals } from '../../values/numbers';
import { writeScalar } from '../../values/scalars';
import { isObject, isSet, valueAt, type Values } from '../../values/values';

/** The total, in canonical text. */
const WHOLE = '100';

/** A total this close to 100 is 100: `{{ 100 / 3 }}` three times is 100.000000000000008. */
const NOISE = 1e-9;

/** The digits of a row's share; empty if there is none. */
export function shareOf(row: unknown): string {
	const value = isObject(row) ? row.Percentage : undefined;
	return isSet(value) ? writeScalar(employeeCostCenter.fields.Percentage, value) : '';
}

/**
 * Returns the total of the shares of rows; `undefined` if a row has no share.
 *
 * @param rows records that were read, or validated before they are written
 */
function totalOf(rows: readonly unknown[]): string | undefined {
	const shares = rows.map(shareOf);
	if (shares.includes('')) return undefined;
	const total = sumOfDecimals(shares);
	return Math.abs(Number(total) - Number(WHOLE)) < NOISE ? WHOLE : total;
}

/** The total as a value of an output item: a number if that is exact; `null` if it is not known. */
export function totalInItem(rows: readonly unknown[]) {
	const total = totalOf(rows);
	return { percentageTotal: total === undefined ? null : (decimal.read(total) ?? null) };
}

/** Names a row by its code, else by its Record ID. */
function rowName(row: unknown): string {
	const values: Values = isObject(row) ? row : {};
	return truncate(String(valueAt(values, ['CostCenter', 'Code']) ?? values.Id ?? ''));
}

/** Names the share of a row, for example "4100: 62.5". */
function shareText(row: unknown): string {
	return [rowName(row), truncate(shareOf(row))].filter(Boolean).join(': ');
}

/** By how much a share or total is over 100: "-0.01" for "99.99". */
const over = (share: string): string => sumOfDecimals([share, `-${WHOLE}`]);
const isOver = (share: string): boolean => Number(over(share)) > 0;

const ANYWAY = "To write them anyway, turn off 'Total Must Be 100 %'.";
const NOT_WHOLE = 'the percentages do not add up to 100';

/**
 * Says what is probably the reason of a total that is not 100, and what to do.
 *
 * @returns for one employee, and for several
 */
function adviceOn(
	total: string,
	given: readonly unknown[],
	others: readonly unknown[],
	areRows: boolean,
): readonly [own: string, common: string] {
	const own = given.map(shareOf).filter((share) => Number(share) > 0);
	if (own.length > 0 && own.every((share) => Number(share) <= 1)) {
		const how = areRows ? "turn on 'Percentages Are Fractions'" : 'enter 50 for 50 %';
		const text = `These look like fractions: ${how}.`;
		return [text, `${NOT_WHOLE}. ${text}`];
	}
	const kept = isOver(total) ? others.filter((row) => Number(shareOf(row)) > 0) : [];
	if (kept.length === 0) return [ANYWAY, `${NOT_WHOLE}. ${ANYWAY}`];
	const names = joinNames(kept.map(rowName).filter(Boolean));
	const [are, them] = kept.length === 1 ? ['is', 'it'] : ['are', 'them'];
	const off = "turn off 'Keep Other Cost Centers'";
	const alone = totalOf(given) ?? WHOLE;
	if (alone === WHOLE) {
		return [
			`T${off.slice(1)} to remove ${names}, which ${are} not in your rows, or give ${them} 0 to end ${them}.`,
			`${NOT_WHOLE}, since others are kept. T${off.slice(1)} to remove them, or give them 0 to end them.`,
		];
	}
	const left = sumOfDecimals([WHOLE, ...kept.map((row) => `-${plainDecimal(shareOf(row))}`)]);
	const ways = [
		...(Number(left) > 0 ? [`Make it ${left} beside ${names}, which ${are} kept`] : []),
		`make it 100 and ${off}`,
	];
	const how = ways.join(', or ').replace('make', ways.length === 1 ? 'Make' : 'make');
	return [
		`Your rows alone add up to ${truncate(alone)}. ${how}.`,
		`${NOT_WHOLE} alone, and others are kept. Correct them.`,
	];
}

/**
 * Returns what is wrong with the shares of rows: they are to be from 0 to 100 and add up to 100. A row without a
 * share is not checked, and neither is the total then.
 *
 * @param rows all that are written: those given, and those that stay and that no given row is about
 * @param areRows whether input items are the given rows
 * @returns the total and the shares, and what is probably wrong, or how to turn the check off
 */
export function totalProblems(
	rows: readonly unknown[],
	given: readonly unknown[],
	others: readonly unknown[],
	areRows: boolean,
): readonly Problem[] {
	const total = totalOf(rows) ?? WHOLE;
	if (total !== WHOLE) {
		const shares = joinNames(rows.map(shareText));
		const by = truncate(over(total).replace('-', ''));
		const isWhat = `${by} is ${isOver(total) ? 'too much' : 'missing'}`;
		const [advice, cause] = adviceOn(total, given, others, areRows);
		return invalidBecause(
			`the percentages add up to ${truncate(total)} (${shares}), not to 100: ${isWhat}. ${advice}`,
			'VALUE_INVALID',
			cause,
		).problems;
	}
	const outside = rows.filter((row) => Number(shareOf(row)) < 0 || isOver(shareOf(row) || '0'));
	if (outside.length === 0) return [];
	const shares = joinNames(outside.map(shareText));
	return invalidBecause(
		`not a percentage from 0 to 100: ${shares}. To write it anyway, turn off 'Total Must Be 100 %'.`,
		'VALUE_INVALID',
		'a percentage is not from 0 to 100',
	).problems;
}

/**
 * Returns a notice if the shares of an employee's cost centers do not add up to 100; none if a row
 * has no share.
 *
 * @param whom the employee and the period, in the words of the form
 */
export function shareNotices(rows: readonly unknown[], whom: string): readonly Notice[] {
	const total = rows.length === 0 ? WHOLE : (totalOf(rows) ?? WHOLE);
	if (total === WHOLE) return [];
	return [
		{ isProblem: true, text: 'Percentage does not add up to 100', list: [`${whom} (${total})`] },
	];
}
