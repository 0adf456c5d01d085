/** HTTP/1.1 messages: reads requests, and writes good and bad answers as bytes. */
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A request as it arrived. */
export interface Request {
	readonly method: string;
	/** Path and query. */
	readonly path: string;
	/** Values by lower-case name. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer;
	/** The whole message. */
	readonly bytes: Buffer;
}

/** An answer; `bytesOf` adds `Content-Length` and `Connection: close`. */
export interface Answer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer;
}

/** Reads a request. */
export async function readRequest(message: IncomingMessage): Promise<Request> {
	const { method = '', url: path = '' } = message;
	const entries = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
	const headers = Object.fromEntries(entries) as Record<string, string>;
	const lines = [`${method} ${path} HTTP/1.1`, ...entries.map((entry) => entry.join(': ')), '', ''];
	const body = await buffer(message);
	const bytes = Buffer.concat([Buffer.from(lines.join('\r\n')), body]);
	return { method, path, headers, body, bytes };
}

/** The head of an answer, with exactly these headers. */
export function head(status: number, headers: Readonly<Record<string, string>>): Buffer {
	const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
	return Buffer.from(`HTTP/1.1 ${status} Answer\r\n${fields.join('')}\r\n`, 'latin1');
}

/** A whole answer as bytes; a header changed to an empty text is left out. */
export function bytesOf(answer: Answer, changes: Readonly<Record<string, string>> = {}): Buffer {
	const headers = {
		...answer.headers,
		'Content-Length': String(answer.body.length),
		Connection: 'close',
		...changes,
	};
	const kept = Object.entries(headers).filter(([, value]) => value !== '');
	return Buffer.concat([head(answer.status, Object.fromEntries(kept)), answer.body]);
}

/** Makes an answer. */
export function answer(
	status: number,
	type: string,
	body: string | Buffer,
	headers: Readonly<Record<string, string>> = {},
): Answer {
	return {
		status,
		headers: { ...(type === '' ? {} : { 'Content-Type': type }), ...headers },
		body: Buffer.from(body),
	};
}
