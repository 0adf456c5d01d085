import type { RestOperation } from '../contract/operations';
import { at, invalidValue, missing } from '../errors/InputError';
import { isEmpty } from '../errors/words';
import { MAX_LENGTH, tooLong, trimmed } from '../values/kind';
import type { Values } from '../values/values';

/** A segment of dots alone leaves the path, even encoded: a proxy on the way may decode `%2F`. */
const PATH_TRAVERSAL = /(?:^|[/\\])\s*\.+\s*(?:$|[/\\])/;

function pathSegment(value: unknown): string {
	if (isEmpty(value)) throw missing();
	const text = typeof value === 'number' ? String(value) : trimmed(value);
	if (typeof text === 'string' && text.length > MAX_LENGTH) throw tooLong(value);
	if (typeof text !== 'string' || PATH_TRAVERSAL.test(text) || /\p{Cc}/u.test(text) || !text.isWellFormed()) {
		throw invalidValue(value, 'is not an identifier.');
	}
	return encodeURIComponent(text);
}

/**
 * Fills in the parameters of an operation's path. Whatever a value holds, it stays one segment.
 *
 * @returns the path, with percent-encoded values
 * @throws {InputError} for the first parameter that is empty or not an identifier
 */
export function fillPath(operation: RestOperation, values: Readonly<Values>): string {
	return operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
		at(name, () => pathSegment(values[name])),
	);
}
