/** The fan-out examples on two workers, one of which is killed in the middle of a chunk. */
import type { IDataObject } from 'n8n-workflow';
import { createFanOut, type FanOut } from '../../../dev/n8n/examples.mts';
import { hasEnded } from '../../../dev/n8n/execution.mts';
import type { N8n } from '../../../dev/n8n/host.mts';
import { newestN8n } from '../../../dev/n8n/install.mts';
import { INSTALLING, PATIENCE, succeeded, until } from '../setUp.mts';
import { useCluster } from './setUp.mts';

jest.setTimeout(10 * 60_000);

/** The employees, in six chunks. */
const ids = Array.from({ length: 60 }, (_, index) => 1001 + index);
const chunks = { employees: JSON.stringify(ids), chunkSize: 10 };

// A refresh token that is presented again ends the connection.
const modes = { reuse: 'revoke', employees: ids.length, tokenLatencyMs: 100 } as const;
const cluster = useCluster(newestN8n, modes, {
	concurrency: 1,
	// n8n notices sooner than by default that a worker is gone.
	env: { QUEUE_WORKER_LOCK_DURATION: '6000', QUEUE_WORKER_STALLED_INTERVAL: '2000' },
});

/** The rows of a run; each test has its own. */
async function rows(run: string): Promise<IDataObject[]> {
	return (await cluster.api.tableRows('Payroll fan-out')).filter((row) => row.run === run);
}

/** The employees of rows, sorted. */
const employeesOf = (some: IDataObject[]): unknown[] =>
	some.map(({ employeeId }) => employeeId).sort();

/** The employees of the requests for an operation, one for each request. */
async function called(operation: string): Promise<number[]> {
	const bodies = (await cluster.sandbox.requests()).map(({ body }) => body);
	const own = bodies.filter((body) => body.includes(`<${operation} `));
	return own.map((body) => Number(/<EmployeeId>(\d+)</.exec(body)?.[1])).sort();
}

/** How often each employee is among them. */
function countsOf(employees: number[]): Map<number, number> {
	return new Map(ids.map((id) => [id, employees.filter((one) => one === id).length]));
}

/** The execution of a chunk that a worker is running, according to its log. */
function runningOn(worker: N8n, own: string[]): string | undefined {
	const log = worker.log();
	return own.find(
		(id) =>
			log.includes(`Worker started execution ${id} `) &&
			!log.includes(`Worker finished execution ${id} `),
	);
}

/**
 * Waits until a worker is in the middle of a chunk, with some calls of the operation made, and kills
 * it; gives the employees of that chunk once the other worker has done all other chunks.
 */
async function killInTheMiddle(
	{ chunk }: FanOut,
	run: string,
	operation: string,
): Promise<number[]> {
	const { api, workers } = cluster;
	const [, victim] = workers;
	if (!victim) throw new Error('There is one worker');
	let execution: string | undefined;
	let lost: number[] = [];
	await until('a worker is in the middle of a chunk', async () => {
		const all = (await api.executions({ workflowId: chunk })).map(({ id }) => id);
		execution = runningOn(victim, all);
		const own = (await rows(run)).filter((row) => row.execution === execution);
		lost = own.map(({ employeeId }) => Number(employeeId)).sort();
		return (await called(operation)).filter((id) => lost.includes(id)).length > 2;
	});
	await victim.kill();
	await until(
		'n8n has given the execution up, and the other worker has done the rest',
		async () => {
			const all = await api.executions({ workflowId: chunk });
			return all.length === 6 && all.every(hasEnded);
		},
		{ timeout: 2 * PATIENCE },
	);
	const ended = await api.executions({ workflowId: chunk });
	const others = ended.filter(({ id }) => id !== execution);
	expect(others.map(({ status }) => status)).toEqual(Array(5).fill('success'));
	expect(ended.find(({ id }) => id === execution)?.status).toBe('error');
	return lost;
}

/** Waits until there is a result for each employee. */
async function untilDone(run: string): Promise<void> {
	const isDone = async (): Promise<boolean> =>
		(await rows(run)).every(({ status }) => status === 'done');
	await until('all is done', isDone, { interval: 500 });
}

async function create(name: string): Promise<FanOut> {
	const { api, main, credential } = cluster;
	return await createFanOut({ api, n8n: main, credential }, name);
}

beforeEach(async () => {
	await cluster.sandbox.reset();
	await cluster.sandbox.expireAccessTokens();
});

afterEach(async () => {
	const [, killed] = cluster.workers;
	if (killed) cluster.workers[1] = await killed.restart();
}, INSTALLING);

/** What is left of a start whose second worker was killed: nobody is missing, and one chunk has no result. */
async function expectOneChunkMissing(run: string, lost: number[]): Promise<void> {
	const all = await rows(run);
	expect(employeesOf(all)).toEqual(ids);
	expect(lost).toHaveLength(10);
	expect(employeesOf(all.filter(({ status }) => status === 'started'))).toEqual(lost);
	expect(all.filter(({ status }) => status === 'done')).toHaveLength(50);
}

test('reads every employee once, and after a kill only those of the lost chunk again', async () => {
	const run = 'Read';
	const { api, sandbox } = cluster;
	const fanOut = await create('fan-out');
	const parent = await fanOut.create({ ...chunks, run });
	await sandbox.configure({ latencyMs: 1500 });
	succeeded(await api.run(parent, { timeout: PATIENCE }));
	const lost = await killInTheMiddle(fanOut, run, 'CostCenter_Get');
	await expectOneChunkMissing(run, lost);
	expect((await sandbox.stats()).refreshesSucceeded).toBe(1);

	await sandbox.expireAccessTokens();
	succeeded(await api.run(parent, { timeout: PATIENCE }));
	await untilDone(run);
	expect(employeesOf(await rows(run))).toEqual(ids);
	for (const { result } of await rows(run)) expect(result).toMatch(/^\[/);
	expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 2, refreshesRefused: 0 });
});

test('writes every employee once, though a worker is killed between writes', async () => {
	const run = 'Write';
	const { api, sandbox } = cluster;
	const fanOut = await create('fan-out-write');
	const settings = { ...chunks, run, dryRun: false };
	const parent = await fanOut.create(settings);
	await sandbox.configure({ latencyMs: 150 });
	succeeded(await api.run(parent, { timeout: PATIENCE }));
	const lost = await killInTheMiddle(fanOut, run, 'Address_Insert');
	await expectOneChunkMissing(run, lost);
	const { refreshesSucceeded, soapExecuted } = await sandbox.stats();
	expect(refreshesSucceeded).toBe(1);
	expect(soapExecuted.Address_Insert).toBeLessThan(ids.length);

	const refused = await api.run(parent, { timeout: PATIENCE });
	expect(refused.error?.message).toMatch(/^10 employees were started and have no result/);

	await sandbox.expireAccessTokens();
	const again = await fanOut.create({ ...settings, startedAgain: true });
	succeeded(await api.run(again, { timeout: PATIENCE }));
	await untilDone(run);
	expect(employeesOf(await rows(run))).toEqual(ids);
	expect([...countsOf(await called('Address_Insert')).values()]).toEqual(ids.map(() => 1));
	expect(await sandbox.stats()).toMatchObject({
		soapExecuted: { Address_Insert: ids.length },
		refreshesSucceeded: 2,
		refreshesRefused: 0,
	});
});
