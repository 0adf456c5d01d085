/** Values of each kind: how they are written, why they are refused, and what is read of a text. */
import type { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Field, ScalarField } from '../../../nodes/shared/contract/fields.ts';
import { addressInsert } from '../../../nodes/shared/contract/operations.ts';
import { retryDelay } from '../../../nodes/shared/http/failures.ts';
import { InputError } from '../../../nodes/shared/values/InputError.ts';
import { readScalar, writeScalar } from '../../../nodes/shared/values/scalars.ts';
import { isEmpty } from '../../../nodes/shared/values/values.ts';
import { runs } from '../../support/runs.mts';

const int = { kind: 'int' } as const;
const integer = { kind: 'integer' } as const;
const decimal = { kind: 'decimal' } as const;
const float = { kind: 'float' } as const;
const string = { kind: 'string' } as const;
const boolean = { kind: 'boolean' } as const;
const date = { kind: 'date' } as const;
const dateTime = { kind: 'dateTime' } as const;
const time = { kind: 'time' } as const;
const base64 = { kind: 'base64Binary' } as const;
const oneOf = (...values: readonly string[]): ScalarField => ({ kind: 'enumeration', values });
const { CountryISOCode: country, Type: type } = addressInsert.request.fields.Address.fields;

/** A Luxon DateTime, as far as it matters: n8n's expressions give such objects. */
const dateTimeOf = (iso: string | null) => ({ toISO: () => iso, toJSON: () => iso });

describe('a value is written', () => {
	it.each<[ScalarField, unknown, string]>([
		[int, -0, '0'],
		[int, 2147483647, '2147483647'],
		[int, -2147483648, '-2147483648'],
		[int, ' +7 ', '7'],
		[integer, -0, '0'],
		[integer, ' 9223372036854775807 ', '9223372036854775807'],
		[integer, `${'0'.repeat(99)}7`, `${'0'.repeat(99)}7`],
		[decimal, '12.3400', '12.3400'],
		[decimal, 9007199254740991, '9007199254740991'],
		[decimal, 100 / 3, '33.333333333333336'],
		[decimal, 1.5e-7, '0.00000015'],
		[decimal, -2.5e-10, '-0.00000000025'],
		[decimal, ' +.25\n', '+.25'],
		[decimal, '5.', '5.'],
		[float, 1e21, '1e+21'],
		[float, ' 1E5 ', '1E5'],
		[float, '.55', '.55'],
		[float, 'NaN', 'NaN'],
		[float, '-INF', '-INF'],
		[boolean, true, 'true'],
		[boolean, ' TRUE ', 'true'],
		[boolean, 'False', 'false'],
		// As spreadsheets give a text.
		[string, 12, '12'],
		[string, 1e-7, '0.0000001'],
		[type, 'WorkAddress', 'WorkAddress'],
		[oneOf('10', '2.5'), 10, '10'],
		[oneOf('true', 'false'), true, 'true'],
		[country, ' BE ', 'BE'],
		// ISO 3166-1 has no code for Kosovo.
		[country, 'XK', 'XK'],
		[country, 'nl', 'NL'],
		[country, 'NLD', 'NL'],
		[country, 'Nederland', 'NL'],
		[country, 'netherlands', 'NL'],
		[country, 'curacao', 'CW'],
		[dateTime, '2026-11-22T09:30:00', '2026-11-22T09:30:00'],
		[dateTime, '2024-02-29T24:00:00Z', '2024-02-29T24:00:00Z'],
		[dateTime, new Date(0), '1970-01-01T00:00:00.000Z'],
		[dateTime, ' 2026-11-22 ', '2026-11-22T00:00:00'],
		[dateTime, dateTimeOf('2026-11-22T09:30:00.000+01:00'), '2026-11-22T09:30:00.000+01:00'],
		[date, '2026-11-22+01:00', '2026-11-22+01:00'],
		[date, '2026-11-22T00:00:00', '2026-11-22'],
		[date, dateTimeOf('2026-11-22T00:00:00.000+01:00'), '2026-11-22'],
		// Cairo and Santiago set their clocks forward at midnight.
		[date, '2026-04-24T01:00:00.000+03:00', '2026-04-24'],
		[date, '12026-01-01', '12026-01-01'],
		[time, '09:30:00.5', '09:30:00.5'],
		[time, dateTimeOf('2026-11-22T09:30:00.000+01:00'), '09:30:00.000+01:00'],
		[base64, 'aGVs\nbG8=', 'aGVsbG8='],
		[base64, 'aGVsbA==', 'aGVsbA=='],
	])('of %j: %j', (field, value, text) => {
		expect(writeScalar(field, value)).toBe(text);
	});
});

