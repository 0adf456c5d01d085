import { decodeText } from '../../../nodes/shared/http/charset.ts';

const utf8 = (text: string) => Buffer.from(text, 'utf8');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => utf16(text).swap16();
/** Windows-1252, which equals Latin-1 here but for 0x80, the euro sign. */
const latin1 = (text: string) => Buffer.from(text.replace('€', '\x80'), 'latin1');
const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a>é€</a>`;
const plain = 'Café €5';

describe('a text', () => {
	it('is UTF-8 by default', () => {
		expect(decodeText(utf8(plain), undefined)).toBe(plain);
		expect(decodeText(utf8(plain), 'text/plain')).toBe(plain);
		expect(decodeText(utf8('<?xml version="1.0"?><a>é</a>'), 'text/xml')).toContain('é');
		expect(decodeText(new Uint8Array(), 'text/xml')).toBe('');
	});

	it.each([
		'text/xml; charset=windows-1252',
		'text/xml;charset=windows-1252',
		'text/xml; charset="windows-1252"',
		'text/xml; charset = windows-1252 ; action=x',
		'text/xml; action=x; CHARSET=Windows-1252',
	])('has the charset that its content type names: %s', (contentType) => {
		expect(decodeText(latin1(plain), contentType)).toBe(plain);
	});

	it.each([
		'text/xml; notcharset=windows-1252',
		'text/xml charset=windows-1252',
		['; charset=windows-1252'],
	])('is UTF-8 if the content type names a charset in another way: %j', (contentType) => {
		expect(decodeText(utf8(plain), contentType)).toBe(plain);
	});

	it.each([
		xml('windows-1252'),
		xml('windows-1252').replaceAll('"', "'"),
		`  \n${xml('windows-1252')}`,
		'<?xml version="1.0"\n\tencoding = "windows-1252" standalone="yes"?><a>é€</a>',
	])('has the encoding that its XML declaration names: %j', (text) => {
		expect(decodeText(latin1(text), 'text/xml')).toBe(text);
	});

	it.each([
		'<a><?xml version="1.0" encoding="windows-1252"?>é€</a>',
		'<a encoding="windows-1252">é€</a>',
		'<?xml version="1.0"?><a encoding="windows-1252">é€</a>',
		'<?xml version="1.0" xencoding="windows-1252"?>é€',
	])('is UTF-8 if an encoding is named elsewhere: %j', (text) => {
		expect(decodeText(utf8(text), 'text/xml')).toBe(text);
	});

	it('has its declaration at the start: a later one is ignored', () => {
		const text = `${' '.repeat(200)}<?xml version="1.0" encoding="windows-1252"?>é€`;
		expect(decodeText(utf8(text), 'text/xml')).toBe(text);
	});

	it.each(['a\0b', 'a<b', '\0a', '<a'])('that only starts like UTF-16 (%j) is UTF-8', (text) => {
		expect(decodeText(utf8(text), 'text/xml')).toBe(text);
	});

	it.each(['ï»a', 'ÿa', 'þa'])('that only starts like a byte order mark (%j) has none', (text) => {
		expect(decodeText(latin1(text), 'text/plain; charset=windows-1252')).toBe(text);
	});

	it.each([
		['utf-16le', utf16],
		['utf-16be', utf16be],
	])('of XML is recognised as %s by its first bytes', (_, encode) => {
		expect(decodeText(encode(xml('utf-16')), 'text/xml')).toBe(xml('utf-16'));
	});
});

describe('a charset that is named twice', () => {
	it('is that of the byte order mark, which is not a part of the text', () => {
		expect(decodeText(utf8(`\ufeff${plain}`), 'text/xml; charset=windows-1252')).toBe(plain);
		expect(decodeText(utf16(`\ufeff${plain}`), 'text/xml; charset=utf-8')).toBe(plain);
		expect(decodeText(utf16be(`\ufeff${plain}`), undefined)).toBe(plain);
	});

	it('is that of the content type rather than of the XML declaration', () => {
		const text = xml('windows-1252');
		expect(decodeText(utf8(text), 'text/xml; charset=utf-8')).toBe(text);
	});
});

describe('bytes that cannot be decoded are an error', () => {
	it.each([
		['of another charset', latin1(plain)],
		['cut in a character', utf8('€').subarray(0, 2)],
		['of half a byte order mark', Buffer.from([0xef, 0xbb, 0x41])],
	])('(%s)', (_, bytes) => {
		expect(() => decodeText(bytes, undefined)).toThrow('not valid for encoding utf-8');
	});

	it('(of an unknown charset)', () => {
		expect(() => decodeText(utf8(plain), 'text/xml; charset=utf-99')).toThrow('"utf-99"');
	});
});
