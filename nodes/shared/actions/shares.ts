import type { DecimalField, RecordField } from '../contract/fields';
import { label } from '../form/names';
import { scalars } from '../values/scalars';
import { isObject } from '../values/values';

/** Shares that do not add up to their total. */
export interface UnevenShares {
	/** The field's label. */
	readonly label: string;
	readonly whole: number;
	/** The exact sum of the shares. */
	readonly sum: string;
}

/**
 * A field with a longer share is skipped: adding numbers with millions of digits would block the
 * process.
 */
const MAX_DIGITS = 100;

/** An exact decimal: `units` divided by ten to the power of `scale`. */
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

/** The digits of a row's share; `undefined` if there is none or it is too long. */
function shareIn(row: unknown, name: string, field: DecimalField): string | undefined {
	const value = isObject(row) ? row[name] : undefined;
	if (value === undefined || value === null) return undefined;
	const digits = scalars.decimal.write(value, field);
	return digits.length > MAX_DIGITS ? undefined : digits;
}

/**
 * Returns the share fields whose values in all rows do not add up to their total. A field is
 * skipped if a row has no share.
 *
 * @param record the contract of the rows
 * @param rows records that were read, or validated before they are written
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
