/**
 * A server scripted by a test, for answers and failures that a correct service does not produce.
 */
import {
	createServer,
	type IncomingMessage,
	type OutgoingHttpHeaders,
	type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { close, listen } from '../../dev/listen.mts';
import { forward } from './forward.mts';

/** A port on which nothing listens. */
export { freePort as closedPort } from '../../dev/listen.mts';

/** A request as it arrived. */
export interface Received {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingMessage['headers'];
	readonly body: string;
	/** Milliseconds since the server's start. */
	readonly at: number;
}

/** Answers the n-th request (counted from 0). */
export type Script = (
	response: ServerResponse,
	index: number,
	request: Received,
) => void | Promise<void>;

/** A running scripted server. */
export interface ScriptedServer {
	readonly url: string;
	readonly received: Received[];
	/** Replaces the script and forgets what was received. */
	play(script: Script): void;
	close(): Promise<void>;
}

/** Starts a server on a free port; without a script it answers 500. */
export async function scriptedServer(): Promise<ScriptedServer> {
	let script: Script = (response) => void response.writeHead(500).end();
	const received: Received[] = [];
	const started = performance.now();
	const server = createServer(async (request, response) => {
		try {
			const body = String(await buffer(request));
			const { method = '', url: path = '', headers } = request;
			const entry = { method, path, headers, body, at: performance.now() - started };
			received.push(entry);
			await script(response, received.length - 1, entry);
		} catch (error) {
			if (!response.headersSent) response.writeHead(500);
			response.end(String(error));
		}
	});
	return {
		url: `http://127.0.0.1:${await listen(server)}`,
		received,
		play(next) {
			script = next;
			received.length = 0;
		},
		close: async () => await close(server),
	};
}

/** Answers every request with this; JSON of a body that is no text. */
export function replying(
	status: number,
	type: string,
	body: unknown = '',
	headers: OutgoingHttpHeaders = {},
): Script {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return (response) =>
		void response.writeHead(status, { 'Content-Type': type, ...headers }).end(text);
}

/**
 * Passes every request on to another server, and its answer back.
 *
 * @param isLost whether the answer to a request is lost: its connection breaks instead
 */
export function forwarding(
	url: string,
	isLost: (request: Received) => boolean = () => false,
): Script {
	return async (response, _index, request) => {
		const { status, headers, body } = await forward(url, request);
		if (isLost(request)) response.destroy();
		else response.writeHead(status, headers).end(body);
	};
}
