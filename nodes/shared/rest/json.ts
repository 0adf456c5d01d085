/** A text that is not JSON, or JSON that is refused for safety. */
export class JsonError extends Error {
	override readonly name = 'JsonError';
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Deeper than any answer of the service; what is nested without end would break whoever reads it. */
const MAX_DEPTH = 64;

function check(value: unknown, depth: number): void {
	// n8n would store it as null.
	if (typeof value === 'number' && !Number.isFinite(value)) {
		throw new JsonError('It holds a number that is too large.');
	}
	if (typeof value !== 'object' || value === null) return;
	if (depth > MAX_DEPTH) throw new JsonError('It is nested too deep.');
	if (Array.isArray(value)) {
		for (const element of value) check(element, depth + 1);
		return;
	}
	// What was parsed inherits nothing that could be enumerated.
	for (const key in value) {
		// n8n leaves such a field out, or takes it for the prototype, wherever it copies an item.
		if (key === '__proto__') throw new JsonError('It holds a field named "__proto__".');
		check((value as JsonObject)[key], depth + 1);
	}
}

function noJson(): JsonError {
	return new JsonError('It is not JSON.');
}

/**
 * Parses the JSON of an answer.
 *
 * @throws {JsonError} where it is no JSON, nested too deep, or holds what n8n cannot store: a field
 * named `__proto__`, a number beyond all bounds
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

/** Whether two values that were parsed have the same JSON, the order of their fields included. */
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

/** A number of 32 bits for a text (FNV-1a of its UTF-16 code units): equal texts have the same one. */
export function hashOf(text: string, seed: number): number {
	let hash = seed;
	for (let at = 0; at < text.length; at += 1) {
		hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
	}
	return hash;
}
