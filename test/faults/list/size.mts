/** Answers far larger than usual, written as a stream. */
import { once } from 'node:events';
import type { IDataObject } from 'n8n-workflow';
import { complete, error, each, reads, unknown, type Act, type Group } from '../fault.mts';
import { bytesOf, type Answer } from '../message.mts';
import type { Call } from '../server.mts';

const MEBIBYTE = 2 ** 20;
const MILLION = 1_000_000;
const TOO_LARGE = /too large.*Response Size Limit/s;

/** Carries the call out, and sends these parts as the body of its answer until nobody listens. */
function stream(parts: (good: Answer, call: Call) => Iterable<string>): Act {
	return async (call) => {
		const { socket } = call;
		const good = await call.forward();
		socket.write(bytesOf({ ...good, body: Buffer.alloc(0) }, { 'Content-Length': '' }));
		for (const part of parts(good, call)) {
			if (socket.destroyed) return;
			if (!socket.write(part)) {
				await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined);
			}
		}
		socket.end();
	};
}

/** The good answer, with so many blanks in the middle where they mean nothing. */
function* padded({ body }: Answer, mebibytes: number): Iterable<string> {
	const text = String(body);
	const at = text.startsWith('<') ? text.lastIndexOf('<') : 1;
	yield text.slice(0, at);
	const blanks = ' '.repeat(MEBIBYTE);
	for (let count = 0; count < mebibytes; count += 1) yield blanks;
	yield text.slice(at);
}

/** The good answer with a million records in place of its own. */
function* million({ body }: Answer, { cell }: Call, isWhole: boolean): Iterable<string> {
	const { kind, record = '', operation } = cell.target;
	const text = String(body);
	const at = kind === 'restRead' ? text : text.indexOf(`<${operation}Result>`);
	const own =
		kind === 'restRead'
			? (/\{"id":[^}]*\}/.exec(text)?.[0] ?? '')
			: text.slice(text.indexOf(`<${record}>`), text.indexOf(`</${record}>`) + record.length + 3);
	const recordAt = (index: number): string => {
		if (isWhole) return own;
		return kind === 'restRead' ? `{"id":${index}}` : `<${record}><Id>${index}</Id></${record}>`;
	};
	if (typeof at === 'number') yield text.slice(0, at + operation.length + 8);
	else yield '{"items":[';
	const block = 10_000;
	for (let start = 0; start < MILLION; start += block) {
		const records = Array.from({ length: block }, (_none, index) => recordAt(start + index));
		const separator = kind === 'restRead' ? ',' : '';
		yield records.join(separator) + (start + block < MILLION ? separator : '');
	}
	yield typeof at === 'number'
		? text.slice(text.indexOf(`</${operation}Result>`))
		: `],"totalCount":${MILLION},"totalPages":1}`;
}

/** A million records with nothing but their number. */
function numbered(good: IDataObject[]): IDataObject[] {
	const { Id, id: _id, CompanyId, EmployeeId, Period, Year } = good[0] ?? {};
	const keys =
		Id === undefined
			? { CompanyId }
			: { EmployeeId, ...(Period === undefined ? {} : { Period, Year }) };
	const name = Id === undefined ? 'id' : 'Id';
	return Array.from({ length: MILLION }, (_none, index) => ({ ...keys, [name]: index }));
}

export const size: Group = {
	name: 'Size',
	faults: [
		{
			name: '70 MiB',
			service: stream((good) => padded(good, 70)),
			large: true,
			expect: each(error(1, 1, TOO_LARGE), unknown(1, 1, TOO_LARGE)),
		},
		{
			// About 40 MiB: below the limit, so nothing may be missing.
			name: 'a million small records',
			service: stream((good, call) => million(good, call, false)),
			large: true,
			expect: reads(complete(1, 1, numbered)),
		},
		{
			name: 'a million whole records',
			service: stream((good, call) => million(good, call, true)),
			large: true,
			// A million of the JSON records stay below the limit.
			expect: { soapRead: error(1, 1, TOO_LARGE) },
		},
	],
};
