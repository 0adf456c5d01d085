/** Something between n8n and the identity server that can stop a token request on its way, there or back. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where a token request is stopped: before the server sees it, or with the answer to it. */
export type Stop = 'request' | 'answer';

/** A running gateway. */
export interface Gateway {
	/** The address to give to n8n as that of the identity server. */
	readonly url: string;
	/** Stops the next token request for good; what it gives tells whether there has been one. */
	stopNext(where: Stop): () => boolean;
	close(): Promise<void>;
}

/** Starts a gateway to the identity server at `target`. */
export async function startGateway(target: string): Promise<Gateway> {
	let next: { where: Stop; reached: boolean } | undefined;

	async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
		let body = '';
		for await (const chunk of req) body += String(chunk);
		const stop = next;
		next = undefined;
		if (stop?.where === 'request') {
			stop.reached = true;
			return;
		}
		const { authorization = '', 'content-type': type = '' } = req.headers;
		const response = await fetch(new URL(req.url ?? '/', target), {
			method: 'POST',
			headers: { Authorization: authorization, 'Content-Type': type },
			body,
		});
		const answer = await response.text();
		if (stop) {
			stop.reached = true;
			return;
		}
		res.writeHead(response.status, { 'Content-Type': 'application/json' }).end(answer);
	}

	const server = createServer((req, res) => {
		handle(req, res).catch((error: unknown) => res.writeHead(502).end(String(error)));
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		stopNext(where) {
			const stop = { where, reached: false };
			next = stop;
			return () => stop.reached;
		},
		async close() {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
}
