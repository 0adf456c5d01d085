/** The scalar kinds that only a service's own description has. */
import { readScalar as read, writeScalar } from '../../../nodes/shared/values/scalars.ts';
import type { ScalarField } from '../../../nodes/shared/contract/fields.ts';
import type { createRequire } from 'node:module';
import { join } from 'node:path';
import { InputError } from '../../../nodes/shared/values/InputError.ts';
import { retryDelay } from '../../../nodes/shared/http/failures.ts';
import { runs } from '../../support/runs.mts';

/** A Luxon DateTime, as far as it matters: n8n's expressions give such objects. */
const dateTimeOf = (iso: string | null) => ({ toISO: () => iso, toJSON: () => iso });

const integer = { kind: 'integer' } as const;

describe('a value is written', () => {
	it.each<[ScalarField, unknown, string]>([
		[integer, -0, '0'],
		[integer, ' 9223372036854775807 ', '9223372036854775807'],
		[{ kind: 'integer' }, '123456789012345678901234567890', '123456789012345678901234567890'],
		[integer, `${'0'.repeat(99)}7`, `${'0'.repeat(99)}7`],
		[{ kind: 'float' }, 1e21, '1e+21'],
		[{ kind: 'float' }, ' 1E5 ', '1E5'],
		[{ kind: 'float' }, '12.34', '12.34'],
		[{ kind: 'float' }, '.55', '.55'],
		[{ kind: 'float' }, 'NaN', 'NaN'],
		[{ kind: 'float' }, '-INF', '-INF'],
		[{ kind: 'dateTime' }, '2026-11-22T09:30:00', '2026-11-22T09:30:00'],
		[{ kind: 'dateTime' }, '2024-02-29T24:00:00Z', '2024-02-29T24:00:00Z'],
		[{ kind: 'dateTime' }, new Date(0), '1970-01-01T00:00:00.000Z'],
		[{ kind: 'dateTime' }, ' 2026-11-22 ', '2026-11-22T00:00:00'],
		[
			{ kind: 'dateTime' },
			dateTimeOf('2026-11-22T09:30:00.000+01:00'),
			'2026-11-22T09:30:00.000+01:00',
		],
		[{ kind: 'date' }, '2026-11-22+01:00', '2026-11-22+01:00'],
		[{ kind: 'date' }, '2026-11-22T00:00:00', '2026-11-22'],
		[{ kind: 'date' }, '2026-11-22T00:00:00.000Z', '2026-11-22'],
		[{ kind: 'date' }, dateTimeOf('2026-11-22T00:00:00.000+01:00'), '2026-11-22'],
		// Cairo and Santiago set their clocks forward at midnight.
		[{ kind: 'date' }, '2026-04-24T01:00:00.000+03:00', '2026-04-24'],
		[{ kind: 'date' }, '12026-01-01', '12026-01-01'],
		[{ kind: 'time' }, '09:30:00.5', '09:30:00.5'],
		[{ kind: 'time' }, dateTimeOf('2026-11-22T09:30:00.000+01:00'), '09:30:00.000+01:00'],
		[{ kind: 'base64Binary' }, 'aGVs\nbG8=', 'aGVsbG8='],
		[{ kind: 'base64Binary' }, 'aGVsbA==', 'aGVsbA=='],
		[{ kind: 'enumeration', values: ['10', '2.5'] }, 10, '10'],
	])('of %j: %j', (field, value, text) => {
		expect(writeScalar(field, value)).toBe(text);
	});
});

describe('a value is refused', () => {
	it.each<[ScalarField, unknown, string]>([
		[integer, '', ' is empty.'],
		[integer, '1e3', ': "1e3" is not a whole number.'],
		[integer, 2 ** 53, ': 9007199254740992 has more than 15 digits. Write it as a string.'],
		[{ kind: 'float' }, Number.NaN, ': NaN is not a number.'],
		[{ kind: 'float' }, '1,5', ': "1,5" is not a number. Write 1.5'],
		[{ kind: 'date' }, '', ' is empty.'],
		[
			{ kind: 'enumeration', values: ['Kind 1'] },
			'Kind 2',
			': "Kind 2" is not known. Choose Kind 1.',
		],
		[{ kind: 'base64Binary' }, 'aGVsbG8', ': "aGVsbG8" is not base64.'],
		[{ kind: 'base64Binary' }, 'aGVsbG9=', ': "aGVsbG9=" is not base64.'],
	])('of %j: %j', (field, value, message) => {
		expect(() => writeScalar(field, value)).toThrow(new Error(message));
	});
});

