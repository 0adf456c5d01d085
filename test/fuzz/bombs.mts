/** Long repetitions: inputs on which time would grow faster than size, if it ever does. */
import fc from 'fast-check';
import { words } from './words.mts';

/** The longest bomb, in characters. */
const MAX = 400_000;

const units = [
	...words(String.raw`
		< > & ; " ' = - -- / x 0 0. 1 ] ]]> &amp; &#65; &#x1F9FE; &lol; <a> </a> <a/> a=" =' <!-- -->
		<![CDATA[ <![CDATA[]]> <? ?> <! <b:a/> <Id>1</Id> <EmployeeCostCenter/> <Fault/> A. System. eyJ
		eyJ- eyJa. eyJa.a. . [ { } [] {} , 1, [1], {"a": "a":1, \ \u null 1e é 𝄞`),
	...[' ', '\t', '\n', '\r\n', '\u2028', '\u00a0', '\ud800', '\0'],
	...['<a b="c"/>', '<a b="', 'a="" ', '<!-- -->', '<?a b?>', '<!DOCTYPE ', '<a xmlns="u">'],
	...['<a xmlns:b="u"/>', ' ---> ', '\n   at A.B(C c)', '\n   bij ', '\n --- ', 'Exception: '],
	...[
		'\nat A.B (',
		'\nbij a.',
		'A.Exception`1[',
		'[AException',
		'---> (Inner Exception #1) ',
		'<---',
	],
	...['2011: ', 'token ', 'token is ', 'access token ', 'expired ', 'token has been '],
	...['Bearer ', 'Basic ', ', charset='],
];

/** Units that differ from each other by a number. */
const numbered: ReadonlyArray<(i: number) => string> = [
	(i) => ` a${i}=""`,
	(i) => ` xmlns:a${i}="urn:${i}"`,
	(i) => `<a${i}/>`,
	(i) => `<a${i}>`,
	(i) => `<a${i} xmlns:b="u"/>`,
	(i) => `<EmployeeCostCenter xmlns:b${i}="u"/>`,
	(i) => `"a${i}":${i},`,
	(i) => `{"id":${i}},`,
];

/** A size; every order of magnitude is equally likely. */
export const sizes = (least: number, most = MAX): fc.Arbitrary<number> =>
	fc
		.double({ min: Math.log(least), max: Math.log(most), noNaN: true, noDefaultInfinity: true })
		.map((log) => Math.floor(Math.exp(log)));
const length = sizes(1);

const repeated = fc
	.tuple(fc.array(fc.constantFrom(...units), { minLength: 1, maxLength: 3 }), length)
	.map(([parts, size]) => {
		const unit = parts.join('');
		return unit.repeat(Math.ceil(size / unit.length));
	});

const counted = fc
	.tuple(fc.constantFrom(...numbered), length)
	.map(([unit, size]) =>
		Array.from({ length: Math.ceil(size / unit(1).length) }, (_, i) => unit(i)).join(''),
	);

/** A long text of one unit, or of a few in turn, up to some hundred thousand characters. */
export const bomb: fc.Arbitrary<string> = fc.oneof(
	{ weight: 2, arbitrary: repeated },
	{
		// Where an expression begins, and why it fails at the end, are often other units.
		weight: 3,
		arbitrary: fc
			.tuple(fc.constantFrom(...units), repeated, fc.constantFrom(...units))
			.map((parts) => parts.join('')),
	},
	{ weight: 1, arbitrary: counted },
	{
		// As deep going in as coming out again.
		weight: 1,
		arbitrary: fc
			.tuple(
				fc.constantFrom(
					['<a>', '</a>'],
					['[', ']'],
					['{"a":', '}'],
					['[{"b":', '}]'],
					['<a xmlns="u">', '</a>'],
				),
				length,
			)
			.map(([[open = '', close = ''], size]) => {
				const depth = Math.ceil(size / (open.length + close.length));
				return open.repeat(depth) + (open.endsWith(':') ? '1' : '') + close.repeat(depth);
			}),
	},
);

/** A long content that keeps the document well-formed, so that the parser accepts it. */
export const content: fc.Arbitrary<string> = fc
	.tuple(
		fc.constantFrom(
			...words('<a/> <a>1</a> <Id/> <b><a/></b> <EmployeeCostCenter/> &amp; &#65; <![CDATA[]]> x'),
			...['<p:a xmlns:p="u"/>', '<!-- -->', '<?a b?>', ' ', '\n', ' ---> ', '\n at A('],
		),
		sizes(1000),
	)
	.map(([unit, size]) => unit.repeat(Math.ceil(size / unit.length)));
