/** Faults of how the answer's body is delimited and packed. */
import { gzipSync } from 'node:zlib';
import { all, complete, passing, spoil, useless, type Act, type Group } from '../fault.mts';
import { bytesOf } from '../message.mts';

const BROKE = /connection to the payroll service broke/;
const UNREADABLE = /no readable answer|cannot be read as JSON/;

/** Sends the answer with another `Content-Length`; empty for none. */
function withLength(change: (length: number) => string, cut = 0): Act {
	return async (call) => {
		const good = await call.forward();
		const answer = { ...good, body: good.body.subarray(0, good.body.length - cut) };
		call.socket.end(bytesOf(answer, { 'Content-Length': change(good.body.length) }));
	};
}

/** Sends the answer with the body gzip makes of it, changed. */
function gzipped(change: (packed: Buffer) => Buffer): Act {
	return spoil((good) => ({
		...good,
		headers: { ...good.headers, 'Content-Encoding': 'gzip' },
		body: change(gzipSync(good.body)),
	}));
}

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
			{
				'Content-Length': '',
				'Transfer-Encoding': 'chunked',
			},
		);
		const chunks = [good.body.subarray(0, 100), good.body.subarray(100)].map(chunk);
		call.socket.end(Buffer.concat([head, ...chunks, Buffer.from(rest)]));
	};
}

export const framing: Group = {
	name: 'Length, packing and chunks',
	faults: [
		{
			name: 'Content-Length too long',
			service: withLength((length) => String(length + 10)),
			expect: passing(true, BROKE),
		},
		{
			name: 'Content-Length too short',
			service: withLength((length) => String(length - 10)),
			expect: useless(UNREADABLE),
		},
		{
			name: 'no Content-Length, whole',
			service: withLength(() => ''),
			expect: all(complete()),
		},
		{
			// Nothing but the text itself tells that its end is missing.
			name: 'no Content-Length, end missing',
			service: withLength(() => '', 10),
			expect: useless(UNREADABLE),
		},
		{ name: 'gzip', service: gzipped((packed) => packed), expect: all(complete()) },
		{
			// n8n's HTTP client unpacks what there is, so only the text tells that its end is missing.
			name: 'gzip, truncated',
			service: gzipped((packed) => packed.subarray(0, packed.length - 20)),
			expect: useless(UNREADABLE),
		},
		{
			name: 'gzip announced, not gzip',
			service: spoil((good) => ({
				...good,
				headers: { ...good.headers, 'Content-Encoding': 'gzip' },
			})),
			expect: passing(true, BROKE),
		},
		{ name: 'chunked', service: chunked('0\r\n\r\n'), expect: all(complete()) },
		{
			name: 'chunked, a broken chunk',
			service: chunked('zz\r\nno chunk\r\n0\r\n\r\n'),
			expect: passing(true, BROKE),
		},
		{ name: 'chunked, no last chunk', service: chunked(''), expect: passing(true, BROKE) },
	],
};
