import type { DecimalField, RecordField } from '../contract/fields';
import { scalars } from '../contract/scalars';
import { isObject } from '../contract/values';
import { label } from './names';

/** Shares that do not make their whole. */
export interface UnevenShares {
	/** The field's label. */
	readonly label: string;
	readonly whole: number;
	/** What they add up to, with all its digits. */
	readonly sum: string;
}

/** More digits than any share has; a number of millions of them would keep the processor busy. */
const MAX_DIGITS = 100;

/** A decimal without loss: `units` divided by ten to the power of `scale`. */
interface Exact {
	readonly units: bigint;
	readonly scale: number;
}

function exact(decimal: string): Exact {
	const [whole = '', fraction = ''] = decimal.split('.');
	return { units: BigInt(`${whole}${fraction}`), scale: fraction.length };
}

function add(a: Exact, b: Exact): Exact {
	const scale = Math.max(a.scale, b.scale);
	const scaled = ({ units, scale: own }: Exact): bigint => units * 10n ** BigInt(scale - own);
	return { units: scaled(a) + scaled(b), scale };
}

function decimalText({ units, scale }: Exact): string {
	const sign = units < 0n ? '-' : '';
	const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
	const whole = digits.slice(0, digits.length - scale);
	const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
	return `${sign}${whole}${fraction === '' ? '' : '.'}${fraction}`;
}

/** The digits of a share, `undefined` where a row has none. */
function shareIn(row: unknown, name: string, field: DecimalField): string | undefined {
	const value = isObject(row) ? row[name] : undefined;
	if (value === undefined || value === null) return undefined;
	const digits = scalars.decimal.write(value, field);
	return digits.length > MAX_DIGITS ? undefined : digits;
}

/**
 * The fields of a list's rows that are shares of a whole and do not make it. Where a row has no
 * share, nothing is said of that field.
 *
 * @param rows records that were read, or were checked before they are written
 */
export function unevenShares(record: RecordField, rows: readonly unknown[]): UnevenShares[] {
	return Object.entries(record.fields).flatMap(([name, field]) => {
		if (field.kind !== 'decimal' || field.shareOf === undefined || rows.length === 0) return [];
		const shares = rows.map((row) => shareIn(row, name, field));
		if (shares.includes(undefined)) return [];
		const sum = shares.reduce((total, share) => add(total, exact(share ?? '')), exact('0'));
		const { units } = add(sum, exact(`-${field.shareOf}`));
		if (units === 0n) return [];
		return [{ label: label(name, field), whole: field.shareOf, sum: decimalText(sum) }];
	});
}
