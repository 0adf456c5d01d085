import { parse } from 'json-custom-numbers';
import { jsonParse } from 'n8n-workflow';
import { UnreadableError } from '../errors/ServiceError';
import { jsonNumber } from '../values/kind';

/** Deeper than any answer of the service: a value nested too deeply can break the code that reads it. */
const MAX_JSON_DEPTH = 64;

const MALFORMED = Symbol('malformed JSON');

function check(value: unknown, depth: number): void {
	// n8n would store an infinite number as null.
	if (typeof value === 'number' && !Number.isFinite(value)) {
		throw new UnreadableError('It holds a number that is too large.');
	}
	if (typeof value !== 'object' || value === null) return;
	if (depth > MAX_JSON_DEPTH) throw new UnreadableError('It is nested too deeply.');
	// A copy of an item drops such a field, or has its value as the prototype.
	if (Object.hasOwn(value, '__proto__')) {
		throw new UnreadableError('It holds a field named "__proto__".');
	}
	for (const element of Object.values(value)) check(element, depth + 1);
}

/** Returns the digits of a number from the first to the last that is not 0: "-0.0120e5" → "12". */
function significantDigits(number: string): string {
	return /[1-9](?:\d*[1-9])?/.exec(number.replace(/e.*|\D/gi, ''))?.[0] ?? '';
}

/** Reads a number; its text if JavaScript has no number with all of its digits. */
function parseNumber(text: string): number | string {
	const number = Number(text);
	const shortest = String(number);
	const isExact = shortest === text || significantDigits(shortest) === significantDigits(text);
	return isExact ? jsonNumber(number) : text;
}

/**
 * Parses the JSON of an answer. No digit of a number is lost: `12.3400` → `12.34`,
 * `9007199254740993` → `"9007199254740993"`.
 *
 * @throws {UnreadableError} if the text is malformed, nested too deeply, or holds what n8n cannot store:
 * a field named `__proto__` or a number out of range
 */
export function parseJson(text: string): unknown {
	const value = jsonParse<unknown>(text, { fallbackValue: MALFORMED });
	if (value === MALFORMED) throw new UnreadableError('It is not JSON.');
	check(value, 0);
	// Only now, since the library assigns to `__proto__`.
	return parse(text, undefined, (_, number) => parseNumber(number));
}
