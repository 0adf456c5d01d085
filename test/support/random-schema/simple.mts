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

/** A simple type as it is defined. */
interface Definition {
	/** What it is an example of. */
	readonly kind: string;
	/** Its definition, without `xs:simpleType` around it; empty for a type of XML Schema. */
	readonly definition: string;
	/** Values that the type does not allow. */
	readonly wrong: readonly unknown[];
	value(dice: Dice): SimpleValue;
}

export interface SimpleType extends Definition {
	/** Its name with a prefix; `undefined` if it is anonymous. */
	readonly name: string | undefined;
}

function plain(given: unknown, text = String(given), answer = text, read = given): SimpleValue {
	return { given, text, answer, read };
}

/** No text can be made of it. */
export const NO_TEXT = [{}];

function builtIn(
	kind: string,
	value: (dice: Dice) => SimpleValue,
	wrong: readonly unknown[] = NO_TEXT,
): SimpleType {
	return { kind, name: `s:${kind}`, definition: '', wrong, value };
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

const MAX_INT = 2n ** 31n - 1n;
const LARGE = 10n ** 22n;

const int = (dice: Dice): SimpleValue => wholeNumber(dice, -MAX_INT - 1n, MAX_INT);

/** Types of whole numbers; `wrong` is a number that is just out of range. */
const integers = (
	[
		['int', -MAX_INT - 1n, MAX_INT, MAX_INT + 1n],
		['long', -(2n ** 63n), 2n ** 63n - 1n, 2n ** 63n],
		['unsignedByte', 0n, 255n, -1n],
		['integer', -LARGE, LARGE, '1.5'],
	] as const
).map(([name, min, max, wrong]) =>
	builtIn(name, (dice) => wholeNumber(dice, min, max), [String(wrong)]),
);

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
	if (dice.chance(80)) return plain(`${day(dice)}T${clock(dice)}${zone(dice)}`);
	const [min, max] = [new Date(0), new Date(4_000_000_000_000)];
	const date = dice.of(fc.date({ min, max, noInvalidDate: true }));
	const text = date.toISOString();
	return plain(date, text, text, text);
}

function date(dice: Dice): SimpleValue {
	const text = day(dice);
	if (dice.chance(80)) return plain(text + zone(dice));
	return plain(`${text}T00:00:00`, text, text, text);
}

function base64(dice: Dice): SimpleValue {
	const text = Buffer.from(dice.of(fc.uint8Array({ maxLength: 20 }))).toString('base64');
	return plain(text, text, dice.pick([text, text.replace(/^(.{4})/, '$1\n')]));
}

const word = (dice: Dice): string => dice.of(fc.stringMatching(/^[a-zA-Z]{1,8}$/));

function boolean(dice: Dice): SimpleValue {
	const value = dice.chance(50);
	const answer = dice.pick([String(value), String(Number(value)), ` ${value}`]);
	return plain(dice.pick([value, String(value)]), String(value), answer, value);
}

/** A list of up to three values. */
function tokensOf(dice: Dice, value: (dice: Dice) => SimpleValue, min = 0): SimpleValue {
	const values = Array.from({ length: dice.number(min, 3) }, () => value(dice));
	return {
		given: values.map(({ given }) => given),
		text: values.map(({ text }) => text).join(' '),
		answer: values.map(({ answer }) => answer.trim()).join(' \n'),
		read: values.map(({ read }) => read),
	};
}

export const stringType = builtIn('string', (dice) => plain(dice.of(xmlText)));

const builtIns: readonly SimpleType[] = [
	stringType,
	...integers,
	builtIn('decimal', decimal, ['1e3', 'x']),
	builtIn('double', float, ['Infinity']),
	builtIn('boolean', boolean, ['maybe', 1]),
	builtIn('dateTime', dateTime, ['2026-02-30']),
	builtIn('date', date, ['2026-02-29']),
	builtIn('time', (dice) => plain(clock(dice) + zone(dice)), ['25:00:00']),
	builtIn('base64Binary', base64, ['a_-b']),
	builtIn('NMTOKENS', (dice) => tokensOf(dice, (own) => plain(word(own)), 1), ['no list']),
];

function enumeration(kind: string, base: string, names: readonly string[]): Definition {
	return {
		kind,
		definition: `<s:restriction base="s:${base}">${names.map((name) => `<s:enumeration value="${name}"/>`).join('')}</s:restriction>`,
		wrong: ['Unknown'],
		value: (dice) => {
			const name = dice.pick(names);
			const given = base !== 'string' && dice.chance(50) ? Number(name) : name;
			return plain(given, name, name, name);
		},
	};
}

const weekdays = enumeration('', 'string', ['Mon', 'Tue', 'Wed']);

const restricted: readonly Definition[] = [
	enumeration('enumeration', 'string', ['HomeAddress', 'Te laat / afwezig', ' Über ']),
	enumeration('enumeration of int', 'int', ['1', '2', '30']),
	{
		kind: 'restriction',
		definition:
			'<s:restriction base="s:string"><s:maxLength value="3"/><s:pattern value="[a-f]*"/></s:restriction>',
		wrong: NO_TEXT,
		value: (dice) => plain(dice.pick(['', 'a', 'be', 'fed'])),
	},
	{
		kind: 'list of int',
		definition: '<s:list itemType="s:int"/>',
		wrong: [1, ['x']],
		value: (dice) => tokensOf(dice, int),
	},
	{
		kind: 'list of an enumeration',
		definition: `<s:list><s:simpleType>${weekdays.definition}</s:simpleType></s:list>`,
		wrong: [['Sun']],
		value: (dice) => tokensOf(dice, weekdays.value),
	},
];

export function builtInType(dice: Dice): SimpleType {
	// The types that services use most come as often as all others together.
	return dice.pick(dice.chance(50) ? builtIns.slice(0, 2) : builtIns);
}

/** An anonymous restriction or list. */
export function restrictedType(dice: Dice): SimpleType {
	return { ...dice.pick(restricted), name: undefined };
}

/** All that types of this file are examples of. */
export const simpleKinds: readonly string[] = [...builtIns, ...restricted].map(({ kind }) => kind);
