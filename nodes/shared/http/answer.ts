/** An answer of any status; header names are in lower case. */
export interface ExchangeResponse {
	readonly status: number;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly body: Buffer;
}

/** Byte order marks, as hex digits. */
const MARKS = { efbbbf: 'utf-8', fffe: 'utf-16le', feff: 'utf-16be' } as const;

/** Of a declaration that reads as ASCII, the charset is not UTF-16: .NET writes so from a text in memory. */
const XML_DECLARATION = /^\s*<\?xml\b[^>]*?\sencoding\s*=\s*["'](?!utf-?16)([\w.:-]+)/i;

/**
 * Returns the charset of an answer (RFC 7303, section 3): its byte order mark decides, then its content
 * type, then its XML declaration; UTF-8 without any of them.
 */
function charsetOf({ body, headers }: ExchangeResponse): string {
	const head = body.subarray(0, 256);
	const mark = Object.entries(MARKS).find(([hex]) => head.toString('hex').startsWith(hex));
	if (mark) return mark[1];
	const named = /;\s*charset\s*=\s*"?([\w.:-]+)"?/i.exec(String(headers['content-type']));
	return (named ?? XML_DECLARATION.exec(head.toString('latin1')))?.[1] ?? 'utf-8';
}

/**
 * Decodes the text of an answer, without whitespace before an XML declaration, where XML allows none.
 *
 * @returns `undefined` if the charset is unknown, or the bytes are malformed in it
 */
export function decodeText(response: ExchangeResponse): string | undefined {
	const { body } = response;
	try {
		const decoder = new TextDecoder(charsetOf(response), { fatal: true });
		// Decoded in one call, the text takes one byte per character if its characters allow it. But Node 20
		// decodes windows-1252 in one call as Latin-1: a euro sign becomes a control character.
		const isWhole = decoder.encoding === 'utf-8';
		const text = decoder.decode(body, { stream: !isWhole }) + (isWhole ? '' : decoder.decode());
		return text.replace(/^\s+(?=<\?xml\b)/, '');
	} catch {
		return undefined;
	}
}

/** How much of an answer is displayed or searched, in bytes: more than is ever shown, so that a cut is noticed. */
const HEAD_BYTES = 65_536;

/**
 * Decodes the beginning of an answer that is only displayed or searched, never evaluated. Malformed
 * bytes are replaced; an unknown charset is decoded as windows-1252, the web's Latin-1.
 */
export function headOf(response: ExchangeResponse): string {
	let decoder = new TextDecoder('windows-1252');
	try {
		decoder = new TextDecoder(charsetOf(response));
	} catch {
		// An unknown charset.
	}
	// In stream mode, without a final call, so that a character cut at the end is left out.
	return decoder.decode(response.body.subarray(0, HEAD_BYTES), { stream: true });
}

/** An XML declaration and comments may stand before the root. */
const WEB_PAGE =
	/^\s*(?:<\?(?:(?!\?>)[^])*\?>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<(?:!doctype\s+)?html\b/i;

/** How an envelope of SOAP begins, which some servers send as HTML. */
export const ENVELOPE = /^\s*(?:<\?xml[^>]*>\s*)?<(?:[\w-]+:)?Envelope\b/;

/** Whether an answer is a web page. Its text is not used, since it may quote the whole request. */
export function isWebPage(response: ExchangeResponse): boolean {
	const head = headOf(response);
	if (WEB_PAGE.test(head)) return true;
	// A page fragment or a page with another start. JSON, too, is often sent with this content type.
	const isHtml = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i;
	return (
		/^\s*</.test(head) &&
		!ENVELOPE.test(head) &&
		isHtml.test(String(response.headers['content-type']))
	);
}
