import { parse } from 'json-custom-numbers';
import { jsonParse } from 'n8n-workflow';
import { UnreadableError } from '../errors/ServiceError';
import { jsonNumber } from '../values/kind';

/** Limits of one text, on what takes many times the time or memory of its own characters. */
export const JSON_LIMITS = {
	/** With each comma counted as one. 100,000 records with ten fields have 1.1 million. */
	values: 1_200_000,
	/** Lists and objects within each other: deeper ones can break the code that reads them. */
	levels: 65,
	/** The library takes 50 bytes for each. */
	'escaped characters': 2_500_000,
} as const;

/** JSON with more of something than is read. The message is the limit. */
export class JsonLimitError extends UnreadableError {}

function checkLimit(count: number, what: keyof typeof JSON_LIMITS): void {
	if (count > JSON_LIMITS[what]) throw new JsonLimitError(`${JSON_LIMITS[what]} ${what}`);
}

/** Checks a name as it is written: with escapes, `__proto__` has up to 54 characters. */
function checkName(name: string): void {
	const isEscaped = name.length <= 54 && name.includes('\\');
	const read = isEscaped ? jsonParse<string>(`"${name}"`, { fallbackValue: '' }) : name;
	// The library assigns to it. A copy of an item drops such a field, or has its value as the prototype.
	if (read === '__proto__') throw new UnreadableError('It holds a field named "__proto__".');
}

/**
 * Checks JSON in one pass, before it is parsed.
 *
 * @returns the number of its values, see {@link JSON_LIMITS}
 */
function checkJson(text: string): number {
	let [values, level, escapes] = [1, 0, 0];
	/** Where the last string begins and ends. */
	let [isString, begin, end] = [false, 0, 0];
	for (let at = 0; at < text.length; at++) {
		const character = text[at];
		if (character === '\\') {
			checkLimit(++escapes, 'escaped characters');
			at++;
		} else if (character === '"') {
			if (isString) end = at;
			else begin = at + 1;
			isString = !isString;
		} else if (isString) continue;
		else if (character === ':') checkName(text.slice(begin, end));
		else if (character === ']' || character === '}') level--;
		else if (character === ',' || character === '[' || character === '{') {
			if (character !== ',') checkLimit(++level, 'levels');
			checkLimit(++values, 'values');
		}
	}
	return values;
}

/** Returns the digits of a number from the first to the last that is not 0: "-0.0120e5" → "12". */
function significantDigits(number: string): string {
	return /[1-9](?:\d*[1-9])?/.exec(number.replace(/e.*|\D/gi, ''))?.[0] ?? '';
}

/** Reads a number; its text if JavaScript has no number with all of its digits. */
function parseNumber(text: string): number | string {
	const number = Number(text);
	// n8n would store it as null.
	if (!Number.isFinite(number)) throw new UnreadableError('It holds a number that is too large.');
	const shortest = String(number);
	const isExact = shortest === text || significantDigits(shortest) === significantDigits(text);
	return isExact ? jsonNumber(number) : text;
}

/**
 * Parses the JSON of an answer. No digit of a number is lost: `12.3400` → `12.34`,
 * `9007199254740993` → `"9007199254740993"`.
 *
 * @returns the value, and the number of values in it
 * @throws {JsonLimitError} if it exceeds {@link JSON_LIMITS}
 * @throws {UnreadableError} if it holds what n8n cannot store: a field named `__proto__` or a number out
 * of range
 * @throws {SyntaxError} if it is malformed
 */
export function parseJson(text: string): { readonly value: unknown; readonly values: number } {
	const values = checkJson(text);
	return { value: parse(text, undefined, (_, number) => parseNumber(number)), values };
}
