/** Faults of the answer's text: its type, its characters, and whether it is one document at all. */
import { quotingPage } from '../echo.mts';
import { all, body, complete, spoil, useless, type Act, type Group } from '../fault.mts';
import { answer } from '../message.mts';
import type { Call } from '../server.mts';

const UNREADABLE = /no readable answer|cannot be read as JSON/;
const NOT_DECODED = /cannot be decoded/;

/** The content type of the answer, with another charset. */
function typeOf({ cell }: Call, charset: string): string {
	const { kind, soapVersion } = cell.target;
	if (kind === 'restRead') return `application/json; charset=${charset}`;
	return `${soapVersion === '1.1' ? 'text/xml' : 'application/soap+xml'}; charset=${charset}`;
}

function typed(charset: string, change: (bytes: Buffer) => Buffer): Act {
	return spoil((good, call) => ({
		...good,
		headers: { 'Content-Type': typeOf(call, charset) },
		body: change(good.body),
	}));
}

/** The text in UTF-16 with a byte order mark. */
function utf16(isBigEndian: boolean) {
	return (bytes: Buffer): Buffer => {
		const text = bytes.toString('utf8').replace('encoding="utf-8"', 'encoding="utf-16"');
		const encoded = Buffer.from(`\ufeff${text}`, 'utf16le');
		return isBigEndian ? encoded.swap16() : encoded;
	};
}

/** A byte that is no UTF-8, inside a comment or a string of the text. */
function withStrayByte(bytes: Buffer): Buffer {
	const isXml = bytes[0] === 0x3c;
	const at = isXml ? bytes.lastIndexOf('</') : bytes.indexOf('"') + 1;
	const stray = Buffer.from(isXml ? '<!-- \xe9 -->' : '\xe9', 'latin1');
	return Buffer.concat([bytes.subarray(0, at), stray, bytes.subarray(at)]);
}

export const text: Group = {
	name: 'Text of the answer',
	faults: [
		{
			// What counts is what the answer holds: a proxy that renames the type does no harm.
			name: 'wrong content type',
			service: spoil((good) => ({ ...good, headers: { 'Content-Type': 'text/plain' } })),
			expect: all(complete()),
		},
		{
			name: 'charset unknown',
			service: typed('klingon', (bytes) => bytes),
			expect: useless(NOT_DECODED),
		},
		{
			name: 'bytes not of the charset',
			service: typed('utf-8', withStrayByte),
			expect: useless(NOT_DECODED),
		},
		{
			name: 'UTF-16 LE with mark',
			service: typed('utf-16', utf16(false)),
			expect: all(complete()),
		},
		{ name: 'UTF-16 BE with mark', service: typed('utf-16', utf16(true)), expect: all(complete()) },
		{
			name: 'UTF-8 with byte order mark',
			service: body((good) => `\ufeff${good}`),
			expect: all(complete()),
		},
		{
			name: '200 with an HTML page',
			service: spoil((_good, call) =>
				answer(200, 'text/html; charset=utf-8', quotingPage(call, 'Maintenance')),
			),
			expect: useless(UNREADABLE),
		},
		{
			name: 'neither XML nor JSON',
			service: body(() => 'OK, done.'),
			expect: useless(UNREADABLE),
		},
		{ name: 'empty body', service: body(() => ''), expect: useless(UNREADABLE) },
		{
			name: 'two roots',
			service: body((good) => good + (good.startsWith('<') ? '<again />' : good)),
			expect: useless(UNREADABLE),
		},
	],
};