const SEVERAL = 'is more than one whole number. Use one input item or call for each.';
const RANGE = 'is out of range. Write a whole number from -2147483648 to 2147483647';
const TOO_LONG = 'has more than 15 digits. Write it as a string.';
const NOT_BOOLEAN = 'is neither true nor false.';
const TYPES =
	'Choose HomeAddress, PostAddress, AbsenceAddress, HolidaysAddress, WeekendAddress or WorkAddress.';
const NO_COUNTRY = 'is not a country or its code of two letters. Write';
const DATE_TIME = 'is not a date and time. Write it like 2026-01-31T12:00:00';
const DATE = 'is not a date. Write it like 2026-01-31';

/** How an error begins that shows a value. */
function shown(value: unknown): string {
	if (isEmpty(value)) return '';
	return `: ${typeof value === 'number' ? String(value) : JSON.stringify(value)}`;
}

describe('a value is refused', () => {
	it.each<[ScalarField, string, readonly unknown[]]>([
		[int, 'is empty.', ['', '  ', undefined]],
		[int, 'is not a whole number.', [1.5, '6,5', '1e3', '0x10', true, ['5'], '12.000']],
		[int, 'is not a whole number. Write 1001', ['1001.0']],
		[int, 'is not a whole number. Write 6', ['6,00']],
		[int, SEVERAL, ['1001, 1002', '1001,1002', '6; 7', [1001, 1002]]],
		[int, RANGE, [2147483648, '-2147483649']],
		[integer, 'is empty.', ['']],
		[integer, 'is not a whole number.', ['1e3']],
		[integer, 'is not a whole number. Write 6', ['6,00']],
		[integer, SEVERAL, ['6; 7']],
		[integer, TOO_LONG, [2 ** 53]],
		[decimal, 'is empty.', ['', null]],
		[decimal, 'is not a number.', ['abc', '1e3', Number.NaN, true, '--1', '.']],
		// It is not guessed what is meant.
		[decimal, 'is not a number.', ['1,2,3', ',5', '5,', '1,234,5', '1.234.56', '€', '12 pieces']],
		[decimal, TOO_LONG, [JSON.parse('-12345678901234567890'), 1e21]],
		[float, 'is not a number.', [Number.NaN]],
		[float, 'is not a number. Write 1.5', ['1,5']],
		[boolean, 'is empty.', ['']],
		[boolean, `${NOT_BOOLEAN} Write true`, ['yes', ' Ja ', 'waar', '1', 1, 'on']],
		[boolean, `${NOT_BOOLEAN} Write false`, ['no', 'nee', 'onwaar', '0', 0, 'uit']],
		[boolean, NOT_BOOLEAN, ['maybe', 2, {}, [], ['true']]],
		[
			string,
			'contains a control character or a broken emoji.',
			['\u0000', 'a\u0008b', '\u000bc', '\ud800', 'x\udc00', '\ufffe', '\uffff'],
		],
		[string, 'is not a text.', [true, {}, [], Number.NaN, Infinity]],
		// The message quotes it, so that it looks like one.
		[string, 'is a date or a duration, not a text.', [new Date(0)]],
		[string, TOO_LONG, [2 ** 53, -1e21]],
		[type, `is not known. ${TYPES}`, ['Work']],
		[type, `is empty. ${TYPES}`, ['']],
		[oneOf('Kind 1'), 'is not known. Choose Kind 1.', ['Kind 2']],
		[country, `${NO_COUNTRY} one such as NL`, ['the netherlands', 'N', 31, 'XX', 'EU']],
		[country, `${NO_COUNTRY} GB`, ['UK']],
		[country, `${NO_COUNTRY} RU`, ['su']],
		[dateTime, DATE_TIME, ['2026-02-30', '22-11-2026', new Date(Number.NaN), dateTimeOf(null)]],
		[date, 'is empty.', ['']],
		[date, DATE, ['2026-02-29', '1900-02-29', '0000-01-01', '22-11-2026', '2026-11-22T02:00:00']],
		// No dates of Excel.
		[date, DATE, [60, 60.5, 0, 0.5, -1, 2958466, 20251201, true]],
		[time, 'is not a time. Write it like 12:00:00', ['2026-11-22T09:30:00', '25:00:00', '9.30']],
		[base64, 'is not base64.', ['aGVsbG8', 'aGVsbG9=']],
	])('of %j, which %s', (field, text, values) => {
		for (const value of values) {
			expect(() => writeScalar(field, value)).toThrow(new Error(`${shown(value)} ${text}`));
		}
	});

	it.each([
		['33,34', '33.34'],
		[' -0,125 ', '-0.125'],
		['1234,567', '1234.567'],
		['1.234,5', '1234.5'],
		['1,234.5', '1234.5'],
		["1'234", '1234'],
		['-1.234.567', '-1234567'],
		['33,34 %', '33.34'],
		['€ 1.234,56', '1234.56'],
		['12,50 EUR', '12.50'],
		// A single group of three digits may as well be a fraction.
		['1,234', '1.234 or 1234'],
		['€ 3.100', '3.100 or 3100'],
	])('as the number %j, with what it may be meant as', (value, meant) => {
		const what = /[%€E]/.test(value) ? 'has a sign beside the number' : 'is not a number';
		const message = new Error(`${shown(value)} ${what}. Write ${meant}`);
		expect(() => writeScalar(decimal, value)).toThrow(message);
	});

	it.each([
		[date, 45992, 'a date', '2025-12-01'],
		[date, ' 45992.5 ', 'a date', '2025-12-01'],
		[dateTime, 45992.5, 'a date and time', '2025-12-01T12:00:00'],
		[dateTime, 45992.999995, 'a date and time', '2025-12-02T00:00:00'],
		[time, '45992.75', 'a time', '18:00:00'],
		[time, 0.395833, 'a time', '09:30:00'],
		// Excel has a 29 February 1900, day 60, which the calendar has not.
		[date, 1, 'a date', '1900-01-01'],
		[date, 59, 'a date', '1900-02-28'],
		[date, 61, 'a date', '1900-03-01'],
		[date, 2958465, 'a date', '9999-12-31'],
	] as const)('of %j, with what the Excel date %j is', (field, value, expected, meant) => {
		const kept = `an Excel ${expected.slice(2)}`;
		const text = `is not ${expected}. If it is ${kept}, write ${meant}`;
		expect(() => writeScalar(field, value)).toThrow(new Error(`${shown(value)} ${text}`));
		expect(writeScalar(field, meant)).toBe(meant);
	});
});

