/** Many employees on the workers of n8n's queue mode, by the fan-out example. */
import { startCluster, type Cluster } from '../../dev/n8n/cluster.mts';
import { createFanOut, type FanOut } from '../../dev/n8n/examples.mts';
import { n8nVersions } from '../../dev/n8n/host.mts';
import { figureOf, ratioOf, takeTurns } from '../measure.mts';
import { goal, type Findings, type Part } from '../report.mts';

const EMPLOYEES = 10_000;
const CHUNK_SIZE = 200;
const LATENCY_MS = 50;
/** One round takes some minutes; a run of it averages over 10,000 calls and 50 executions. */
const ROUNDS = 1;
/** How long a run may take, in milliseconds. */
const PATIENCE = 600_000;

interface Contender {
	readonly workers: number;
	/** How many executions a worker runs at once. */
	readonly concurrency: number;
}

const contenders = {
	'One worker, a chunk at once': { workers: 1, concurrency: 1 },
	'Two workers, a chunk at once': { workers: 2, concurrency: 1 },
	'One worker, 10 chunks at once': { workers: 1, concurrency: 10 },
	'Two workers, 10 chunks at once': { workers: 2, concurrency: 10 },
} as const satisfies Record<string, Contender>;
type Name = keyof typeof contenders;
const names = Object.keys(contenders) as Name[];

/** The cost of one run. */
interface Run {
	/** Seconds from the start to the end of the last execution. */
	readonly wall: number;
	readonly refreshes: number;
}

/** Starts and stops workers until these run. */
async function useWorkers(cluster: Cluster, { workers, concurrency }: Contender): Promise<void> {
	const env = { N8N_CONCURRENCY_PRODUCTION_LIMIT: String(concurrency) };
	for (const [index, worker] of cluster.workers.entries()) {
		await worker.stop();
		if (index < workers) cluster.workers[index] = await worker.restart({ env });
	}
}

/** @param chunks how many executions of chunks have ended before this run */
async function run(cluster: Cluster, { chunk, create }: FanOut, chunks: number): Promise<Run> {
	const { api, sandbox } = cluster;
	// A name of its own for each run, so that nobody has a result yet.
	const run = '={{ $execution.id }}';
	const ids = Array.from({ length: EMPLOYEES }, (_, index) => 1001 + index);
	const parent = await create({ run, employees: JSON.stringify(ids), chunkSize: CHUNK_SIZE });
	await sandbox.reset();
	await sandbox.expireAccessTokens();
	const begun = Date.now();
	await api.start(parent);
	const count = chunks + EMPLOYEES / CHUNK_SIZE;
	const executions = await api.endedSummaries(chunk, count, PATIENCE);
	const failed = executions.filter(({ status }) => status !== 'success');
	if (failed.length > 0) throw new Error(`${failed.length} executions failed`);
	const last = Math.max(...executions.map(({ stoppedAt = '' }) => Date.parse(stoppedAt)));
	const { refreshesSucceeded, refreshesRefused, soapExecuted } = await sandbox.stats();
	if (soapExecuted.CostCenter_Get !== EMPLOYEES) throw new Error(JSON.stringify(soapExecuted));
	return { wall: (last - begun) / 1000, refreshes: refreshesSucceeded + refreshesRefused };
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
	const { api, main, credential } = cluster;
	const fanOut = await createFanOut({ api, n8n: main, credential }, 'fan-out');
	let runs = 0;
	const turns = names.map((name): [Name, () => Promise<Run>] => {
		const turn = async (): Promise<Run> => {
			await useWorkers(cluster, contenders[name]);
			const result = await run(cluster, fanOut, (runs * EMPLOYEES) / CHUNK_SIZE);
			runs += 1;
			return result;
		};
		return [name, turn];
	});
	const samples = await takeTurns(
		Object.fromEntries(turns) as Record<Name, () => Promise<Run>>,
		ROUNDS,
	);
	await checkResults(cluster, runs);
	const wall = (name: Name) => samples[name].map((sample) => sample.wall);
	const refreshes = (name: Name) => samples[name].map((sample) => sample.refreshes);
	const first = 'One worker, a chunk at once';
	const speed = ratioOf(wall(first), wall('Two workers, a chunk at once'));
	return {
		tables: [
			{
				title: `${EMPLOYEES.toLocaleString('en')} employees`,
				columns: ['Wall time', 'Speed', 'Refreshes'],
				rows: names.map((name) => ({
					name,
					cells: [
						{ figure: figureOf(wall(name)), unit: 's' },
						{ figure: ratioOf(wall(first), wall(name)), unit: '×' },
						{ figure: figureOf(refreshes(name)), unit: '' },
					],
				})),
			},
		],
		goals: [
			goal('Queue: two workers are faster than one by', speed, '×', { atLeast: 1.8 }),
			goal('Queue: refreshes per expiry', figureOf(names.flatMap(refreshes)), '', { exactly: 1 }),
		],
	};
}

export const queue: Part = {
	name: 'queue',
	title: 'Queue mode',
	about: `The example fan-out.json reads the cost centers of ${EMPLOYEES.toLocaleString('en')} employees in n8n ${n8nVersions[0]} in queue mode, in chunks of ${CHUNK_SIZE}, and saves them in a data table. The service takes ${LATENCY_MS} ms for a call. The access token has expired when a run starts.`,
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
