const BYTE_ORDER_MARKS: ReadonlyArray<readonly [string, readonly number[]]> = [
	['utf-8', [0xef, 0xbb, 0xbf]],
	['utf-16le', [0xff, 0xfe]],
	['utf-16be', [0xfe, 0xff]],
];

function byteOrderMark(bytes: Uint8Array): string | undefined {
	return BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, i) => bytes[i] === byte))?.[0];
}

/** The encoding of an XML declaration; its letters are ASCII in every encoding but UTF-16. */
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

/** A decoder that reads what it can; of windows-1252, the web's Latin-1, for an unknown charset. */
function decoderOf(charset: string) {
	try {
		return new TextDecoder(charset);
	} catch {
		return new TextDecoder('windows-1252');
	}
}

/**
 * Decodes what can be read of an answer that is shown and not evaluated: the beginning of its text,
 * with a mark for each byte that cannot be read, as Latin-1 where its charset is not known.
 *
 * @param maxBytes how much of it
 */
export function decodeHead(bytes: Uint8Array, contentType: unknown, maxBytes: number): string {
	const head = bytes.subarray(0, maxBytes);
	const charset = charsetOf(head, contentType);
	// Not ended with a last call, so that a character that was cut is left out.
	return decoderOf(charset).decode(head, { stream: true });
}

/**
 * Decodes an answer's text: by byte order mark, the content type's charset, the XML declaration,
 * else UTF-8.
 *
 * @throws {RangeError | TypeError} where the charset is unknown or the bytes are not of it
 */
export function decodeText(bytes: Uint8Array, contentType: unknown): string {
	const decoder = new TextDecoder(charsetOf(bytes, contentType), { fatal: true });
	// In one go the text takes a byte for each character, where that is enough.
	if (decoder.encoding === 'utf-8') return decoder.decode(bytes);
	// In one go, Node 20 takes windows-1252 for Latin-1, and its euro sign for a control character.
	return decoder.decode(bytes, { stream: true }) + decoder.decode();
}
