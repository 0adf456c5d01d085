/** The path of a list: what it cannot have, and how values become parts of it. */
import { isExpression } from 'n8n-workflow';
import { LIMITS } from '../contract/limits';
import { at, invalidValue, missing, type Path } from '../values/InputError';
import { notOfKind, numberAsText, tooLong, trimmed } from '../values/kind';
import { isEmpty } from '../values/values';

/** A segment of dots alone leaves the path, even encoded: a proxy on the way may decode `%2F`. */
const PATH_TRAVERSAL = /(?:^|[/\\])\s*\.+\s*(?:$|[/\\;])/;

/** A parameter of a path, in braces. */
const BRACED = /\{([\w.-]+)\}/;

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

/** Trims a value of a path or a query. @throws {InputError} if it is empty, too long, or not a text, number or boolean */
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
 * Encodes a value as one segment of a path.
 *
 * @throws {InputError} if it is empty, or has a slash, since a proxy on the way may decode `%2F`
 */
function pathSegment(value: unknown): string {
	const text = parameterText(value, 'an identifier');
	const plain = text.normalize('NFKC');
	if (PATH_TRAVERSAL.test(plain) || /[/\\]/.test(plain)) throw notOfKind(value, 'an identifier');
	return encodeURIComponent(text);
}

/** A text in quotes, which may have any of the other signs. */
const QUOTED = String.raw`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\x60(?:\\.|[^\x60\\])*\x60`;
const ARGUMENT = String.raw`[^()"'\x60]|${QUOTED}`;

/** What a model gives, in an expression of the builder, behind a comment of n8n. */
const FROM_AI = new RegExp(
	String.raw`/\*.*?\*/|\$fromai\s*\((?:${ARGUMENT}|\((?:${ARGUMENT})*\))*\)`,
	'gis',
);

const slashesIn = (text: string): number => text.split('/').length;

/**
 * Returns a path as it is given.
 *
 * @param expression the builder's, in which a model gives values: each of them is one segment
 * @throws {InputError} if it is empty, or would lead elsewhere than it says
 */
export function checkedPath(value: unknown, expression = ''): string {
	const path = parameterText(value, 'a path');
	// With its parameters in braces, it leads nowhere but below the address that it is appended to.
	const plain = path.replaceAll(new RegExp(BRACED, 'g'), 'x').normalize('NFKC');
	for (const [wrong, reason] of NOT_IN_PATH) {
		if (wrong.test(plain)) throw invalidValue(path, reason);
	}
	if (!isExpression(expression)) return path;
	const outside = expression.replace(/\{\{.*?\}\}/gs, '');
	const own = outside.includes('/') ? outside : expression.replace(FROM_AI, '');
	const isWhole = own === expression || !own.includes('/');
	if (isWhole || slashesIn(path) === slashesIn(own)) return path;
	throw invalidValue(path, 'has a value with a slash, which would lead to another list.');
}

/**
 * Returns a path with the values of its parameters.
 *
 * @param valueOf returns the value of a parameter by its name, and where the form has it
 * @throws {InputError} with that path, if a value cannot be a segment
 */
export function filledPath(
	path: string,
	valueOf: (name: string) => readonly [value: string, part: Path],
): string {
	const parts = path.split(BRACED).map((text, i) => {
		if (i % 2 === 0) return encodeURI(text);
		const [value, part] = valueOf(text);
		return at(part, () => pathSegment(value));
	});
	return parts.join('');
}
