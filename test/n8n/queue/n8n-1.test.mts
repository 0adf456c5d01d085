import { burst, createWorkflows, type Workflows } from './burst.mts';
import { startCluster, type Cluster } from './cluster.mts';
import { expectBothWorkers, expectWrittenOnce } from './checks.mts';
import { expireUnderLoad } from './expiries.mts';
import { reasons, report } from './report.mts';

/** On a bare machine n8n is installed and compiled first. */
const installing = 30 * 60_000;

jest.setTimeout(10 * 60_000);

const version = '1.123.81';

/** How many there are: few by default, since each takes its time. */
const expiries = Number(process.env.PAYROLL_TEST_EXPIRIES ?? 3);
const bursts = Number(process.env.PAYROLL_TEST_BURSTS ?? 4);

/** n8n 1 does not keep two workers from spending one refresh token: what this package alone makes of that. */
describe(`n8n ${version} in queue mode`, () => {
	let cluster: Cluster;
	let workflows: Workflows;

	beforeAll(async () => {
		cluster = await startCluster(version, {
			reuse: 'refuse',
			tokenLatencyMs: 5000,
		});
		workflows = await createWorkflows(cluster);
	}, installing);

	afterAll(async () => await cluster?.remove());

	test.each([
		['refused by HTTP 401', { expiryAs: 'status' }, {}],
		['refused by a SOAP fault', { expiryAs: 'fault' }, {}],
		['renewed while others still start', { expiryAs: 'status' }, { holdMs: 300 }],
	] as const)(
		'sixty executions meet an expired token at once, %s: a worker that comes second takes the token of the first',
		async (how, modes, options) => {
			await cluster.sandbox.configure(modes);

			const seen = await burst(cluster, workflows, options);

			await report(`${how}, a reuse is refused`, cluster, seen);
			expect(reasons(seen)).toEqual([]);
			expect(seen.executions.length).toBe(60);
			expectBothWorkers(seen);
			// One in each process at most, whatever the number of executions there.
			expect(seen.presented.length).toBeLessThanOrEqual(2);
			expect(await cluster.sandbox.stats()).toMatchObject({
				refreshesSucceeded: 1,
				refreshesRefused: seen.presented.length - 1,
				soapExecuted: { Address_Insert: 20, Address_Update: 20 },
			});
			expectWrittenOnce(seen);
		},
	);

	test('where a reuse revokes the consent, the token that was won is good for its hour, and then the error says to reconnect', async () => {
		const { api, credential, sandbox } = cluster;
		// New tokens take so long that both workers ask for them.
		await sandbox.configure({ expiryAs: 'status', reuse: 'revoke', tokenLatencyMs: 5000 });

		const first = await burst(cluster, workflows);
		await report('a reuse revokes', cluster, first);
		expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 1, refreshesRefused: 1 });
		expect(first.executions.length).toBe(60);
		expect(reasons(first)).toEqual([]);
		expectWrittenOnce(first);

		const second = await burst(cluster, workflows);
		await report('a reuse has revoked, next expiry', cluster, second);
		expect(second.executions.length).toBe(60);
		expectWrittenOnce(second);
		expect(second.failed.length).toBe(60);
		expect(reasons(second)).toEqual(['The credential needs to be reconnected']);
		// Nobody asks again and again with a token that is known to be spent.
		expect(second.presented.length).toBeLessThanOrEqual(2);

		await api.connect(credential, sandbox);
		const third = await burst(cluster, workflows, { each: 1 });
		expect(reasons(third)).toEqual([]);
	});

	test('of bursts after a pause, few have both workers spend the same refresh token', async () => {
		const { api, credential, sandbox } = cluster;
		await sandbox.configure({ expiryAs: 'status', reuse: 'refuse', tokenLatencyMs: 100 });
		// From here on, one of the workers has renewed the tokens that expire.
		await api.connect(credential, sandbox);
		expect(reasons(await burst(cluster, workflows, { each: 1 }))).toEqual([]);

		let reused = 0;
		for (let i = 0; i < bursts; i += 1) {
			const seen = await burst(cluster, workflows);
			await report(`burst ${i + 1} of ${bursts} after a pause`, cluster, seen);
			expect(Math.min(...seen.perWorker)).toBeGreaterThan(0);
			expect(reasons(seen)).toEqual([]);
			reused += (await sandbox.stats()).refreshesRefused;
		}
		process.stderr.write(
			`n8n ${version}, bursts after a pause: ${reused} of ${bursts} reused a token\n`,
		);
		expect(reused).toBeLessThanOrEqual(bursts / 2);
	}, 3_600_000);

	test('two workers with a call a second each keep the connection over many expiries, though a reuse would end it', async () => {
		const seen = await expireUnderLoad(cluster, expiries);
		process.stderr.write(`n8n ${version}, expiries under load: ${JSON.stringify(seen)}\n`);
		expect(seen.failures).toEqual([]);
		expect(Math.min(...seen.perWorker)).toBeGreaterThan(0);
		expect(seen).toMatchObject({ reused: 0, steady: seen.perWorker.reduce((a, b) => a + b, 0) });
		expect(seen.renewals).toBeGreaterThanOrEqual(expiries);
	}, 3_600_000);
});
