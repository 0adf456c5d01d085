/** Answers far larger than usual, written as a stream. */
import { once } from 'node:events';
import type { IDataObject } from 'n8n-workflow';
import type { Act } from '../acts.mts';
import { complete, error, fault, unusable, type Group } from '../fault.mts';
import { bytesOf, type Answer } from '../message.mts';
import type { Call } from '../server.mts';

const MEBIBYTE = 2 ** 20;
const MILLION = 1_000_000;
/** How many small records of XML are below the limit of bytes, and above that of elements. */
const SMALL_XML = 610_000;
const TOO_LARGE = /too large.*Response Size Limit/s;
const TOO_MANY = /no readable answer: It has more than 1200000 elements/;

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

/** The good answer with many records in place of its own: copies of one, or new small ones. */
function* many({ body }: Answer, { cell }: Call, areWhole: boolean): Iterable<string> {
	const { kind, record = '', operation } = cell.target;
	const isJson = kind === 'restRead';
	const text = String(body);
	const pattern = isJson ? /\{"id":[^}]*\}/ : new RegExp(`<${record}>.*?</${record}>`, 's');
	const first = pattern.exec(text)?.[0] ?? '';
	const recordAt = (index: number): string => {
		if (areWhole) return first;
		return isJson ? `{"id":${index}}` : `<${record}><Id>${index % 10}</Id></${record}>`;
	};
	const result = `<${operation}Result>`;
	yield isJson ? '{"items":[' : text.slice(0, text.indexOf(result) + result.length);
	const separator = isJson ? ',' : '';
	const block = 10_000;
	const count = isJson || areWhole ? MILLION : SMALL_XML;
	for (let start = 0; start < count; start += block) {
		const records = Array.from({ length: block }, (_none, index) => recordAt(start + index));
		yield records.join(separator) + (start + block < count ? separator : '');
	}
	yield isJson
		? `],"totalCount":${MILLION},"totalPages":1}`
		: text.slice(text.indexOf(`</${operation}Result>`));
}

/** A million records with nothing but their keys and numbers. */
function numbered(good: IDataObject[]): IDataObject[] {
	const { Id, id: _id, CompanyId, EmployeeId, Period, Year } = good[0] ?? {};
	const keys =
		Id === undefined
			? { CompanyId }
			: { EmployeeId, ...(Period === undefined ? {} : { Period, Year }) };
	const name = Id === undefined ? 'id' : 'Id';
	return Array.from({ length: MILLION }, (_none, index) => ({ ...keys, [name]: index }));
}

const large = { large: true };
const fortyMebibytes = stream((good) => padded(good, 40));
const smallRecords = stream((good, call) => many(good, call, false));
const wholeRecords = stream((good, call) => many(good, call, true));

export const size: Group = {
	name: 'Size',
	faults: [
		fault('40 MiB', fortyMebibytes, unusable(TOO_LARGE), large),
		// About 30 MiB: below the limit of bytes. What is accepted is complete.
		fault(
			'many small records',
			smallRecords,
			{ soapRead: error(1, 1, TOO_MANY), restRead: complete(1, 1, numbered) },
			large,
		),
		// A million of the JSON records stay below the limit.
		fault('a million whole records', wholeRecords, { soapRead: error(1, 1, TOO_LARGE) }, large),
	],
};
