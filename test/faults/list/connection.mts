/** Faults of the connection: before, during and after the answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
	complete,
	all,
	each,
	error,
	notApplied,
	passing,
	type Act,
	type Fault,
	type Group,
} from '../fault.mts';
import { bytesOf, head } from '../message.mts';
import type { Call } from '../server.mts';

const REFUSED = /refused the connection/;
const NOT_FOUND = /was not found/;
const BROKE = /connection to the payroll service broke/;
const LATE = /did not answer in time.*Timeout/s;
const TLS = /No secure connection/;

const soon = { timeout: 1 };

async function goodBytes(call: Call): Promise<Buffer> {
	return bytesOf(await call.forward());
}

/** Sends every byte of the answer up to this one, then ends the connection. */
function cutAt(length: number): Act {
	return async (call) => {
		const bytes = await goodBytes(call);
		call.socket.end(bytes.subarray(0, Math.min(length, bytes.length - 1)));
	};
}

/** Nothing was done, whatever the number of attempts; a connection that never was is tried again. */
function unreached(sent: number, message: RegExp): Fault['expect'] {
	return each(error(sent, 0, message), notApplied(sent, 0, message));
}

export const connection: Group = {
	name: 'Connection',
	faults: [
		{ name: 'no fault', expect: all(complete()) },
		{ name: 'refused', place: ({ closed }) => closed, expect: unreached(4, REFUSED) },
		{ name: 'name not found', place: ({ nowhere }) => nowhere, expect: unreached(4, NOT_FOUND) },
		{
			name: 'TLS, self-signed certificate',
			place: ({ selfSigned }) => selfSigned,
			expect: unreached(1, TLS),
		},
		{ name: 'TLS, a server without it', place: ({ noTls }) => noTls, expect: unreached(1, TLS) },
		{
			name: 'reset before the request',
			place: ({ reset }) => reset,
			expect: passing(false, BROKE),
		},
		{
			name: 'reset after the request, not executed',
			service: ({ socket }) => void socket.resetAndDestroy(),
			expect: passing(false, BROKE),
		},
		{
			name: 'reset before the answer, executed',
			async service(call) {
				await call.forward();
				call.socket.resetAndDestroy();
			},
			expect: passing(true, BROKE),
		},
		{
			name: 'closed without an answer, executed',
			async service(call) {
				await call.forward();
				call.socket.end();
			},
			expect: passing(true, BROKE),
		},
		{
			name: 'reset during the answer',
			async service(call) {
				const bytes = await goodBytes(call);
				call.socket.write(bytes.subarray(0, bytes.length - 40));
				await sleep(50);
				call.socket.resetAndDestroy();
			},
			expect: passing(true, BROKE),
		},
		{
			name: 'reset after the answer',
			async service(call) {
				call.socket.write(await goodBytes(call));
				await sleep(50);
				call.socket.resetAndDestroy();
			},
			expect: all(complete()),
		},
		{
			name: 'no answer, not executed',
			service: () => undefined,
			options: soon,
			expect: passing(false, LATE),
		},
		{
			name: 'no answer, executed',
			service: async (call) => void (await call.forward()),
			options: soon,
			expect: passing(true, LATE),
		},
		{
			name: 'headers, then silence',
			async service(call) {
				const { status, headers, body } = await call.forward();
				call.socket.write(head(status, { ...headers, 'Content-Length': String(body.length) }));
			},
			options: soon,
			expect: passing(true, LATE),
		},
		{
			name: 'one byte a second',
			async service(call) {
				const bytes = await goodBytes(call);
				for (let at = 0; at < bytes.length && !call.socket.destroyed; at += 1) {
					call.socket.write(bytes.subarray(at, at + 1));
					await sleep(1000, undefined, { ref: false });
				}
			},
			options: { timeout: 2 },
			expect: passing(true, LATE),
		},
		{
			name: 'cut at every 64th byte',
			ways: (good) =>
				Array.from({ length: Math.floor((bytesOf(good).length - 1) / 64) }, (_none, index) =>
					cutAt(64 * (index + 1)),
				),
			expect: passing(true, BROKE),
		},
	],
};
