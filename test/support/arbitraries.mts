import fc from 'fast-check';
import type {
	Field,
	Fields,
	RecordField,
	ScalarField,
} from '../../nodes/shared/contract/fields.ts';

const special = [
	...[' ', '\t', '\n', '\r', '\r\n', '&', '<', '>', ']]>', '"', "'"],
	...['é', 'ß', '𝄞', '🧾', '&amp;', '&#13;', '<![CDATA[', '\u00a0', '\u2028'],
];

/** Any text that XML 1.0 can carry, also with whitespace at its ends. */
export const xmlText = fc
	.array(
		fc.oneof(
			{ weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
			{ weight: 1, arbitrary: fc.constantFrom(...special) },
		),
		{ maxLength: 6 },
	)
	.map((parts) => parts.join(''))
	.filter((text) => !/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u.test(text));

const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${max}}$`));

/** Any decimal: a number that has lost no digits, or digits of any precision as a string. */
export const decimal = fc.oneof(
	fc
		.double({ noNaN: true, noDefaultInfinity: true })
		.filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value)),
	fc.integer(),
	fc
		.tuple(fc.constantFrom('', '-', '+'), digits(25), fc.option(digits(25)))
		.map(([sign, whole, fraction]) => `${sign}${whole}${fraction === null ? '' : `.${fraction}`}`),
);

function scalar(field: ScalarField): fc.Arbitrary<unknown> {
	switch (field.kind) {
		case 'int':
			return fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
		case 'decimal':
			return decimal;
		case 'boolean':
			return fc.boolean();
		case 'string':
			return xmlText;
		case 'country':
			return fc.stringMatching(/^[A-Z]{2}$/);
		case 'enumeration':
			return fc.constantFrom(...field.values);
		default:
			throw new Error(`The contract has no ${field.kind}`);
	}
}

/** Any value that the contract allows for a field. */
export function valueOf(field: Field): fc.Arbitrary<unknown> {
	if (field.kind === 'record') return recordOf(field);
	if (field.kind === 'list') return fc.array(valueOf(field.of), { maxLength: 4 });
	return scalar(field as ScalarField);
}

/** Any record that the contract allows; every field may be absent or `null`. */
export function recordOf(record: RecordField): fc.Arbitrary<Record<string, unknown>> {
	return fieldsOf(record.fields);
}

/** Any values of these fields; every field may be absent or `null`. */
export function fieldsOf(fields: Fields): fc.Arbitrary<Record<string, unknown>> {
	return fc.record(
		Object.fromEntries(
			Object.entries(fields).map(([name, field]) => [name, fc.option(valueOf(field), { freq: 9 })]),
		),
		{ requiredKeys: [] },
	);
}

/** A double's shortest digits without exponent, by way of BigInt. */
function plain(value: number): string {
	const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
	const [whole = '0', fraction = ''] = mantissa.replace('-', '').split('.');
	const scale = Number(exponent) - fraction.length;
	const all = BigInt(whole + fraction);
	const sign = value < 0 ? '-' : '';
	if (scale >= 0) return sign + String(all * 10n ** BigInt(scale));
	const padded = String(all).padStart(1 - scale, '0');
	return `${sign}${padded.slice(0, scale)}.${padded.slice(scale)}`;
}

/** Digits without those that make no difference. */
function sameDecimal(value: unknown): string {
	const text = typeof value === 'number' ? plain(value) : String(value).trim();
	const [, sign = '', whole = '', fraction = ''] = /^([+-]?)(\d*)\.?(\d*)$/.exec(text) ?? [];
	const head = whole.replace(/^0+/, '') || '0';
	const tail = fraction.replace(/0+$/, '');
	const same = tail === '' ? head : `${head}.${tail}`;
	return same === '0' || sign !== '-' ? same : `-${same}`;
}

/**
 * A value in a canonical form for comparisons, whether it was given, sent or read: decimals as their
 * digits, computed with BigInt arithmetic independent of the codec; without fields that are not set.
 */
export function comparable(field: Field, value: unknown): unknown {
	switch (field.kind) {
		case 'record':
			return comparableFields(field.fields, value as Record<string, unknown>);
		case 'list':
			return (value as unknown[]).map((row) => comparable(field.of, row));
		case 'decimal':
			return sameDecimal(value);
		case 'int':
			return Number(value) + 0;
		case 'boolean':
			return String(value) === 'true';
		default:
			return typeof value === 'number' ? sameDecimal(value) : value;
	}
}

export function comparableFields(
	fields: Fields,
	value: Record<string, unknown>,
): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(fields)
			.filter(([name]) => value[name] !== undefined && value[name] !== null)
			.map(([name, field]) => [name, comparable(field, value[name])]),
	);
}
