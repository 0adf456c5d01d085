import type { Burst } from './burst.mts';
import type { Cluster } from './cluster.mts';

/** Why executions failed, each reason once. */
export function reasons({ failed }: Burst): string[] {
	return [...new Set(failed.map(({ error, status }) => error?.message ?? status))];
}

/** Says on the console what was seen, since figures that only stand in a test are soon forgotten. */
export async function report(title: string, cluster: Cluster, burst: Burst): Promise<void> {
	const { executions, failed, perWorker, metExpiry } = burst;
	const { tokenRequests, refreshesSucceeded, refreshesRefused } = await cluster.sandbox.stats();
	process.stderr.write(
		`n8n ${cluster.main.version}, ${title}: ${executions.length} executions on two workers ` +
			`(${perWorker.join(' + ')}; ${metExpiry.join(' + ')} met the expired token), ${failed.length} failed` +
			`${reasons(burst)
				.map((reason) => ` "${reason}"`)
				.join('')}; refreshes: ` +
			`${tokenRequests['refresh_token'] ?? 0} asked for, ${refreshesSucceeded} given, ${refreshesRefused} refused\n`,
	);
}
