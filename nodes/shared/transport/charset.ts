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

/**
 * Decodes an answer's text: by byte order mark, the content type's charset, the XML declaration,
 * else UTF-8.
 *
 * @throws {RangeError | TypeError} where the charset is unknown or the bytes are not of it
 */
export function decodeText(bytes: Uint8Array, contentType: unknown): string {
	const named =
		typeof contentType === 'string'
			? /;\s*charset\s*=\s*"?([\w.:-]+)"?/i.exec(contentType)?.[1]
			: undefined;
	const charset = byteOrderMark(bytes) ?? named ?? declaredInXml(bytes) ?? 'utf-8';
	const decoder = new TextDecoder(charset, { fatal: true });
	// In one go the text takes a byte for each character, where that is enough.
	if (decoder.encoding === 'utf-8') return decoder.decode(bytes);
	// In one go, Node 20 takes windows-1252 for Latin-1, and its euro sign for a control character.
	return decoder.decode(bytes, { stream: true }) + decoder.decode();
}
