import { burst, createWorkflows, type Workflows } from './burst.mts';
import { startCluster, type Cluster } from './cluster.mts';
import { expectWrittenOnce, expectBothWorkers } from './checks.mts';
import { reasons, report } from './report.mts';

/** On a bare machine n8n is installed and compiled first. */
const installing = 30 * 60_000;

jest.setTimeout(10 * 60_000);

const version = '2.41.1';

describe(`n8n ${version} in queue mode`, () => {
	let cluster: Cluster;
	let workflows: Workflows;

	beforeAll(async () => {
		// A spent refresh token that comes again takes the whole consent with it, new tokens too. The delays let
		// all executions be under way before the first refusal, and refreshes of the two workers overlap.
		cluster = await startCluster(version, {
			reuse: 'revoke',
			tokenLatencyMs: 300,
		});
		workflows = await createWorkflows(cluster);
	}, installing);

	afterAll(async () => await cluster?.remove());

	// The second time the workers know the token of the first.
	test.each([
		['refused by HTTP 401', { expiryAs: 'status' }, {}],
		['refused by a SOAP fault', { expiryAs: 'fault' }, {}],
		['renewed while others still start', { expiryAs: 'status' }, { holdMs: 300 }],
	] as const)(
		'sixty executions meet an expired token at once, %s: one refresh',
		async (how, modes, options) => {
			await cluster.sandbox.configure(modes);

			const seen = await burst(cluster, workflows, options);

			await report(`${how}, a reuse revokes`, cluster, seen);
			expect(reasons(seen)).toEqual([]);
			expect(seen.executions.length).toBe(60);
			expectBothWorkers(seen);
			expect(seen.presented).toHaveLength(1);
			expect(await cluster.sandbox.stats()).toMatchObject({
				tokenRequests: { refresh_token: 1 },
				refreshesSucceeded: 1,
				refreshesRefused: 0,
				soapExecuted: { Address_Insert: 20, Address_Update: 20 },
			});
			expectWrittenOnce(seen);
		},
	);
});
