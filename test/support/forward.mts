/** Passes requests on to the sandbox, for the servers that tests put in front of it. */
import type { IncomingHttpHeaders } from 'node:http';

/** A request to pass on. */
export interface ForwardedRequest {
	readonly method: string;
	/** Path and query. */
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string | Uint8Array<ArrayBuffer>;
}

/** An answer to pass back: `response.writeHead(status, headers).end(body)`. */
export interface ForwardedAnswer {
	readonly status: number;
	readonly headers: { readonly 'Content-Type': string };
	readonly body: Buffer;
}

/** Headers of one connection; `fetch` sets its own. */
const HOP_HEADERS = new Set(['connection', 'content-length', 'host', 'transfer-encoding']);

/** Sends a request to another origin, with its own headers. Redirects are not followed. */
export async function forward(origin: string, request: ForwardedRequest): Promise<ForwardedAnswer> {
	const { method, path, body } = request;
	const headers = Object.entries(request.headers).filter(([name]) => !HOP_HEADERS.has(name));
	const response = await fetch(new URL(path, origin), {
		method,
		headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
		redirect: 'manual',
		...(body.length > 0 && { body }),
	});
	return {
		status: response.status,
		headers: { 'Content-Type': response.headers.get('content-type') ?? '' },
		body: Buffer.from(await response.arrayBuffer()),
	};
}
