/**
 * A service of hour codes: a company has as many as its number says. The rows are prepared in advance
 * and any access token is accepted, so that the service adds little to the measurement.
 */
import { createServer } from 'node:http';
import { listen } from '../../dev/listen.mts';
import { handleOrders } from '../../dev/worker.mts';

/** Prepares this many rows, and listens. */
export interface Start {
	readonly rows: number;
	/** Delay of each answer, in milliseconds. */
	readonly latencyMs: number;
}

const KINDS = ['Normale uren', 'Overuren 150%', 'Verlof', 'Ziekte & verzuim', 'Café-dienst'];

/** An hour code as JSON, as the sandbox returns it. */
function row(index: number): string {
	return JSON.stringify({
		id: index + 1,
		code: `U${String(index + 1).padStart(3, '0')}`,
		description: `${KINDS[index % KINDS.length]} ${Math.floor(index / KINDS.length) + 1}`,
	});
}

handleOrders(async ({ rows, latencyMs }: Start): Promise<{ url: string }> => {
	const list = Array.from({ length: rows }, (_, index) => row(index));
	const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
		const count = Number(/^\/api\/companies\/(\d+)\/hourcodes$/.exec(pathname)?.[1]);
		const [page, size] = ['pageNumber', 'pageSize'].map((name) => Number(searchParams.get(name)));
		const start = ((page ?? 0) - 1) * (size ?? 0);
		const text = `[${list.slice(start, Math.min(start + (size ?? 0), count)).join()}]`;
		const answer = () => {
			response.setHeader('Content-Type', 'application/json; charset=utf-8');
			response.end(text);
		};
		if (latencyMs > 0) setTimeout(answer, latencyMs);
		else answer();
	});
	return { url: `http://127.0.0.1:${await listen(server)}` };
});
