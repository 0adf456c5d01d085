/**
 * A server that records every byte it receives and answers the first request of each connection.
 */
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { listen } from '../../dev/listen.mts';

/** A request parsed from its bytes without an HTTP parser, which might correct them. */
export interface RawRequest {
	readonly line: string;
	/** Header names in lower case with their values, in order. */
	readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
	/** Everything after the headers. */
	readonly body: Buffer;
}

export interface RawServer {
	readonly url: string;
	/** Forgets earlier connections. */
	reset(): void;
	/** The request of each connection since then. */
	requests(): RawRequest[];
	close(): Promise<void>;
}

const HEAD_END = '\r\n\r\n';

/** Parses a request; a body without `Content-Length` is none. Returns nothing until all has arrived. */
export function parseRequest(bytes: Buffer): RawRequest | undefined {
	const end = bytes.indexOf(HEAD_END);
	if (end < 0) return undefined;
	const [line = '', ...rest] = bytes.toString('latin1', 0, end).split('\r\n');
	const headers = rest.map((header) => {
		const colon = header.indexOf(':');
		return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()] as const;
	});
	const body = bytes.subarray(end + HEAD_END.length);
	const length = headers.find(([name]) => name === 'content-length')?.[1] ?? '0';
	return body.length < Number(length) ? undefined : { line, headers, body };
}

/** Starts a server on a free port that answers by the path of a request. */
export async function rawServer(answer: (line: string) => string): Promise<RawServer> {
	let connections: Buffer[][] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		const chunks: Buffer[] = [];
		connections.push(chunks);
		sockets.add(socket);
		let isAnswered = false;
		socket.on('error', () => socket.destroy());
		socket.on('close', () => sockets.delete(socket));
		socket.on('data', (chunk) => {
			chunks.push(chunk);
			const request = parseRequest(Buffer.concat(chunks));
			if (isAnswered || request === undefined) return;
			isAnswered = true;
			socket.end(answer(request.line));
		});
	});
	return {
		url: `http://127.0.0.1:${await listen(server)}`,
		reset() {
			connections = [];
		},
		requests() {
			return connections.map((chunks) => {
				const request = parseRequest(Buffer.concat(chunks));
				if (request === undefined) throw new Error('A connection sent no whole request');
				return request;
			});
		},
		async close() {
			for (const socket of sockets) socket.destroy();
			await new Promise((closed) => server.close(closed));
		},
	};
}

/** An HTTP answer as text. */
export function httpAnswer(type: string, body: string): string {
	const length = Buffer.byteLength(body);
	return (
		`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n` +
		`Connection: close${HEAD_END}${body}`
	);
}
