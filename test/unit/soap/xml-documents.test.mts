/** Documents of any shape, whole, cut and damaged, beside what two other parsers make of them. */
import fc from 'fast-check';
import { XmlError } from '../../../nodes/shared/soap/xml.ts';
import { parseXml } from '../../../nodes/shared/soap/parseXml.ts';
import { OVERLOOKED, readXml } from '../../../dev/sandbox/xml.mts';
import { mutated, xmlMutation } from '../../fuzz/mutations.mts';
import { Xmllint } from '../../../dev/sandbox/xmllint.mts';
import { runs } from '../../support/runs.mts';
import { contentOf, type XmlContent } from '../../support/soap.mts';

interface Markup {
	/** Taken where it is bound. */
	readonly prefix: string;
	readonly name: string;
	readonly bound: ReadonlyArray<readonly [prefix: string, namespace: string]>;
	readonly attributes: ReadonlyArray<readonly [name: string, value: string]>;
	readonly content: ReadonlyArray<Markup | string>;
	/** Whitespace wherever tags may have it. */
	readonly blank: string;
}

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const prefix = fc.constantFrom('', 'p', 'q');
const name = fc.constantFrom('a', 'ab', 'abc', 'Id', '_', 'é-1.x', 'toString', 'hasOwnProperty');
const namespace = fc.constantFrom('urn:a', 'urn:&#97;&amp;b', XSI);

const characters = fc.oneof(
	fc.stringMatching(/^[ !#-%(-;=?-~é€𝄞\u0085\u2028]{0,20}$/u),
	fc.constantFrom('>', '/>', '?>', '--', '=', '\n\t', '\r\n', '\r', '&#13;', '&amp;', '&amp;lt;'),
	fc.constantFrom('&lt;', '&gt;', '&apos;', '&quot;', '&#000065;', '&#x1F9fe;'),
);
const content = fc.oneof(
	{ weight: 3, arbitrary: characters },
	{
		weight: 1,
		arbitrary: fc.oneof(
			fc.constantFrom('"', "'", '<!---->', '<!-- <a> & - -> -->', '<?p \'>" ?>'),
			fc
				.constantFrom('', '<a>&amp;', ']', ']]', '>', 'longer than what is copied anyway')
				.map((text) => `<![CDATA[${text}]]>`),
		),
	},
);
const attribute = fc.tuple(
	fc.constantFrom('k', 'p:k', 'l', 'q:m', 'nil'),
	fc
		.tuple(
			fc.constantFrom(['"', "'"] as const, ["'", '"'] as const),
			fc.array(characters, { maxLength: 3 }),
			fc.boolean(),
		)
		.map(([[quote, other], texts, hasOther]) => {
			const value = texts.join('') + (hasOther ? other : '');
			return quote + value + quote;
		}),
);

const { markup } = fc.letrec<{ markup: Markup }>((tie) => ({
	markup: fc.record({
		prefix,
		name,
		bound: fc.uniqueArray(fc.tuple(prefix, namespace), {
			maxLength: 2,
			selector: ([own]) => own,
		}),
		attributes: fc.uniqueArray(attribute, {
			maxLength: 2,
			selector: ([qualified]) => qualified,
		}),
		content: fc.array(fc.oneof({ depthSize: 'small', maxDepth: 4 }, content, tie('markup')), {
			maxLength: 6,
		}),
		blank: fc.constantFrom('', '', ' ', '\n\t', '\r\n'),
	}),
}));

/** @param outer the prefixes that are bound around the element */
function written({ blank, ...of }: Markup, outer: readonly string[] = []): string {
	const scope = [...outer, ...of.bound.map(([bound]) => bound)];
	const isBound = (own: string): boolean => own !== '' && scope.includes(own);
	const qualified = isBound(of.prefix) ? `${of.prefix}:${of.name}` : of.name;
	const declared = of.bound.map(([bound, uri]) => {
		return ` xmlns${bound === '' ? '' : `:${bound}`}${blank}=${blank}"${uri}"`;
	});
	const values = of.attributes.map(([known, value]) => {
		const [local = '', before = ''] = known.split(':').reverse();
		return [isBound(before) ? known : local, value] as const;
	});
	// Without their prefixes, two may have the same name.
	const attributes = [...new Map(values)].map(([own, value]) => ` ${own}${blank}=${blank}${value}`);
	const start = [qualified, ...declared, ...attributes].join('');
	const body = of.content
		.map((part) => (typeof part === 'string' ? part : written(part, scope)))
		.join('');
	return body === '' && blank !== ''
		? `<${start}${blank}/>`
		: `<${start}${blank}>${body}</${qualified}${blank}>`;
}

const prologues = [
	'',
	'\ufeff',
	'<?xml version="1.0" encoding="utf-8"?>',
	'\n<!-- <a> --> <?a b?>',
];
const documents = fc
	.tuple(fc.constantFrom(...prologues), markup)
	.map(([prologue, root]) => prologue + written(root));

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

/** As many files as libxml2 can take at once. */
const BATCH = 1500;

/** What libxml2 has against each document, the first thing of it. */
async function faultsOf(texts: readonly string[]): Promise<Array<string | undefined>> {
	const [batch, others] = [texts.slice(0, BATCH), texts.slice(BATCH)];
	if (others.length > 0) return [...(await faultsOf(batch)), ...(await faultsOf(others))];
	const files = texts.map((contents, i) => ({ fileName: `${i}.xml`, contents }));
	const names = files.map(({ fileName }) => fileName);
	const xmllint = new Xmllint();
	const messages = (await xmllint.run(files, ['--noout', ...names])).split('\n');
	await xmllint.close();
	// That a namespace is a URI is not asked for here.
	const errors = messages.filter((message) => / error : (?!.* is not a valid URI$)/.test(message));
	return names.map((file) => errors.find((message) => message.startsWith(`${file}:`)));
}

it('a document is what sax reads; cut short, it is refused', () => {
	const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
	fc.assert(
		fc.property(documents, share, (text, part) => {
			expect(outcome(text)).toEqual(readXml(text));
			expect(outcome(text.slice(0, Math.floor(part * text.length)))).toMatch(/^The answer holds /);
		}),
		runs(10),
	);
});

it('a damaged document is refused, or what sax reads; libxml2 refuses the same ones', async () => {
	// In UTF-8 there are no lone surrogates.
	const damaged = mutated(documents, xmlMutation).filter((text) => text.isWellFormed());
	const texts = fc.sample(damaged, runs(20));
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
