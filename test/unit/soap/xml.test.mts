import { LIMITS } from '../../../nodes/shared/contract/limits.ts';
import { isXmlText } from '../../../nodes/shared/values/scalars.ts';
import { escapeXml, parseXml, XmlError } from '../../../nodes/shared/soap/xml.ts';
import { atNight } from '../../support/runs.mts';
import { contentOf } from '../../support/reading.mts';

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/** What an error says stands in the document. */
function found(text: string, maxElements?: number): string {
	try {
		parseXml(text, maxElements);
	} catch (error) {
		expect(error).toBeInstanceOf(XmlError);
		expect(error).toMatchObject({ name: 'XmlError' });
		return /^The answer holds (.*)$/.exec((error as XmlError).message)?.[1] ?? '';
	}
	throw new Error('It is XML');
}

describe('an element', () => {
	it('is its namespace, name, attributes, children and text', () => {
		const element = parseXml('<a:r xmlns:a="urn:a&amp;b" xmlns="urn:d" k="v">x<c/>y</a:r>');
		expect(contentOf(element)).toEqual({
			namespace: 'urn:a&b',
			name: 'r',
			attributes: new Map([['k', 'v']]),
			children: [{ namespace: 'urn:d', name: 'c', attributes: new Map(), children: [], text: '' }],
			text: 'xy',
		});
	});

	it('without a namespace has none', () => {
		expect(parseXml('<r/>').namespace).toBe('');
		expect(parseXml('<r xmlns="urn:d"><c xmlns=""/></r>').children[0]?.namespace).toBe('');
		expect(parseXml('<r xmlns:a="urn:a"><c/></r>').children[0]?.namespace).toBe('');
	});

	it('has the namespace that its prefix is bound to nearest, also after the same name in another', () => {
		const { children } = parseXml(
			'<a:r xmlns:a="urn:1"><a:c xmlns:a="urn:2"><a:d/></a:c><a:d/><a:c/></a:r>',
		);
		const names = [children[0], children[0]?.children[0], children[1], children[2]];
		expect(names.map((child) => child?.namespace)).toEqual(['urn:2', 'urn:2', 'urn:1', 'urn:1']);
	});

	it('of the prefix "xml" needs no declaration, and may have the right one', () => {
		const namespace = 'http://www.w3.org/XML/1998/namespace';
		expect(parseXml('<xml:r/>').namespace).toBe(namespace);
		expect(parseXml(`<r xmlns:xml="${namespace}"/>`).namespace).toBe('');
	});

	it.each([
		['<a:r/>', 'a'],
		['<r a:k="v"/>', 'a'],
		['<r><a:c xmlns:b="urn:b"/></r>', 'a'],
		['<r><b:c xmlns:b="urn:b"/><b:c/></r>', 'b'],
		['<b:r xmlns:b=""/>', 'b'],
		['<xmlns:r/>', 'xmlns'],
	])('of an unbound prefix is an error: %s', (text, prefix) => {
		expect(found(text)).toBe(`the unbound prefix "${prefix}"`);
	});

	it.each(['a:b:c', ':r', 'r:'])('named "%s" is an error', (name) => {
		const expected = `the name "${name}", whose colon is out of place`;
		expect([expected, 'no well-formed XML (line 1)']).toContain(found(`<${name}/>`));
		expect([expected, 'no well-formed XML (line 1)']).toContain(found(`<r ${name}="v"/>`));
	});

	it.each([
		['xml', 'urn:a'],
		['xmlns', 'urn:a'],
		['a', 'http://www.w3.org/XML/1998/namespace'],
	])('with the prefix "%s" bound to "%s" is an error', (prefix, namespace) => {
		expect(found(`<r xmlns:${prefix}="${namespace}"/>`)).toBe(
			`the prefix "${prefix}" bound to "${namespace}"`,
		);
	});

	it.each(['__proto__', '__PROTO__', 'constructor', 'prototype'])(
		'called %s is refused',
		(name) => {
			const what = `the element name "${name}", which is refused`;
			expect(found(`<r><${name}/></r>`)).toBe(what);
			expect(found(`<r><p:${name} xmlns:p="u"/></r>`)).toBe(what);
			expect(found(`<r ${name}="v"/>`)).toBe(`the attribute name "${name}", which is refused`);
		},
	);
});

describe('attributes', () => {
	it.each([
		// Line ends and tabs are blanks, but for references.
		['k="a\r\nb\rc\td\n\n" l=\'\n\'', { k: 'a b c d  ', l: ' ' }],
		['k="&#13;&#10;\n&#x9;&#xA;"', { k: '\r\n \t\n' }],
		// Those of XML Schema instance are marked, whatever the prefix; without one, they are in no namespace.
		[
			`xmlns:i="${XSI}" i:type="t" type="u" nil="true"`,
			{ 'xsi:type': 't', type: 'u', nil: 'true' },
		],
		[`xmlns="${XSI}" nil="true"`, { nil: 'true' }],
	])('%j are %j', (attributes, values) => {
		const root = parseXml(`<r ${attributes}>x</r>`);
		expect([...root.attributes]).toEqual(Object.entries(values));
		expect(root.text).toBe('x');
	});
});

