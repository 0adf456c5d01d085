/** Facets of restricted simple types: limits on values beyond their type. */
import type { Facets, SchemaScalar } from '../contract/schemaFields';
import { invalid, texts } from '../errors/InputError';
import { compareDecimals, digitsOf } from './numbers';

/** The bounds, and for the result of a comparison with one whether a value is within it. */
const BOUNDS = [
	['minInclusive', 'at least', (order: number) => order >= 0],
	['minExclusive', 'more than', (order: number) => order > 0],
	['maxInclusive', 'at most', (order: number) => order <= 0],
	['maxExclusive', 'less than', (order: number) => order < 0],
] as const;

/** Length of a text in the unit of its kind. */
function lengthOf({ kind }: SchemaScalar, text: string): readonly [length: number, unit: string] {
	if (kind === 'tokens') return [text === '' ? 0 : text.split(' ').length, 'entries'];
	if (kind === 'base64Binary')
		return [Math.floor((text.replace(/=+$/, '').length * 3) / 4), 'bytes'];
	// A character outside the basic plane has two UTF-16 code units.
	return [text.length - (text.match(/[\u{10000}-\u{10FFFF}]/gu)?.length ?? 0), 'characters'];
}

function checkLength(field: SchemaScalar, facets: Facets, text: string): void {
	const { minLength = facets.length ?? 0, maxLength = facets.length ?? Infinity } = facets;
	if (minLength <= 0 && maxLength === Infinity) return;
	// Whether the service collapses whitespace before it counts depends on the type.
	const [shortest] = lengthOf(field, text.trim().replace(/\s+/g, ' '));
	const [longest, unit] = lengthOf(field, text);
	if (longest >= minLength && shortest <= maxLength) return;
	const isShort = longest < minLength;
	const length = isShort ? longest : shortest;
	const limit = isShort ? `at least ${minLength}` : `at most ${maxLength}`;
	throw invalid(texts.values.length, text, { length, unit, limit });
}

function checkDigits({ totalDigits, fractionDigits }: Facets, text: string): void {
	const digits = digitsOf(text);
	for (const [limit, count, unit] of [
		[totalDigits, digits.length - 1, 'digits'],
		[fractionDigits, digits.length - 1 - digits.indexOf('.'), 'decimals'],
	] as const) {
		if (limit !== undefined && count > limit) {
			throw invalid(texts.values.digits, text, { count, unit, limit });
		}
	}
}

function facetsOf(field: SchemaScalar): Facets | undefined {
	if (field.kind !== 'integer') return field.facets;
	const { min, max } = field;
	return {
		...(min !== undefined && { minInclusive: min }),
		...(max !== undefined && { maxInclusive: max }),
		...field.facets,
	};
}

/**
 * Checks the text of a value against the facets of its type.
 *
 * @throws {InputError} if it is outside of their limits
 */
export function checkFacets(field: SchemaScalar, text: string): void {
	const facets = facetsOf(field);
	if (facets === undefined) return;
	for (const [name, words, isWithin] of BOUNDS) {
		const bound = facets[name];
		if (bound !== undefined && !isWithin(compareDecimals(text, bound))) {
			throw invalid(texts.values.bound, text, { words, bound });
		}
	}
	checkLength(field, facets, text);
	checkDigits(facets, text);
}