describe('a text is read', () => {
	it.each<[ScalarField, string, unknown]>([
		[int, '+007', 7],
		[int, ' \n12\t', 12],
		[int, '-0', 0],
		[int, '2147483647', 2147483647],
		[int, '-2147483648', -2147483648],
		[integer, ' 0012 ', 12],
		[integer, '-0', 0],
		[integer, '9223372036854775807', '9223372036854775807'],
		[decimal, ' 12.3400\n', 12.34],
		[decimal, '.5', 0.5],
		[decimal, '5.', 5],
		[decimal, '-9007199254740993', '-9007199254740993'],
		// Longer than any number has digits, and a number all the same.
		[decimal, '0000000000000012.500', 12.5],
		[decimal, '+00000000000000.5000', 0.5],
		[decimal, '-00000000000000.0500', -0.05],
		[decimal, '-000000000000000.00', 0],
		[decimal, '10000000000000000000000', '10000000000000000000000'],
		[decimal, '9007199254740992', '9007199254740992'],
		[decimal, '9007199254740991', 9007199254740991],
		[decimal, '0.00000000000000000001', 1e-20],
		[decimal, '12.500000000000000001', '12.500000000000000001'],
		[decimal, '0.1000000000000000055', '0.1000000000000000055'],
		[float, ' 1.5E-3 ', 0.0015],
		[float, '-0', 0],
		[float, 'INF', 'INF'],
		[float, '1e999', '1e999'],
		[boolean, ' true ', true],
		[boolean, '1', true],
		[boolean, 'false', false],
		[boolean, '0', false],
		[string, ' a\n', ' a\n'],
		[type, ' WorkAddress\n', 'WorkAddress'],
		[type, 'MoonAddress', 'MoonAddress'],
		[oneOf(' A '), ' A ', ' A '],
		[country, 'nl ', 'nl '],
		[date, ' 2026-11-22Z\n', '2026-11-22Z'],
		[base64, ' aGVs\n bG8= ', 'aGVsbG8='],
	])('of %j: %j', (field, text, value) => {
		expect(readScalar(field, text)).toBe(value);
	});

	it.each<[ScalarField, readonly string[]]>([
		[int, ['', ' ', '1.0', '2147483648', '-2147483649', '1e3', 'NaN', '12a', 'a12']],
		[integer, ['1.0']],
		[decimal, ['', 'NaN', 'INF', '1e5', 'abc', '1,5']],
		[float, ['Infinity']],
		[boolean, ['', 'TRUE', 'yes', '2']],
		[dateTime, ['2026-11-22']],
		[date, ['2026-13-01', '2026-11-22T00:00:00']],
		[time, ['9:30']],
		[base64, ['a']],
	])('but not, of %j: %j', (field, texts) => {
		expect(texts.map((text) => readScalar(field, text))).toEqual(texts.map(() => undefined));
	});
});

