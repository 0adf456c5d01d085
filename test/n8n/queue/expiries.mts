/** Many expiries within minutes: tokens that live for seconds, and calls that never stop. */
import { setTimeout as sleep } from 'node:timers/promises';
import { getAddresses } from '../../../dev/package/calls.mts';
import { CREDENTIAL_TYPE } from '../../../dev/package/payroll.mts';
import { hasEnded } from '../../../dev/n8n/execution.mts';
import { chain, itemsNode, payrollNode } from '../../../dev/n8n/workflow.mts';
import { webhook } from '../nodes.mts';
import { callOnceRegistered } from '../setUp.mts';
import type { Cluster } from '../../../dev/n8n/cluster.mts';

/** How long a token lives, in seconds: renewals are far apart compared with calls. */
const lifetime = 30;

/** How long the service takes for a call: each worker makes one a second. */
const latencyMs = 1000;

/** How many executions may be started until each worker has one. */
const maxExecutions = 12;

/** What came of it. */
interface Expiries {
	/** How often the tokens were renewed, and how often a spent refresh token was presented. */
	readonly renewals: number;
	readonly reused: number;
	/** How many executions each worker ran at the same time. */
	readonly perWorker: readonly number[];
	/** Why executions failed, or did not make their calls until the last expiry. */
	readonly failures: readonly string[];
}

/** Keeps both workers calling, one call after the other in each execution, over so many expiries. */
export async function expireUnderLoad(cluster: Cluster, count: number): Promise<Expiries> {
	const { api, main, sandbox, credential } = cluster;
	// More than can be called in the time; the rest is cancelled.
	const items = Array.from({ length: 30 + 2 * count * lifetime }, () => ({ id: 1001 }));
	const node = payrollNode('payrollEmployee', { ...getAddresses, options: { concurrency: 1 } });
	const draft = chain('Steady', webhook('steady'), ...itemsNode(items), node);
	const workflowId = await api.createWorkflow(draft, { [CREDENTIAL_TYPE]: credential });
	await api.activate(workflowId);

	await api.connect(credential, sandbox);
	// Not counted: the renewal from a token of an hour to the first short one.
	await sandbox.configure({
		reuse: 'refuse',
		accessTokenSeconds: lifetime,
		latencyMs,
		tokenLatencyMs: 100,
	});
	await sandbox.expireAccessTokens();
	const executions = async () => await api.executions({ workflowId });
	const perWorker = async () => cluster.perWorker((await executions()).map(({ id }) => id));
	for (let started = 0; Math.min(...(await perWorker())) === 0; started += 1) {
		if (started === maxExecutions) throw new Error('One worker runs all executions');
		await callOnceRegistered(main, 'steady');
		await sleep(1000);
	}
	await sleep(2 * lifetime * 1000);
	await sandbox.reset();
	await sandbox.configure({ reuse: 'revoke' });

	const stats = async () => await sandbox.stats();
	const isOver = async () =>
		(await stats()).refreshesSucceeded >= count || (await executions()).some(hasEnded);
	while (!(await isOver())) await sleep(1000);
	// A connection that was lost shows when the last token expires.
	await sleep(lifetime * 1000);

	const { refreshesSucceeded, refreshesRefused } = await stats();
	const ended = (await executions()).filter(hasEnded);
	const failures = await Promise.all(
		ended.map(async ({ id }) => (await api.execution(id)).error?.message ?? 'ended early'),
	);
	const counts = await perWorker();
	await api.deactivate(workflowId);
	await sandbox.configure({ accessTokenSeconds: 3600, latencyMs: 0 });
	for (const { id } of (await executions()).filter((each) => !hasEnded(each))) await api.stop(id);
	return { renewals: refreshesSucceeded, reused: refreshesRefused, perWorker: counts, failures };
}
