/** The shares of an employee's cost centers, which are expected to add up to 100. */
import { employeeCostCenter } from '../../contract/resources';
import { invalidBecause } from '../../errors/InputError';
import { joinNames, truncate } from '../../errors/words';
import type { Notice } from '../../run/action';
import { decimal, sumOfDecimals } from '../../values/numbers';
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

/** Says what is probably the reason of a total that is not 100. */
function adviceOn(total: string, given: readonly unknown[], others: readonly unknown[]): string {
	const areFractions = given.length > 0 && totalOf(given) === '1';
	const isKept = (row: unknown): boolean => rowName(row) !== '' && Number(shareOf(row)) > 0;
	const kept = isOver(total) ? others.filter(isKept).map(rowName) : [];
	const [are, them] = kept.length === 1 ? ['is', 'it'] : ['are', 'them'];
	const advice = [
		areFractions && 'These look like fractions: enter 50 for 50 %.',
		kept.length > 0 &&
			`${joinNames(kept)} ${are} not in your rows and ${are} kept: give ${them} 0 to end ${them}.`,
	];
	const text = advice.filter(Boolean).join(' ');
	return text || "To write them anyway, turn off 'Total Must Be 100 %'.";
}

/**
 * Ensures that the shares of rows are from 0 to 100 and add up to 100. A row without a share is not
 * checked, and neither is the total then.
 *
 * @param rows all that are written: those given, and those that stay and that no given row is about
 * @throws {InputError} with the total and the shares, and what is probably wrong, or how to turn the
 * check off
 */
export function checkTotal(
	rows: readonly unknown[],
	given: readonly unknown[],
	others: readonly unknown[],
): void {
	const total = totalOf(rows) ?? WHOLE;
	if (total !== WHOLE) {
		const shares = joinNames(rows.map(shareText));
		const by = truncate(over(total).replace('-', ''));
		const isWhat = `${by} is ${isOver(total) ? 'too much' : 'missing'}`;
		throw invalidBecause(
			`the percentages add up to ${truncate(total)} (${shares}), not to 100: ${isWhat}. ${adviceOn(total, given, others)}`,
		);
	}
	const outside = rows.filter((row) => Number(shareOf(row)) < 0 || isOver(shareOf(row) || '0'));
	if (outside.length === 0) return;
	const shares = joinNames(outside.map(shareText));
	throw invalidBecause(
		`not a percentage from 0 to 100: ${shares}. To write it anyway, turn off 'Total Must Be 100 %'.`,
	);
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
