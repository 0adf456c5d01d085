import fc from 'fast-check';
import type { Field, ScalarField } from '../../nodes/shared/contract/fields.ts';

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

/** Any value that the contract allows for a field; every field of a record may be absent or `null`. */
export function valueOf(field: Field): fc.Arbitrary<unknown> {
	if (field.kind === 'record') {
		const fields = Object.entries(field.fields).map(
			([name, inner]) => [name, fc.option(valueOf(inner), { freq: 9 })] as const,
		);
		return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
	}
	if (field.kind === 'list') return fc.array(valueOf(field.of), { maxLength: 4 });
	return scalar(field as ScalarField);
}
