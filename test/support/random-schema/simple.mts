/** Random simple types of XML Schema, with sample values: `test/unit/values` tests the rules of values. */
import { xmlText } from '../arbitraries.mts';
import type { Dice } from './dice.mts';

/** A value of a simple type. */
export interface SimpleValue {
	/** What a request is made of. */
	readonly given: unknown;
	/** The text that is sent for it. */
	readonly text: string;
	/** A text that an answer may have for it. */
	readonly answer: string;
	/** What the answer is read as. */
	readonly read: unknown;
}

type Sample = readonly [given: unknown, text?: string, answer?: string, read?: unknown];

export interface SimpleType {
	/** What it is an example of. */
	readonly kind: string;
	/** Its name with a prefix; `undefined` if it is anonymous. */
	readonly name: string | undefined;
	/** Its definition, without `xs:simpleType` around it; empty for a type of XML Schema. */
	readonly definition: string;
	value(dice: Dice): SimpleValue;
}

/** By default, a value is sent, answered and read as it is given. */
const sampleOf = (samples: readonly Sample[]) => (dice: Dice) => {
	const [given, text = String(given), answer = text, read = given] = dice.pick(samples);
	return { given, text, answer, read };
};

function builtIn(kind: string, ...samples: readonly Sample[]): SimpleType {
	return { kind, name: `s:${kind}`, definition: '', value: sampleOf(samples) };
}

const builtIns: readonly SimpleType[] = [
	{
		...builtIn('string'),
		value(dice) {
			const text = dice.of(xmlText);
			return { given: text, text, answer: text, read: text };
		},
	},
	builtIn('int', [7, '7', ' +007\n'], ['-5', '-5', '-05', -5], [-(2 ** 31)]),
	builtIn('long', [12], ['9007199254740993'], ['8', '8', '8', 8]),
	builtIn('unsignedByte', [0], [255]),
	builtIn('integer', [-7], ['10000000000000000000000']),
	builtIn('decimal', [1.5, '1.5', ' 1.500 '], ['12345678901234.56789']),
	builtIn('double', [1e21, '1e+21'], ['INF'], [-0.5, '-0.5', ' -5e-1']),
	builtIn('boolean', [true, 'true', '1'], ['false', 'false', ' 0', false]),
	builtIn('dateTime', ['2026-11-22T09:30:00.5'], ['2026-11-22T09:30:00+02:00']),
	// Without a blank before it: libxml2 does not accept that in a date, although XML Schema does.
	builtIn(
		'date',
		['2026-11-22Z'],
		['2026-11-22T00:00:00', '2026-11-22', '2026-11-22', '2026-11-22'],
	),
	builtIn('time', ['09:30:00'], ['23:59:59.1234567-11:30']),
	builtIn('base64Binary', ['', ''], ['aGVsbG8=', 'aGVsbG8=', 'aGVs\nbG8=']),
	builtIn('NMTOKENS', [['a', 'b'], 'a b', 'a \n b']),
];

const namesIn = (base: string, names: readonly string[]): string =>
	`<s:restriction base="s:${base}">${names.map((name) => `<s:enumeration value="${name}"/>`).join('')}</s:restriction>`;

const defined = (kind: string, definition: string, ...samples: Sample[]) => ({
	kind,
	name: undefined,
	definition,
	value: sampleOf(samples),
});

export const enumeration = defined(
	'enumeration',
	namesIn('string', ['Te laat', ' Über ']),
	['Te laat'],
	[' Über '],
);

const restricted: readonly SimpleType[] = [
	enumeration,
	defined('enumeration of int', namesIn('int', ['1', '30']), ['1'], [30, '30', '30', '30']),
	defined(
		'restriction',
		'<s:restriction base="s:string"><s:maxLength value="3"/><s:pattern value="[a-f]*"/></s:restriction>',
		['', ''],
		['fed'],
	),
	defined('list of int', '<s:list itemType="s:int"/>', [[], ''], [[1, -2], '1 -2', ' 1\n-2']),
	defined(
		'list of an enumeration',
		`<s:list><s:simpleType>${namesIn('string', ['Mon', 'Tue'])}</s:simpleType></s:list>`,
		[['Mon', 'Tue'], 'Mon Tue'],
	),
];

export function builtInType(dice: Dice): SimpleType {
	// The types that services use most come as often as all others together.
	return dice.pick(dice.chance(50) ? builtIns.slice(0, 2) : builtIns);
}

/** An anonymous restriction or list. */
export function restrictedType(dice: Dice): SimpleType {
	return dice.pick(restricted);
}

/** All that types of this file are examples of. */
export const simpleKinds: readonly string[] = [...builtIns, ...restricted].map(({ kind }) => kind);
