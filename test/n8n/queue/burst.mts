/** Many executions at once, and what the service received from each of them. */
import { createAddress, getHourCodes, updateCompany } from '../../../dev/package/calls.mts';
import { CREDENTIAL_TYPE } from '../../../dev/package/payroll.mts';
import type { RequestEntry } from '../../../dev/sandbox/client.mts';
import type { Execution, ExecutionSummary, WorkflowDraft } from '../../../dev/n8n/api.mts';
import { hasEnded } from '../../../dev/n8n/execution.mts';
import { chain, payrollNode } from '../../../dev/n8n/workflow.mts';
import { webhook } from '../nodes.mts';
import { callOnceRegistered, callWebhook, until } from '../setUp.mts';
import type { Cluster } from '../../../dev/n8n/cluster.mts';

/** The execution's number travels in every request, so that the service's journal names it. */
const street = '=Execution {{ $execution.id }}';

/** How long the executions of a burst may take on a slow and busy machine, in milliseconds. */
const BURST_PATIENCE = 240_000;

/** One workflow for each node; two of them write. */
const drafts: Record<string, WorkflowDraft> = {
	employee: chain(
		'Employee',
		webhook('employee'),
		payrollNode('payrollEmployee', {
			...createAddress,
			employeeId: '={{ 1001 + Number($execution.id) % 60 }}',
			street,
		}),
	),
	company: chain(
		'Company',
		webhook('company'),
		payrollNode('payrollCompany', { ...updateCompany, companyId: 100, street }),
	),
	hourCodes: chain(
		'Hour codes',
		webhook('hourCodes'),
		payrollNode('payrollHourCodes', {
			...getHourCodes,
			companyId: 100,
			options: { firstPage: 1, pageSize: '={{ 1000 + Number($execution.id) }}' },
		}),
	),
};

/** The workflows' paths and their ids in n8n. */
export type Workflows = Readonly<Record<string, string>>;

/** Creates and activates a workflow for each of the three nodes, and runs each once. */
export async function createWorkflows(cluster: Cluster): Promise<Workflows> {
	const { api, main, credential } = cluster;
	const ids: Record<string, string> = {};
	for (const [path, draft] of Object.entries(drafts)) {
		const id = await api.createWorkflow(draft, { [CREDENTIAL_TYPE]: credential });
		await api.activate(id);
		await callOnceRegistered(main, path);
		ids[path] = id;
	}
	await finished(cluster, ids, 0, Object.keys(ids).length);
	return ids;
}

/** One request that the service received from an execution. */
interface Call {
	readonly execution: string;
	readonly kind: 'Address_Insert' | 'Address_Update' | 'hourcodes';
	readonly token: string;
	readonly status: number;
}

/** What came of a burst. */
export interface Burst {
	readonly executions: readonly Execution[];
	readonly calls: readonly Call[];
	/** The refresh tokens that were presented to the identity server, one for each request. */
	readonly presented: readonly string[];
	/** Why executions failed, each reason once. */
	readonly failures: readonly string[];
	/** How many executions each worker ran. */
	readonly perWorker: readonly number[];
	/** How many executions of each worker sent a request with the expired token. */
	readonly metExpiry: readonly number[];
}

/** How a burst goes. */
interface BurstOptions {
	/** How many executions of every workflow; twenty by default. */
	readonly each?: number;
	/**
	 * How long the service holds the first answers back, in milliseconds, or until all executions have sent a request.
	 * By default all meet the expired token; with a short time some start while it is being renewed.
	 */
	readonly holdMs?: number;
}

/** Lets the token expire, starts executions of all workflows at once, and waits for their ends. */
export async function burst(
	cluster: Cluster,
	ids: Workflows,
	{ each = 20, holdMs = 6000 }: BurstOptions = {},
): Promise<Burst> {
	const { main, sandbox } = cluster;
	const last = Math.max(...(await executionsOf(cluster, ids)).map(({ id }) => Number(id)));
	await sandbox.reset();
	await sandbox.expireAccessTokens();
	await sandbox.configure({ latencyMs: holdMs });
	const paths = Array.from({ length: each }, () => Object.keys(ids)).flat();
	const begun = performance.now();
	const answers = await Promise.all(paths.map((path) => callWebhook(main, path)));
	const refused = answers.find(({ ok }) => !ok);
	if (refused) throw new Error(`A webhook answered with ${refused.status}`);
	await until('all have sent a request', async () => {
		if (performance.now() > begun + holdMs) return true;
		return (await sandbox.requests()).length >= paths.length;
	});
	await sandbox.configure({ latencyMs: 100 });
	const executions = await finished(cluster, ids, last, paths.length);
	const requests = await sandbox.requests();
	const calls = requests.flatMap(callOf);
	const expired = calls[0]?.token;
	const met = new Set(calls.filter(({ token }) => token === expired).map((call) => call.execution));
	const failed = executions.filter(({ status }) => status !== 'success');
	return {
		executions,
		calls,
		presented: requests.flatMap(presentedIn),
		failures: [...new Set(failed.map(({ error, status }) => error?.message ?? status))],
		perWorker: cluster.perWorker(executions.map(({ id }) => id)),
		metExpiry: cluster.perWorker([...met]),
	};
}

async function executionsOf({ api }: Cluster, ids: Workflows): Promise<ExecutionSummary[]> {
	const lists = Object.values(ids).map((workflowId) => api.executions({ workflowId }));
	return (await Promise.all(lists)).flat();
}

/** Waits until `count` executions with a higher number than `last` have ended. */
async function finished(
	cluster: Cluster,
	ids: Workflows,
	last: number,
	count: number,
): Promise<Execution[]> {
	let ended: ExecutionSummary[] = [];
	await until(
		`${count} executions have ended`,
		async () => {
			const own = (await executionsOf(cluster, ids)).filter(({ id }) => Number(id) > last);
			ended = own.filter(hasEnded);
			return ended.length >= count;
		},
		{ timeout: BURST_PATIENCE, interval: 500 },
	);
	return await Promise.all(ended.map(({ id }) => cluster.api.execution(id)));
}

function callOf({ path, body, headers, status }: RequestEntry): Call[] {
	const token = headers.authorization ?? '';
	const execution = />Execution (\d+)</.exec(body)?.[1];
	if (execution) {
		const kind = body.includes('<Address_Insert') ? 'Address_Insert' : 'Address_Update';
		return [{ execution, kind, token, status }];
	}
	const size = /\/hourcodes\?.*pageSize=(\d+)/.exec(path)?.[1];
	return size ? [{ execution: String(Number(size) - 1000), kind: 'hourcodes', token, status }] : [];
}

function presentedIn({ path, body }: RequestEntry): string[] {
	const token = new URLSearchParams(body).get('refresh_token');
	return path === '/connect/token' && token !== null ? [token] : [];
}
