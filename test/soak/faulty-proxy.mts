/** A proxy in front of the sandbox that fails now and then, and lets access tokens expire. */
import {
	createServer,
	request as forward,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { close, listen } from '../../dev/listen.mts';

/** How long an answer that is too late takes, in milliseconds. */
const LATE_MS = 3000;

/** What a proxy does instead of handing a request on and its answer back. */
export const faults = ['reset before', 'reset after', 'cut', '500', '503', 'late'] as const;
export type Fault = (typeof faults)[number];

export interface FaultyProxy {
	readonly url: string;
	/** How often each fault was done. */
	readonly done: Readonly<Record<Fault, number>>;
	/** How often access tokens were made to expire. */
	readonly expiries: number;
	close(): Promise<void>;
}

interface Answer {
	readonly response: IncomingMessage;
	readonly body: Buffer;
}

/** Which request meets which fault: one of a hundred does; a late one is rarer, since it takes its time. */
function schedule(seed: number, requests: number): Array<Fault | undefined> {
	const fault = fc.oneof(
		...faults.map((name) => ({ weight: name === 'late' ? 1 : 4, arbitrary: fc.constant(name) })),
	);
	const perhaps = fc.oneof(
		{ weight: 99, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: fault },
	);
	return fc.sample(perhaps, { seed, numRuns: requests });
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
	return Buffer.concat(chunks);
}

async function handOn(target: string, request: IncomingMessage, body: Buffer): Promise<Answer> {
	const response = await new Promise<IncomingMessage>((answered, failed) => {
		const { method, headers, url = '/' } = request;
		forward(new URL(url, target), { method, headers, agent: false }, answered)
			.once('error', failed)
			.end(body);
	});
	return { response, body: await bytesOf(response) };
}

/** Starts a proxy; `expire` is called before every 500th request that is handed on. */
export async function startFaultyProxy(
	target: string,
	of: { seed: number; requests: number; expireEvery: number; expire: () => Promise<void> },
): Promise<FaultyProxy> {
	const plan = schedule(of.seed, of.requests);
	const done = Object.fromEntries(faults.map((name) => [name, 0])) as Record<Fault, number>;
	let [received, handedOn, expiries] = [0, 0, 0];

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await bytesOf(request);
		const fault = plan[received++ % plan.length];
		if (fault !== undefined) done[fault] += 1;
		if (fault === 'reset before') return void response.destroy();
		if (fault === '500') return void response.writeHead(500).end('out of order');
		if (fault === '503') return void response.writeHead(503, { 'Retry-After': '0' }).end();
		if ((handedOn += 1) % of.expireEvery === 0) {
			expiries += 1;
			await of.expire();
		}
		const { response: from, body: answered } = await handOn(target, request, body);
		if (fault === 'reset after') return void response.destroy();
		if (fault === 'late') await delay(LATE_MS);
		response.writeHead(from.statusCode ?? 502, {
			'Content-Type': from.headers['content-type'] ?? '',
			'Content-Length': answered.length,
		});
		if (fault === 'cut')
			response.write(answered.subarray(0, answered.length / 2), () => response.destroy());
		else response.end(answered);
	}

	const server = createServer((request, response) => {
		// Who does not wait for a late answer leaves nothing to answer to.
		answer(request, response).catch(() => response.destroy());
	});
	return {
		url: `http://127.0.0.1:${await listen(server)}`,
		done,
		get expiries() {
			return expiries;
		},
		close: async () => await close(server),
	};
}
