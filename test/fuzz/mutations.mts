/** Damage to a valid text, as it happens in transit or is done on purpose. */
import fc from 'fast-check';
import { bomb } from './bombs.mts';
import { words } from './words.mts';

/** Changes an input; deterministic, given the input and its own random choices. */
export type Mutation<T> = (input: T) => T;

/** A position in an input of any length, as a fraction of it. */
const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const at = (share: number, length: number): number => Math.floor(share * (length + 1));

/** Applies one mutation or a few; an input with fewer gets further into the code. */
export function mutated<T>(
	inputs: fc.Arbitrary<T>,
	mutation: fc.Arbitrary<Mutation<T>>,
): fc.Arbitrary<T> {
	return fc
		.tuple(inputs, fc.array(mutation, { minLength: 1, maxLength: 3 }))
		.map(([input, mutations]) => mutations.reduce((changed, change) => change(changed), input));
}

/** Changes of single bytes and of stretches of them. */
export const byteMutation: fc.Arbitrary<Mutation<Buffer>> = fc.oneof(
	fc.tuple(place, fc.nat(7)).map(([share, bit]) => (bytes: Buffer) => {
		if (bytes.length === 0) return bytes;
		const changed = Buffer.from(bytes);
		const index = Math.floor(share * bytes.length);
		changed[index] = (changed[index] ?? 0) ^ (1 << bit);
		return changed;
	}),
	place.map((share) => (bytes: Buffer) => bytes.subarray(0, at(share, bytes.length))),
	fc.tuple(place, place).map(([a, b]) => (bytes: Buffer) => {
		const [from, to] = [at(a, bytes.length), at(b, bytes.length)];
		// Backwards it repeats a stretch, forwards it leaves one out.
		return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
	}),
	fc
		.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 8 }))
		.map(([share, inserted]) => (bytes: Buffer) => {
			const index = at(share, bytes.length);
			return Buffer.concat([bytes.subarray(0, index), inserted, bytes.subarray(index)]);
		}),
);

/** Where tokens begin: tags, references and texts of XML; punctuation, strings and words of JSON. */
const XML_TOKENS = /<!\[CDATA\[|\]\]>|<!--|-->|<\/?[^\s<>/]*|\/?>|\s+|&[^;\s<&]*;?|[^<>&\s]+/g;
const JSON_TOKENS = /"(?:[^"\\]|\\.)*"?|[[\]{}:,]|[^"[\]{}:,]+/g;

const snippets = [
	...words(String.raw`
		<!----> <![CDATA[<x>]]> <![CDATA[]]> &amp; &#0; &#xD800; &#x110000; &nbsp; & < > ]]>
		<a/> <a> </a> <x:a/> <__proto__>x</__proto__> <s:__proto__><a>1</a></s:__proto__> <toString/>
		<a:b:c/> <:a/> <1/> 99999999999 -0 1e5 NaN INF 0x10 +1 .5 5. １ TRUE 007 1.10 null true 1e400 -0.0
		0.1000000000000000055511151231257827 "__proto__":{"a":1}, "constructor":1, "toString":null, {} []
		, : " [ { \u0000 \ud800 "totalCount":3, "hasMore":true, "items":[], [[1]]`),
	...['<!-- a -->', '<?a b?>', '<?xml version="1.0"?>', '<!DOCTYPE a [<!ENTITY b "c">]>'],
	...['\u0000', '\uffff', '\ud83e', '\u0085', ' 7 ', ' xsi:nil="true"', ' xsi:nil="1"'],
	...[' nil="true"', ' xmlns=""', ' xmlns="urn:a"', ' xmlns:s="urn:a"', ' xmlns:xml="a"'],
	...[' a="b"', ' a="b" a="c"', " a='<'", ' a=b', '<a b="c">d</a>'],
	'<p:constructor xmlns:p="u"/>',
];

type TokenChange = (tokens: string[], index: number, other: number) => void;

const tokenChange: fc.Arbitrary<TokenChange> = fc.oneof(
	{
		weight: 10,
		arbitrary: fc.constantFrom<TokenChange>(
			(tokens, index) => void tokens.splice(index, 1),
			(tokens, index) => void tokens.splice(index, 0, tokens[index] ?? ''),
			(tokens, index, other) => {
				[tokens[index], tokens[other]] = [tokens[other] ?? '', tokens[index] ?? ''];
			},
			(tokens, index, other) => void tokens.splice(index, 0, ...tokens.slice(other, other + 40)),
			(tokens, index, other) => void tokens.splice(index, Math.max(0, other - index)),
		),
	},
	{
		weight: 10,
		arbitrary: fc.tuple(fc.constantFrom(...snippets), fc.nat(1)).map(
			([snippet, removed]): TokenChange =>
				(tokens, index) =>
					void tokens.splice(index, removed, snippet),
		),
	},
	{
		weight: 1,
		arbitrary: bomb.map(
			(long): TokenChange =>
				(tokens, index) =>
					void tokens.splice(index, 0, long),
		),
	},
);

function tokenMutation(pattern: RegExp): fc.Arbitrary<Mutation<string>> {
	return fc.tuple(tokenChange, place, place).map(([change, a, b]) => (text: string) => {
		const tokens = text.match(pattern) ?? [];
		const [index, other] = [a, b].map((share) => Math.floor(share * tokens.length));
		change(tokens, index ?? 0, other ?? 0);
		return tokens.join('');
	});
}

/** Changes of the tokens of an XML document. */
export const xmlMutation = tokenMutation(XML_TOKENS);
/** Changes of the tokens of a JSON text. */
export const jsonMutation = tokenMutation(JSON_TOKENS);
