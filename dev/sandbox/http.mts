/** HTTP helpers that all parts of the sandbox use. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A whole response of the business endpoints. */
export interface Reply {
	status: number;
	headers: Record<string, string>;
	body: string;
}

/** Takes a status and a value; returns the JSON reply. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
	return {
		status,
		headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
		body: JSON.stringify(value),
	};
}

/** Takes a status and a page; returns the HTML reply. */
export function html(status: number, body: string, headers: Record<string, string> = {}): Reply {
	return { status, headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers }, body };
}

/** Sends a reply. */
export function send(res: ServerResponse, reply: Reply): void {
	const body = Buffer.from(reply.body, 'utf8');
	res.writeHead(reply.status, { ...reply.headers, 'Content-Length': String(body.length) });
	res.end(body);
}

/**
 * Keeps a copy of the body that oidc-provider reads from a request; it only accepts requests whose
 * body has not been read. Both ways of reading a stream end in `read`.
 */
export function copyBody(req: IncomingMessage): () => string {
	const chunks: Buffer[] = [];
	const read = req.read.bind(req);
	req.read = (size?: number): unknown => {
		const chunk: unknown = read(size);
		if (Buffer.isBuffer(chunk)) chunks.push(chunk);
		return chunk;
	};
	return () => Buffer.concat(chunks).toString('utf8');
}

/** Waits; zero does not even yield. */
export async function delay(milliseconds: number): Promise<void> {
	if (milliseconds > 0) await new Promise((done) => setTimeout(done, milliseconds));
}

/** A whole number of an address; the fallback if it is not given, undefined if it is something else. */
export function whole(url: URL, name: string, fallback: number, least: number): number | undefined {
	const given = url.searchParams.get(name);
	if (given === null) return fallback;
	const value = /^\d{1,9}$/.test(given) ? Number(given) : NaN;
	return value >= least ? value : undefined;
}
