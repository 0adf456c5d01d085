/** n8n in queue mode: two workers share one connected account. */
import type { SandboxOptions } from '../../../dev/sandbox/client.mts';
import { newestN8n } from '../../../dev/n8n/install.mts';
import { INSTALLING, versions } from '../setUp.mts';
import { burst, createWorkflows, type Burst, type Workflows } from './burst.mts';
import { useCluster } from './setUp.mts';

jest.setTimeout(10 * 60_000);

/**
 * Both workers ran executions, and some met the expired token: a worker that comes a moment later may
 * find the new one already.
 */
function expectBothWorkers({ executions, perWorker, metExpiry }: Burst): void {
	expect(perWorker.reduce((sum, count) => sum + count, 0)).toBe(executions.length);
	expect(Math.min(...perWorker)).toBeGreaterThan(0);
	expect(Math.max(...metExpiry)).toBeGreaterThan(0);
}

/** No execution wrote twice, and none sent the same request again with a token that had been refused. */
function expectWrittenOnce({ executions, calls }: Burst): void {
	for (const { id } of executions) {
		const own = calls.filter(({ execution }) => execution === id);
		const writes = own.filter(({ kind }) => kind !== 'hourcodes');
		expect(writes.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
		const refused = own.filter(({ status }) => status !== 200).map(({ token }) => token);
		expect(new Set(refused).size).toBe(refused.length);
	}
}

describe.each(versions)('n8n %s in queue mode', (version) => {
	const is1 = version !== newestN8n;
	// In n8n 2 a refresh token that is presented again ends the connection; n8n 1 lets each worker present it once. The
	// delay makes refreshes of two workers overlap.
	const modes: SandboxOptions = is1
		? { reuse: 'refuse', tokenLatencyMs: 5000 }
		: { reuse: 'revoke', tokenLatencyMs: 300 };
	const cluster = useCluster(version, modes);
	let workflows: Workflows;
	beforeAll(async () => void (workflows = await createWorkflows(cluster)), INSTALLING);

	test.each([
		['refused by HTTP 401', { expiryAs: 'status' }, {}],
		['refused by a SOAP fault', { expiryAs: 'fault' }, {}],
		['renewed while others still start', { expiryAs: 'status' }, { holdMs: 300 }],
	] as const)(
		'sixty executions that meet an expired token at once all succeed: %s',
		async (_, expiry, options) => {
			await cluster.sandbox.configure(expiry);
			const seen = await burst(cluster, workflows, options);
			expect(seen.failures).toEqual([]);
			expect(seen.executions.length).toBe(60);
			expectBothWorkers(seen);
			expect(seen.presented.length).toBeLessThanOrEqual(is1 ? 2 : 1);
			expect(await cluster.sandbox.stats()).toMatchObject({
				tokenRequests: { refresh_token: seen.presented.length },
				refreshesSucceeded: 1,
				refreshesRefused: seen.presented.length - 1,
				soapExecuted: { Address_Insert: 20, Address_Update: 20 },
			});
			expectWrittenOnce(seen);
		},
	);

	// Only n8n 1 lets two workers present the same refresh token.
	if (!is1) return;

	test('a worker whose reuse ends the connection uses the token of the other one for its hour, then the error says to reconnect', async () => {
		const { api, credential, sandbox } = cluster;
		// New tokens take so long that both workers ask for them.
		await sandbox.configure({ expiryAs: 'status', reuse: 'revoke', tokenLatencyMs: 5000 });

		const first = await burst(cluster, workflows);
		expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 1, refreshesRefused: 1 });
		expect(first.executions.length).toBe(60);
		expect(first.failures).toEqual([]);
		expectWrittenOnce(first);

		const second = await burst(cluster, workflows);
		expect(second.executions.map(({ status }) => status)).toEqual(Array(60).fill('error'));
		expectWrittenOnce(second);
		expect(second.failures).toEqual(['The credential needs to be reconnected']);
		// A token that is known to be spent is not presented again.
		expect(second.presented.length).toBeLessThanOrEqual(2);

		await api.connect(credential, sandbox);
		expect((await burst(cluster, workflows, { each: 1 })).failures).toEqual([]);
	});
});
