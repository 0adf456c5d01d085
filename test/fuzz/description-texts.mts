/** Descriptions that are damaged, or whose types are very many, deep or made of themselves. */
import fc from 'fast-check';
import { callWsdl, element } from '../support/wsdl.mts';
import { bomb, content, sizes } from './bombs.mts';
import type { Mutation } from './mutations.mts';
import { words } from './words.mts';

const count = (length: number, text: (index: number) => string): string =>
	Array.from({ length }, (_, index) => text(index)).join('');
const sequence = (inner: string): string => `<s:sequence>${inner}</s:sequence>`;
const type = (name: string, inner: string): string =>
	`<s:complexType name="${name}">${inner}</s:complexType>`;
const extension = (base: string, inner = ''): string =>
	`<s:complexContent><s:extension base="${base}">${inner}</s:extension></s:complexContent>`;

/** A call whose request has a field of the type "T0". */
const withTypes = (types: string): string => callWsdl(element('F', 'tns:T0'), types);

/** Descriptions that grow with a number. */
const growing: ReadonlyArray<(n: number) => string> = [
	(n) => callWsdl(count(n, (i) => element(`E${i}`, 's:int'))),
	// Types in fields.
	(n) => withTypes(count(n, (i) => type(`T${i}`, sequence(element('N', `tns:T${i + 1}`))))),
	// Types that each hold all.
	(n) => {
		const wide = Math.ceil(Math.sqrt(n));
		const all = sequence(count(wide, (i) => element(`E${i}`, `tns:T${i}`)));
		return withTypes(count(wide, (i) => type(`T${i}`, all)));
	},
	// Extensions of a large type, and of each other.
	(n) =>
		withTypes(
			type('Large', sequence(count(n, (i) => element(`E${i}`, 's:int')))) +
				count(n, (i) =>
					type(`T${i}`, extension('tns:Large', sequence(element('N', `tns:T${i + 1}`)))),
				),
		),
	(n) => withTypes(type('T0', '') + count(n, (i) => type(`T${i + 1}`, extension(`tns:T${i}`)))),
	// A type that extends itself.
	() => withTypes(type('T0', extension('tns:T0'))),
];

const whole = fc.oneof(
	{
		weight: 8,
		arbitrary: fc.tuple(fc.constantFrom(...growing), sizes(1, 3000)).map(([make, n]) => make(n)),
	},
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
