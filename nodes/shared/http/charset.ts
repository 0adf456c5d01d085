const BYTE_ORDER_MARKS: ReadonlyArray<readonly [string, readonly number[]]> = [
	['utf-8', [0xef, 0xbb, 0xbf]],
	['utf-16le', [0xff, 0xfe]],
	['utf-16be', [0xfe, 0xff]],
];

function byteOrderMark(bytes: Uint8Array): string | undefined {
	return BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, i) => bytes[i] === byte))?.[0];
}

/** Returns the encoding that an XML declaration names. Except in UTF-16, a declaration is ASCII. */
function declaredInXml(bytes: Uint8Array): string | undefined {
	if (bytes[0] === 0x3c && bytes[1] === 0) return 'utf-16le';
	if (bytes[0] === 0 && bytes[1] === 0x3c) return 'utf-16be';
	const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
	return /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1];
}

function charsetOf(bytes: Uint8Array, contentType: unknown): string {
	const named =
		typeof contentType === 'string'
			? /;\s*charset\s*=\s*"?([\w.:-]+)"?/i.exec(contentType)?.[1]
			: undefined;
	return byteOrderMark(bytes) ?? named ?? declaredInXml(bytes) ?? 'utf-8';
}

/** A decoder that replaces malformed bytes; an unknown charset is decoded as windows-1252. */
function decoderOf(charset: string) {
	try {
		return new TextDecoder(charset);
	} catch {
		return new TextDecoder('windows-1252');
	}
}

/**
 * Decodes the beginning of an answer that is only displayed, never evaluated. Malformed bytes are
 * replaced; an unknown charset is decoded as windows-1252, the web's Latin-1.
 *
 * @param contentType value of the answer's `Content-Type` header
 * @param maxBytes how many bytes to decode
 */
export function decodeHead(bytes: Uint8Array, contentType: unknown, maxBytes: number): string {
	const head = bytes.subarray(0, maxBytes);
	const charset = charsetOf(head, contentType);
	// Decode in stream mode, without a final call, so that a character cut at the end is left out.
	return decoderOf(charset).decode(head, { stream: true });
}

/**
 * Decodes the text of an answer. The charset comes from the byte order mark, else from the content
 * type, else from the XML declaration; the default is UTF-8.
 *
 * @param contentType value of the answer's `Content-Type` header
 * @throws {RangeError} if the charset is unknown
 * @throws {TypeError} if the bytes are malformed in that charset
 */
export function decodeText(bytes: Uint8Array, contentType: unknown): string {
	const decoder = new TextDecoder(charsetOf(bytes, contentType), { fatal: true });
	// Decoded in one call, the text takes one byte per character if its characters allow it.
	if (decoder.encoding === 'utf-8') return decoder.decode(bytes);
	// In one call, Node 20 decodes windows-1252 as Latin-1: a euro sign becomes a control character.
	return decoder.decode(bytes, { stream: true }) + decoder.decode();
}
