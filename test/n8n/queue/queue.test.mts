/** n8n in queue mode: two workers share one connected account. */
import { createAddress } from '../../../dev/package/calls.mts';
import { CREDENTIAL_TYPE } from '../../../dev/package/payroll.mts';
import { newestN8n } from '../../../dev/n8n/install.mts';
import { chain, payrollNode } from '../../../dev/n8n/workflow.mts';
import { webhook } from '../nodes.mts';
import { callOnceRegistered, callWebhook, until, versions } from '../setUp.mts';
import { useCluster } from './setUp.mts';

jest.setTimeout(10 * 60_000);

const COUNT = 60;

/** How long the executions may take on a slow and busy machine, in milliseconds. */
const BURST_PATIENCE = 240_000;

/** Inserts an address; the execution's number travels in the request, so that the service's journal names it. */
const burst = (path: string) =>
	chain(
		'Burst',
		webhook(path),
		payrollNode('payrollEmployee', {
			...createAddress,
			employeeId: '={{ 1001 + Number($execution.id) % 60 }}',
			street: '=Execution {{ $execution.id }}',
			verify: false,
		}),
	);

describe.each(versions)('n8n %s in queue mode', (version) => {
	const is1 = version !== newestN8n;
	// In n8n 2 a refresh token that is presented again ends the connection; n8n 1 lets each worker present it once. The
	// delay makes refreshes of two workers overlap.
	const cluster = useCluster(
		version,
		is1 ? { reuse: 'refuse', tokenLatencyMs: 5000 } : { reuse: 'revoke', tokenLatencyMs: 300 },
	);
	// The service holds the first answers back, until all have sent a request, so that all meet the expired token; or for a
	// short time, so that some start while it is being renewed.
	it.each([
		['refused by HTTP 401', 6000],
		['renewed while others still start', 300],
	])('sixty executions that meet an expired token at once all succeed: %s', async (_, holdMs) => {
		const { api, main, perWorker, sandbox, credential } = cluster;
		const path = `burst-${holdMs}`;
		const workflow = await api.createWorkflow(burst(path), { [CREDENTIAL_TYPE]: credential });
		await api.activate(workflow);
		await callOnceRegistered(main, path);
		const [first] = await api.endedSummaries(workflow, 1);
		await sandbox.reset();
		await sandbox.expireAccessTokens();
		await sandbox.configure({ expiryAs: 'status', latencyMs: holdMs });
		const begun = performance.now();
		const started = await Promise.all(Array.from({ length: COUNT }, () => callWebhook(main, path)));
		expect(started.map(({ status }) => status)).toEqual(Array(COUNT).fill(200));
		await until('all have sent a request', async () => {
			if (performance.now() > begun + holdMs) return true;
			return (await sandbox.requests()).length >= COUNT;
		});
		await sandbox.configure({ latencyMs: 100 });
		const ended = await api.endedSummaries(workflow, 1 + COUNT, BURST_PATIENCE);
		const executions = ended.filter(({ id }) => id !== first?.id);
		expect(executions.map(({ status }) => status)).toEqual(Array(COUNT).fill('success'));

		const requests = await sandbox.requests();
		const calls = requests.flatMap(({ body, headers, status }) => {
			const id = />Execution (\d+)</.exec(body)?.[1];
			return id ? [{ id, token: headers.authorization, status }] : [];
		});
		// No execution wrote twice, and none sent the same request again with a token that had been refused.
		for (const { id } of executions) {
			const own = calls.filter((call) => call.id === id);
			expect(own.filter(({ status }) => status === 200)).toHaveLength(1);
			expect(new Set(own.map(({ token }) => token)).size).toBe(own.length);
		}
		// Some met the expired token: a worker that comes a moment later may find the new one already.
		const met = calls.filter(({ token }) => token === calls[0]?.token).map(({ id }) => id);
		expect(Math.max(...perWorker([...new Set(met)]))).toBeGreaterThan(0);
		expect(Math.min(...perWorker(executions.map(({ id }) => id)))).toBeGreaterThan(0);
		const { tokenRequests, refreshesSucceeded, refreshesRefused } = await sandbox.stats();
		expect(tokenRequests.refresh_token).toBeLessThanOrEqual(is1 ? 2 : 1);
		expect(refreshesSucceeded).toBe(1);
		expect(refreshesRefused).toBe((tokenRequests.refresh_token ?? 0) - 1);
	});
});
