/** The fan-out that writes, on two workers, one of which is killed in the middle of a chunk. */
import type { IDataObject } from 'n8n-workflow';
import { createFanOut } from '../../../dev/n8n/examples.mts';
import { hasEnded } from '../../../dev/n8n/execution.mts';
import { newestN8n } from '../../../dev/n8n/install.mts';
import { PATIENCE, succeeded, until } from '../setUp.mts';
import { useCluster } from './setUp.mts';

/** The employees, in six chunks. */
const ids = Array.from({ length: 60 }, (_, index) => 1001 + index);
const settings = { employees: JSON.stringify(ids), chunkSize: 10, dryRun: false };

// A refresh token that is presented again ends the connection.
const modes = { reuse: 'revoke', employees: ids.length, tokenLatencyMs: 100 } as const;
const cluster = useCluster(newestN8n, modes, {
	concurrency: 1,
	// n8n notices sooner than by default that a worker is gone.
	env: { QUEUE_WORKER_LOCK_DURATION: '6000', QUEUE_WORKER_STALLED_INTERVAL: '2000' },
});

/** The employees of some rows, sorted. */
async function employees(filter: IDataObject = {}): Promise<number[]> {
	const rows = await cluster.api.tableRows('Payroll fan-out');
	const found = rows.filter((row) => Object.keys(filter).every((key) => row[key] === filter[key]));
	return found.map(({ employeeId }) => Number(employeeId)).sort();
}

/** The employees of the inserts that were sent, sorted. */
async function inserted(): Promise<number[]> {
	const bodies = (await cluster.sandbox.requests()).map(({ body }) => body);
	const inserts = bodies.filter((body) => body.includes('<Address_Insert '));
	return inserts.map((body) => Number(/<EmployeeId>(\d+)</.exec(body)?.[1])).sort();
}

test('writes every employee once, though a worker is killed between writes', async () => {
	const { api, main, credential, sandbox, workers } = cluster;
	const victim = workers[1];
	if (!victim) throw new Error('There is one worker');
	const fanOut = await createFanOut({ api, n8n: main, credential }, 'fan-out-write');
	const chunks = async () => await api.executions({ workflowId: fanOut.chunk });
	const parent = await fanOut.create(settings);
	await sandbox.expireAccessTokens();
	await sandbox.configure({ latencyMs: 150 });
	succeeded(await api.run(parent, { timeout: PATIENCE }));

	let execution: string | undefined;
	let lost: number[] = [];
	await until('a worker is in the middle of a chunk', async () => {
		const log = victim.log();
		execution = (await chunks()).find(
			({ id }) =>
				log.includes(`Worker started execution ${id} `) &&
				!log.includes(`Worker finished execution ${id} `),
		)?.id;
		lost = execution === undefined ? [] : await employees({ execution });
		return (await inserted()).filter((id) => lost.includes(id)).length > 2;
	});
	await victim.kill();
	await until(
		'n8n has given the execution up, and the other worker has done the rest',
		async () => (await chunks()).filter(hasEnded).length === 6,
		{ timeout: 2 * PATIENCE },
	);
	for (const { id, status } of await chunks())
		expect(status).toBe(id === execution ? 'error' : 'success');
	expect(await employees()).toEqual(ids);
	expect(lost).toHaveLength(10);
	expect(await employees({ status: 'started' })).toEqual(lost);
	expect(await employees({ status: 'done' })).toHaveLength(50);
	expect((await inserted()).length).toBeLessThan(ids.length);

	const refused = await api.run(parent, { timeout: PATIENCE });
	expect(refused.error?.message).toMatch(/^10 employees were started and have no result/);
	await sandbox.expireAccessTokens();
	const again = await fanOut.create({ ...settings, startedAgain: true });
	succeeded(await api.run(again, { timeout: PATIENCE }));
	await until(
		'all is done',
		async () => (await employees({ status: 'done' })).length === ids.length,
	);
	expect(await employees()).toEqual(ids);
	expect(await inserted()).toEqual(ids);
	expect(await sandbox.stats()).toMatchObject({
		soapExecuted: { Address_Insert: ids.length },
		refreshesSucceeded: 2,
		refreshesRefused: 0,
	});
}, 600_000);
