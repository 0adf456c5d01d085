import type { RestOperation } from '../contract/operations';
import { InputError } from '../errors/InputError';

/** Values of a path's parameters, by name. */
export type PathValues = Readonly<Record<string, unknown>>;

/** A part of dots alone climbs out of the path, also where something on the way decodes `%2F`. */
const CLIMBS = /(?:^|[/\\])\s*\.+\s*(?:$|[/\\])/;

function pathSegment(name: string, value: unknown): string {
	const text = typeof value === 'number' ? String(value) : value;
	if (typeof text !== 'string' || text.trim() === '') {
		throw new InputError(name, 'a number or a text', value);
	}
	const trimmed = text.trim();
	if (CLIMBS.test(trimmed) || /\p{Cc}/u.test(trimmed) || !trimmed.isWellFormed()) {
		throw new InputError(name, 'an identifier', value);
	}
	return encodeURIComponent(trimmed);
}

/**
 * Fills a path's parameters in; whatever a value holds, it stays one segment of the path.
 *
 * @throws {InputError} naming the parameter that is empty or no identifier
 */
export function fillPath(operation: RestOperation, values: PathValues): string {
	return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => pathSegment(name, values[name]));
}
