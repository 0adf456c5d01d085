import type { DecimalField, RecordField } from '../contract/fields';
import { employeeCostCenter } from '../contract/resources';
import { NO_NOTICES, type Notice } from '../run/action';
import { scalars } from '../values/scalars';
import { canonicalText, isObject } from '../values/values';

/** Returns the notice about fields of the input or the current records that the request lacks. */
export function notSentNotices(fields: readonly string[]): readonly Notice[] {
	if (fields.length === 0) return NO_NOTICES;
	const text = 'Not sent, since the operation does not have these fields';
	return [{ isProblem: true, text, list: fields }];
}

/** A longer share is not added: numbers with millions of digits would block the process. */
const MAX_DIGITS = 100;

const percentage: DecimalField = employeeCostCenter.fields.Percentage;

/** The digits of a row's share; empty if there is none or it is too long. */
function shareOf(row: unknown): string {
	const value = isObject(row) ? row.Percentage : undefined;
	if (value === undefined || value === null) return '';
	const digits = scalars.decimal.write(value, percentage);
	return digits.length > MAX_DIGITS ? '' : digits;
}

/** Returns the exact sum of decimals. */
function sumOf(decimals: readonly string[]): string {
	const parts = decimals.map((decimal) => decimal.split('.'));
	const scale = parts.reduce((most, [, { length } = '']) => Math.max(most, length), 1);
	const units = parts.reduce(
		(sum, [whole = '', fraction = '']) => sum + BigInt(`${whole}${fraction.padEnd(scale, '0')}`),
		0n,
	);
	const digits = String(units)
		.replace('-', '')
		.padStart(scale + 1, '0');
	const decimal = `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
	return canonicalText(percentage, units < 0n ? `-${decimal}` : decimal);
}

/**
 * Returns a notice if the shares of an employee's cost centers do not add up to 100; none for other
 * records, or if a row has no share.
 *
 * @param rows records that were read, or validated before they are written
 * @param whom the employee and the period, in the words of the form
 */
export function shareNotices(
	record: RecordField,
	rows: readonly unknown[],
	whom: string,
): readonly Notice[] {
	if (record !== employeeCostCenter || rows.length === 0) return NO_NOTICES;
	const shares = rows.map(shareOf);
	const sum = shares.includes('') ? '100' : sumOf(shares);
	if (sum === '100') return NO_NOTICES;
	return [
		{ isProblem: true, text: 'Percentage does not add up to 100', list: [`${whom} (${sum})`] },
	];
}
