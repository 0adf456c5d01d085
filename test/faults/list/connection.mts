/** Faults of the connection: before, during and after the answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { close, executed, keepSilent, reset, type Act } from '../acts.mts';
import { all, complete, fault, refused, transient, type Group } from '../fault.mts';
import { bytesOf, head } from '../message.mts';
import type { Call } from '../server.mts';
import { BROKE, LATE } from './messages.mts';

const REFUSED = /refused the connection/;
const NOT_FOUND = /was not found/;
const CERTIFICATE = /No secure connection.*certificate was not accepted/s;
const TLS = /secure connection to the payroll service failed/;

/** Half a second of real time: also on a busy machine, the request arrives before it. */
const soon = { options: { timeout: 5 } };

async function goodBytes(call: Call): Promise<Buffer> {
	return bytesOf(await call.forward());
}

/** Sends this share of the answer's bytes, then closes the connection. */
function cutAt(share: number): Act {
	return async (call) => {
		const bytes = await goodBytes(call);
		call.socket.end(bytes.subarray(0, Math.floor(share * (bytes.length - 1))));
	};
}

/** Sends the answer, then resets the connection. */
const resetAfterwards: Act = async (call) => {
	call.socket.write(await goodBytes(call));
	await sleep(50);
	call.socket.resetAndDestroy();
};

const headAlone: Act = async (call) => {
	const { status, headers, body } = await call.forward();
	call.socket.write(head(status, { ...headers, 'Content-Length': String(body.length) }));
};

const byteByByte: Act = async (call) => {
	for (const byte of await goodBytes(call)) {
		if (call.socket.destroyed) return;
		call.socket.write(Buffer.of(byte));
		await sleep(1000, undefined, { ref: false });
	}
};

export const connection: Group = {
	name: 'Connection',
	faults: [
		{ name: 'no fault', expect: all(complete()) },
		{ name: 'refused', endpoint: ({ closed }) => closed, expect: refused(REFUSED, 4) },
		{ name: 'name not found', endpoint: ({ nowhere }) => nowhere, expect: refused(NOT_FOUND, 4) },
		{
			name: 'TLS, self-signed certificate',
			endpoint: ({ selfSigned }) => selfSigned,
			expect: refused(CERTIFICATE),
		},
		// The code of this error also occurs after a request.
		{
			name: 'TLS, a server without it',
			endpoint: ({ noTls }) => noTls,
			expect: transient(false, TLS),
		},
		{
			name: 'reset before the request',
			endpoint: ({ resetting }) => resetting,
			expect: transient(false, BROKE),
		},
		fault('reset after the request, not executed', reset, transient(false, BROKE)),
		fault('reset before the answer, executed', executed(reset), transient(true, BROKE)),
		fault('closed without an answer, executed', executed(close), transient(true, BROKE)),
		fault('reset after the answer', resetAfterwards, all(complete())),
		fault('no answer, not executed', keepSilent, transient(false, LATE), soon),
		fault('no answer, executed', executed(keepSilent), transient(true, LATE), soon),
		fault('headers, then silence', headAlone, transient(true, LATE), soon),
		fault('one byte a second', byteByByte, transient(true, LATE), soon),
		fault('cut in the headers', cutAt(0.1), transient(true, BROKE)),
		fault('cut in the body', cutAt(0.7), transient(true, BROKE)),
	],
};
