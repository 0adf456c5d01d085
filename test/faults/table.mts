/** Runs the whole table: every fault on every target, many side by side. */
import type { IDataObject } from 'n8n-workflow';
import { inParallel } from '../support/parallel.mts';
import { sampleItems } from '../support/sample-items.mts';
import { Bench, type Run } from './bench.mts';
import { capture } from './capture.mts';
import type { Expectation, Fault, Group } from './fault.mts';
import { problemsOf, shownBy, type Shown } from './judge.mts';
import type { Square } from './matrix.mts';
import type { Answer } from './message.mts';
import { secretsOf, SecretSearch } from './secrets.mts';
import type { Target } from './targets.mts';

/** Most cells wait most of the time: for a time-out, or before they try again. */
const SIDE_BY_SIDE = 24;

interface Job {
	readonly key: string;
	readonly fault: Fault;
	readonly target: Target;
	readonly expected: Expectation;
	readonly service: Fault['service'];
}

/** One run and what it was judged by. */
export interface Finding {
	readonly key: string;
	readonly target: Target;
	readonly outcome: string;
	readonly shown: Shown;
	readonly sent: number;
	readonly reached: number;
	readonly problems: readonly string[];
}

/** What came of the table. */
export interface Table {
	square(group: number, fault: number, target: number): Square | undefined;
	readonly findings: readonly Finding[];
	readonly search: SecretSearch;
	/** What reached a place where nothing may arrive. */
	readonly strays: readonly string[];
	/** How many lines were logged or printed. */
	readonly logged: number;
	readonly seconds: number;
}

function keyOf(group: number, fault: number, target: number): string {
	return `${group}.${fault}.${target}`;
}

/** The items of a target under no fault, by the sandbox's data. */
function itemsOf({ operation, input }: Target): IDataObject[] {
	return sampleItems(operation, Number(input.id));
}

/** n8n moves items one by one from the front where there is an error output: hours for a million. */
function ending(target: Target): Target {
	return target.onError === 'continueErrorOutput' ? { ...target, onError: 'stopWorkflow' } : target;
}

/** Searches what n8n would store of a run, and show of it. */
function searchRun(search: SecretSearch, { cell, items, result, stored }: Run): void {
	const { fault, target } = cell;
	const place = `${fault.name} × ${target.name}`;
	search.search(`${place}: error`, result.error);
	// A million records are compared with those expected one by one: no secret can stand in them.
	if (fault.large === true && result.error === undefined && items.length > 1) return;
	search.search(`${place}: stored run data`, stored.text);
	search.search(`${place}: items`, items);
	search.search(`${place}: run`, result.run);
}

/** Runs all faults of these groups on all targets. */
export async function runTable(
	groups: readonly Group[],
	targets: readonly Target[],
): Promise<Table> {
	const started = performance.now();
	const outputs = capture();
	const bench = await Bench.start();
	const search = new SecretSearch();
	const know = (): unknown => search.know(secretsOf(bench.sandbox, bench.server.issued));
	try {
		const answers = new Map<string, Answer | undefined>();
		for (const target of targets) {
			const fault: Fault = { name: 'no fault', expect: {} };
			const { cell } = await bench.run(fault, target, await bench.grant());
			answers.set(target.name, cell.answer);
		}

		const jobs: Job[] = groups.flatMap(({ faults }, group) =>
			faults.flatMap((fault, at) =>
				targets.flatMap((target, column) => {
					const expected = fault.expect[target.kind];
					const answer = answers.get(target.name);
					if (expected === undefined || answer === undefined) return [];
					const services = fault.ways?.(answer) ?? [fault.service];
					const key = keyOf(group, at, column);
					return services.map((service) => ({
						key,
						fault,
						target: fault.large === true ? ending(target) : target,
						expected,
						service,
					}));
				}),
			),
		);
		const isExpired = ({ fault }: Job): boolean => fault.renewal === 'expired';
		const expired = await bench.expiredGrants(jobs.filter(isExpired).length);

		const done: Array<{ job: Job; run: Run }> = [];
		const small = jobs.filter(({ fault }) => fault.large !== true);
		await inParallel(small, SIDE_BY_SIDE, async (job) => {
			const tokens = (isExpired(job) && expired.pop()) || (await bench.grant());
			done.push({ job, run: await bench.run(job.fault, job.target, tokens, job.service) });
		});
		know();
		const judged = async (entries: typeof done): Promise<Finding[]> => {
			const reached = await bench.reached();
			return entries.map(({ job, run }) => {
				searchRun(search, run);
				const count = reached.get(run.cell.name) ?? 0;
				const shown = shownBy(run);
				return {
					key: job.key,
					target: job.target,
					outcome: shown.outcome,
					shown,
					sent: run.sent,
					reached: count,
					problems: problemsOf(run, job.expected, count, itemsOf(job.target)),
				};
			});
		};
		const findings = await judged(done.splice(0));

		// One at a time, and nothing of it is kept.
		for (const job of jobs.filter(({ fault }) => fault.large === true)) {
			const tokens = await bench.grant();
			know();
			const run = await bench.run(job.fault, job.target, tokens, job.service);
			findings.push(...(await judged([{ job, run }])));
		}

		search.search('log lines and outputs', outputs.written);
		const byKey = new Map<string, Finding[]>();
		for (const finding of findings) {
			byKey.set(finding.key, [...(byKey.get(finding.key) ?? []), finding]);
		}
		return {
			square(group, fault, target) {
				const runs = byKey.get(keyOf(group, fault, target));
				return runs && { runs, problems: [...new Set(runs.flatMap(({ problems }) => problems))] };
			},
			findings,
			search,
			strays: bench.server.strays,
			logged: outputs.written.length,
			seconds: (performance.now() - started) / 1000,
		};
	} finally {
		await bench.close();
		outputs.end();
	}
}
