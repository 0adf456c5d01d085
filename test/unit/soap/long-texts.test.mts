/** Texts that are too long for the XML library, which collects a text character by character. */
import { execFileSync } from 'node:child_process';
import { parseXml } from '../../../nodes/shared/soap/parseXml.ts';

const LONG = 'x'.repeat(1_000_001);

it.each([
	['a text', LONG, LONG],
	['a text with references and line ends', `&amp;${LONG}\r\n&#65;`, `&${LONG}\nA`],
	['a text with carriage returns', `&#13;${LONG}&#xD;\r\n`, `\r${LONG}\r\n`],
	['a text with the marks of tags', `"${LONG}'>/>`, `"${LONG}'>/>`],
	['a CDATA section', `<![CDATA[<a>&amp;${LONG}]]>`, `<a>&amp;${LONG}`],
	['a text beside a comment', `${LONG}<!-- ${LONG} -->b<?c?>`, `${LONG}b`],
	['what ends a CDATA section', `${LONG}]]&gt;&lt;r/>]]&#62;`, `${LONG}]]><r/>]]>`],
	['texts beside each other', `${LONG}<![CDATA[${LONG}]]>${LONG}`, LONG.repeat(3)],
	['texts around an element', `a${LONG}<c>no</c>${LONG}b`, `a${LONG}${LONG}b`],
	['characters of two units', `\u{1F9FE}${LONG}€`, `\u{1F9FE}${LONG}€`],
])('%s is what the document says', (_, xml, text) => {
	const { children } = parseXml(`<r>\n<e k=">'">${xml}</e><f l='">'/>\n</r>`);
	expect(children[0]?.text === text).toBe(true);
	expect(children[0]?.attributes.get('k')).toBe(">'");
	expect(children[1]?.attributes.get('l')).toBe('">');
});

it('a long attribute is what the document says', () => {
	const long = LONG.slice(0, 65_000);
	const { attributes, text } = parseXml(`<r k=">${long}'">a</r>`);
	expect(attributes.get('k') === `>${long}'`).toBe(true);
	expect(text).toBe('a');
});

it('a long text may hold no reference that XML does not know', () => {
	const unknown = 'The answer holds the unknown entity "&nbsp;"';
	expect(() => parseXml(`<r>${LONG}&nbsp;</r>`)).toThrow(unknown);
});

it.each([
	`${LONG}<r/>`,
	`<r/>${LONG}`,
	`<r>${LONG}`,
	`<r>${LONG}]]></r>`,
	`<r k="${LONG}`,
	`<r k="${LONG.slice(0, 65_000)}"`,
	`<r ${LONG}/`,
	`<r>${LONG}</r`,
	`<r>${LONG}</s>`,
	`${LONG.replaceAll('x', ' ')}<![CDATA[]]><r/>`,
	`<r/><![CDATA[]]>${LONG.replaceAll('x', ' ')}`,
])('a long text does not hide what is not well-formed (%#)', (xml) => {
	expect(() => parseXml(xml)).toThrow('The answer holds no well-formed XML');
});

it('long blanks may stand around the root element', () => {
	const blanks = ' '.repeat(1_000_001);
	expect(parseXml(`${blanks}<!-- a -->${blanks}<r/>${blanks}<!-- b -->${blanks}`).name).toBe('r');
});

it('a text of 20 MB takes less than 100 MB', () => {
	const script = `
		const { parseXml } = require('./nodes/shared/soap/parseXml.ts');
		parseXml('<r/>');
		const document = Buffer.from('<r>' + 'x'.repeat(20_000_000) + '</r>').toString('latin1');
		const before = process.resourceUsage().maxRSS;
		const { text } = parseXml(document);
		console.log(JSON.stringify([text.length, process.resourceUsage().maxRSS - before]));`;
	const args = ['--import', 'tsx', '-e', script];
	const [length = 0, kilobytes = 0] = JSON.parse(
		execFileSync(process.execPath, args, { encoding: 'utf8' }),
	) as number[];
	expect(length).toBe(20_000_000);
	expect(kilobytes).toBeLessThan(100_000);
});