describe('text', () => {
	it.each([
		['&amp;&lt;&gt;&quot;&apos;', '&<>"\''],
		['&#65;&#x42;&#x1F9fe;', 'AB\u{1F9FE}'],
		['&#9;&#xA;&#13;', '\t\n\r'],
		['&#x10FFFF;', '\u{10FFFF}'],
		['&#000000065;', 'A'],
		['&amp;lt;', '&lt;'],
		['<![CDATA[&lt;<b><!DOCTYPE x>]]>', '&lt;<b><!DOCTYPE x>'],
		['a<![CDATA[b]]><![CDATA[]]>c', 'abc'],
		["a<!-- <b> - -> -->b<?no > ' part?>c", 'abc'],
		['a<c>no</c>b<c/>c', 'abc'],
		['<?a?><?a ??><?xml-style a="?"?>', ''],
		['a\r\nb\rc\n\r', 'a\nb\nc\n\n'],
		['<![CDATA[\r\n]]>', '\n'],
		['<![CDATA[a text that is long: ]] ]>]]>', 'a text that is long: ]] ]>'],
		['"\'/>=?!', '"\'/>=?!'],
		['  a  ', '  a  '],
		[' ', ' '],
		['007', '007'],
	])('%j is %j', (xml, text) => {
		expect(parseXml(`<r>${xml}</r>`).text).toBe(text);
	});

	it.each([
		['&nbsp;', 'the unknown entity "&nbsp;"'],
		['&toString;', 'the unknown entity "&toString;"'],
		['&#;', 'the unknown entity "&#;"'],
		['&#x;', 'the unknown entity "&#x;"'],
		['&#12a;', 'the unknown entity "&#12a;"'],
		['&#xfg;', 'the unknown entity "&#xfg;"'],
		['&a#65;', 'the unknown entity "&a#65;"'],
		['&amp', 'an "&" that begins no entity'],
		['a & b;', 'the unknown entity "& b;"'],
		['&averyveryverylongname;', 'an "&" that begins no entity'],
	])('with %j is an error', (xml, what) => {
		expect(found(`<r k="${xml}"/>`)).toBe(what);
		// The library's own check finds some of them, and only tells the line.
		expect([what, 'no well-formed XML (line 1)']).toContain(found(`<r>${xml}</r>`));
	});

	it.each(['\u0001', '\ufffe', '\ud800'])('with %j is an error', (character) => {
		expect(found(`<r>${character}</r>`)).toBe('a character that XML does not allow');
	});
});

describe('what XML can carry', () => {
	it.each(['', '\t\n\r', ' ~', '\u007f', '\ud7ff', '\ue000', '\ufffd', '\u{10000}', '\u{10FFFF}'])(
		'is %j',
		(text) => {
			expect(isXmlText(`a${text}b`)).toBe(true);
			expect(parseXml(`<r>${escapeXml(text)}</r>`).text).toBe(text);
		},
	);
});

