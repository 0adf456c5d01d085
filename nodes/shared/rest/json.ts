import { jsonParse } from 'n8n-workflow';
import { ListedError, texts } from '../errors/catalogue';
import type { Values } from '../values/values';

/**
 * Deeper than any answer of the service. A value nested too deeply can break the code that reads
 * it.
 */
const MAX_DEPTH = 64;

/** Marks a text that is malformed JSON. */
const MALFORMED = Symbol('malformed JSON');

function check(value: unknown, depth: number): void {
	// n8n would store an infinite number as null.
	if (typeof value === 'number' && !Number.isFinite(value)) {
		throw new ListedError(texts.answers.number);
	}
	if (typeof value !== 'object' || value === null) return;
	if (depth > MAX_DEPTH) throw new ListedError(texts.answers.depth);
	if (Array.isArray(value)) {
		for (const element of value) check(element, depth + 1);
		return;
	}
	// A parsed object inherits nothing enumerable.
	for (const key in value) {
		// When n8n copies an item, it drops such a field or sets the prototype from it.
		if (key === '__proto__') throw new ListedError(texts.answers.prototype);
		check((value as Values)[key], depth + 1);
	}
}

/**
 * Parses the JSON of an answer.
 *
 * @throws {ListedError} if the text is malformed, nested too deeply, or holds what n8n cannot store:
 * a field named `__proto__` or a number out of range
 */
export function parseJson(text: string): unknown {
	const value = jsonParse<unknown>(text, { fallbackValue: MALFORMED });
	if (value === MALFORMED) throw new ListedError(texts.answers.noJson);
	check(value, 0);
	return value;
}
