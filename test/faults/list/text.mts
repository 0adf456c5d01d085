/** Faults of the answer's text: its type, its characters, and whether it is one document at all. */
import { alter, alterBody, executed, page, type Act } from '../acts.mts';
import { all, complete, each, error, fault, unknown, unusable, type Group } from '../fault.mts';
import type { Call } from '../server.mts';
import { UNREADABLE } from './messages.mts';

const NOT_DECODED = /cannot be decoded|not valid in the character set/;

/** The content type of the answer, with another charset. */
function typeOf({ cell }: Call, charset: string): string {
	const { kind, soapVersion } = cell.target;
	if (kind === 'restRead') return `application/json; charset=${charset}`;
	return `${soapVersion === '1.1' ? 'text/xml' : 'application/soap+xml'}; charset=${charset}`;
}

function typed(charset: string, change: (bytes: Buffer) => Buffer): Act {
	return alter((good, call) => ({
		...good,
		headers: { 'Content-Type': typeOf(call, charset) },
		body: change(good.body),
	}));
}

/** The text in UTF-16 with a byte order mark. */
function utf16(bytes: Buffer): Buffer {
	const text = bytes.toString('utf8').replace('encoding="utf-8"', 'encoding="utf-16"');
	return Buffer.from(`\ufeff${text}`, 'utf16le');
}

/** Adds a byte that is no UTF-8 to a comment or a string of the text. */
function withStrayByte(bytes: Buffer): Buffer {
	const isXml = bytes[0] === 0x3c;
	const at = isXml ? bytes.lastIndexOf('</') : bytes.indexOf('"') + 1;
	const stray = Buffer.from(isXml ? '<!-- \xe9 -->' : '\xe9', 'latin1');
	return Buffer.concat([bytes.subarray(0, at), stray, bytes.subarray(at)]);
}

const unknownCharset = typed('klingon', (bytes) => bytes);
const otherType = alter((good) => ({ ...good, headers: { 'Content-Type': 'text/plain' } }));
const marked = alterBody((good) => `\ufeff${good}`);
const noDocument = alterBody(() => 'OK, done.');
/** Blanks in the middle where they mean nothing: more than the limit of the options. */
const large = alterBody((good) => {
	const at = good.startsWith('<') ? good.lastIndexOf('<') : 1;
	return good.slice(0, at) + ' '.repeat(2 ** 21) + good.slice(at);
});
const nothing = alterBody(() => '');
const twoRoots = alterBody((good) => good + (good.startsWith('<') ? '<again />' : good));

export const text: Group = {
	name: 'Text of the answer',
	faults: [
		// Only the content counts: a proxy that changes the type does no harm.
		fault('wrong content type', otherType, all(complete())),
		fault('charset unknown', unknownCharset, unusable(NOT_DECODED)),
		fault('bytes not of the charset', typed('utf-8', withStrayByte), unusable(NOT_DECODED)),
		fault('UTF-16 with mark', typed('utf-16', utf16), all(complete())),
		fault('UTF-8 with byte order mark', marked, all(complete())),
		fault(
			'200 with an HTML page',
			executed(page(200)),
			each(error(2, 2, UNREADABLE), unknown(1, 1, UNREADABLE)),
			{ renewals: 1 },
		),
		fault('neither XML nor JSON', noDocument, unusable(UNREADABLE)),
		fault('empty body', nothing, {
			...unusable(UNREADABLE),
			// A list may end with an empty page: page 1 here, and page 0.
			restRead: complete(2, 1, () => []),
		}),
		fault('too large', large, unusable(/too large.*Response Size Limit/s), {
			options: { responseSizeLimit: 1 },
		}),
		fault('two roots', twoRoots, unusable(UNREADABLE)),
	],
};
