/** Descriptions that are damaged or made to harm. */
import fc from 'fast-check';
import { callWsdl, definitions, element, operations, schema, wrapper } from '../support/wsdl.mts';
import { bomb, content, sizes } from './bombs.mts';
import type { Mutation } from './mutations.mts';
import { words } from './words.mts';

const count = (length: number, text: (index: number) => string): string =>
	Array.from({ length }, (_, index) => text(index)).join('');
const sequence = (inner: string): string => `<s:sequence>${inner}</s:sequence>`;
const type = (name: string, inner: string): string =>
	`<s:complexType name="${name}">${inner}</s:complexType>`;
const simple = (name: string, inner: string): string =>
	`<s:simpleType name="${name}">${inner}</s:simpleType>`;
const extension = (base: string, inner = ''): string =>
	`<s:complexContent><s:extension base="${base}">${inner}</s:extension></s:complexContent>`;

const REQUEST = element('F', 'tns:T0');

/** A call whose request has a field of the type "T0". */
const withTypes = (types: string): string => callWsdl(REQUEST, types);

/** Definitions of the type "T0" and others, which grow with a number. */
const growing = {
	'types that are not used': (n) => count(n, (i) => type(`T${i}`, '')),
	'types in fields': (n) => count(n, (i) => type(`T${i}`, sequence(element('N', `tns:T${i + 1}`)))),
	'types that each hold all': (n) => {
		const wide = Math.ceil(Math.sqrt(n));
		const all = sequence(count(wide, (i) => element(`E${i}`, `tns:T${i}`)));
		return count(wide, (i) => type(`T${i}`, all));
	},
	'extensions of a large type': (n) =>
		type('Large', sequence(count(n, (i) => element(`E${i}`, 's:int')))) +
		count(n, (i) => type(`T${i}`, extension('tns:Large', sequence(element('N', `tns:T${i + 1}`))))),
	'lists of lists': (n) =>
		count(n, (i) => type(`T${i}`, sequence(element('N', `tns:T${i + 1}`, 'maxOccurs="9"')))),
	'extensions of each other': (n) =>
		type('T0', '') + count(n, (i) => type(`T${i + 1}`, extension(`tns:T${i}`))),
	'extensions that hold their base': (n) =>
		type('T0', sequence(element('E0', 's:int'))) +
		count(n, (i) =>
			type(`T${i + 1}`, extension(`tns:T${i}`, sequence(element(`E${i + 1}`, 'tns:T0')))),
		),
	'lists of the next type': (n) =>
		count(n, (i) => simple(`T${i}`, `<s:list itemType="tns:T${i + 1}"/>`)),
	'restrictions of the next type': (n) =>
		count(n, (i) => simple(`T${i}`, `<s:restriction base="tns:T${i + 1}"/>`)),
	'words of a documentation': (n) =>
		type(
			'T0',
			`<s:annotation><s:documentation>${'word '.repeat(n)}</s:documentation></s:annotation>`,
		),
} satisfies Readonly<Record<string, (n: number) => string>>;

/** Descriptions that grow with a number, otherwise than by their types. */
const growingWhole: ReadonlyArray<(n: number) => string> = [
	(n) =>
		definitions(
			`<wsdl:types>${schema(count(n, (i) => wrapper(`O${i}`) + wrapper(`O${i}Response`)))}</wsdl:types>` +
				operations(...Array.from({ length: n }, (_, i) => `O${i}`)),
		),
	(n) => callWsdl(count(n, (i) => element(`E${i}`, 's:int'))),
	(n) => callWsdl(count(n, () => element('E', 's:int'))),
	(n) => callWsdl('<s:sequence>'.repeat(n) + REQUEST + '</s:sequence>'.repeat(n)),
	(n) => callWsdl(`<s:any/>`.repeat(n)),
	(n) => callWsdl(`<s:element name="${'a'.repeat(n)}" type="s:int"/>`),
];

/** Definitions of the type "T0" that need themselves. */
const circular: Readonly<Record<string, string>> = {
	'a type that extends itself': type('T0', extension('tns:T0')),
	'types that extend each other': type('T0', extension('tns:T1')) + type('T1', extension('tns:T0')),
	'a simple type that restricts itself': simple('T0', '<s:restriction base="tns:T0"/>'),
	'a list of itself': simple('T0', '<s:list itemType="tns:T0"/>'),
	'a text of itself': type('T0', '<s:simpleContent><s:extension base="tns:T0"/></s:simpleContent>'),
};

