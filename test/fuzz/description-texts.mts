/** Descriptions that are damaged or made to harm. */
import fc from 'fast-check';
import { callWsdl, definitions, operations, schema, wrapper } from '../support/wsdl.mts';
import { bomb, content, sizes } from './bombs.mts';
import type { Mutation } from './mutations.mts';

const count = (length: number, text: (index: number) => string): string =>
	Array.from({ length }, (_, index) => text(index)).join('');
const sequence = (inner: string): string => `<s:sequence>${inner}</s:sequence>`;
const type = (name: string, inner: string): string =>
	`<s:complexType name="${name}">${inner}</s:complexType>`;
const simple = (name: string, inner: string): string =>
	`<s:simpleType name="${name}">${inner}</s:simpleType>`;
const extension = (base: string, inner = ''): string =>
	`<s:complexContent><s:extension base="${base}">${inner}</s:extension></s:complexContent>`;
const element = (name: string, of: string, often = 'minOccurs="0"'): string =>
	`<s:element name="${name}" type="${of}" ${often}/>`;
const group = (name: string, inner: string): string => `<s:group name="${name}">${inner}</s:group>`;
const attributes = (name: string, inner: string): string =>
	`<s:attributeGroup name="${name}">${inner}</s:attributeGroup>`;

const REQUEST = element('F', 'tns:T0');

/** A call whose request has a field of the type "T0". */
const withTypes = (types: string): string => callWsdl(REQUEST, types);

const PATTERNS = [
	'(a+)+b',
	'(a|a)*b',
	'(a|aa)+$',
	'([a-z]+)*[0-9]',
	'(.*)*',
	'(((a?){30}){30}){30}',
	'a{0,99999}',
	'\\p{IsBasicLatin}*',
	'[a-z-[aeiou-[e]]]+',
	'[',
	'(',
	'\\',
	'[]-a]',
	'\\i\\c*\\I\\C',
];

/** Descriptions that grow with a number. */
const growing: ReadonlyArray<(n: number) => string> = [
	(n) =>
		definitions(
			`<wsdl:types>${schema(count(n, (i) => wrapper(`O${i}`) + wrapper(`O${i}Response`)))}</wsdl:types>` +
				operations(...Array.from({ length: n }, (_, i) => `O${i}`)),
		),
	(n) =>
		callWsdl(
			element('A', 's:int'),
			count(n, (i) => type(`T${i}`, sequence(REQUEST))),
		),
	(n) => callWsdl(count(n, (i) => element(`E${i}`, 's:int'))),
	(n) => callWsdl(count(n, () => element('E', 's:int'))),
	(n) => withTypes(count(n, (i) => type(`T${i}`, sequence(element('N', `tns:T${i + 1}`))))),
	(n) =>
		withTypes(
			count(n, (i) => type(`T${i}`, sequence(element('N', `tns:T${i + 1}`, 'maxOccurs="9"')))),
		),
	(n) => withTypes(type('T0', '') + count(n, (i) => type(`T${i + 1}`, extension(`tns:T${i}`)))),
	(n) => withTypes(type('T0', '') + count(n, (i) => type(`T${i + 1}`, extension('tns:T0')))),
	(n) =>
		withTypes(
			type('T0', sequence(element('E0', 's:int'))) +
				count(n, (i) =>
					type(`T${i + 1}`, extension(`tns:T${i}`, sequence(element(`E${i + 1}`, 'tns:T0')))),
				),
		),
	// Wide types within wide types: few types, very many paths.
	(n) =>
		withTypes(
			count(4, (i) =>
				type(`T${i}`, sequence(count(n / 3, (j) => element(`E${j}`, `tns:T${i + 1}`)))),
			),
		),
	// Each level refers to the next one several times.
	(n) =>
		withTypes(
			count(n, (i) => type(`T${i}`, sequence(count(9, (j) => element(`E${j}`, `tns:T${i + 1}`))))),
		),
	(n) => {
		const wide = Math.ceil(Math.sqrt(n));
		const all = sequence(count(wide, (i) => element(`E${i}`, `tns:T${i}`)));
		return withTypes(count(wide, (i) => type(`T${i}`, all)));
	},
	(n) =>
		withTypes(
			type('T0', '<s:group ref="tns:G0"/>') +
				count(n, (i) => group(`G${i}`, sequence(`<s:group ref="tns:G${i + 1}"/>`.repeat(2)))),
		),
	(n) =>
		withTypes(
			type('T0', '<s:attributeGroup ref="tns:G0"/>') +
				count(n, (i) => attributes(`G${i}`, `<s:attributeGroup ref="tns:G${i + 1}"/>`.repeat(2))),
		),
	(n) =>
		withTypes(
			count(n, (i) => simple(`T${i}`, `<s:union memberTypes="tns:T${i + 1} tns:T${i + 1}"/>`)) +
				simple(
					`T${n}`,
					'<s:restriction base="s:string"><s:enumeration value="a"/></s:restriction>',
				),
		),
	(n) => withTypes(count(n, (i) => simple(`T${i}`, `<s:list itemType="tns:T${i + 1}"/>`))),
	(n) => withTypes(count(n, (i) => simple(`T${i}`, `<s:restriction base="tns:T${i + 1}"/>`))),
	(n) =>
		withTypes(
			simple(
				'T0',
				`<s:restriction base="s:string">${count(n, (i) => `<s:enumeration value="v${i}"/>`)}</s:restriction>`,
			),
		),
	(n) =>
		withTypes(
			simple(
				'T0',
				`<s:restriction base="s:string"><s:pattern value="${'(a?)'.repeat(n)}"/></s:restriction>`,
			),
		),
	(n) =>
		withTypes(
			simple(
				'T0',
				`<s:restriction base="s:decimal"><s:maxInclusive value="${'9'.repeat(n)}"/><s:totalDigits value="${'9'.repeat(n)}"/></s:restriction>`,
			),
		),
	(n) =>
		callWsdl(
			'<s:element ref="tns:A0"/>',
			count(n, (i) => `<s:element name="A${i}" substitutionGroup="tns:A${i + 1}"/>`),
		),
	(n) => callWsdl('<s:sequence>'.repeat(n) + REQUEST + '</s:sequence>'.repeat(n)),
	(n) =>
		callWsdl(
			'<s:choice>'.repeat(20) +
				count(n, (i) => element(`E${i}`, 's:int')) +
				'</s:choice>'.repeat(20),
		),
	(n) => callWsdl(`<s:any/>`.repeat(n)),
	(n) =>
		callWsdl(
			REQUEST,
			count(n, (i) => `<s:import namespace="urn:${i}" schemaLocation="x${i}.xsd"/>`),
		),
	(n) =>
		withTypes(
			type(
				'T0',
				`<s:annotation><s:documentation>${'word '.repeat(n)}</s:documentation></s:annotation>`,
			),
		),
	(n) => callWsdl(`<s:element name="${'a'.repeat(n)}" type="s:int"/>`),
	(n) => withTypes(`<!-- ${'x'.repeat(n)} -->`),
];

