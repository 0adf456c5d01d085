import { escapeXml, isNil, isXmlText, parseXml, XmlError } from '../../nodes/shared/soap/xml.ts';

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
		expect(parseXml('<a:r xmlns:a="urn:a" xmlns="urn:d" k="v">x<c/>y</a:r>')).toEqual({
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

	it('is 64 elements deep at most', () => {
		const nested = (depth: number) => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;
		expect(parseXml(nested(64)).name).toBe('a');
		expect(found(nested(66))).toMatch(/^XML that is refused \(.+\)$/);
	});

	it.each([
		['<r/><s/>', /^(no well-formed XML|not exactly one root element)/],
		['', /^(no well-formed XML|not exactly one root element)/],
		['<!-- only this -->', /^(no well-formed XML|not exactly one root element)/],
		['<!-- never closed', /^no well-formed XML/],
		['<r>', /^no well-formed XML \(line 1\)$/],
		['<r>\n<a>\n</b></r>', /^no well-formed XML \(line 3\)$/],
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
