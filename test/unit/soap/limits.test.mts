/** Documents whose parts take far more time or memory than their characters. */
import { execFileSync } from 'node:child_process';
import { LIMITS, parseXml } from '../../../nodes/shared/soap/parseXml.ts';

const root = (content: string): string => `<r>${content}</r>`;
const numbered = (count: number, unit: (i: number) => string): string =>
	Array.from({ length: count }, (_, i) => unit(i)).join('');

/** Documents with so many of what is limited. */
const documents: Array<[what: keyof typeof LIMITS, unit: string, (count: number) => string]> = [
	['elements and attributes', 'elements', (count) => root('<a/>'.repeat(count - 1))],
	['elements and attributes', 'attributes', (count) => `<r${numbered(count - 1, (i) => ` a${i}=""`)}/>`],
	['levels', 'elements in each other', (count) => '<r>'.repeat(count) + '</r>'.repeat(count)],
	['references and carriage returns', 'references', (count) => root('&lt;'.repeat(count))],
	['references and carriage returns', 'carriage returns', (count) => root('\r'.repeat(count))],
];

it.each(documents)('%s are limited: %s', (what, _, documentOf) => {
	const limit = LIMITS[what];
	const over = { name: 'XmlError', limit, what };
	expect(parseXml(documentOf(limit)).name).toBe('r');
	expect(() => parseXml(documentOf(limit + 1))).toThrow(expect.objectContaining(over));
});

it.each(['<!-- -->', '<?a?>', '<a></a>', '<a/>'])('levels are those of open elements: %s', (one) => {
	const nested = `${'<r>'.repeat(63)}${one.repeat(100)}${'</r>'.repeat(63)}`;
	expect(parseXml(nested).name).toBe('r');
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
	['elements that bind a prefix', `'<r>' + '<b xmlns="u"/>'.repeat(4_500_000) + '</r>'`],
	['elements with a value', `'<r>' + '<b><c>thirteen chars</c></b>'.repeat(2_000_000) + '</r>'`],
	[
		'attributes of one element',
		`'<r' + Array.from({ length: 2_000_000 }, (_, i) => ' a' + i + '=""').join('') + '/>'`,
	],
	['references', `'<r>' + '&lt;'.repeat(2 ** 24) + '</r>'`],
	['carriage returns', `'<r>' + '\\r'.repeat(2 ** 26) + '</r>'`],
])('too many %s are refused before they fill the memory', (_, document) => {
	expect(parsedAlone(document)).toMatch(/^The answer holds XML that is refused \(over \d+ /);
});

it('an error on the last of 64 million lines is found', () => {
	const error = 'The answer holds no well-formed XML (line 67108865)';
	expect(parsedAlone(`'<r>' + '\\n'.repeat(2 ** 26) + '</s>'`)).toBe(error);
});

it.each([
	['a name', `'<' + 'a'.repeat(2 ** 26) + '/>'`, 0],
	['an attribute', `'<r k="' + 'a'.repeat(2 ** 26) + '"/>'`, 0],
	['a text', `'<r>' + 'a'.repeat(2 ** 26) + '</r>'`, 0],
	['CDATA sections', `'<r><a/>' + '<![CDATA[x]]>'.repeat(5_000_000) + '</r>'`, 1],
	['comments', `'<r><a/>' + '<!-- x -->'.repeat(6_000_000) + '</r>'`, 1],
	['blanks around the root element', `' '.repeat(2 ** 25) + '<r/>' + ' '.repeat(2 ** 25)`, 0],
])('64 MiB of %s are read', (_, document, children) => {
	expect(parsedAlone(document)).toBe(children);
});

it('a list of 100,000 records is read', () => {
	const fields = numbered(10, (i) => `<Field${i}>a value of it</Field${i}>\r\n`);
	const list = `'<r>' + ${JSON.stringify(root(fields))}.repeat(100_000) + '</r>'`;
	expect(parsedAlone(list)).toBe(100_000);
});
