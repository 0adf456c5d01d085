import type { ExchangeResponse } from './send';

/** The charset that a content type names; UTF-8 if it names none. */
function charsetOf(contentType: unknown): string {
	const named = /;\s*charset\s*=\s*"?([\w.:-]+)"?/i.exec(String(contentType));
	return named?.[1] ?? 'utf-8';
}

/**
 * Decodes the text of an answer, without its byte order mark.
 *
 * @param contentType value of the answer's `Content-Type` header
 * @throws {RangeError} if the charset is unknown
 * @throws {TypeError} if the bytes are malformed in that charset
 */
export function decodeText(bytes: Uint8Array, contentType: unknown): string {
	const decoder = new TextDecoder(charsetOf(contentType), { fatal: true });
	// Decoded in one call, the text takes one byte per character if its characters allow it.
	if (decoder.encoding === 'utf-8') return decoder.decode(bytes);
	// In one call, Node 20 decodes windows-1252 as Latin-1: a euro sign becomes a control character.
	return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

/** How much of an answer is displayed or searched, in bytes: more than is ever shown, so that a cut is noticed. */
const HEAD_BYTES = 65_536;

/**
 * Decodes the beginning of an answer that is only displayed or searched, never evaluated. Malformed
 * bytes are replaced; an unknown charset is decoded as windows-1252, the web's Latin-1.
 */
export function headOf({ body, headers }: ExchangeResponse): string {
	let decoder = new TextDecoder('windows-1252');
	try {
		decoder = new TextDecoder(charsetOf(headers['content-type']));
	} catch {
		// An unknown charset.
	}
	// In stream mode, without a final call, so that a character cut at the end is left out.
	return decoder.decode(body.subarray(0, HEAD_BYTES), { stream: true });
}
