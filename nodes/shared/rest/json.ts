import { ListedError, texts } from '../errors/catalogue';

/** A text that is malformed JSON, or JSON that is refused for safety. */
export class JsonError<N extends string = string> extends ListedError<N> {
	override readonly name = 'JsonError';
}

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Deeper than any answer of the service. A value nested too deeply can break the code that reads
 * it.
 */
const MAX_DEPTH = 64;

function check(value: unknown, depth: number): void {
	// n8n would store an infinite number as null.
	if (typeof value === 'number' && !Number.isFinite(value)) {
		throw new JsonError(texts.answers.number);
	}
	if (typeof value !== 'object' || value === null) return;
	if (depth > MAX_DEPTH) throw new JsonError(texts.answers.depth);
	if (Array.isArray(value)) {
		for (const element of value) check(element, depth + 1);
		return;
	}
	// A parsed object inherits nothing enumerable.
	for (const key in value) {
		// When n8n copies an item, it drops such a field or sets the prototype from it.
		if (key === '__proto__') throw new JsonError(texts.answers.prototype);
		check((value as JsonObject)[key], depth + 1);
	}
}

function noJson(): JsonError {
	return new JsonError(texts.answers.noJson);
}

/**
 * Parses the JSON of an answer.
 *
 * @throws {JsonError} if the text is malformed, nested too deeply, or holds what n8n cannot store:
 * a field named `__proto__` or a number out of range
 */
export function parseJson(text: string): unknown {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw noJson();
	}
	check(value, 0);
	return value;
}

/** Whether two parsed values have the same JSON, including the order of their fields. */
export function isSameJson(one: unknown, other: unknown): boolean {
	if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
		return one === other;
	}
	if (Array.isArray(one) !== Array.isArray(other)) return false;
	const [keys, otherKeys] = [Object.keys(one), Object.keys(other)];
	if (keys.length !== otherKeys.length) return false;
	return keys.every(
		(key, at) =>
			key === otherKeys[at] && isSameJson((one as JsonObject)[key], (other as JsonObject)[key]),
	);
}

/**
 * Returns a 32-bit hash of a text (FNV-1a of its UTF-16 code units).
 *
 * @param seed the initial hash, a 32-bit number
 */
export function hashOf(text: string, seed: number): number {
	let hash = seed;
	for (let at = 0; at < text.length; at += 1) {
		hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
	}
	return hash;
}
