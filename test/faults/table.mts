/** Runs a table: faults on targets, many side by side. */
import type { IDataObject } from 'n8n-workflow';
import { MAX_HELD_MS, watchLoop } from '../support/eventLoop.mts';
import { sampleItems } from '../support/sample-items.mts';
import { Bench, type Run } from './bench.mts';
import type { Expectation, Fault } from './fault.mts';
import { problemsOf, shownBy, type Shown } from './judge.mts';
import { secretsOf, SecretSearch } from './secrets.mts';
import type { Target } from './targets.mts';
import { Console } from 'node:console';

/** Cells wait for time-outs, and before they try again. More of them would make each other late. */
const SIDE_BY_SIDE = 12;

async function inParallel<T>(
	jobs: readonly T[],
	count: number,
	work: (job: T) => Promise<void>,
): Promise<void> {
	const waiting = [...jobs];
	const worker = async (): Promise<void> => {
		for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await work(job);
	};
	await Promise.all(Array.from({ length: count }, worker));
}

/** A running capture. */
interface Capture {
	/** What was written, in order. */
	readonly written: string[];
	/** Restores the outputs. */
	end(): void;
}

/** Takes over `console`, stdout and stderr of this process. */
function capture(): Capture {
	const written: string[] = [];
	const write = (chunk: string | Uint8Array): boolean => {
		written.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
		return true;
	};
	const spies = [process.stdout, process.stderr].map((stream) =>
		jest.spyOn(stream, 'write').mockImplementation(write),
	);
	const original = globalThis.console;
	// jest's own console would not write to these streams.
	globalThis.console = new Console(process.stdout, process.stderr);
	return {
		written,
		end() {
			globalThis.console = original;
			for (const spy of spies) spy.mockRestore();
		},
	};
}

/** The targets that each fault runs on. */
export type Plan = ReadonlyMap<Fault, readonly Target[]>;

/** One run that is to be made. */
interface Job {
	readonly fault: Fault;
	readonly target: Target;
	readonly expected: Expectation;
}

/** What came of one run. */
export interface Finding {
	readonly fault: Fault;
	readonly target: Target;
	readonly shown: Shown;
	readonly problems: readonly string[];
}

/** What came of the table. */
export interface Table {
	readonly findings: readonly Finding[];
	readonly search: SecretSearch;
	/** What was received by servers that nothing may be sent to. */
	readonly unexpected: readonly string[];
	/** How many lines were logged or printed. */
	readonly logged: number;
	readonly seconds: number;
}

/** Searches what n8n would store of a run, and show of it. */
function searchRun(search: SecretSearch, { cell, items, result, stored }: Run): void {
	const { fault, target } = cell;
	const name = `${fault.name} × ${target.name}`;
	search.search(`${name}: error`, result.error);
	search.search(`${name}: stored run data`, stored.text);
	search.search(`${name}: items`, items);
	search.search(`${name}: run`, result.run);
}

/** The items of the sample call, with the cost center of a cell, which is added to the others. */
function ofCell({ cell: { name, target } }: Run, items: IDataObject[]): IDataObject[] {
	if (!target.readsFirst) return items;
	if (target.kind === 'insert') {
		return items.map((item) => ({ ...item, created: true, changes: 'Type HomeAddress' }));
	}
	const text = JSON.stringify(items).replaceAll('"4900', `"${name}`);
	const good = JSON.parse(text) as IDataObject[];
	return good.map((item) => ({
		...item,
		changes: `${name}: added, 100 %, Cost Type Code 400, Default`,
	}));
}

/** Runs each fault on its targets. */
export async function runTable(plan: Plan): Promise<Table> {
	// Unlike `performance.now()`, in real time.
	const started = Date.now();
	const outputs = capture();
	const bench = await Bench.start();
	const search = new SecretSearch();
	const findings: Finding[] = [];
	/** How long a run alone held the event loop, in milliseconds, if it seemed to hold it. */
	const held = new Map<Job, number>();

	async function judge(runs: ReadonlyArray<readonly [Job, Run]>): Promise<void> {
		search.lookFor(secretsOf(bench.sandbox, bench.server.issued));
		const counts = await bench.executed();
		for (const [job, run] of runs) {
			const { fault, target, expected } = job;
			searchRun(search, run);
			const executed = counts.get(run.cell.name) ?? 0;
			const good = ofCell(run, sampleItems(target.operation, Number(target.input.id)));
			const shown = shownBy(run);
			const heldMs = held.get(job) ?? 0;
			const problems = [
				...problemsOf(run, expected, executed, good),
				...(heldMs > MAX_HELD_MS ? [`held the event loop for ${heldMs} ms`] : []),
			];
			findings.push({ fault, target, shown, problems });
		}
	}

	try {
		const jobs = [...plan].flatMap(([fault, targets]) =>
			targets.flatMap((target): Job[] => {
				const expected = fault.expect[target.kind];
				return expected === undefined ? [] : [{ fault, target, expected }];
			}),
		);
		const isExpired = ({ fault }: Job): boolean => fault.renewal === 'expired';
		const expired = await bench.expiredGrants(jobs.filter(isExpired).length);

		const runs: Array<readonly [Job, Run]> = [];
		let last: Promise<unknown> = Promise.resolve();
		const alone = async (run: () => Promise<Run>): Promise<Run> => {
			const own = last.then(run);
			last = own.catch(() => undefined);
			return await own;
		};
		const suspects: Job[] = [];
		await inParallel(jobs, SIDE_BY_SIDE, async (job) => {
			const tokens = (isExpired(job) && expired.pop()) || (await bench.grant());
			const heldMs = watchLoop();
			const run = async () => await bench.run(job.fault, job.target, tokens);
			// Each has a credential of its own: nothing else keeps them from changing one employee at once.
			const isUpdate = job.target.operation === 'CostCenter_Update';
			runs.push([job, await (isUpdate ? alone(run) : run())]);
			if (heldMs() > MAX_HELD_MS) suspects.push(job);
		});
		// Any of the runs side by side may have held it, or what the first of them loads.
		for (const job of suspects) {
			const [tokens = await bench.grant()] = isExpired(job) ? await bench.expiredGrants(1) : [];
			const heldMs = watchLoop();
			await bench.run(job.fault, job.target, tokens);
			held.set(job, heldMs());
		}
		await judge(runs);

		search.search('log lines and outputs', outputs.written);
		return {
			findings,
			search,
			unexpected: bench.server.unexpected,
			logged: outputs.written.length,
			seconds: (Date.now() - started) / 1000,
		};
	} finally {
		await bench.close();
		outputs.end();
	}
}
