/** A text that is not JSON, or JSON that is refused for safety. */
export class JsonError extends Error {
	override readonly name = 'JsonError';
}

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
	for (const [key, inner] of Object.entries(value)) {
		// n8n leaves such a field out, or takes it for the prototype, wherever it copies an item.
		if (key === '__proto__') throw new JsonError('It holds a field named "__proto__".');
		check(inner, depth + 1);
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
