/** Many employees on the workers of n8n's queue mode: the fan-out example, and one workflow without it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import { startCluster, type Cluster } from '../../dev/n8n/cluster.mts';
import { createFanOut } from '../../dev/n8n/examples.mts';
import { hasEnded, type ExecutionSummary } from '../../dev/n8n/execution.mts';
import { n8nVersions, type N8n } from '../../dev/n8n/host.mts';
import { chain, itemsNode, manualTrigger } from '../../dev/n8n/workflow.mts';
import { CREDENTIAL_TYPE } from '../../dev/package/payroll.mts';
import { exampleWorkflow } from '../../dev/package/workflow-file.mts';
import { figureOf, ratioOf, takeTurns } from '../measure.mts';
import { busyTime, cpuOfGroup, forgetPeak, peakOf } from '../n8n/process.mts';
import { goal, type Findings, type Part } from '../report.mts';

export const EMPLOYEES = 10_000;
const LATENCY_MS = 50;
/** One round takes some minutes; a run of it averages over 10,000 calls and 50 executions. */
const ROUNDS = 1;
/** As many calls at once as the nodes of a process make at most by default. */
const CALLS_AT_ONCE = 64;
/** How long a run may take, in milliseconds. */
const PATIENCE = 600_000;

interface Contender {
	readonly workers: number;
	/** How many executions a worker runs at once. */
	readonly concurrency: number;
	readonly fansOut: boolean;
}

const contenders = {
	'One worker, a chunk at once': { workers: 1, concurrency: 1, fansOut: true },
	'Two workers, a chunk at once': { workers: 2, concurrency: 1, fansOut: true },
	'One worker, 10 chunks at once': { workers: 1, concurrency: 10, fansOut: true },
	'Two workers, 10 chunks at once': { workers: 2, concurrency: 10, fansOut: true },
	'One workflow without fan-out': { workers: 1, concurrency: 1, fansOut: false },
} as const satisfies Record<string, Contender>;
type Name = keyof typeof contenders;
const names = Object.keys(contenders) as Name[];

/** Seconds that the service's delays alone take: so many calls at once, and no other work. */
function idealOf({ workers }: Contender): number {
	return (EMPLOYEES * LATENCY_MS) / 1000 / (workers * CALLS_AT_ONCE);
}

/** The cost of one run. */
interface Run {
	/** Seconds from the start to the end of the last execution. */
	readonly wall: number;
	/** CPU time of all processes of n8n, in milliseconds. */
	readonly cpu: number;
	/** How many cores of the machine were busy. */
	readonly cores: number;
	/** Peak memory of the main process, and of the worker that needed most, in megabytes. */
	readonly main: number;
	readonly worker: number;
	readonly refreshes: number;
}

/** A workflow that is started, and one whose executions are to end; both are the same without fan-out. */
interface Workflows {
	readonly start: string;
	readonly end: string;
}

const employees = Array.from({ length: EMPLOYEES }, (_, index) => 1001 + index);

/** One workflow for all employees, of the nodes that do a chunk. */
async function createOne({ api, credential }: Cluster): Promise<Workflows> {
	const { nodes } = exampleWorkflow('fan-out-chunk.json');
	const [read, results, save] = ['Get Cost Centers', 'Results', 'Save the Results'].map((name) => {
		const node = nodes.find((one) => one.name === name);
		if (!node) throw new Error(`There is no node "${name}"`);
		return node;
	}) as [INode, INode, INode];
	const jsCode = String(results.parameters.jsCode).replace('$input.all()', "$('Items').all()");
	const input = JSON.stringify({ period: 6, year: 2026 });
	const items = employees.map((employeeId) => ({ run: 'One workflow', employeeId, input }));
	const draft = chain(
		'One workflow',
		manualTrigger,
		...itemsNode(items),
		read,
		{ ...results, parameters: { jsCode } },
		save,
	);
	const id = await api.createWorkflow(draft, { [CREDENTIAL_TYPE]: credential });
	return { start: id, end: id };
}

async function createFannedOut({ api, main, credential }: Cluster): Promise<Workflows> {
	const fanOut = await createFanOut({ api, n8n: main, credential }, 'fan-out');
	const list = JSON.stringify(employees);
	// A name of its own for each run, so that nobody has a result yet.
	const start = await fanOut.create({ run: '={{ $execution.id }}', employees: list });
	return { start, end: fanOut.chunk };
}

/** Starts and stops workers until these run. */
async function useWorkers(cluster: Cluster, { workers, concurrency }: Contender): Promise<N8n[]> {
	const env = { N8N_CONCURRENCY_PRODUCTION_LIMIT: String(concurrency) };
	for (const [index, worker] of cluster.workers.entries()) {
		await worker.stop();
		if (index < workers) cluster.workers[index] = await worker.restart({ env });
	}
	return cluster.workers.slice(0, workers);
}

/** Waits until all executions of a workflow have ended, after all employees were read. */
async function ended({ api, sandbox }: Cluster, workflowId: string): Promise<ExecutionSummary[]> {
	const limit = Date.now() + PATIENCE;
	for (;;) {
		await sleep(1000);
		const { soapExecuted } = await sandbox.stats();
		const executions = await api.executions({ workflowId });
		if (soapExecuted.CostCenter_Get === EMPLOYEES && executions.every(hasEnded)) return executions;
		if (Date.now() > limit) throw new Error(`Not done: ${JSON.stringify(soapExecuted)}`);
	}
}