/** Definitions of the type "T0" that lead back to it. */
const circular: readonly string[] = [
	type('T0', extension('tns:T0')),
	type('T0', sequence(element('N', 'tns:T0', ''))),
	type('T0', sequence(element('N', 'tns:T0', 'maxOccurs="unbounded"'))),
	type('T0', sequence(element('A', 'tns:T0') + element('B', 'tns:T1'))) +
		type('T1', extension('tns:T0', sequence(element('C', 'tns:T0')))),
	type('T0', '<s:group ref="tns:G"/>') + group('G', sequence('<s:group ref="tns:G"/>')),
	type('T0', '<s:attributeGroup ref="tns:G"/>') +
		attributes('G', '<s:attributeGroup ref="tns:G"/>'),
	simple('T0', '<s:restriction base="tns:T0"/>'),
	simple('T0', '<s:union memberTypes="tns:T0 tns:T0"/>'),
	simple('T0', '<s:list itemType="tns:T0"/>'),
	type('T0', '<s:simpleContent><s:extension base="tns:T0"/></s:simpleContent>'),
	'<s:element name="T0" substitutionGroup="tns:T0"/>',
];

const other: readonly string[] = [
	'<html><body>Not here</body></html>',
	'<!DOCTYPE html><html><br></html>',
	schema(type('T0', '')),
	definitions(''),
	definitions(operations('Call')),
	callWsdl(REQUEST).replaceAll('http://schemas.xmlsoap.org/wsdl/', 'http://www.w3.org/ns/wsdl'),
	callWsdl(REQUEST).replaceAll(
		'http://www.w3.org/2001/XMLSchema',
		'http://www.w3.org/1999/XMLSchema',
	),
	callWsdl(REQUEST).replaceAll('urn:service', ''),
	callWsdl(element('__proto__', 's:int') + element('constructor', 's:int')),
	withTypes(type('__proto__', sequence(element('a', 'tns:__proto__')))),
];

