import { Console } from 'node:console';
import { setTimeout as delay } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import {
	launchSandbox,
	type Connection,
	type SandboxClient,
	type RequestEntry,
} from '../../dev/sandbox/client.mts';
import { startFaultyProxy, type FaultyProxy } from './faulty-proxy.mts';
import { MAX_HELD_MS } from '../support/eventLoop.mts';
import { sampleItems } from '../support/sample-items.mts';
import { startWorker, type Worker } from '../../dev/worker.mts';
import { loads, type Done, type Memory, type Order } from './protocol.mts';
import { isDeepStrictEqual } from 'node:util';

// SOAK_SEED repeats the order of the faults; which calls meet them depends on the machine.
const seed = Number(process.env.SOAK_SEED ?? Date.now() % 2 ** 31);
const CALLS = Number(process.env.SOAK_CALLS ?? 20_000);
const BATCH = 250;
const SAMPLE = 1000;
const WARM_UP = CALLS / 4;
const EXPIRE_EVERY = 500;
const MIB = 2 ** 20;
/**
 * How much memory use may grow after the warm-up, beyond that of n8n's engine itself: 140 bytes for
 * each call, less than the shortest request, so that no request can be retained.
 */
const GROWTH = 2 * MIB;
/** How long a process that nothing keeps alive may take to end, in milliseconds. */
const END_MS = 30_000;
const EMPLOYEES = 60;
const UNKNOWN = 4711;
// jest's own console adds where it was called.
const terminal = new Console(process.stdout, process.stderr);

/** How the items of a run ended. */
type Tally = Record<'read' | 'written' | 'notApplied' | 'unknown' | 'refused read', number>;

const noTally = (): Tally => ({
	read: 0,
	written: 0,
	notApplied: 0,
	unknown: 0,
	'refused read': 0,
});

/** How often the service carried out the call with each mark. */
function executions(requests: readonly RequestEntry[]): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const { body, status } of requests) {
		const mark = />(mark-\d+)</.exec(body)?.[1];
		if (mark !== undefined && status === 200) counts.set(mark, (counts.get(mark) ?? 0) + 1);
	}
	return counts;
}

function errorOf(outputs: readonly IDataObject[]): IDataObject | undefined {
	return outputs.length === 1 ? (outputs[0]?.error as IDataObject | undefined) : undefined;
}

function wrong(item: IDataObject, what: string, outputs: readonly IDataObject[]): Error {
	return new Error(`${JSON.stringify(item)}: ${what}: ${JSON.stringify(outputs).slice(0, 500)}`);
}

/** Counts one written item; throws if the service did something else than the item says. */
function settleWrite(
	item: IDataObject,
	outputs: readonly IDataObject[],
	executed: number,
	tally: Tally,
): void {
	const [output, ...others] = outputs;
	if (output === undefined || others.length > 0) throw wrong(item, 'not one item', outputs);
	const error = errorOf(outputs);
	const outcome = error === undefined ? 'written' : (error.outcome as keyof Tally);
	const allowed = { written: [1], notApplied: [0], unknown: [0, 1] }[String(outcome)] ?? [];
	if (!allowed.includes(executed)) throw wrong(item, `carried out ${executed} times`, outputs);
	tally[outcome] += 1;
}

/** Counts one read item; throws if records are missing. */
function settleRead(
	item: IDataObject,
	outputs: readonly IDataObject[],
	expected: readonly IDataObject[],
	tally: Tally,
): void {
	// Objects from another process have other prototypes.
	const received: unknown = JSON.parse(JSON.stringify(outputs));
	if (errorOf(outputs) !== undefined) tally['refused read'] += 1;
	else if (isDeepStrictEqual(received, expected)) tally.read += 1;
	else throw wrong(item, 'not its records', outputs);
}

let sandbox: SandboxClient;
let proxy: FaultyProxy;
type Measured = Worker<Order, Done>;
const workers: Measured[] = [];

function worker(): Measured {
	const started = startWorker<Order, Done>('test/soak/main.mts');
	workers.push(started);
	return started;
}

beforeAll(async () => {
	sandbox = await launchSandbox({ employees: EMPLOYEES });
	proxy = await startFaultyProxy(sandbox.url, {
		seed,
		requests: 2 * CALLS,
		expireEvery: EXPIRE_EVERY,
		expire: async () => await sandbox.expireAccessTokens(),
	});
	terminal.log(`SOAK_SEED=${seed} SOAK_CALLS=${CALLS}`);
});

afterAll(async () => {
	for (const started of workers) started.kill();
	await proxy.close();
	await sandbox.stop();
});

/** The employee or company of the n-th item; some writes are about an unknown one and are refused. */
function subject(name: string, n: number): number {
	if (loads[name]?.effect === 'write' && n % 100 === 99) return UNKNOWN;
	const isCompany = ['Address_Update', 'hourcodes'].includes(name);
	return isCompany ? 100 * (1 + (n % 2)) : 1001 + (n % EMPLOYEES);
}