describe('a document', () => {
	it('may begin with a mark, a declaration, instructions, comments and whitespace', () => {
		const prolog =
			'\ufeff<?xml version="1.0"?>\n<!-- <!DOCTYPE no> -->\t<?style <x> ?> <!---->\r\n';
		expect(parseXml(`${prolog}<r/> <!-- end -->`).name).toBe('r');
		expect(found('\ufeff\ufeff<r/>')).toMatch(/^no well-formed XML/);
	});

	it.each([
		'<!DOCTYPE r><r/>',
		'<!doctype r><r/>',
		'<!-- c --> <!DOCTYPE r SYSTEM "file:///etc/passwd"><r/>',
		'<?a?>\n<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><r>&b;</r>',
		'<r><!DOCTYPE r></r>',
		'<r><!ELEMENT a></r>',
		'<r><!</r>',
		'<r><!-</r>',
		'<r><![CDATA</r>',
		'<r><!cdata[]]></r>',
	])('with a declaration is refused: %j', (text) => {
		expect(found(text)).toBe('a document type declaration, which is refused');
	});

	it('is 64 elements deep at most', () => {
		const nested = (depth: number, inner = '') =>
			`${'<a>'.repeat(depth)}${inner}${'</a>'.repeat(depth)}`;
		expect(parseXml(nested(64)).name).toBe('a');
		expect(parseXml(nested(63, '<b/><b/>')).name).toBe('a');
		for (const deep of [nested(65), nested(64, '<b/>'), '<a>'.repeat(10_000)]) {
			expect(found(deep)).toBe('XML that is refused (over 64 levels)');
		}
	});

	it.each(['<!-- a -- b -->', '<!----->', '<!-- a --->'])(
		'has no comment with "--" in it: %s',
		(comment) => {
			expect(found(`<r>${comment}</r>`)).toBe('a comment with "--" in it');
			expect(found(`${comment}<r/>`)).toBe('a comment with "--" in it');
		},
	);

	// What is accepted is compared with sax by the fuzzer (test/fuzz/soap-answers.mts).
	it.each([
		'<!-- never closed',
		'<r/><!-- never closed --',
		'<r/><?never closed',
		'<r><![CDATA[ never closed</r>',
		'<![CDATA[]]><r/>',
		'<r/><![CDATA[]]>',
		'<r/>text',
		'text<r/>',
		'<r',
		'<a:r xmlns:a',
		'<r><?XML?></r>',
		'<r><?1?></r>',
		'<r><? a?></r>',
		'<r><?a/?></r>',
		'<r><?a\u00a0b?></r>',
		'<r\u00a0></r>',
		'<r></r\u2028>',
		'<r></r \ufeff>',
		'<r\u00a0k="v"/>',
		'<r =></r>',
		'<r k="v"=/>',
		'<r k="v" = l="w"/>',
		'<r k="<!-- -->"/>',
		'<r k="1" k="2"/>',
		'<r>',
	])('that is %j is an error', (text) => {
		expect(found(text)).toMatch(/^no well-formed XML/);
	});

	it.each([
		['\n<?xml version="1.0"?><r/>', 2],
		['<r>\n<a>\n</b></r>', 3],
		['<r>\n<a x=1/>\n</r>\n', 2],
	])('is an error that names its line: %j', (text, line) => {
		expect(found(text)).toBe(`no well-formed XML (line ${line})`);
	});
});

describe('more than is read of a document is refused:', () => {
	const over = (limit: number, what: string): string =>
		`XML that is refused (over ${limit} ${what})`;
	const name = (length: number): string => 'n'.repeat(length);
	const bound = (length: number): string => `<r xmlns:b="${name(length)}"/>`;

	it.each(['<a/>', '<!---->', '<?a?>', '<![CDATA[]]>'])('elements, as %s', (one) => {
		const text = (count: number): string => `<r>${one.repeat(count - 1)}</r>`;
		expect(parseXml(text(LIMITS.descriptionElements), LIMITS.descriptionElements).name).toBe('r');
		for (const limit of [LIMITS.elements, LIMITS.descriptionElements]) {
			expect(found(text(limit + 1), limit)).toBe(over(limit, 'elements'));
		}
	});

	atNight('attributes, of one element or of many, with those that bind prefixes', () => {
		const limit = LIMITS.attributes;
		const most = `<r>${'<a b="" c="" d="" e=""/>'.repeat(limit / 4)}<a/></r>`;
		expect(parseXml(most).children).toHaveLength(limit / 4 + 1);
		const many = [most.replace('<a/>', '<a xmlns="u"/>'), `<r${' a=""'.repeat(limit + 1)}/>`];
		for (const text of many) expect(found(text)).toBe(over(limit, 'attributes'));
	});

	it('characters of a name or a namespace', () => {
		const texts = [
			(length: number) => `<${name(length)}/>`,
			(length: number) => `<r ${name(length)}=""/>`,
			bound,
		];
		for (const text of texts) {
			expect(parseXml(text(LIMITS.name)).children).toEqual([]);
			expect(found(text(LIMITS.name + 1))).toBe(over(LIMITS.name, 'characters of a name'));
		}
	});
});

describe('a text that is too long for the library, which collects it character by character,', () => {
	const LONG = 'x'.repeat(100_001);

	it.each([
		['references and line ends', `&amp;${LONG}\r\n&#65;`, `&${LONG}\nA`],
		['what XML does not allow', `&#x1F;${LONG}`, ` ${LONG}`],
		['a CDATA section', `<![CDATA[<a>&amp;${LONG}]]>`, `<a>&amp;${LONG}`],
		['what ends a CDATA section', `${LONG}]]&gt;&lt;r/>]]&#62;`, `${LONG}]]><r/>]]>`],
	])('is what the document says, with %s', (_, xml, text) => {
		const { children } = parseXml(`<r>\n<e k=">'${LONG}">${xml}</e><f l='">'/>\n</r>`);
		expect(children[0]?.text === text).toBe(true);
		expect(children[0]?.attributes.get('k') === `>'${LONG}`).toBe(true);
		expect(children[1]?.attributes.get('l')).toBe('">');
	});
});
