import { isEmpty } from '../values/values';
import { invalidValue, missing } from '../values/InputError';
import { LIMITS } from '../contract/limits';
import { numberAsText } from '../values/numbers';
import { notOfKind, tooLong, trimmed } from '../values/kind';

/** A segment of dots alone leaves the path, even encoded: a proxy on the way may decode `%2F`. */
const PATH_TRAVERSAL = /(?:^|[/\\])\s*\.+\s*(?:$|[/\\;])/;

/** A parameter of a path, in braces. */
const PARAMETER = /\{([\w.-]+)\}/;

/** What a path cannot have, beside its parameters. */
const NOT_IN_PATH = [
	[/^(?!\/)/, "does not start with /. Give the part after 'REST Address', such as /api/companies."],
	[/[?#]/, "has ? or #. Give the names and values of a query under 'Parameters'."],
	[/%/, 'has %. Write values as they are: the node encodes them.'],
	[/[{}]/, 'has a brace that is not around the name of a parameter, such as {companyId}.'],
	[/\\/, 'has a backslash.'],
	[
		/\/\s*(?:undefined|null|NaN|\[object \w+\])?\s*(?:\/|$)/,
		'has an empty part, perhaps of an expression without a value.',
	],
	[PATH_TRAVERSAL, 'has a part of dots only.'],
] as const;

/**
 * Returns a value of a path or a query as text, without whitespace around it.
 *
 * @throws {InputError} if it is empty, no text, number or boolean, too long, or has a control character
 */
export function parameterText(value: unknown, kind = 'a text or a number'): string {
	if (isEmpty(value)) throw missing();
	const text = typeof value === 'boolean' ? String(value) : trimmed(numberAsText(value));
	if (typeof text !== 'string' || /\p{Cc}/u.test(text) || !text.isWellFormed()) {
		throw notOfKind(value, kind);
	}
	if (text.length > LIMITS.name) throw tooLong(value);
	return text;
}

/**
 * Returns the percent-encoded segment of a path for a value. Whatever it holds, it stays one segment: a slash is
 * refused, since a proxy on the way may decode `%2F`.
 *
 * @throws {InputError} if the value is empty or not an identifier
 */
export function pathSegment(value: unknown): string {
	const text = parameterText(value, 'an identifier');
	const plain = text.normalize('NFKC');
	if (PATH_TRAVERSAL.test(plain) || /[/\\]/.test(plain)) throw notOfKind(value, 'an identifier');
	return encodeURIComponent(text);
}

/**
 * Checks a path that a builder gives, with its parameters in braces: it leads nowhere but below the
 * address that it is appended to.
 *
 * @throws {InputError} if it is empty, leaves the address, or has a query or a fragment
 */
export function checkPath(value: unknown): string {
	const path = parameterText(value, 'a path');
	const plain = path.replaceAll(new RegExp(PARAMETER, 'g'), 'x').normalize('NFKC');
	for (const [wrong, reason] of NOT_IN_PATH) {
		if (wrong.test(plain)) throw invalidValue(path, reason);
	}
	return path;
}

/** Fills in the parameters of a path. @param segmentOf returns the encoded value of the parameter with a name */
export function fillPath(path: string, segmentOf: (name: string) => string): string {
	const parts = path.split(PARAMETER);
	return parts.map((part, i) => (i % 2 === 0 ? encodeURI(part) : segmentOf(part))).join('');
}