it.each<[Field['kind'], string]>([
	['int', '0'],
	['integer', '9'],
	['decimal', '9'],
	['float', '9'],
	['boolean', 't'],
	['date', '2'],
	['dateTime', '2'],
	['time', '1'],
])('of the kind %s, a text of millions of characters is refused by its length', (kind, digit) => {
	const field = { kind } as ScalarField;
	const text = digit.repeat(6_000_000);
	expect(readScalar(field, text)).toBeUndefined();
	expect(() => writeScalar(field, text)).toThrow(`... has more than 500 characters.`);
	expect(readScalar(field, ` ${digit.repeat(501)}`)).toBeUndefined();
});

declare const createNativeRequire: typeof createRequire;
const load = createNativeRequire(
	join(process.cwd(), 'node_modules', 'n8n-workflow', 'package.json'),
);
/** The real process: jest gives tests a copy of its environment. */
const { env } = load('node:process') as typeof process;
/** The dates of n8n's expressions. */
const { DateTime } = load('luxon') as typeof import('luxon');

const HOUR = 3_600_000;
const start = Date.UTC(2026, 0, 1);
/** Each hour of the year; by day, one in seven, which are all hours of a day in turn. */
const step = runs().numRuns > 100 ? 1 : 7;
const hours = Array.from({ length: (365 * 24) / step }, (_, i) => start + i * step * HOUR);
const days = Array.from({ length: 365 }, (_, i) =>
	new Date(start + i * 24 * HOUR).toISOString().slice(0, 10),
);

/** The day that a value is written as; undefined if it is refused. */
function written(value: unknown): string | undefined {
	try {
		return writeScalar({ kind: 'date' }, value);
	} catch (error) {
		expect(error).toBeInstanceOf(InputError);
		return undefined;
	}
}

// In Santiago and Cairo, the day on which clocks are set forward has no midnight. Auckland is ahead of UTC by 13 hours.
describe.each(['America/Santiago', 'Africa/Cairo', 'Pacific/Auckland'])('in %s', (zone) => {
	const { TZ } = env;
	beforeAll(() => (env.TZ = zone));
	afterAll(() => {
		if (TZ === undefined) delete env.TZ;
		else env.TZ = TZ;
	});

	it('the start of each day of a workflow is written as that day', () => {
		const starts = days.map((day) => DateTime.fromISO(day, { zone }).startOf('day'));
		expect(starts.map(written)).toEqual(days);
		expect(starts.map((start) => written(start.toISO()))).toEqual(days);
	});

	it('each hour of a workflow is written as its time', () => {
		const values = hours.map((hour) => DateTime.fromMillis(hour, { zone }));
		expect(values.map((value) => writeScalar({ kind: 'time' }, value))).toEqual(
			values.map((value) => value.toFormat('HH:mm:ss.SSSZZ')),
		);
	});

	it('every notation of a date in Retry-After is read as the same instant', () => {
		const wrong = hours.flatMap((hour) => {
			const date = new Date(hour).toUTCString();
			const [weekday, day = '', month, year, time] = date.split(/,? /);
			const asctime = `${weekday} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`;
			const all = [date, `${weekday}day, ${day}-${month}-26 ${time} GMT`, asctime];
			jest.spyOn(Date, 'now').mockReturnValue(hour - 30_000);
			return all.filter((header) => {
				const response = { status: 503, headers: { 'retry-after': header }, body: Buffer.alloc(0) };
				return retryDelay(response, 'read', 1) !== 30_000;
			});
		});
		jest.restoreAllMocks();
		expect(wrong).toEqual([]);
	});
});
