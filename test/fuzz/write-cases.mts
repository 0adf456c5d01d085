/** Random writes: the records before them, what is asked, and what the service does. */
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import {
	answerOf,
	codeOf,
	hangs,
	lost,
	normalisations,
	serverFault,
	unavailable,
	type Applied,
	type NormalisationName,
	type Row,
} from '../support/plain-service.mts';

export const answers = {
	success: undefined,
	lost,
	'a coded fault': serverFault('1205: Deadlock'),
	'an unclear fault': serverFault('Out of memory'),
	unconfirmed: answerOf('<Errors><Error>No</Error></Errors>'),
};
export const readings = { readable: undefined, hangs, unavailable, lost };

/** A behaviour of the service, by names that a counterexample shows. */
export interface Plays {
	readonly applies: Applied;
	readonly answer: keyof typeof answers;
	readonly reads: keyof typeof readings;
}

/** What an item asks: rows of cost centers, or an address. */
interface Asked {
	/** The first employee or the second one. */
	readonly employee: 0 | 1;
	readonly rows: readonly Row[];
}

export interface Case {
	readonly isInsert: boolean;
	/** Of each employee. */
	readonly before: ReadonlyArray<readonly Row[]>;
	readonly asked: readonly Asked[];
	/** Of the writes of an employee, again and again. */
	readonly plays: readonly Plays[];
	readonly normalises: readonly NormalisationName[];
	readonly options: INodeParameters;
	readonly mode: 'stops' | 'continues' | 'tries';
	/** Whether all that was delayed arrives before the execution is retried. */
	readonly recovers: boolean;
}

const some = <const T,>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

const costCenter = fc
	.record({
		code: some('4100', '4200', '4300', 'KP02', 'kp-02', 'é1'),
		share: some('0', '12.345', '33.33', '33.333', '50', '66.67', '100'),
		isDefault: fc.oneof({ arbitrary: fc.constant(undefined), weight: 3 }, some('true', 'false')),
		type: fc.oneof({ arbitrary: fc.constant(undefined), weight: 3 }, some('400', '410')),
	})
	.map(
		({ code, share, isDefault, type }): Row => ({
			CostCenter: { Code: code },
			...(type && { Kostensoort: { Code: type } }),
			Percentage: share,
			...(isDefault && { Default: isDefault }),
		}),
	);

const address = fc.record({
	Street: some('Keizersgracht', 'keizersgracht ', 'Prinsengracht'),
	HouseNumber: some('241', '24'),
	HouseNumberAddition: some('', 'B', '1'),
	PostalCode: some('1016 EA', '1016ea', '1011 AB'),
	City: some('Amsterdam', 'Haarlem'),
	CountryISOCode: some('', 'NL', 'BE'),
	Type: some('HomeAddress', 'PostAddress'),
});
/** Without the fields that have no text. */
const given = (row: Row): Row =>
	Object.fromEntries(Object.entries(row).filter(([, text]) => text !== ''));

/** Letters and digits alone. */
export const letters = (text: unknown): string =>
	String(text ?? '')
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

const plays: fc.Arbitrary<Plays> = fc.record({
	applies: some<Applied>('once', 'once', 'once', 'never', 'half', 'twice', 'merged', 1, 2, 9),
	answer: some(
		'success',
		'success',
		'lost',
		'lost',
		'a coded fault',
		'an unclear fault',
		'unconfirmed',
	),
	reads: some(
		...Array<'readable'>(12).fill('readable'),
		'hangs',
		'unavailable',
		'unavailable',
		'lost',
	),
});

/**
 * A case in which the mark of an item tells its writes: cost centers keep those of other items, so that these are sent in
 * order, and none is sent again, as is what was refused with a code.
 */
function withMarks(one: Case): Case {
	const employees = one.asked.map(({ employee }) => employee);
	if (one.isInsert || new Set(employees).size === employees.length) return one;
	const clear = (play: Plays): Plays =>
		play.answer === 'a coded fault' ? { ...play, answer: 'an unclear fault' } : play;
	return { ...one, plays: one.plays.map(clear) };
}

export const cases: fc.Arbitrary<Case> = fc.boolean().chain((isInsert) => {
	const row: fc.Arbitrary<Row> = isInsert ? address.map(given) : costCenter;
	const distinct = (minLength: number, maxLength: number) =>
		isInsert
			? fc.array(row, { minLength, maxLength })
			: fc.uniqueArray(row, { minLength, maxLength, selector: (one) => letters(codeOf(one)) });
	const asked = fc.record({ employee: some(0, 0, 1), rows: distinct(1, isInsert ? 1 : 3) });
	return fc
		.record({
			isInsert: fc.constant(isInsert),
			before: fc.tuple(distinct(0, 4), distinct(0, 2)),
			asked: fc.array(asked, { minLength: 1, maxLength: 3 }),
			plays: fc.array(plays, { minLength: 1, maxLength: 2 }),
			normalises: fc.subarray(Object.keys(normalisations) as NormalisationName[]),
			options: fc.record({
				keepOthers: fc.boolean(),
				skipIfExists: fc.boolean(),
				verify: fc.boolean(),
			}),
			mode: some('stops', 'continues', 'tries'),
			recovers: fc.boolean(),
		})
		.map(withMarks);
});
