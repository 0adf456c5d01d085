/** Faults of the length and the compression of an answer's body. */
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

const gzipped = alter((good) => ({
	...good,
	headers: { ...good.headers, 'Content-Encoding': 'gzip' },
	body: gzipSync(good.body),
}));

const notGzip = alter((good) => ({
	...good,
	headers: { ...good.headers, 'Content-Encoding': 'gzip' },
}));

const tooLong = withLength((length) => String(length + 10));
const tooShort = withLength((length) => String(length - 10));
const withoutLength = (cut: number): Act => withLength(() => '', cut);

export const framing: Group = {
	name: 'Length and packing',
	faults: [
		fault('Content-Length too long', tooLong, transient(true, BROKE)),
		fault('Content-Length too short', tooShort, unusable(UNREADABLE)),
		fault('no Content-Length, whole', withoutLength(0), all(complete())),
		// Only the text itself shows that its end is missing.
		fault('no Content-Length, end missing', withoutLength(10), unusable(UNREADABLE)),
		fault('gzip', gzipped, all(complete())),
		fault('gzip announced, not gzip', notGzip, transient(true, BROKE)),
	],
};
