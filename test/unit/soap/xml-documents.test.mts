/** Documents of any shape, whole, cut and damaged, beside what two other parsers make of them. */
import fc from 'fast-check';
import { XmlError } from '../../../nodes/shared/soap/xml.ts';
import { parseXml } from '../../../nodes/shared/soap/parseXml.ts';
import { OVERLOOKED, readXml } from '../../../dev/sandbox/xml.mts';
import { mutated, xmlMutation } from '../../fuzz/mutations.mts';
import { Xmllint } from '../../../dev/sandbox/xmllint.mts';
import { runs } from '../../support/runs.mts';
import { contentOf, type XmlContent } from '../../support/soap.mts';

/** A piece of a document as it is written, and the characters that it stands for. */
type Piece = readonly [written: string, read: string];

interface Markup {
	/** Taken where it is bound. */
	readonly prefix: string;
	readonly name: string;
	readonly bound: ReadonlyArray<readonly [prefix: string, namespace: Piece]>;
	readonly attributes: ReadonlyArray<
		readonly [name: string, quote: string, value: readonly Piece[]]
	>;
	readonly content: ReadonlyArray<Markup | Piece>;
	/** Blanks wherever tags may have them. */
	readonly blank: string;
}

const same = (text: string): Piece => [text, text];
const section = (text: string): Piece => [`<![CDATA[${text}]]>`, text];

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const name = fc.constantFrom('a', 'ab', 'abc', 'Id', '_', 'é-1.x', 'toString', 'hasOwnProperty');
const namespace = fc.constantFrom<Piece>(same('urn:a'), ['urn:&#97;&amp;b', 'urn:a&b'], same(XSI));

