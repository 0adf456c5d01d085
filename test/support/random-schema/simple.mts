/** Random simple types of XML Schema, and values of them. */
import fc from 'fast-check';
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

export interface SimpleType {
	/** What it is an example of. */
	readonly kind: string;
	/** Its name with a prefix; `undefined` if it is anonymous. */
	readonly name: string | undefined;
	/** Its definition, without `xs:simpleType` around it; empty for a type of XML Schema. */
	readonly definition: string;
	value(dice: Dice): SimpleValue;
}

function plain(given: unknown, text = String(given), answer = text, read = given): SimpleValue {
	return { given, text, answer, read };
}

function builtIn(kind: string, value: (dice: Dice) => SimpleValue): SimpleType {
	return { kind, name: `s:${kind}`, definition: '', value };
}

const decimalDigits = (dice: Dice, min: number, max: number): string =>
	dice.of(fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`)));

/** A whole number; JSON can represent it exactly within 53 bits. */
function wholeNumber(dice: Dice, min: bigint, max: bigint): SimpleValue {
	const value = dice.of(fc.bigInt({ min, max }));
	const digits = String(value);
	const isSafe = Number.isSafeInteger(Number(value));
	const read = isSafe ? Number(value) : digits;
	const given = isSafe && dice.chance(70) ? read : digits;
	const padded = value < 0n ? `-00${digits.slice(1)}` : `+00${digits}`;
	const answer = isSafe ? dice.pick([digits, ` ${digits}\n`, padded]) : digits;
	return { given, text: digits, answer, read };
}

const integers: ReadonlyArray<readonly [string, bigint, bigint]> = [
	['long', -(2n ** 63n), 2n ** 63n - 1n],
	['short', -32768n, 32767n],
	['byte', -128n, 127n],
	['unsignedLong', 0n, 2n ** 64n - 1n],
	['unsignedInt', 0n, 2n ** 32n - 1n],
	['unsignedShort', 0n, 65535n],
	['unsignedByte', 0n, 255n],
	['integer', -(10n ** 22n), 10n ** 22n],
	['positiveInteger', 1n, 10n ** 20n],
	['nonNegativeInteger', 0n, 10n ** 20n],
	['negativeInteger', -(10n ** 20n), -1n],
	['nonPositiveInteger', -(10n ** 20n), 0n],
];

function decimal(dice: Dice): SimpleValue {
	const sign = dice.pick(['', '-']);
	if (dice.chance(40)) {
		// More digits than any number of JSON has.
		const text = `${sign}7${decimalDigits(dice, 9, 15)}.${decimalDigits(dice, 9, 15)}1`;
		return plain(text);
	}
	const number = Number(`${sign}1${decimalDigits(dice, 1, 6)}.${decimalDigits(dice, 1, 5)}`);
	const text = `${sign}${Math.abs(number).toFixed(5)}`;
	return dice.chance(50)
		? plain(number, String(number), dice.pick([text, ` ${number} `, `${number}`]))
		: { given: text, text, answer: text, read: number };
}

function float(dice: Dice): SimpleValue {
	const special = dice.pick(['INF', '-INF', 'NaN', '', '', '', '', '']);
	if (special !== '') return plain(special);
	const number = dice.of(fc.double({ noNaN: true, noDefaultInfinity: true })) + 0;
	return plain(number, String(number), dice.pick([String(number), ` ${number.toExponential()}`]));
}

const day = (dice: Dice): string =>
	`${dice.number(1900, 2100)}-0${dice.number(1, 9)}-${dice.number(10, 28)}`;
const clock = (dice: Dice): string =>
	`${dice.number(10, 23)}:${dice.number(10, 59)}:0${dice.number(0, 9)}${dice.pick(['', '.5', '.1234567'])}`;
const zone = (dice: Dice): string => dice.pick(['', '', 'Z', '+02:00', '-11:30']);

function dateTime(dice: Dice): SimpleValue {
	if (dice.chance(20)) {
		const date = dice.of(
			fc.date({ min: new Date(0), max: new Date(4_000_000_000_000), noInvalidDate: true }),
		);
		const text = date.toISOString();
		return { given: date, text, answer: text, read: text };
	}
	const text = `${day(dice)}T${clock(dice)}${zone(dice)}`;
	return plain(text);
}

function date(dice: Dice): SimpleValue {
	const text = day(dice);
	const given = dice.chance(20) ? `${text}T00:00:00` : text;
	return given === text ? plain(text + zone(dice)) : { given, text, answer: text, read: text };
}

function base64(dice: Dice): SimpleValue {
	const text = Buffer.from(dice.of(fc.uint8Array({ maxLength: 20 }))).toString('base64');
	return plain(text, text, dice.pick([text, text.replace(/^(.{4})/, '$1\n')]));
}

const word = (dice: Dice): string => dice.of(fc.stringMatching(/^[a-zA-Z]{1,8}$/));

/** A text that a type with whitespace collapsed holds unchanged. */
const token = (dice: Dice): SimpleValue =>
	plain(Array.from({ length: dice.number(1, 3) }, () => word(dice)).join(' '));

const builtIns: readonly SimpleType[] = [
	builtIn('string', (dice) => plain(dice.of(xmlText))),
	builtIn('int', (dice) => wholeNumber(dice, -(2n ** 31n), 2n ** 31n - 1n)),
	...integers.map(([name, min, max]) => builtIn(name, (dice) => wholeNumber(dice, min, max))),
	builtIn('decimal', decimal),
	builtIn('double', float),
	builtIn('float', float),
	builtIn('boolean', (dice) => {
		const value = dice.chance(50);
		const answer = dice.pick([String(value), String(Number(value)), ` ${value}`]);
		return plain(dice.pick([value, String(value)]), String(value), answer, value);
	}),
	builtIn('dateTime', dateTime),
	builtIn('date', date),
	builtIn('time', (dice) => plain(clock(dice) + zone(dice))),
	builtIn('base64Binary', base64),
	builtIn('hexBinary', (dice) =>
		plain(Buffer.from(dice.of(fc.uint8Array({ maxLength: 8 }))).toString('hex')),
	),
	builtIn('token', token),
	builtIn('normalizedString', token),
	builtIn('anyURI', (dice) => plain(`urn:x:${word(dice)}`)),
	builtIn('duration', (dice) => plain(`P${dice.number(1, 9)}Y${dice.number(1, 9)}M`)),
	builtIn('gYear', (dice) => plain(String(dice.number(1900, 2100)))),
	builtIn('NMTOKENS', (dice) => tokensOf([word(dice), word(dice)].map((text) => plain(text)))),
];

const restriction = (base: string, facets: string): string =>
	`<s:restriction base="s:${base}">${facets}</s:restriction>`;
const facet = (name: string, value: number | string): string => `<s:${name} value="${value}"/>`;

function tokensOf(values: readonly SimpleValue[]): SimpleValue {
	return {
		given: values.map(({ given }) => given),
		text: values.map(({ text }) => text).join(' '),
		answer: values.map(({ answer }) => answer.trim()).join(' \n'),
		read: values.map(({ read }) => read),
	};
}

type Definition = Pick<SimpleType, 'kind' | 'definition' | 'value'>;

function enumeration(names: readonly string[], base = 'string'): Definition {
	return {
		kind: base === 'string' ? 'enumeration' : `enumeration of ${base}`,
		definition: restriction(base, names.map((name) => facet('enumeration', name)).join('')),
		value: (dice) => {
			const name = dice.pick(names);
			const given = base === 'int' && dice.chance(50) ? Number(name) : name;
			return plain(given, name, name, name);
		},
	};
}

const restricted: ReadonlyArray<(dice: Dice) => Definition> = [
	() => enumeration(['HomeAddress', 'Post Address', 'Te laat / afwezig', 'Überstunden']),
	() => enumeration(['1', '2', '30'], 'int'),
	() => ({
		kind: 'guid',
		definition: restriction(
			'string',
			facet(
				'pattern',
				'[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}',
			),
		),
		value: (dice) => plain(dice.of(fc.uuid())),
	}),
	() => ({
		kind: 'pattern',
		definition: restriction(
			'string',
			facet('pattern', '[b-z-[aeiou]]{2,4}\\d+') + facet('pattern', '\\i\\c*|\\p{Lu}\\s\\S'),
		),
		value: (dice) => plain(dice.pick(['bcd7', 'zz00', '_x-y.z', 'a', 'Z é', 'Ä 1', 'é9'])),
	}),
	(dice) => {
		const max = dice.number(1, 5);
		return {
			kind: 'length',
			definition: restriction('string', facet('minLength', 1) + facet('maxLength', max)),
			value: (inner) => plain(inner.pick(['a', 'é', '🧾', '&', '1']).repeat(inner.number(1, max))),
		};
	},
	(dice) => {
		const max = BigInt(dice.number(0, 1000));
		return {
			kind: 'bounds of long',
			definition: restriction('long', facet('minInclusive', -5) + facet('maxInclusive', `${max}`)),
			value: (inner) => wholeNumber(inner, -5n, max),
		};
	},
	() => ({
		kind: 'bounds of int',
		definition: restriction('int', facet('minExclusive', 0) + facet('maxExclusive', 13)),
		value: (dice) => wholeNumber(dice, 1n, 12n),
	}),
	() => ({
		kind: 'digits',
		definition: restriction('decimal', facet('totalDigits', 6) + facet('fractionDigits', 2)),
		value: (dice) => {
			const number = dice.number(-999_999, 999_999) / 100;
			return plain(number, String(number), number.toFixed(2));
		},
	}),
	() => ({
		kind: 'list of int',
		definition: '<s:list itemType="s:int"/>',
		value: (dice) =>
			tokensOf(
				Array.from({ length: dice.number(0, 3) }, () =>
					wholeNumber(dice, -(2n ** 31n), 2n ** 31n - 1n),
				),
			),
	}),
	() => {
		const of = enumeration(['Mon', 'Tue', 'Wed']);
		return {
			kind: 'list of an enumeration',
			definition: `<s:list><s:simpleType>${of.definition}</s:simpleType></s:list>`,
			value: (dice) => tokensOf(Array.from({ length: dice.number(0, 3) }, () => of.value(dice))),
		};
	},
	() => ({
		kind: 'union',
		definition: '<s:union memberTypes="s:int s:date"/>',
		value: (dice) => plain(dice.pick(['-7', '2026-11-22'])),
	}),
	() => {
		const [one, other] = [enumeration(['None', 'Not known']), enumeration(['A', 'B'])];
		const member = ({ definition }: Definition): string =>
			`<s:simpleType>${definition}</s:simpleType>`;
		return {
			kind: 'union of enumerations',
			definition: `<s:union>${member(one)}${member(other)}</s:union>`,
			value: (dice) => dice.pick([one, other]).value(dice),
		};
	},
];

export function builtInType(dice: Dice): SimpleType {
	// The types that services use most come as often as all others together.
	return dice.pick(dice.chance(50) ? builtIns.slice(0, 2) : builtIns);
}

/** An anonymous restriction, list or union. */
export function restrictedType(dice: Dice): SimpleType {
	return { ...dice.pick(restricted)(dice), name: undefined };
}

/** All that types of this file are examples of. */
export const simpleKinds: readonly string[] = [
	...builtIns.map(({ kind }) => kind),
	'enumeration',
	'enumeration of int',
	'guid',
	'pattern',
	'length',
	'bounds of long',
	'bounds of int',
	'digits',
	'list of int',
	'list of an enumeration',
	'union',
	'union of enumerations',
];
