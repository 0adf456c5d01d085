/** Documents whose parts take far more time or memory than their characters. */
import { execFileSync } from 'node:child_process';
import { LIMITS, XmlCheck } from '../../../nodes/shared/soap/checkXml.ts';
import { parseXml } from '../../../nodes/shared/soap/parseXml.ts';
import { readUntyped } from '../../../nodes/shared/soap/untyped.ts';

const numbered = (count: number, unit: (i: number) => string): string =>
	Array.from({ length: count }, (_, i) => unit(i)).join('');
const root = (content: string): string => `<r>${content}</r>`;
const nested = (depth: number, inner = ''): string =>
	`${'<r>'.repeat(depth)}${inner}${'</r>'.repeat(depth)}`;

/** Documents with so many of what is limited. */
const documents = {
	elements: (count) => root('<a/>'.repeat(count - 1)),
	attributes: (count) => root('<a b="" c=""/>'.repeat(count / 2) + '<a b=""/>'.repeat(count % 2)),
	levels: (count) => nested(count),
	'characters of a name': (count) => `<${'r'.repeat(count)}/>`,
	'characters of a tag': (count) => `<r k="${'x'.repeat(count - 9)}"/>`,
	'references and line ends': (count) =>
		root('\n&lt;'.repeat(count / 2) + '\r\n'.repeat(count % 2)),
} satisfies Partial<Record<keyof typeof LIMITS, (count: number) => string>>;

it.each(Object.keys(documents) as Array<keyof typeof documents>)('%s are limited', (what) => {
	const limit = LIMITS[what];
	const over = { name: 'XmlError', limit, what };
	expect(() => new XmlCheck(documents[what](limit)).prepare()).not.toThrow();
	expect(() => parseXml(documents[what](limit + 1))).toThrow(expect.objectContaining(over));
});

it.each([
	['comments', '<!---->', 'elements'],
	['CDATA sections', '<![CDATA[]]>', 'elements'],
	['instructions', '<?a?>', 'elements'],
] as const)('%s count, too', (_, unit, what) => {
	const over = expect.objectContaining({ what });
	expect(() => parseXml(root(unit.repeat(LIMITS[what] + 1)))).toThrow(over);
});

it.each([
	['attributes', `<a k="v">${'x'.repeat(60)}</a>`],
	['prefixes that elements bind', '<b:a xmlns:b="u"/>'],
	['texts of characters of two bytes', `<a>${'x'.repeat(60)}</a>`, '𝄞'],
])('the memory that %s take is limited', (_, unit, first = '') => {
	const over = expect.objectContaining({ limit: LIMITS['MiB in memory'], what: 'MiB in memory' });
	expect(() => parseXml(root(first + unit.repeat(990_000)))).toThrow(over);
});

describe('the namespace that a prefix stands for', () => {
	const bound = (length: number, content: string): string =>
		`<r xmlns:b="${'u'.repeat(length)}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${content}</r>`;

	it('is limited like a name', () => {
		expect(parseXml(bound(1000, '<b:a/>')).children).toHaveLength(1);
		const over = expect.objectContaining({ what: 'characters of a name' });
		expect(() => parseXml(bound(1001, ''))).toThrow(over);
	});

	it.each([
		['attributes', '<a b:c="" b:d=""/>'],
		['types', '<a xsi:type="b:c"/><a xsi:type=" b:d"/>'],
	])('counts for each of the %s that are named with it', (_, two) => {
		const limit = LIMITS['characters of names with their namespaces'];
		const most = Math.floor(limit / 2100);
		expect(readUntyped(parseXml(bound(1000, two.repeat(most))))).not.toBeNull();
		const over = expect.objectContaining({ limit });
		expect(() => readUntyped(parseXml(bound(1000, two.repeat(most * 1.1))))).toThrow(over);
	});
});

it('the name of an attribute is limited like that of an element', () => {
	expect(parseXml(`<r><${'k'.repeat(1000)}/></r>`).children).toHaveLength(1);
	const over = expect.objectContaining({ what: 'characters of a name' });
	expect(() => parseXml(`<r ${'k'.repeat(1001)}=""/>`)).toThrow(over);
});

