/** A grammar of JSON texts, with unexpected names and numbers. */
import fc from 'fast-check';
import { words } from './words.mts';

const name = fc.oneof(
	fc.constantFrom(
		...words('id code items data hourCodes totalCount total_pages hasMore last meta'),
	),
	fc.constantFrom(
		...words('__proto__ constructor toString toJSON then length 0'),
		...['', '\ud800', '\u0000'],
	),
	fc.constantFrom(
		...words('CostCenter Kostensoort Code Description Id Percentage Default Street Type'),
	),
);

const scalarText = fc.oneof(
	fc.constantFrom(...words('null true false "" "true" "0" 0 1 -1 3')),
	fc.constantFrom(
		...words('-0 1e400 -1e400 1e-400 1E+2 0.1 2147483648 -2147483648 12345678901234567890'),
		...words('0.30000000000000004 1e21 1e-7'),
	),
	fc.constantFrom(
		...words(String.raw`"12.3400" "1e5" "NaN" "\u0000" "\ud83e" "]]>" "<![CDATA[" "&amp;" "\r\n"`),
		...['" 7 "', '"HomeAddress"'],
	),
	fc.string({ unit: 'binary', maxLength: 12 }).map((text) => JSON.stringify(text)),
);

/** JSON texts of any shape, a few levels deep. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{
	value: string;
	list: string;
	object: string;
}>((tie) => ({
	value: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		scalarText,
		tie('list'),
		tie('object'),
	),
	list: fc.array(tie('value'), { maxLength: 4 }).map((values) => `[${values.join(',')}]`),
	object: fc
		.array(fc.tuple(name, tie('value')), { maxLength: 4 })
		.map(
			(entries) =>
				`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`,
		),
})).value;
