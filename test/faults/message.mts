/** HTTP/1.1 messages as bytes: reads requests from a connection, and writes good and bad answers. */
import type { Socket } from 'node:net';
import { parseRequest } from '../support/raw.mts';

/** A request as it arrived. */
export interface Request {
	readonly method: string;
	/** Path and query. */
	readonly path: string;
	/** Values by lower-case name. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer;
	/** The whole message as it was received. */
	readonly bytes: Buffer;
}

/** An answer; `bytesOf` adds `Content-Length` and `Connection: close`. */
export interface Answer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer;
}

/** The bytes are no HTTP/1.1 request. */
export class NotHttp extends Error {}

const REQUEST_LINE = /^([A-Z]+) (\S+) HTTP\/1\.1$/;

/**
 * Reads the one request of a connection.
 *
 * @returns the request, or `undefined` if the client goes away before it is complete
 * @throws {NotHttp} if the bytes begin with something else
 */
export async function readRequest(socket: Socket): Promise<Request | undefined> {
	let bytes = Buffer.alloc(0);
	// Leaving the loop must not end the connection, which the answer needs.
	for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
		bytes = Buffer.concat([bytes, chunk as Buffer]);
		if (!/^[A-Z]{1,8}( |$)/.test(bytes.toString('latin1', 0, 9))) throw new NotHttp();
		const request = parseRequest(bytes);
		if (request === undefined) continue;
		const [, method = '', path = ''] = REQUEST_LINE.exec(request.line) ?? [];
		if (method === '') throw new NotHttp();
		const { headers, body } = request;
		return { method, path, headers: Object.fromEntries(headers), body, bytes };
	}
	return undefined;
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