describe('different names', () => {
	it.each([
		['elements', (i: number) => `<a${i}/>`, 1],
		['attributes', (i: number) => `<r a${i}=""/>`, 0],
	] as const)(
		'of %s are limited in a document, and not how often they occur',
		(kind, unit, others) => {
			const what = `different names of ${kind}` as const;
			const limit = LIMITS[what];
			const most = numbered(limit - others, unit);
			expect(parseXml(root(most.repeat(2))).children).toHaveLength(2 * (limit - others));
			const over = expect.objectContaining({ name: 'XmlError', limit, what });
			expect(() => parseXml(root(`<r>${most}</r>${unit(limit)}`))).toThrow(over);
		},
	);

	it('of prefixes are not: ASP.NET numbers them', () => {
		const all = numbered(50_000, (i) => `<q${i}:r xmlns:q${i}="u" xmlns="u"/>`);
		expect(parseXml(root(all)).children).toHaveLength(50_000);
	});
});

it.each(['<!-- -->', '<?a?>', '<a></a>'])('levels are counted by open elements: %s', (one) => {
	expect(parseXml(nested(63, one.repeat(100))).name).toBe('r');
});

/** Parses a document in a process of its own, with a heap that is a fourth of the usual one. */
function parsedAlone(document: string): unknown {
	const script = `
		const { parseXml } = require('./nodes/shared/soap/parseXml.ts');
		let result;
		try { result = parseXml(${document}).children.length } catch (error) { result = error.message }
		console.log(JSON.stringify(result));`;
	const args = ['--max-old-space-size=512', '--import', 'tsx', '-e', script];
	return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

it.each([
	['60 MiB of elements that bind a prefix', `'<r>' + '<b xmlns="u"/>'.repeat(4_500_000) + '</r>'`],
	[
		'an element with 16 MiB of attributes',
		`'<r' + Array.from({ length: 1_500_000 }, (_, i) => ' a' + i + '=""').join('') + '/>'`,
	],
	[
		'60 MiB of elements with 250 attributes',
		`'<r>' + ('<a' + Array.from({ length: 250 }, (_, i) => ' a' + i + '=""').join('') + '/>').repeat(27_000) + '</r>'`,
	],
	[
		'8 MiB of attributes of a namespace of 60 KiB',
		`'<r xmlns:b="' + 'u'.repeat(60_000) + '">' + '<a b:c=""/>'.repeat(700_000) + '</r>'`,
	],
	['64 MiB that are one name', `'<' + 'a'.repeat(2 ** 26) + '/>'`],
	['64 MiB of references', `'<r>' + '&lt;'.repeat(2 ** 24) + '</r>'`],
	['64 MiB of line ends', `'<r>' + '\\r'.repeat(2 ** 26) + '</r>'`],
	['64 MiB of line ends before an error', `'<r>' + '\\n'.repeat(2 ** 26) + '</s>'`],
	['an attribute of 64 MiB', `'<r k="' + 'a'.repeat(2 ** 26) + '"/>'`],
])('%s are refused', (_, document) => {
	expect(parsedAlone(document)).toMatch(/^The answer holds XML that is refused \(over \d+ /);
});

it.each(['<!---->', '<?a?>', '<![CDATA[]]>'])('a long text with many %s in it is read', (one) => {
	const document = `'<r><a/>' + ('x'.repeat(60) + '${one}').repeat(600_000) + '</r>'`;
	expect(parsedAlone(document)).toBe(1);
});

it('a list of 100,000 records with five nil elements each is read', () => {
	const fields = numbered(
		5,
		(i) => `<Field${i}>a value of it</Field${i}>\r\n<Other${i} xsi:nil="true" />\r\n`,
	);
	const list = `'<r xmlns:xsi="urn:x">' + ${JSON.stringify(root(fields))}.repeat(100_000) + '</r>'`;
	expect(parsedAlone(list)).toBe(100_000);
});
