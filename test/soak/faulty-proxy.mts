/** A proxy in front of the sandbox that fails now and then, and lets access tokens expire. */
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { forward } from '../support/forward.mts';
import { scriptedServer, type Received } from '../support/scripted.mts';

/** How long a late answer takes, in milliseconds. */
const LATE_MS = 3000;

/** What the proxy does instead of passing a request on and its answer back. */
const faults = ['reset before', 'reset after', 'cut', '500', '503', 'late'] as const;
type Fault = (typeof faults)[number];

export interface FaultyProxy {
	readonly url: string;
	/** How often each fault occurred. */
	readonly done: Readonly<Record<Fault, number>>;
	/** How often access tokens were made to expire. */
	readonly expiries: number;
	close(): Promise<void>;
}

/** The fault of each request: one request of a hundred has one. A late answer is rarer, as it takes long. */
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

/** Starts a proxy; `expire` is called before every `expireEvery`-th request that is passed on. */
export async function startFaultyProxy(
	target: string,
	of: { seed: number; requests: number; expireEvery: number; expire: () => Promise<void> },
): Promise<FaultyProxy> {
	const plan = schedule(of.seed, of.requests);
	const done = Object.fromEntries(faults.map((name) => [name, 0])) as Record<Fault, number>;
	let [passedOn, expiries] = [0, 0];

	async function answer(response: ServerResponse, index: number, request: Received): Promise<void> {
		const fault = plan[index % plan.length];
		if (fault !== undefined) done[fault] += 1;
		if (fault === 'reset before') return void response.destroy();
		if (fault === '500') return void response.writeHead(500).end('out of order');
		if (fault === '503') return void response.writeHead(503, { 'Retry-After': '0' }).end();
		if ((passedOn += 1) % of.expireEvery === 0) {
			expiries += 1;
			await of.expire();
		}
		const { status, headers, body } = await forward(target, request);
		if (fault === 'reset after') return void response.destroy();
		if (fault === 'late') await delay(LATE_MS);
		response.writeHead(status, { ...headers, 'Content-Length': body.length });
		if (fault === 'cut')
			response.write(body.subarray(0, body.length / 2), () => response.destroy());
		else response.end(body);
	}

	const server = await scriptedServer();
	server.play(answer);
	return {
		url: server.url,
		done,
		get expiries() {
			return expiries;
		},
		close: async () => await server.close(),
	};
}
