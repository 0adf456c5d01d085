import { decodeText, headOf } from '../../../nodes/shared/http/charset.ts';

const utf8 = (text: string) => Buffer.from(text, 'utf8');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => utf16(text).swap16();
/** Windows-1252, which equals Latin-1 here but for 0x80, the euro sign. */
const latin1 = (text: string) => Buffer.from(text.replace('€', '\x80'), 'latin1');
const plain = 'Café €5';
const xml = (encoding: string) => `<?xml version="1.0" encoding='${encoding}'?><a>é€</a>`;

it.each<[string, Buffer, string | undefined, string]>([
	['UTF-8 by default', utf8(plain), undefined, plain],
	['UTF-8 if the content type names no charset', utf8(plain), 'text/xml; notcharset=utf-16', plain],
	['that of the content type', latin1(plain), 'text/xml;charset=windows-1252', plain],
	['quoted, in any case', latin1(plain), 'text/xml; x=y; CHARSET = "Windows-1252"; a=b', plain],
	[
		'that of the content type, not of the declaration',
		utf8(xml('x')),
		'a/b; charset=utf-8',
		xml('x'),
	],
	['that of the XML declaration', latin1(xml('windows-1252')), 'text/xml', xml('windows-1252')],
	['not UTF-16 by a declaration in ASCII', utf8(xml('utf-16')), 'text/xml', xml('utf-16')],
	['that of the byte order mark', utf8(`\ufeff${plain}`), 'text/xml; charset=utf-16', plain],
	[
		'that of the byte order mark, UTF-16',
		utf16(`\ufeff${plain}`),
		'text/xml; charset=utf-8',
		plain,
	],
	['that of the byte order mark, the other UTF-16', utf16be(`\ufeff${plain}`), undefined, plain],
	['that of a charset with a mark of its own', utf16(plain), 'text/xml; charset=utf-16', plain],
])('the charset of an answer is %s', (_, bytes, contentType, text) => {
	expect(decodeText(bytes, contentType)).toBe(text);
});

it('whitespace before an XML declaration is left out, no other', () => {
	expect(decodeText(utf8('\r\n <?xml version="1.0"?> '), 'text/xml')).toBe(
		'<?xml version="1.0"?> ',
	);
	expect(decodeText(latin1(`\n${xml('latin1')}`), 'text/xml')).toBe(xml('latin1'));
	expect(decodeText(utf8('\n <a/>'), 'text/xml')).toBe('\n <a/>');
});

it.each([
	['of another charset', latin1(plain), undefined, 'not valid for encoding utf-8'],
	['cut in a character', utf8('€').subarray(0, 2), undefined, 'not valid for encoding utf-8'],
	['of an unknown charset', utf8(plain), 'text/xml; charset=utf-99', '"utf-99"'],
])('bytes %s are an error', (_, bytes, contentType, message) => {
	expect(() => decodeText(bytes, contentType)).toThrow(message);
});

describe('the beginning that is shown', () => {
	const head = (body: Buffer, type: string) =>
		headOf({ status: 403, headers: { 'content-type': type }, body });

	it.each([
		['text/plain; charset=klingon', latin1(plain), plain],
		['text/plain', latin1('één'), '\ufffd\ufffdn'],
	])('is decoded as far as possible: %s', (type, body, text) => {
		expect(head(body, type)).toBe(text);
	});

	it('ends between two characters', () => {
		expect(head(utf8(`x${'é'.repeat(40_000)}`), '')).toBe(`x${'é'.repeat(32_767)}`);
	});
});
