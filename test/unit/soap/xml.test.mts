import { isXmlText } from '../../../nodes/shared/contract/xmlRules.ts';
import { escapeXml, isNil, XmlError } from '../../../nodes/shared/soap/xml.ts';
import { parseXml } from '../../../nodes/shared/soap/parseXml.ts';
import { contentOf } from '../../support/soap.mts';

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/** What an error says stands in the document. */
function found(text: string): string {
	try {
		parseXml(text);
	} catch (error) {
		expect(error).toBeInstanceOf(XmlError);
		expect(error).toMatchObject({ name: 'XmlError' });
		return /^The answer holds (.*)$/.exec((error as XmlError).message)?.[1] ?? '';
	}
	throw new Error('It is XML');
}

describe('an element', () => {
	it('is its namespace, name, attributes, children and text', () => {
		const element = parseXml('<a:r xmlns:a="urn:a" xmlns="urn:d" k="v">x<c/>y</a:r>');
		expect(contentOf(element)).toEqual({
			namespace: 'urn:a',
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

	it('has the namespace that its prefix is bound to nearest', () => {
		const { children } = parseXml(
			'<a:r xmlns:a="urn:1"><a:c xmlns:a="urn:2"><a:d/></a:c><a:e/></a:r>',
		);
		const names = [children[0], children[0]?.children[0], children[1]];
		expect(names.map((child) => child?.namespace)).toEqual(['urn:2', 'urn:2', 'urn:1']);
	});

	it('has a namespace whose references are resolved', () => {
		expect(parseXml('<r xmlns="urn:a&amp;b"/>').namespace).toBe('urn:a&b');
	});

	it('of the prefix "xml" needs no declaration', () => {
		expect(parseXml('<xml:r/>').namespace).toBe('http://www.w3.org/XML/1998/namespace');
	});

	it('of an unbound prefix is an error', () => {
		expect(found('<a:r/>')).toBe('the unbound prefix "a"');
		expect(found('<r><a:c xmlns:b="urn:b"/></r>')).toBe('the unbound prefix "a"');
		expect(found('<r><b:c xmlns:b="urn:b"/><b:c/></r>')).toBe('the unbound prefix "b"');
		expect(found('<b:r xmlns:b=""/>')).toBe('the unbound prefix "b"');
		expect(found('<xmlns:r/>')).toBe('the unbound prefix "xmlns"');
	});

	it('has its namespace where the same name stands elsewhere in another', () => {
		const { children } = parseXml('<r xmlns="u"><c/><o xmlns="v"><c/></o><c/></r>');
		const names = [children[0], children[1]?.children[0], children[2]];
		expect(names.map((child) => child?.namespace)).toEqual(['u', 'v', 'u']);
	});

	it.each(['a:b:c', ':a', 'a:', ':'])('of the name %j is an error', (name) => {
		const what = `the name "${name}", whose colon is out of place`;
		expect(found(`<${name} xmlns:a="u"/>`)).toBe(what);
		expect(found(`<r xmlns:a="u" ${name}="v"/>`)).toBe(what);
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

	it('may bind the prefix "xml" to what it is', () => {
		const { namespace } = parseXml('<r xmlns:xml="http://www.w3.org/XML/1998/namespace"/>');
		expect(namespace).toBe('');
	});

	it.each(['__proto__', 'constructor', 'prototype'])('called %s is refused', (name) => {
		expect(found(`<r><${name}/></r>`)).toBe(`the element name "${name}", which is refused`);
		expect(found(`<r ${name}="v"/>`)).toBe(`the attribute name "${name}", which is refused`);
	});

	it('may stand within one of the same name', () => {
		expect(parseXml('<a><a>x</a><a/><ab>y</ab></a>').children).toMatchObject([
			{ name: 'a', text: 'x' },
			{ name: 'a', text: '' },
			{ name: 'ab', text: 'y' },
		]);
	});

	it('may have blanks within its tags', () => {
		const { children } = parseXml('<r\n><a \t/><b k = "v"\r\n l\n=\'w\' >x</b \n></r\t>');
		expect(children).toMatchObject([
			{ name: 'a', text: '' },
			{ name: 'b', text: 'x', attributes: new Map(Object.entries({ k: 'v', l: 'w' })) },
		]);
	});
});

describe('attributes', () => {
	it('are known by local name, their references resolved; declarations are none', () => {
		const { attributes } = parseXml(
			`<r xmlns="urn:d" xmlns:a="urn:a" a:k="1 &lt; 2" l=" x " xml:lang="nl"/>`,
		);
		expect([...attributes]).toEqual([
			['k', '1 < 2'],
			['l', ' x '],
			['lang', 'nl'],
		]);
	});

	it('may hold the marks of tags, and the other quotation mark', () => {
		const { attributes, text } = parseXml(`<r a=">" b='"/>' c="'" d="" e="]]>=">x</r>`);
		expect([...attributes]).toEqual([
			['a', '>'],
			['b', '"/>'],
			['c', "'"],
			['d', ''],
			['e', ']]>='],
		]);
		expect(text).toBe('x');
	});

	it('keep their line ends, as line feeds', () => {
		expect(parseXml('<r k="a\r\nb\rc\td"/>').attributes.get('k')).toBe('a\nb\nc\td');
	});

	it('of XML Schema instance are marked, whatever the prefix', () => {
		const { attributes } = parseXml(`<r xmlns:i="${XSI}" i:type="t" type="u" nil="true"/>`);
		expect([...attributes]).toEqual([
			['xsi:type', 't'],
			['type', 'u'],
			['nil', 'true'],
		]);
	});

	it('without a prefix are in no namespace, also where that is the default', () => {
		expect([...parseXml(`<r xmlns="${XSI}" nil="true"/>`).attributes]).toEqual([['nil', 'true']]);
	});

	it('of an unbound prefix are an error', () => {
		expect(found('<r a:k="v"/>')).toBe('the unbound prefix "a"');
	});
});

describe('an element is nil', () => {
	const nil = (attribute: string) => isNil(parseXml(`<r xmlns:x="${XSI}" ${attribute}/>`));

	it.each(['x:nil="true"', 'x:nil="1"', 'x:nil=" true "'])('by %s', (attribute) => {
		expect(nil(attribute)).toBe(true);
	});

	it.each(['', 'x:nil="false"', 'x:nil="0"', 'x:nil=""', 'nil="true"', 'x:null="true"'])(
		'not by %j',
		(attribute) => {
			expect(nil(attribute)).toBe(false);
		},
	);
});

describe('text', () => {
	it.each([
		['&amp;&lt;&gt;&quot;&apos;', '&<>"\''],
		['&#65;&#x42;&#x1F9fe;', 'AB\u{1F9FE}'],
		['&#9;&#xA;&#13;', '\t\n\r'],
		['&#x10FFFF;', '\u{10FFFF}'],
		['&#000000065;', 'A'],
		['&amp;lt;', '&lt;'],
		['<![CDATA[&lt;<b>]]>', '&lt;<b>'],
		['a<![CDATA[b]]><![CDATA[]]>c', 'abc'],
		['a<!-- no -->b<?no part?>c', 'abc'],
		["a<!-- <b> - -> -->b<?no > ' part?>c", 'abc'],
		['a<c>no</c>b<c/>c', 'abc'],
		['<?a?><?a ??><?xml-style a="?"?>', ''],
		['a\r\nb\rc\n\r', 'a\nb\nc\n\n'],
		['<![CDATA[\r\n]]>', '\n'],
		['<![CDATA[a text that is long: ]] ]>]]>', 'a text that is long: ]] ]>'],
		['a text that is longer than a view', 'a text that is longer than a view'],
		['a long text &amp; a reference', 'a long text & a reference'],
		['"\'/>=?!', '"\'/>=?!'],
		['  a  ', '  a  '],
		[' ', ' '],
		['007', '007'],
		['1e3', '1e3'],
		['true', 'true'],
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
		['&#0;', 'the forbidden character "&#0;"'],
		['&#xD800;', 'the forbidden character "&#xD800;"'],
		['&#x110000;', 'the forbidden character "&#x110000;"'],
		['&amp', 'an "&" that begins no entity'],
		['a & b;', 'the unknown entity "& b;"'],
		['&averyveryverylongname;', 'an "&" that begins no entity'],
	])('with %j is an error', (xml, what) => {
		expect(found(`<r k="${xml}"/>`)).toBe(what);
		// The parser's own check finds some of them, and only tells the line.
		expect([what, 'no well-formed XML (line 1)']).toContain(found(`<r>${xml}</r>`));
	});

	it.each(['\u0001', '\u0008', '\ufffe', '\ud800'])('with %j is an error', (character) => {
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

	it.each(['\0', '\u0008', '\u000b', '\u001f', '\ud800', '\udfff', '\ufffe', '\uffff'])(
		'is not %j',
		(text) => {
			expect(isXmlText(`a${text}b`)).toBe(false);
		},
	);

	it('is escaped where it would be markup, or lost', () => {
		expect(escapeXml('a & b < c > d "\' \r\n')).toBe('a &amp; b &lt; c &gt; d "\' &#13;\n');
	});
});

describe('a document', () => {
	it('may begin with a declaration, instructions, comments and blanks', () => {
		const prolog = '<?xml version="1.0"?>\n<!-- <!DOCTYPE no> -->\t<?style <x> ?> <!---->\r\n';
		expect(parseXml(`${prolog}<r/> <!-- end -->`).name).toBe('r');
	});

	it.each(['<!DOCTYPE r>', '<!doctype r>', '<!-- c --> <!DOCTYPE r>', '<?a?>\n<!DOCTYPE r [\n]>'])(
		'that begins with %j is refused',
		(prolog) => {
			expect(found(`${prolog}<r/>`)).toBe('a document type declaration, which is refused');
		},
	);

	it.each(['<!ELEMENT a>', '<!', '<!-', '<![CDATA', '<!cdata[]]>'])(
		'that holds %j is refused',
		(markup) => {
			expect(found(`<r>${markup}</r>`)).toBe('a document type declaration, which is refused');
		},
	);

	it('is 64 elements deep at most', () => {
		const nested = (depth: number, inner = '') =>
			`${'<a>'.repeat(depth)}${inner}${'</a>'.repeat(depth)}`;
		expect(parseXml(nested(64)).name).toBe('a');
		expect(parseXml(nested(63, '<b/><b/>')).name).toBe('a');
		for (const deep of [nested(65), nested(64, '<b/>'), '<a>'.repeat(10_000)]) {
			expect(found(deep)).toBe('XML that is refused (over 64 levels)');
		}
	});

	it('may begin with a byte order mark', () => {
		expect(parseXml('\ufeff<?xml version="1.0"?><r/>').name).toBe('r');
		expect(found('\ufeff\ufeff<r/>')).toMatch(/^no well-formed XML/);
	});

	it('has comments without "--" alone', () => {
		for (const comment of ['<!-- a -- b -->', '<!----->', '<!-- a --->']) {
			expect(found(`<r>${comment}</r>`)).toBe('a comment with "--" in it');
			expect(found(`${comment}<r/>`)).toBe('a comment with "--" in it');
		}
	});

	it.each([
		['<r/><s/>', /^(no well-formed XML|not exactly one root element)/],
		['', /^(no well-formed XML|not exactly one root element)/],
		['<!-- only this -->', /^(no well-formed XML|not exactly one root element)/],
		['<!-- never closed', /^no well-formed XML/],
		['<r/><!-- never closed', /^no well-formed XML/],
		['<r/><!-- never closed --', /^no well-formed XML/],
		['<r/><?never closed', /^no well-formed XML/],
		['<r><![CDATA[ never closed</r>', /^no well-formed XML/],
		['<r k="never closed/>', /^no well-formed XML/],
		['<![CDATA[]]><r/>', /^no well-formed XML/],
		['<r/><![CDATA[]]>', /^no well-formed XML/],
		['<r/>text', /^no well-formed XML/],
		['<r></r>&amp;', /^no well-formed XML/],
		['text<r/>', /^no well-formed XML/],
		['<r/></r>', /^no well-formed XML \(line 1\)$/],
		['<r/><', /^no well-formed XML \(line 1\)$/],
		['\n<?xml version="1.0"?><r/>', /^no well-formed XML \(line 2\)$/],
		['<r><?XML?></r>', /^no well-formed XML/],
		['<r><?1?></r>', /^no well-formed XML/],
		['<r><? a?></r>', /^no well-formed XML/],
		['<r><?a/?></r>', /^no well-formed XML/],
		['<r><?a\u00a0b?></r>', /^no well-formed XML/],
		['<', /^no well-formed XML/],
		['<>', /^no well-formed XML/],
		['< r/>', /^no well-formed XML/],
		['</r>', /^no well-formed XML/],
		['<r/ >', /^no well-formed XML/],
		['<r//>', /^no well-formed XML/],
		['<r', /^no well-formed XML/],
		['<r></r', /^no well-formed XML/],
		['<r></ r>', /^no well-formed XML/],
		['<r></rr>', /^no well-formed XML/],
		['<rr></r>', /^no well-formed XML/],
		['<r></r k="v">', /^no well-formed XML/],
		['<r></r/>', /^no well-formed XML/],
		['<r/', /^no well-formed XML \(line 1\)$/],
		['<a:r xmlns:a', /^no well-formed XML \(line 1\)$/],
		['<r\n\u00a0></r>', /^no well-formed XML/],
		['<r\u00a0></r>', /^no well-formed XML \(line 1\)$/],
		['<r></r\u2028>', /^no well-formed XML \(line 1\)$/],
		['<r></r \ufeff>', /^no well-formed XML \(line 1\)$/],
		['<r\ufeff/>', /^no well-formed XML \(line 1\)$/],
		['<r =></r>', /^no well-formed XML \(line 1\)$/],
		['<r k="v"=/>', /^no well-formed XML \(line 1\)$/],
		['<r k="v" = l="w"/>', /^no well-formed XML \(line 1\)$/],
		['<r k="<!-- -->"/>', /^no well-formed XML/],
		['<r k/>', /^no well-formed XML/],
		['<r k=/>', /^no well-formed XML/],
		['<r k=v/>', /^no well-formed XML/],
		['<r ="v"/>', /^no well-formed XML/],
		['<r k="v"l="w"/>', /^no well-formed XML/],
		['<r k="<"/>', /^no well-formed XML/],
		['<r k="v\'/>', /^no well-formed XML/],
		['<1/>', /^no well-formed XML/],
		['<r "/>', /^no well-formed XML/],
		['<r\u00a0k="v"/>', /^no well-formed XML/],
		['<r>', /^no well-formed XML \(line 1\)$/],
		['<r>\n<a>\n</b></r>', /^no well-formed XML \(line 3\)$/],
		['<r>\n<a x=1/>\n</r>\n', /^no well-formed XML \(line 2\)$/],
		['<r k="1" k="2"/>', /^no well-formed XML/],
		['text', /^no well-formed XML/],
	])('that is %j is an error', (text, what) => {
		expect(found(text)).toMatch(what);
	});

	it.each(['hasOwnProperty', 'toString', 'valueOf', 'length'])(
		'may have an element called %s',
		(name) => {
			expect(parseXml(`<r><${name}>x</${name}></r>`).children).toMatchObject([{ name, text: 'x' }]);
		},
	);
});