const other: readonly string[] = [
	'<html><body>Not here</body></html>',
	schema(type('T0', '')),
	definitions(''),
	definitions(operations('Call')),
	callWsdl(REQUEST).replaceAll('http://schemas.xmlsoap.org/wsdl/', 'http://www.w3.org/ns/wsdl'),
	callWsdl(REQUEST).replaceAll('http://www.w3.org/2001/XMLSchema', 'urn:x'),
	callWsdl(REQUEST).replaceAll('urn:service', ''),
	callWsdl(REQUEST, '<s:redefine schemaLocation="?WSDL"/><s:include schemaLocation="?WSDL"/>'),
	callWsdl(element('__proto__', 's:int') + element('constructor', 's:int')),
	withTypes(type('__proto__', sequence(element('a', 'tns:__proto__')))),
];

const grown = fc.oneof(
	fc.constantFrom(...growingWhole),
	fc.constantFrom(...Object.values(growing)).map((make) => (n: number) => withTypes(make(n))),
);

const whole = fc.oneof(
	{ weight: 6, arbitrary: fc.tuple(grown, sizes(1, 3000)).map(([make, n]) => make(n)) },
	{ weight: 2, arbitrary: fc.constantFrom(...Object.values(circular)).map(withTypes) },
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
	...words(`: a: :a a:b:c tns:T0 s:int s:string s:anyType s:Array x:y < 1 0 -1 2 1e9 unbounded true
		99999999999999999999 __proto__ constructor tns:__proto__ toString unqualified encoded rpc required
		urn:service http://www.w3.org/2001/XMLSchema`),
	...['', ' ', 'a b', 'é'.repeat(300)],
];

const ATTRIBUTE = / [\w:]+="[^"]*"/g;
const TAG = /<(\/?)s:(\w+)/g;

/** Takes the n-th match of an expression, counted cyclically. */
function nth(text: string, expression: RegExp, n: number): RegExpExecArray | undefined {
	const found = [...text.matchAll(expression)];
	return found[n % Math.max(1, found.length)];
}

/** Replaces the n-th match of an expression. */
function replaceNth(
	text: string,
	expression: RegExp,
	n: number,
	change: (found: string) => string,
): string {
	const match = nth(text, expression, n);
	if (match === undefined) return text;
	return text.slice(0, match.index) + change(match[0]) + text.slice(match.index + match[0].length);
}

const index = fc.nat(2000);

/** Changes of the attributes and elements of a description that leave it well-formed. */
export const schemaMutation: fc.Arbitrary<Mutation<string>> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.tuple(index, fc.constantFrom(...values)).map(
			([n, value]) =>
				(text: string) =>
					replaceNth(text, ATTRIBUTE, n, (attribute) =>
						attribute.replace(/"[^"]*"/, () => `"${value.replaceAll('<', '&lt;')}"`),
					),
		),
	},
	{
		weight: 5,
		// The name or value of another attribute: most often the name of something else.
		arbitrary: fc
			.tuple(index, index, fc.constantFrom(/"[^"]*"/, / [\w:]+=/))
			.map(([n, m, part]) => (text: string) => {
				const [another = ''] = nth(text, ATTRIBUTE, m) ?? [];
				const [taken = ''] = part.exec(another) ?? [];
				return replaceNth(text, ATTRIBUTE, n, (own) => own.replace(part, () => taken));
			}),
	},
	index.map((n) => (text: string) => replaceNth(text, ATTRIBUTE, n, () => '')),
	{
		weight: 2,
		// All elements of one kind become those of another.
		arbitrary: fc.tuple(index, index).map(([n, m]) => (text: string) => {
			const [from, to] = [n, m].map((place) => nth(text, TAG, place)?.[2]);
			return text.replace(TAG, (tag, slash: string, name: string) =>
				name === from ? `<${slash}s:${to}` : tag,
			);
		}),
	},
	index.map(
		(n) => (text: string) => replaceNth(text, /<s:\w+[^>]*\/>/g, n, (tag) => tag.repeat(3)),
	),
);
