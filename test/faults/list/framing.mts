/** Faults of the length, the compression and the chunks of an answer's body. */
import { gzipSync } from 'node:zlib';
import { alter, type Act } from '../acts.mts';
import { all, complete, fault, transient, unusable, type Group } from '../fault.mts';
import { bytesOf } from '../message.mts';
import { BROKE, UNREADABLE } from './messages.mts';

/** Sends the answer with another `Content-Length` (empty: without), cut by so many bytes. */
function withLength(change: (length: number) => string, cut = 0): Act {
	return async (call) => {
		const good = await call.forward();
		const answer = { ...good, body: good.body.subarray(0, good.body.length - cut) };
		call.socket.end(bytesOf(answer, { 'Content-Length': change(good.body.length) }));
	};
}

/** Sends the answer as gzip, with the compressed body changed. */
function gzipped(change: (packed: Buffer) => Buffer): Act {
	return alter((good) => ({
		...good,
		headers: { ...good.headers, 'Content-Encoding': 'gzip' },
		body: change(gzipSync(good.body)),
	}));
}

const notGzip = alter((good) => ({
	...good,
	headers: { ...good.headers, 'Content-Encoding': 'gzip' },
}));

function chunk(bytes: Buffer): Buffer {
	return Buffer.concat([
		Buffer.from(`${bytes.length.toString(16)}\r\n`),
		bytes,
		Buffer.from('\r\n'),
	]);
}

/** Sends the answer in two chunks and what follows them. */
function chunked(rest: string): Act {
	return async (call) => {
		const good = await call.forward();
		const head = bytesOf(
			{ ...good, body: Buffer.alloc(0) },
			{ 'Content-Length': '', 'Transfer-Encoding': 'chunked' },
		);
		const chunks = [good.body.subarray(0, 100), good.body.subarray(100)].map(chunk);
		call.socket.end(Buffer.concat([head, ...chunks, Buffer.from(rest)]));
	};
}

const tooLong = withLength((length) => String(length + 10));
const tooShort = withLength((length) => String(length - 10));
const withoutLength = (cut: number): Act => withLength(() => '', cut);
const truncatedGzip = gzipped((packed) => packed.subarray(0, packed.length - 20));

export const framing: Group = {
	name: 'Length, packing and chunks',
	faults: [
		fault('Content-Length too long', tooLong, transient(true, BROKE)),
		fault('Content-Length too short', tooShort, unusable(UNREADABLE)),
		fault('no Content-Length, whole', withoutLength(0), all(complete())),
		// Only the text itself shows that its end is missing.
		fault('no Content-Length, end missing', withoutLength(10), unusable(UNREADABLE)),
		fault(
			'gzip',
			gzipped((packed) => packed),
			all(complete()),
		),
		// n8n's HTTP client decompresses what there is, so only the text shows that its end is missing.
		fault('gzip, truncated', truncatedGzip, unusable(UNREADABLE)),
		fault('gzip announced, not gzip', notGzip, transient(true, BROKE)),
		fault('chunked', chunked('0\r\n\r\n'), all(complete())),
		fault(
			'chunked, a broken chunk',
			chunked('zz\r\nno chunk\r\n0\r\n\r\n'),
			transient(true, BROKE),
		),
		fault('chunked, no last chunk', chunked(''), transient(true, BROKE)),
	],
};
