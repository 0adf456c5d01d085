/** The shares of an employee's cost centers, which are expected to add up to 100. */
import { employeeCostCenter } from '../../contract/resources';
import { invalidBecause } from '../../errors/InputError';
import { joinNames, truncate } from '../../errors/words';
import type { Notice } from '../../run/action';
import { decimal, sumOfDecimals } from '../../values/decimal';
import { writeScalar } from '../../values/scalars';
import { isObject, isSet, valueAt, type Values } from '../../values/values';

/** The total, in canonical text. */
const WHOLE = '100';

/** The digits of a row's share; empty if there is none. */
function shareOf(row: unknown): string {
	const value = isObject(row) ? row.Percentage : undefined;
	return isSet(value) ? writeScalar(employeeCostCenter.fields.Percentage, value) : '';
}

/** Whether a row has a share, and it is 0. */
export function isEnded(row: Values): boolean {
	return Number(shareOf(row) || NaN) === 0;
}

/**
 * Returns the exact total of the shares of rows; `undefined` if a row has no share.
 *
 * @param rows records that were read, or validated before they are written
 */
function totalOf(rows: readonly unknown[]): string | undefined {
	const shares = rows.map(shareOf);
	return shares.includes('') ? undefined : sumOfDecimals(shares);
}

/** Whether the shares of rows add up to 100, as far as each row has one. */
export function addsUp(rows: readonly unknown[]): boolean {
	return (totalOf(rows) ?? WHOLE) === WHOLE;
}

/** The total as a value of an output item: a number if that is exact; `null` if it is not known. */
export function totalInItem(rows: readonly unknown[]) {
	const total = totalOf(rows);
	return { percentageTotal: total === undefined ? null : decimal.read(total) };
}

/** Names a row by its code, else by its Record ID. */
function rowName(row: unknown): string {
	const values = isObject(row) ? row : {};
	return truncate(String(valueAt(values, ['CostCenter', 'Code']) ?? values.Id ?? ''));
}

/** Names the share of a row, for example "4100: 62.5". */
function shareText(row: unknown): string {
	return [rowName(row), truncate(shareOf(row))].filter(Boolean).join(': ');
}

const isOverWhole = (share: string): boolean =>
	!/^(?:-|0$)/.test(sumOfDecimals([share, `-${WHOLE}`]));

/** Where the rows to write come from. */
export interface RowSources {
	readonly given: readonly unknown[];
	/** The current rows that no given row is about. */
	readonly others: readonly unknown[];
	/** Whether an input item of another call has rows for the same employee and period. */
	isSplit(): boolean;
}

/** Says what is probably the reason of a total that is not 100. */
function adviceOn(total: string, { given, others, isSplit }: RowSources): string {
	if (isSplit()) {
		return "The input item before or after this one has the same employee and period: to write such items together, choose 'From Input Items'.";
	}
	const areFractions = given.length > 0 && totalOf(given) === '1';
	const isKept = (row: unknown): boolean => rowName(row) !== '' && Number(shareOf(row)) > 0;
	const kept = isOverWhole(total) ? others.filter(isKept).map(rowName) : [];
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
 * @throws {InputError} with the total and the shares, and what is probably wrong, or how to turn the
 * check off
 */
export function checkTotal(rows: readonly unknown[], sources: RowSources): void {
	if (!addsUp(rows)) {
		const total = totalOf(rows) ?? '';
		const shares = joinNames(rows.map(shareText));
		throw invalidBecause(
			`the percentages add up to ${truncate(total)} (${shares}), not to 100. ${adviceOn(total, sources)}`,
		);
	}
	const outside = rows.filter((row) => Number(shareOf(row)) < 0 || isOverWhole(shareOf(row)));
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