async function run(cluster: Cluster, workflows: Workflows, contender: Contender): Promise<Run> {
	const { api, main, sandbox } = cluster;
	const workers = await useWorkers(cluster, contender);
	const processes = [main, ...workers];
	await sandbox.reset();
	await sandbox.expireAccessTokens();
	for (const { pid } of processes) forgetPeak(pid);
	const cpuOfAll = (): number => processes.reduce((sum, { pid }) => sum + cpuOfGroup(pid), 0);
	const [cpu, busy, begun] = [cpuOfAll(), busyTime(), Date.now()];
	await api.start(workflows.start);
	const executions = await ended(cluster, workflows.end);
	const [used, occupied, seconds] = [
		cpuOfAll() - cpu,
		busyTime() - busy,
		(Date.now() - begun) / 1000,
	];
	const failed = executions.filter(({ status }) => status !== 'success');
	if (failed.length > 0) throw new Error(`${failed.length} executions failed`);
	const last = Math.max(...executions.map(({ stoppedAt = '' }) => Date.parse(stoppedAt)));
	const { refreshesSucceeded, refreshesRefused } = await sandbox.stats();
	return {
		wall: (last - begun) / 1000,
		cpu: used,
		cores: occupied / 1000 / seconds,
		main: peakOf(main.pid) / 1e6,
		worker: Math.max(...workers.map(({ pid }) => peakOf(pid))) / 1e6,
		refreshes: refreshesSucceeded + refreshesRefused,
	};
}

/** Expects a result of every employee in each run. */
async function checkResults({ api }: Cluster, runs: number): Promise<void> {
	const rows = await api.tableRows('Payroll fan-out');
	const done = rows.filter(({ status }) => status === 'done').length;
	if (done !== runs * EMPLOYEES || rows.length !== done) {
		throw new Error(`${done} of ${rows.length} rows are done, expected ${runs * EMPLOYEES}`);
	}
}

async function measure(cluster: Cluster): Promise<Findings> {
	const fannedOut = await createFannedOut(cluster);
	const one = await createOne(cluster);
	const turns = names.map((name): [Name, () => Promise<Run>] => {
		const contender = contenders[name];
		return [name, async () => await run(cluster, contender.fansOut ? fannedOut : one, contender)];
	});
	const samples = await takeTurns(
		Object.fromEntries(turns) as Record<Name, () => Promise<Run>>,
		ROUNDS,
	);
	await checkResults(cluster, names.length * ROUNDS);
	const all = (name: Name, what: keyof Run) => samples[name].map((sample) => sample[what]);
	const wall = (name: Name) => all(name, 'wall');
	const first = 'One worker, a chunk at once';
	return {
		tables: [
			{
				title: `${EMPLOYEES.toLocaleString('en')} employees`,
				columns: [
					'Wall time',
					'Speed',
					'Against the ideal',
					'CPU per item',
					'Cores busy',
					'Peak memory of main',
					'Of a worker',
					'Refreshes',
				],
				rows: names.map((name) => ({
					name,
					cells: [
						{ figure: figureOf(wall(name)), unit: 's' },
						{ figure: ratioOf(wall(first), wall(name)), unit: '×' },
						{
							figure: figureOf(wall(name).map((time) => time / idealOf(contenders[name]))),
							unit: '×',
						},
						{ figure: figureOf(all(name, 'cpu').map((cpu) => cpu / EMPLOYEES)), unit: 'ms' },
						{ figure: figureOf(all(name, 'cores')), unit: '' },
						{ figure: figureOf(all(name, 'main')), unit: 'MB' },
						{ figure: figureOf(all(name, 'worker')), unit: 'MB' },
						{ figure: figureOf(all(name, 'refreshes')), unit: '' },
					],
				})),
			},
		],
		goals: [
			goal(
				'Queue: two workers are faster than one by',
				ratioOf(wall(first), wall('Two workers, a chunk at once')),
				'×',
				{ atLeast: 1.8 },
			),
			goal(
				'Queue: refreshes per expiry',
				figureOf(names.flatMap((name) => all(name, 'refreshes'))),
				'',
				{ exactly: 1 },
			),
		],
	};
}

export const queue: Part = {
	name: 'queue',
	title: 'Queue mode',
	about: [
		`The example fan-out.json reads the cost centers of ${EMPLOYEES.toLocaleString('en')} employees in n8n ${n8nVersions[0]} in queue mode, in`,
		`chunks of 200, and saves them in a data table. The service takes ${LATENCY_MS} ms for a call; a worker makes at most`,
		`${CALLS_AT_ONCE} calls at a time. *Without fan-out*, one execution of one worker does the same with the same nodes. The`,
		'access token has expired when a run starts. *Against the ideal* is the wall time against the',
		"service's delays alone, with so many calls at once in each worker. *CPU per item* is that of all processes of n8n;",
		'*cores busy* is that of the whole machine, with the service, PostgreSQL and Redis. Memory is without',
		"n8n's task runners.",
	].join(' '),
	async measure() {
		const modes = { employees: EMPLOYEES, latencyMs: LATENCY_MS, schemaValidation: false };
		const cluster = await startCluster(n8nVersions[0], modes);
		try {
			return await measure(cluster);
		} finally {
			await cluster.remove();
		}
	},
};
