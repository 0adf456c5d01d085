/** Dates and times in the notation of XML Schema (ISO 8601), which are read as they are. */
import { invalidValue, missing } from './InputError';
import type { Kind } from './kind';
import { isEmpty, isInstant } from './values';

const DATE = '-?((?!0000)\\d{4}|[1-9]\\d{4,})-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const TIME = '(?:(?:[01]\\d|2[0-3])(?::[0-5]\\d){2}(?:\\.\\d+)?|24:00:00(?:\\.0+)?)';
const ZONE = '(?:Z|[+-](?:(?:0\\d|1[0-3]):[0-5]\\d|14:00))?';

/** The start of a day, as n8n's date picker gives a date: one o'clock, where clocks are set forward at midnight. */
const DAY_START = /^([^T]*)T0[01]:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:\d\d)?$/;

/** Returns a `Date` or a DateTime of Luxon as text, `null` if it is invalid; any other value as it is. */
export function instantOf(value: unknown): unknown {
	return isInstant(value) ? value.toJSON() : value;
}

/** The day 29 February 1900 of Excel, which the calendar does not have, and its last one, 9999-12-31. */
const [NO_DAY, LAST_DAY] = [60, 2_958_465];

/** Returns the date and time of a number of days, as spreadsheets store them: 45992.5 → "2025-12-01T12:00:00". */
function dateOfSpreadsheet(value: unknown): string | undefined {
	const isNumber = typeof value === 'string' && /^\s*\d+(?:\.\d+)?\s*$/.test(value);
	const days = isNumber ? Number(value) : value;
	if (typeof days !== 'number' || !(days >= 1 && days < LAST_DAY + 1)) return undefined;
	if (Math.floor(days) === NO_DAY) return undefined;
	const start = Date.UTC(1899, 11, days < NO_DAY ? 31 : 30);
	const seconds = Math.round(days * 86_400);
	return new Date(start + seconds * 1000).toISOString().slice(0, -'.000Z'.length);
}

/**
 * @param pick the part of an instant that is a value of this kind, if it has one
 * @param shown the part of a spreadsheet's date and time that is
 */
function temporal(
	expected: string,
	pattern: string,
	example: string,
	pick: (instant: string, value: unknown) => string | undefined,
	shown: (instant: string) => string,
): Kind {
	const form = new RegExp(`^${pattern}${ZONE}$`);
	const readText = (text: string): string | undefined => {
		const trimmed = text.trim();
		const match = form.exec(trimmed);
		if (match === null) return undefined;
		const [, year, month, day] = match;
		if (year === undefined) return trimmed;
		// The calendar repeats every 400 years.
		const cycle = 2000 + (Number(year.slice(-4)) % 400);
		const lastDay = new Date(Date.UTC(cycle, Number(month), 0)).getUTCDate();
		return Number(day) <= lastDay ? trimmed : undefined;
	};
	return {
		expected,
		example,
		write(value) {
			const instant = instantOf(value);
			const text = typeof instant === 'string' && readText(pick(instant, value) ?? instant);
			if (typeof text === 'string') return text;
			if (isEmpty(value)) throw missing();
			const days = dateOfSpreadsheet(value);
			const advice = days
				? `If it is an Excel date, write ${shown(days)}`
				: `Write it like ${example}`;
			throw invalidValue(value, `is not ${expected}. ${advice}`);
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
	(instant) => instant,
);

/** `2026-11-22` as it is; the start of a day: `2026-11-22T00:00:00.000+01:00` → `2026-11-22`. */
export const date = temporal(
	'a date',
	DATE,
	'2026-01-31',
	(instant) => DAY_START.exec(instant)?.[1],
	(instant) => instant.slice(0, 'yyyy-mm-dd'.length),
);

/** `09:30:00` as it is; of an object, such as Luxon's, `09:30:00.000+01:00`. A text with a date may mean both. */
export const time = temporal(
	'a time',
	TIME,
	'12:00:00',
	(instant, value) => (typeof value === 'object' ? instant.split('T')[1] : undefined),
	(instant) => instant.slice('yyyy-mm-ddT'.length),
);