function batchOf(name: string, from: number): IDataObject[] {
	return Array.from({ length: BATCH }, (_, i) => ({
		id: subject(name, from + i),
		mark: `mark-${from + i}`,
	}));
}

interface Sample extends Memory {
	readonly calls: number;
}

/** The slope of a line through points, by least squares. */
function slope(points: ReadonlyArray<readonly [x: number, y: number]>): number {
	const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
	const [x, y] = [mean(points.map((point) => point[0])), mean(points.map((point) => point[1]))];
	const above = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
	return above / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}

/** The growth of memory use from the warm-up to the last call, by a line through the samples. */
function growth(samples: readonly Sample[]): number {
	const points = samples
		.filter(({ calls }) => calls >= WARM_UP)
		.map(({ calls, heapUsed, external }) => [calls, heapUsed + external] as const);
	return slope(points) * (CALLS - WARM_UP);
}

/** Runs batches of all operations in turn; returns the memory use after every thousand calls. */
async function soak(
	measured: Measured,
	batch: (name: string, items: IDataObject[]) => Promise<void>,
): Promise<Sample[]> {
	const names = Object.keys(loads);
	const samples: Sample[] = [];
	for (let calls = 0; calls < CALLS; ) {
		const name = names[(calls / BATCH) % names.length] ?? '';
		await batch(name, batchOf(name, calls));
		calls += BATCH;
		if (calls % SAMPLE > 0) continue;
		const { memory } = await measured.order({ kind: 'measure' });
		if (memory !== undefined) samples.push({ calls, ...memory });
	}
	return samples;
}

it('keeps every item, writes nothing twice, leaks neither memory nor handles, and never holds the event loop', async () => {
	const measured = worker();
	const { resources: atStart } = await measured.order({
		kind: 'connect',
		// Without its functions.
		sandbox: JSON.parse(JSON.stringify(sandbox)) as Connection,
		serviceUrl: proxy.url,
	});

	/** How long each batch held the event loop, in milliseconds. */
	const held: Array<readonly [load: string, heldMs: number]> = [];
	const run = async (load: string, items: IDataObject[]) => {
		const { outputs = [], heldMs = 0 } = await measured.order({ kind: 'run', load, items });
		held.push([load, heldMs]);
		return outputs;
	};

	await sandbox.reset();
	const tally = noTally();
	let [refreshes, requests] = [0, 0];
	const began = performance.now();
	const samples = await soak(measured, async (name, items) => {
		const outputs = await run(name, items);
		const received = await sandbox.requests();
		const executed = executions(received);
		items.forEach((item, i) => {
			const own = outputs[i] ?? [];
			if (loads[name]?.effect === 'write') {
				settleWrite(item, own, executed.get(String(item.mark)) ?? 0, tally);
			} else settleRead(item, own, sampleItems(name, Number(item.id)), tally);
		});
		requests += received.length;
		refreshes += (await sandbox.stats()).tokenRequests.refresh_token ?? 0;
		await sandbox.reset();
	});
	const seconds = Math.round((performance.now() - began) / 1000);

	const { resources } = await measured.order({ kind: 'end' });
	const code = await Promise.race([measured.ended, delay(END_MS, 'still running', { ref: false })]);

	const control = worker();
	const without = await soak(control, async (_, items) => {
		await control.order({ kind: 'run', items });
	});
	control.kill();

	const [own, engine] = [growth(samples), growth(without)];
	terminal.log(
		`growth after ${WARM_UP} calls: ${(own / MIB).toFixed(2)} MiB; the engine alone: ${(engine / MIB).toFixed(2)} MiB`,
	);
	terminal.log(`items in ${seconds} s: ${JSON.stringify(tally)}; requests received: ${requests}`);
	terminal.log(`faults: ${JSON.stringify(proxy.done)}; refreshes: ${refreshes}`);

	// The first batches also load what they need.
	const later = held.slice(Object.keys(loads).length);
	terminal.log(`event loop held for at most ${Math.max(...later.map(([, ms]) => ms))} ms`);
	expect(later.filter(([, heldMs]) => heldMs > MAX_HELD_MS)).toEqual([]);
	const ends = Object.values(tally).reduce((sum, count) => sum + count, 0);
	expect(ends).toBe(CALLS);
	expect(Object.values(tally).every((count) => count > 0)).toBe(true);
	expect(Object.values(proxy.done).every((count) => count > 0)).toBe(true);
	expect(refreshes).toBe(proxy.expiries);
	expect(own - Math.max(0, engine)).toBeLessThan(GROWTH);
	expect(resources).toEqual(atStart);
	expect(code).toBe(0);
});
