import { decodeText } from '../../../nodes/shared/http/charset.ts';

const utf8 = (text: string) => Buffer.from(text, 'utf8');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
/** Windows-1252, which equals Latin-1 here but for 0x80, the euro sign. */
const latin1 = (text: string) => Buffer.from(text.replace('€', '\x80'), 'latin1');
const plain = 'Café €5';

describe('a text', () => {
	it('is UTF-8 by default', () => {
		expect(decodeText(utf8(plain), undefined)).toBe(plain);
		expect(decodeText(utf8(plain), 'text/plain')).toBe(plain);
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

	it.each(['text/xml; notcharset=windows-1252', 'text/xml charset=windows-1252'])(
		'is UTF-8 if the content type names a charset in another way: %j',
		(contentType) => {
			expect(decodeText(utf8(plain), contentType)).toBe(plain);
		},
	);

	it('has the charset of its content type, whatever its XML declaration says', () => {
		const text = '<?xml version="1.0" encoding="windows-1252"?><a>é€</a>';
		expect(decodeText(utf8(text), 'text/xml')).toBe(text);
	});

	it.each([
		['utf-8', utf8],
		['utf-16', utf16],
		['utf-16be', (text: string) => utf16(text).swap16()],
	])('(%s) does not contain its byte order mark', (charset, encode) => {
		expect(decodeText(encode(`\ufeff${plain}`), `text/xml; charset=${charset}`)).toBe(plain);
	});
});

describe('bytes that cannot be decoded are an error', () => {
	it.each([
		['of another charset', latin1(plain)],
		['cut in a character', utf8('€').subarray(0, 2)],
		['of UTF-16 with a byte order mark', utf16(`\ufeff${plain}`)],
	])('(%s)', (_, bytes) => {
		expect(() => decodeText(bytes, undefined)).toThrow('not valid for encoding utf-8');
	});

	it('(of an unknown charset)', () => {
		expect(() => decodeText(utf8(plain), 'text/xml; charset=utf-99')).toThrow('"utf-99"');
	});
});
