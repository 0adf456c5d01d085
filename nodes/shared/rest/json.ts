import { parse } from 'json-custom-numbers';
import { LIMITS } from '../contract/limits';
import { UnreadableError } from '../errors/ServiceError';
import { jsonNumber } from '../values/kind';

/** The name of a field that the library assigns to, as JSON can write it, and the colon after it. */
const PROTOTYPE =
	/"(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}"\s*:/;

function checkLimit(count: number, maximum: number, what: string): void {
	if (count <= maximum) return;
	const limit = `${maximum} ${what}`;
	throw new UnreadableError(`It has more than ${limit}.`, { limit });
}

/** "-0.0120e5" → "12" */
function significantDigits(number: string): string {
	return /[1-9](?:\d*[1-9])?/.exec(number.replace(/e.*|\D/gi, ''))?.[0] ?? '';
}

/**
 * Parses the JSON of an answer. No digit of a number is lost: `12.3400` → `12.34`,
 * `9007199254740993` → `"9007199254740993"`.
 *
 * @returns the value, the number of values in it, and that of names as they are written
 * @throws {UnreadableError} if it exceeds {@link LIMITS}, or holds what n8n cannot store: a field named `__proto__` or
 * a number out of range
 * @throws {SyntaxError} if it is malformed
 */
export function parseJson(text: string) {
	// Counted in one pass before it is parsed.
	let [values, levels, names, isString] = [1, 0, 0, false];
	/** The beginning and the length of the last string. */
	let [begin, length] = [0, 0];
	for (let at = 0; at < text.length; at++) {
		const character = text[at];
		if (character === '"') {
			isString = !isString;
			if (isString) begin = at + 1;
			else length = at - begin;
		} else if (isString) at += character === '\\' ? 1 : 0;
		// V8 takes the longer to tell names apart, the longer they are.
		else if (character === ':') {
			names++;
			checkLimit(length, LIMITS.name, 'characters of a name');
		} else if (character === ',') checkLimit(++values, LIMITS.jsonValues, 'values');
		else if (character === '[' || character === '{') {
			checkLimit((values += 2), LIMITS.jsonValues, 'values');
			checkLimit(++levels, LIMITS.depth, 'levels');
		} else if (character === ']' || character === '}') levels--;
	}
	// A copy of an item would drop such a field, or have its value as the prototype.
	if (PROTOTYPE.test(text)) throw new UnreadableError('It holds a field named "__proto__".');
	const value = parse(text, undefined, (_, written) => {
		const number = Number(written);
		// n8n would store it as null.
		if (!Number.isFinite(number)) throw new UnreadableError('It holds a number that is too large.');
		const shortest = String(number);
		const isExact =
			shortest === written || significantDigits(shortest) === significantDigits(written);
		// Otherwise JavaScript has no number with all of its digits.
		return isExact ? jsonNumber(number) : written;
	});
	return { value, values, names };
}