const characters: fc.Arbitrary<Piece> = fc.oneof(
	fc.stringMatching(/^[ !#-%(-;=?-~é€𝄞\u0085\u2028]{0,20}$/u).map(same),
	fc.constantFrom<Piece>(
		...['>', '/>', '?>', '--', '=', '\n\t'].map(same),
		// What stands behind them keeps two pieces from being one line end.
		['\r\n.', '\n.'],
		['\r.', '\n.'],
		['&#13;', '\r'],
		['&amp;', '&'],
		['&amp;lt;', '&lt;'],
		['&lt;', '<'],
		['&gt;', '>'],
		['&apos;', "'"],
		['&quot;', '"'],
		['&#000065;', 'A'],
		['&#x1F9fe;', '\u{1F9FE}'],
	),
);
const content: fc.Arbitrary<Piece> = fc.oneof(
	{ weight: 3, arbitrary: characters },
	{
		weight: 1,
		arbitrary: fc.constantFrom<Piece>(
			...['"', "'"].map(same),
			...['', '<a>&amp;', ']', ']]', '>', 'longer than what is copied anyway'].map(section),
			['<!---->', ''],
			['<!-- <a> & - -> -->', ''],
			['<?p \'>" ?>', ''],
		),
	},
);
const attribute = fc
	.tuple(fc.constantFrom('k', 'p:k', 'l', 'q:m', 'nil'), fc.constantFrom('"', "'"), fc.nat(1))
	.chain(([qualified, quote, other]) =>
		fc.tuple(
			fc.constant(qualified),
			fc.constant(quote),
			fc
				.array(characters, { maxLength: 3 })
				.map((pieces) => [...pieces, same(quote === '"' ? "'".repeat(other) : '"'.repeat(other))]),
		),
	);

const { markup } = fc.letrec<{ markup: Markup }>((tie) => ({
	markup: fc.record({
		prefix: fc.constantFrom('', 'p', 'q'),
		name,
		bound: fc.uniqueArray(fc.tuple(fc.constantFrom('', 'p', 'q'), namespace), {
			maxLength: 2,
			selector: ([prefix]) => prefix,
		}),
		attributes: fc.uniqueArray(attribute, {
			maxLength: 2,
			selector: ([qualified]) => qualified.split(':').at(-1),
		}),
		content: fc.array(
			fc.oneof({ depthSize: 'small', maxDepth: 4 }, content, tie('markup')) as fc.Arbitrary<
				Markup | Piece
			>,
			{ maxLength: 6 },
		),
		blank: fc.constantFrom('', '', ' ', '\n\t', '\r\n'),
	}),
}));

const isMarkup = (part: Markup | Piece): part is Markup => !Array.isArray(part);

const textOf = (pieces: readonly Piece[]): string => pieces.map(([, read]) => read).join('');

/** An element as it is written, and as it has to be read. */
function written(
	{ blank, ...of }: Markup,
	outer: ReadonlyMap<string, string> = new Map(),
): readonly [xml: string, element: XmlContent] {
	const scope = new Map([
		...outer,
		...of.bound.map(([prefix, [, read]]) => [prefix, read] as const),
	]);
	const prefix = scope.has(of.prefix) ? of.prefix : '';
	const qualified = prefix === '' ? of.name : `${prefix}:${of.name}`;
	const declared = of.bound.map(
		([bound, [xml]]) => ` xmlns${bound === '' ? '' : `:${bound}`}${blank}=${blank}"${xml}"`,
	);
	const attributes = of.attributes.map(([known, quote, value]) => {
		const [local = '', before = ''] = known.split(':').reverse();
		const isBound = before !== '' && scope.has(before);
		const key = isBound && scope.get(before) === XSI ? `xsi:${local}` : local;
		const xml = value.map(([piece]) => piece).join('');
		return {
			xml: ` ${isBound ? known : local}${blank}=${blank}${quote}${xml}${quote}`,
			entry: [key, textOf(value)] as const,
		};
	});
	const inner = of.content.map((part) => (isMarkup(part) ? written(part, scope) : part));
	const start = [qualified, ...declared, ...attributes.map(({ xml }) => xml)].join('');
	const body = inner.map(([xml]) => xml).join('');
	const xml =
		body === '' && blank !== ''
			? `<${start}${blank}/>`
			: `<${start}${blank}>${body}</${qualified}${blank}>`;
	const element: XmlContent = {
		namespace: scope.get(prefix) ?? '',
		name: of.name,
		attributes: new Map(attributes.map(({ entry }) => entry)),
		children: inner.map(([, read]) => read).filter((read) => typeof read !== 'string'),
		text: textOf(of.content.filter((part) => !isMarkup(part)) as Piece[]),
	};
	return [xml, element];
}

const documents = fc
	.tuple(
		fc.constantFrom(
			'',
			'\ufeff',
			'<?xml version="1.0" encoding="utf-8"?>',
			'\n<!-- <a> --> <?a b?>',
		),
		markup,
	)
	.map(([prologue, root]) => {
		const [xml, element] = written(root);
		return { text: prologue + xml, element };
	});

/** What becomes of a text: an element, or the message of an error. */
function outcome(text: string): XmlContent | string {
	try {
		return contentOf(parseXml(text));
	} catch (error) {
		if (error instanceof XmlError) return error.message;
		throw error;
	}
}

/** What is refused although it is well-formed. */
const REFUSED = /which is refused|over 64 levels/;

/** What libxml2 has against each document, the first thing of it. */
async function faultsOf(texts: readonly string[]): Promise<Array<string | undefined>> {
	const files = texts.map((contents, i) => ({ fileName: `${i}.xml`, contents }));
	const names = files.map(({ fileName }) => fileName);
	const xmllint = new Xmllint();
	const messages = (await xmllint.run(files, ['--noout', ...names])).split('\n');
	await xmllint.close();
	// That a namespace is a URI is not asked for here.
	const errors = messages.filter((message) => / error : (?!.* is not a valid URI$)/.test(message));
	return names.map((file) => errors.find((message) => message.startsWith(`${file}:`)));
}

it('a document is what it says, and what sax reads; cut short, it is refused', () => {
	const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
	fc.assert(
		fc.property(documents, share, ({ text, element }, part) => {
			expect(contentOf(parseXml(text))).toEqual(element);
			expect(readXml(text)).toEqual(element);
			expect(outcome(text.slice(0, Math.floor(part * text.length)))).toMatch(/^The answer holds /);
		}),
		runs(10),
	);
});

it('a damaged document is refused, or what sax reads; libxml2 refuses the same ones', async () => {
	const damaged = mutated(
		documents.map(({ text }) => text),
		xmlMutation,
	);
	// In UTF-8 there are no lone surrogates.
	const texts = fc.sample(damaged, runs(20)).filter((text) => text.isWellFormed());
	const faults = await faultsOf(texts);
	let accepted = 0;
	texts.forEach((text, i) => {
		const result = outcome(text);
		const error = typeof result === 'string' ? result : undefined;
		if (error === undefined && !text.includes(OVERLOOKED)) {
			accepted += 1;
			expect(readXml(text)).toEqual(result);
		}
		// XML forbids this in a text. The library accepts it, and its meaning is unambiguous.
		if (error === undefined && faults[i]?.includes("']]>' not allowed in content")) return;
		// XML allows these characters in a name; for the library they are whitespace.
		if (error !== undefined && /[\u1680\ufeff]/.test(text.slice(1))) return;
		// What a declaration says beyond being one is not looked at.
		if (REFUSED.test(error ?? '') || /^\ufeff?<\?xml\s/.test(text)) return;
		if ((error === undefined) === (faults[i] === undefined)) return;
		throw new Error(`${text}\nlibxml2: ${faults[i]}\nhere: ${error}`);
	});
	expect(accepted).toBeGreaterThan(texts.length / 30);
});