const whole = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.tuple(fc.constantFrom(...growing), sizes(1, 3000)).map(([make, n]) => make(n)),
	},
	{ weight: 2, arbitrary: fc.constantFrom(...circular).map(withTypes) },
	{
		weight: 2,
		arbitrary: fc
			.array(fc.constantFrom(...PATTERNS), { minLength: 1, maxLength: 4 })
			.map((patterns) =>
				withTypes(
					simple(
						'T0',
						`<s:restriction base="s:string">${patterns.map((one) => `<s:pattern value="${one}"/>`).join('')}</s:restriction>`,
					),
				),
			),
	},
	{ weight: 1, arbitrary: fc.constantFrom(...other) },
	{ weight: 1, arbitrary: content.map((long) => callWsdl(long)) },
	{ weight: 1, arbitrary: bomb.map((long) => withTypes(long)) },
);

/** Whole descriptions and cut ones, of up to some hundred kilobytes. */
export const hostileDescription: fc.Arbitrary<string> = fc.oneof(
	{ weight: 9, arbitrary: whole },
	{
		weight: 1,
		arbitrary: fc
			.tuple(whole, fc.double({ min: 0, max: 1, noNaN: true }))
			.map(([text, share]) => text.slice(0, share * text.length)),
	},
);

const values = [
	...[
		'',
		' ',
		':',
		'a:',
		':a',
		'a:b:c',
		'tns:T0',
		's:int',
		's:string',
		's:anyType',
		's:Array',
		'x:y',
	],
	...['__proto__', 'constructor', 'tns:__proto__', 'toString', '1', 'a b', '<', 'é'.repeat(300)],
	...[
		'0',
		'-1',
		'2',
		'1e9',
		'99999999999999999999',
		'unbounded',
		'true',
		'qualified',
		'unqualified',
	],
	...['urn:service', 'urn:other', 'http://www.w3.org/2001/XMLSchema', 'encoded', 'rpc', 'required'],
	...PATTERNS,
];

const names = [
	'type',
	'ref',
	'base',
	'name',
	'minOccurs',
	'maxOccurs',
	'value',
	'abstract',
	'mixed',
	'nillable',
	'form',
	'fixed',
	'use',
	'itemType',
	'memberTypes',
	'substitutionGroup',
	'element',
	'message',
	'targetNamespace',
	'xmlns:s',
	'style',
	'parts',
];
const elements = [
	'sequence',
	'choice',
	'all',
	'group',
	'element',
	'any',
	'attribute',
	'attributeGroup',
	'complexType',
	'simpleType',
	'extension',
	'restriction',
	'complexContent',
	'simpleContent',
	'list',
	'union',
	'enumeration',
	'pattern',
	'import',
	'include',
	'redefine',
];

const ATTRIBUTE = / [\w:]+="[^"]*"/g;
const TAG = /<(\/?)s:(\w+)/g;

/** Replaces the n-th match of an expression, counted cyclically. */
function replaceNth(
	text: string,
	expression: RegExp,
	n: number,
	change: (found: RegExpMatchArray) => string,
): string {
	const found = [...text.matchAll(expression)];
	const match = found[n % Math.max(1, found.length)];
	if (match === undefined) return text;
	return text.slice(0, match.index) + change(match) + text.slice(match.index + match[0].length);
}

const index = fc.nat(2000);

/** Changes of the attributes and elements of a description that leave it well-formed. */
export const schemaMutation: fc.Arbitrary<Mutation<string>> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.tuple(index, fc.constantFrom(...values)).map(
			([n, value]) =>
				(text: string) =>
					replaceNth(text, ATTRIBUTE, n, ([attribute]) =>
						attribute.replace(/"[^"]*"/, () => `"${value.replaceAll('<', '&lt;')}"`),
					),
		),
	},
	{
		weight: 4,
		// The value of another attribute: most often the name of something else.
		arbitrary: fc.tuple(index, index).map(([n, m]) => (text: string) => {
			const all = text.match(ATTRIBUTE) ?? [];
			const value = /"[^"]*"/.exec(all[m % Math.max(1, all.length)] ?? '')?.[0] ?? '""';
			return replaceNth(text, ATTRIBUTE, n, ([own]) => own.replace(/"[^"]*"/, () => value));
		}),
	},
	fc.tuple(index, fc.constantFrom(...names)).map(
		([n, name]) =>
			(text: string) =>
				replaceNth(text, ATTRIBUTE, n, ([own]) => own.replace(/ [\w:]+=/, ` ${name}=`)),
	),
	index.map((n) => (text: string) => replaceNth(text, ATTRIBUTE, n, () => '')),
	{
		weight: 2,
		arbitrary: fc.tuple(fc.constantFrom(...elements), fc.constantFrom(...elements)).map(
			([from, to]) =>
				(text: string) =>
					text.replace(TAG, (tag, slash: string, name: string) =>
						name === from ? `<${slash}s:${to}` : tag,
					),
		),
	},
	index.map(
		(n) => (text: string) => replaceNth(text, /<s:\w+[^>]*\/>/g, n, ([tag]) => tag.repeat(3)),
	),
);
