/** Dates and times in the notation of XML Schema (ISO 8601), which are read as they are. */
import { invalidValue, missing } from '../errors/InputError';
import { isEmpty } from '../errors/words';
import type { Kind } from './kind';
import { isInstant } from './values';

const DATE = '-?((?!0000)\\d{4}|[1-9]\\d{4,})-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const TIME = '(?:(?:[01]\\d|2[0-3])(?::[0-5]\\d){2}(?:\\.\\d+)?|24:00:00(?:\\.0+)?)';
const ZONE = '(?:Z|[+-](?:(?:0\\d|1[0-3]):[0-5]\\d|14:00))?';

/**
 * The start of a day, as n8n's date picker gives a date: one o'clock, where clocks are set forward at
 * midnight.
 */
const DAY_START = /^([^T]*)T0[01]:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:\d\d)?$/;

/** Whether the month has that day. The calendar repeats every 400 years. */
function isDay([, year = '', month = '', day = '']: readonly string[]): boolean {
	const cycle = 2000 + (Number(year.slice(-4)) % 400);
	return Number(day) <= new Date(Date.UTC(cycle, Number(month), 0)).getUTCDate();
}

/** Returns a `Date` or a DateTime of Luxon as text, `null` if it is invalid; any other value as it is. */
export function instantOf(value: unknown): unknown {
	return isInstant(value) ? value.toJSON() : value;
}

/** @param pick the part of an instant that is a value of this kind, if it has one */
function temporal(
	expected: string,
	pattern: string,
	example: string,
	pick: (instant: string, value: unknown) => string | undefined,
): Kind {
	const form = new RegExp(`^${pattern}${ZONE}$`);
	const readText = (text: string): string | undefined => {
		const trimmed = text.trim();
		const match = form.exec(trimmed);
		return match !== null && (match[1] === undefined || isDay(match)) ? trimmed : undefined;
	};
	return {
		expected,
		example,
		write(value) {
			const instant = instantOf(value);
			const text =
				typeof instant === 'string' ? readText(pick(instant, value) ?? instant) : undefined;
			if (text !== undefined) return text;
			throw isEmpty(value)
				? missing()
				: invalidValue(value, `is not ${expected}. Write it like ${example}`);
		},
		read: readText,
	};
}

/** `2026-11-22T09:30:00` as it is; a date of a spreadsheet: `2026-11-22` → `2026-11-22T00:00:00`. */
export const dateTime = temporal(
	'a date and time',
	`${DATE}T${TIME}`,
	'2026-01-31T12:00:00',
	(instant) => instant.replace(/^\s*([\d-]+)\s*$/, '$1T00:00:00'),
);

/** `2026-11-22` as it is; the start of a day: `2026-11-22T00:00:00.000+01:00` → `2026-11-22`. */
export const date = temporal(
	'a date',
	DATE,
	'2026-01-31',
	(instant) => DAY_START.exec(instant)?.[1],
);

/**
 * `09:30:00` as it is; a date and time if it is an object, such as Luxon's: `09:30:00.000+01:00`. Of a
 * text with a date, the time alone may not be what is meant.
 */
export const time = temporal('a time', TIME, '12:00:00', (instant, value) =>
	typeof value === 'object' ? instant.split('T')[1] : undefined,
);