it.each([
	[
		'dateTime',
		'a date and time. Write it like 2026-01-31T12:00:00',
		['2026-02-30', '22-11-2026', new Date(Number.NaN), dateTimeOf(null)],
	],
	[
		'date',
		'a date. Write it like 2026-01-31',
		['2026-02-29', '1900-02-29', '0000-01-01', '22-11-2026', '2026-11-22T02:00:00'],
	],
	['time', 'a time. Write it like 12:00:00', ['2026-11-22T09:30:00', '25:00:00']],
] as const)('what is no %s is refused', (kind, expected, values) => {
	for (const value of values) {
		const message = `: ${JSON.stringify(value)} is not ${expected}`;
		expect(() => writeScalar({ kind }, value)).toThrow(new Error(message));
	}
});

it.each([
	['date', 45992, 'a date', '2025-12-01'],
	['date', ' 45992.5 ', 'a date', '2025-12-01'],
	['dateTime', 45992.5, 'a date and time', '2025-12-01T12:00:00'],
	['dateTime', 45992.999995, 'a date and time', '2025-12-02T00:00:00'],
	['time', '45992.75', 'a time', '18:00:00'],
	// Excel has a 29 February 1900, day 60, which the calendar has not.
	['date', 1, 'a date', '1900-01-01'],
	['date', 59, 'a date', '1900-02-28'],
	['date', 61, 'a date', '1900-03-01'],
	['date', 2958465, 'a date', '9999-12-31'],
] as const)('of a %s, the Excel date %j is offered as a date', (kind, value, expected, meant) => {
	const text = `is not ${expected}. If it is an Excel date, write ${meant}`;
	expect(() => writeScalar({ kind }, value)).toThrow(
		new Error(`: ${JSON.stringify(value)} ${text}`),
	);
	expect(writeScalar({ kind }, meant)).toBe(meant);
});

it.each([60, 60.5, 0, 0.5, -1, 2958466, 20251201, true])('%j is no Excel date', (value) => {
	expect(() => writeScalar({ kind: 'date' }, value)).toThrow(
		new Error(`: ${JSON.stringify(value)} is not a date. Write it like 2026-01-31`),
	);
});

describe('a text is read', () => {
	it.each<[ScalarField, string, unknown]>([
		[integer, ' 0012 ', 12],
		[integer, '-0', 0],
		[integer, '9223372036854775807', '9223372036854775807'],
		[{ kind: 'float' }, ' 1.5E-3 ', 0.0015],
		[{ kind: 'float' }, '-0', 0],
		[{ kind: 'float' }, 'INF', 'INF'],
		[{ kind: 'float' }, '1e999', '1e999'],
		[{ kind: 'date' }, ' 2026-11-22Z\n', '2026-11-22Z'],
		[{ kind: 'base64Binary' }, ' aGVs\n bG8= ', 'aGVsbG8='],
		[{ kind: 'enumeration', values: [' A '] }, ' A ', ' A '],
		[{ kind: 'enumeration', values: ['A'] }, ' B ', 'B'],
	])('of %j: %j', (field, text, value) => {
		expect(read(field, text)).toEqual(value);
	});

	it.each<[ScalarField, string]>([
		[integer, '1.0'],
		[{ kind: 'float' }, 'Infinity'],
		[{ kind: 'dateTime' }, '2026-11-22'],
		[{ kind: 'date' }, '2026-13-01'],
		[{ kind: 'date' }, '2026-11-22T00:00:00'],
		[{ kind: 'time' }, '9:30'],
		[{ kind: 'base64Binary' }, 'a'],
	])('but not, of %j: %j', (field, text) => {
		expect(read(field, text)).toBeUndefined();
	});
});

it.each<[ScalarField, string]>([
	[{ kind: 'int' }, '0'],
	[{ kind: 'integer' }, '9'],
	[{ kind: 'decimal' }, '9'],
	[{ kind: 'float' }, '9'],
	[{ kind: 'boolean' }, 't'],
	[{ kind: 'date' }, '2'],
	[{ kind: 'dateTime' }, '2'],
	[{ kind: 'time' }, '1'],
])('of %j, a text of millions of characters is refused by its length', (field, digit) => {
	const text = digit.repeat(6_000_000);
	expect(read(field, text)).toBeUndefined();
	expect(() => writeScalar(field, text)).toThrow(`... has more than 500 characters.`);
	expect(read(field, ` ${digit.repeat(501)}`)).toBeUndefined();
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
