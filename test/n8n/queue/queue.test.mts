/** n8n in queue mode: two workers share one connected account. */
import type { SandboxOptions } from '../../../dev/sandbox/client.mts';
import type { N8nVersion } from '../../../dev/n8n/host.mts';
import type { Cluster } from '../../../dev/n8n/cluster.mts';
import { INSTALLING } from '../setUp.mts';
import { burst, createWorkflows, type Burst, type Workflows } from './burst.mts';
import { expireUnderLoad } from './expiries.mts';
import { useCluster } from './setUp.mts';

jest.setTimeout(10 * 60_000);

/** How many there are: few by default, since each takes long. */
const expiries = Number(process.env.PAYROLL_TEST_EXPIRIES ?? 3);
const bursts = Number(process.env.PAYROLL_TEST_BURSTS ?? 4);

function useWorkflows(version: N8nVersion, modes: SandboxOptions): [Cluster, Workflows] {
	const cluster = useCluster(version, modes);
	const workflows: Record<string, string> = {};
	beforeAll(async () => void Object.assign(workflows, await createWorkflows(cluster)), INSTALLING);
	return [cluster, workflows];
}

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

/** @param mostRefreshes how many of the workers may present the refresh token, whatever the number of executions */
function testBursts(cluster: Cluster, workflows: Workflows, mostRefreshes: number): void {
	test.each([
		['refused by HTTP 401', { expiryAs: 'status' }, {}],
		['refused by a SOAP fault', { expiryAs: 'fault' }, {}],
		['renewed while others still start', { expiryAs: 'status' }, { holdMs: 300 }],
	] as const)(
		'sixty executions that meet an expired token at once all succeed: %s',
		async (title, modes, options) => {
			await cluster.sandbox.configure(modes);
			const seen = await burst(cluster, workflows, { title, ...options });
			expect(seen.failures).toEqual([]);
			expect(seen.executions.length).toBe(60);
			expectBothWorkers(seen);
			expect(seen.presented.length).toBeLessThanOrEqual(mostRefreshes);
			expect(await cluster.sandbox.stats()).toMatchObject({
				tokenRequests: { refresh_token: seen.presented.length },
				refreshesSucceeded: 1,
				refreshesRefused: seen.presented.length - 1,
				soapExecuted: { Address_Insert: 20, Address_Update: 20 },
			});
			expectWrittenOnce(seen);
		},
	);
}

describe('n8n 2.41.1 in queue mode', () => {
	// A refresh token that is presented again ends the connection. The delay makes refreshes of two workers overlap.
	testBursts(...useWorkflows('2.41.1', { reuse: 'revoke', tokenLatencyMs: 300 }), 1);
});

// n8n 1 lets two workers present the same refresh token.
describe('n8n 1.123.81 in queue mode', () => {
	const [cluster, workflows] = useWorkflows('1.123.81', { reuse: 'refuse', tokenLatencyMs: 5000 });
	testBursts(cluster, workflows, 2);

	test('a worker whose reuse ends the connection uses the token of the other one for its hour, then the error says to reconnect', async () => {
		const { api, credential, sandbox } = cluster;
		// New tokens take so long that both workers ask for them.
		await sandbox.configure({ expiryAs: 'status', reuse: 'revoke', tokenLatencyMs: 5000 });

		const first = await burst(cluster, workflows, { title: 'a reuse revokes' });
		expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 1, refreshesRefused: 1 });
		expect(first.executions.length).toBe(60);
		expect(first.failures).toEqual([]);
		expectWrittenOnce(first);

		const second = await burst(cluster, workflows, { title: 'the expiry after that' });
		expect(second.executions.map(({ status }) => status)).toEqual(Array(60).fill('error'));
		expectWrittenOnce(second);
		expect(second.failures).toEqual(['The credential needs to be reconnected']);
		// A token that is known to be spent is not presented again.
		expect(second.presented.length).toBeLessThanOrEqual(2);

		await api.connect(credential, sandbox);
		expect((await burst(cluster, workflows, { title: 'reconnected', each: 1 })).failures).toEqual(
			[],
		);
	});

	test('bursts after a pause rarely present a refresh token twice', async () => {
		const { api, credential, sandbox } = cluster;
		await sandbox.configure({ expiryAs: 'status', reuse: 'refuse', tokenLatencyMs: 100 });
		// From here on, one of the workers has renewed the tokens that expire.
		await api.connect(credential, sandbox);
		expect((await burst(cluster, workflows, { title: 'connected', each: 1 })).failures).toEqual([]);

		let reused = 0;
		for (let count = 1; count <= bursts; count += 1) {
			const title = `burst ${count} of ${bursts} after a pause`;
			const seen = await burst(cluster, workflows, { title });
			expect(Math.min(...seen.perWorker)).toBeGreaterThan(0);
			expect(seen.failures).toEqual([]);
			reused += (await sandbox.stats()).refreshesRefused;
		}
		process.stderr.write(`n8n 1.123.81: ${reused} of ${bursts} bursts reused a token\n`);
		expect(reused).toBeLessThanOrEqual(bursts / 2);
	}, 3_600_000);

	test('two workers with a call a second each keep the connection over many expiries, though a reuse would end it', async () => {
		const seen = await expireUnderLoad(cluster, expiries);
		process.stderr.write(`n8n 1.123.81, expiries under load: ${JSON.stringify(seen)}\n`);
		expect(seen.failures).toEqual([]);
		expect(Math.min(...seen.perWorker)).toBeGreaterThan(0);
		expect(seen).toMatchObject({ reused: 0, steady: seen.perWorker.reduce((a, b) => a + b, 0) });
		expect(seen.renewals).toBeGreaterThanOrEqual(expiries);
	}, 3_600_000);
});
