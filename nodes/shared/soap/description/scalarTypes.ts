import type { Facets, SchemaScalar } from '../../contract/schemaFields';
import type { XmlElement } from '../xml';
import { childrenOf, XSD } from './documents';
import { translatePatterns } from './patterns';

/** Bounds of the whole numbers of XML Schema; `int` has a kind of its own. */
const INTEGERS: Readonly<Record<string, readonly [min: string, max: string]>> = {
	integer: ['', ''],
	nonNegativeInteger: ['0', ''],
	positiveInteger: ['1', ''],
	nonPositiveInteger: ['', '0'],
	negativeInteger: ['', '-1'],
	long: ['-9223372036854775808', '9223372036854775807'],
	short: ['-32768', '32767'],
	byte: ['-128', '127'],
	unsignedLong: ['0', '18446744073709551615'],
	unsignedInt: ['0', '4294967295'],
	unsignedShort: ['0', '65535'],
	unsignedByte: ['0', '255'],
};

const STRINGS =
	'string normalizedString token language Name NCName NMTOKEN ID IDREF ENTITY anyURI QName NOTATION ' +
	'duration dayTimeDuration yearMonthDuration gYear gYearMonth gMonth gMonthDay gDay ' +
	'anySimpleType anyAtomicType';

const HEX = /^(?:[0-9a-fA-F]{2})*$/;

const BUILT_IN: ReadonlyMap<string, SchemaScalar> = new Map<string, SchemaScalar>([
	...STRINGS.split(' ').map((name) => [name, { kind: 'string' }] as const),
	...['IDREFS', 'NMTOKENS', 'ENTITIES'].map(
		(name) => [name, { kind: 'tokens', of: { kind: 'string' } }] as const,
	),
	...(
		['int', 'decimal', 'boolean', 'dateTime', 'date', 'time', 'base64Binary', 'float'] as const
	).map((kind) => [kind, { kind }] as const),
	['double', { kind: 'float' }],
	['dateTimeStamp', { kind: 'dateTime' }],
	['hexBinary', { kind: 'string', facets: { patterns: [HEX] } }],
	...Object.entries(INTEGERS).map(
		([name, [min, max]]) =>
			[name, { kind: 'integer', ...(min && { min }), ...(max && { max }) }] as const,
	),
]);

/** Returns the simple type that XML Schema itself defines by this name. */
export function builtInType(name: string): SchemaScalar | undefined {
	return BUILT_IN.get(name);
}

/** Returns the name of the type of XML Schema whose bounds a whole number has. */
export function integerName(min = '', max = ''): string {
	const [name = 'integer'] =
		Object.entries(INTEGERS).find(([, bounds]) => bounds[0] === min && bounds[1] === max) ?? [];
	return name;
}

const COUNTS = ['length', 'minLength', 'maxLength', 'totalDigits', 'fractionDigits'] as const;
const BOUNDS = ['minInclusive', 'maxInclusive', 'minExclusive', 'maxExclusive'] as const;
const NUMBERS: readonly string[] = ['int', 'integer', 'decimal', 'float'];
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/**
 * Returns a simple type restricted by the facets in an `xs:restriction`. What is not understood of
 * them is left to the service.
 */
export function restrictedType(base: SchemaScalar, restriction: XmlElement): SchemaScalar {
	const valuesOf = (name: string): string[] =>
		childrenOf(restriction, XSD, name).flatMap((node) => node.attributes.get('value') ?? []);

	const names = valuesOf('enumeration');
	if (names.length > 0 && base.kind !== 'tokens') {
		return { kind: 'enumeration', values: [...new Set(names)] };
	}
	if (base.kind === 'enumeration') return base;

	const facets: { -readonly [F in keyof Facets]: Facets[F] } = { ...base.facets };
	// The schema counts bytes, each of which is written as two characters.
	const size = facets.patterns?.includes(HEX) ? 2 : 1;
	for (const name of COUNTS) {
		const [value = ''] = valuesOf(name);
		if (/^\s*\d{1,9}\s*$/.test(value)) facets[name] = Number(value) * size;
	}
	for (const name of NUMBERS.includes(base.kind) ? BOUNDS : []) {
		const [value = ''] = valuesOf(name);
		if (NUMBER.test(value.trim())) facets[name] = value.trim();
	}
	const patterns = valuesOf('pattern');
	// The patterns of one restriction are alternatives.
	const pattern = patterns.length > 0 ? translatePatterns(patterns) : undefined;
	if (pattern !== undefined) facets.patterns = [...(facets.patterns ?? []), pattern];
	return Object.keys(facets).length === 0 ? base : { ...base, facets };
}
