import type { RestOperation } from '../contract/operations';
import { at, invalid, missing } from '../errors/InputError';
import { isEmpty, shown } from '../errors/words';

/** Values of a path's parameters, by name. */
export type PathValues = Readonly<Record<string, unknown>>;

/** A part of dots alone climbs out of the path, also where something on the way decodes `%2F`. */
const CLIMBS = /(?:^|[/\\])\s*\.+\s*(?:$|[/\\])/;

function pathSegment(value: unknown): string {
	if (isEmpty(value)) throw missing();
	const text = String(value).trim();
	const isScalar = typeof value === 'number' || typeof value === 'string';
	if (!isScalar || CLIMBS.test(text) || /\p{Cc}/u.test(text) || !text.isWellFormed()) {
		throw invalid(`${shown(value)} is not an identifier.`);
	}
	return encodeURIComponent(text);
}

/**
 * Fills a path's parameters in; whatever a value holds, it stays one segment of the path.
 *
 * @throws {InputError} with the first parameter that is empty or no identifier
 */
export function fillPath(operation: RestOperation, values: PathValues): string {
	return operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
		at(name, () => pathSegment(values[name])),
	);
}
