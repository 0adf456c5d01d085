/** Many executions at once, and what the service saw of each of them. */
import {
	createAddress,
	CREDENTIAL_TYPE,
	getHourCodes,
	updateCompany,
} from '../../../dev/package/payroll.mts';
import type { RequestEntry } from '../../../dev/sandbox/client.mts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Execution, ExecutionSummary, WorkflowDraft } from '../../../dev/n8n/api.mts';
import { hasEnded } from '../../../dev/n8n/execution.mts';
import type { N8n } from '../../../dev/n8n/host.mts';
import { chain, payrollNode, type NodeDraft } from '../../../dev/n8n/workflow.mts';
import type { Cluster } from './cluster.mts';

/** The execution's number travels in every request, so that the service's journal can be read by execution. */
const street = '=Execution {{ $execution.id }}';

/** How long the executions of a burst may take on a slow and busy machine, in milliseconds. */
const patience = 240_000;

/** A node that waits for a POST to `/webhook/<path>` and answers it at once. */
export const webhook = (path: string): NodeDraft => ({
	name: 'Webhook',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2,
	webhookId: path,
	parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
});

/** One workflow for each node; two of them write. */
const drafts: Record<string, WorkflowDraft> = {
	employee: chain(
		'Employee',
		webhook('employee'),
		payrollNode('payrollEmployee', {
			...createAddress,
			employeeId: '={{ 1001 + Number($execution.id) % 60 }}',
			address: { street, houseNumber: '241', city: 'Amsterdam', type: 'HomeAddress' },
		}),
	),
	company: chain(
		'Company',
		webhook('company'),
		payrollNode('payrollCompany', { ...updateCompany, companyId: 100, address: { street } }),
	),
	hourCodes: chain(
		'Hour codes',
		webhook('hourCodes'),
		payrollNode('payrollHourCodes', {
			...getHourCodes,
			companyId: 100,
			options: { pageSize: '={{ 1000 + Number($execution.id) }}' },
		}),
	),
};

/** The workflows' paths and their ids in n8n. */
export type Workflows = Record<string, string>;

/** Creates and activates a workflow for each of the three nodes; each has run once when they are given. */
export async function createWorkflows(cluster: Cluster): Promise<Workflows> {
	const { api, main, credential } = cluster;
	const ids: Workflows = {};
	for (const [path, draft] of Object.entries(drafts)) {
		const id = await api.createWorkflow(draft, { [CREDENTIAL_TYPE]: credential });
		await api.activate(id);
		// n8n 2 registers the address a moment later.
		const limit = Date.now() + patience;
		while (!(await post(main, path)).ok) {
			if (Date.now() > limit) throw new Error(`There is no webhook "${path}"`);
			await sleep(200);
		}
		ids[path] = id;
	}
	await finished(cluster, ids, 0, Object.keys(ids).length);
	return ids;
}

/** Starts a workflow by its webhook. */
export async function post({ url }: N8n, path: string): Promise<Response> {
	const response = await fetch(`${url}/webhook/${path}`, { method: 'POST' });
	await response.body?.cancel();
	return response;
}

/** One request that the service received from an execution. */
export interface Call {
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
	readonly failed: readonly Execution[];
	/** How many executions each worker ran. */
	readonly perWorker: readonly number[];
	/** How many executions of each worker sent a request with a token that was no longer accepted. */
	readonly metExpiry: readonly number[];
}

/** How a burst goes. */
export interface BurstOptions {
	/** How many executions of every workflow; twenty by default. */
	readonly each?: number;
	/**
	 * How long the service holds the first answers back, in milliseconds, or until all executions have sent a request.
	 * By default they all meet the expired token; after a short time some come while it is being renewed.
	 */
	readonly holdMs?: number;
}

/** Lets the token expire and starts executions of all workflows at once; waits for their ends. */
export async function burst(
	cluster: Cluster,
	ids: Workflows,
	{ each = 20, holdMs = 6000 }: BurstOptions = {},
): Promise<Burst> {
	const { main, sandbox, workers, workerOf } = cluster;
	const last = Math.max(...(await executionsOf(cluster, ids)).map(({ id }) => Number(id)));
	await sandbox.reset();
	await sandbox.expireAccessTokens();
	await sandbox.configure({ latencyMs: holdMs });
	const hooks = Array.from({ length: each }, () => Object.keys(ids)).flat();
	const begun = performance.now();
	const answers = await Promise.all(hooks.map((path) => post(main, path)));
	const refused = answers.find(({ ok }) => !ok);
	if (refused) throw new Error(`A webhook answered with ${refused.status}`);
	while ((await sandbox.requests()).length < hooks.length && performance.now() < begun + holdMs) {
		await sleep(100);
	}
	await sandbox.configure({ latencyMs: 100 });
	const executions = await finished(cluster, ids, last, hooks.length);
	const requests = await sandbox.requests();
	const calls = requests.flatMap(callOf);
	const expired = calls[0]?.token;
	const met = new Set(calls.filter(({ token }) => token === expired).map((call) => call.execution));
	const perWorker = (ofThese: readonly string[]): number[] =>
		workers.map((_, i) => ofThese.filter((id) => workerOf(id) === i).length);
	return {
		executions,
		calls,
		presented: requests.flatMap(presentedIn),
		failed: executions.filter(({ status }) => status !== 'success'),
		perWorker: perWorker(executions.map(({ id }) => id)),
		metExpiry: perWorker([...met]),
	};
}

async function executionsOf({ api }: Cluster, ids: Workflows): Promise<ExecutionSummary[]> {
	const lists = Object.values(ids).map((workflowId) => api.executions({ workflowId }));
	return (await Promise.all(lists)).flat();
}

/** Waits until there are `count` executions after the one with the number `last`, and all have ended. */
async function finished(
	cluster: Cluster,
	ids: Workflows,
	last: number,
	count: number,
): Promise<Execution[]> {
	const limit = Date.now() + patience;
	for (;;) {
		const own = (await executionsOf(cluster, ids)).filter(({ id }) => Number(id) > last);
		const ended = own.filter(hasEnded);
		if (ended.length >= count)
			return await Promise.all(ended.map(({ id }) => cluster.api.execution(id)));
		if (Date.now() > limit) throw new Error(`${ended.length} of ${count} executions have ended`);
		await sleep(500);
	}
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
