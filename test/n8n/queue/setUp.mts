/** What the tests in queue mode set up. */
import { startCluster, type Cluster } from '../../../dev/n8n/cluster.mts';
import type { N8nVersion } from '../../../dev/n8n/host.mts';
import type { SandboxOptions } from '../../../dev/sandbox/client.mts';
import { Pending } from '../../support/setUp.mts';
import { INSTALLING } from '../setUp.mts';

/** Starts a main process and two workers, connected to a sandbox. */
export function useCluster(version: N8nVersion, modes: SandboxOptions): Cluster {
	const cluster = new Pending<Cluster>('cluster');
	let started: Cluster | undefined;
	beforeAll(async () => cluster.is((started = await startCluster(version, modes))), INSTALLING);
	afterAll(async () => await started?.remove());
	return cluster.object;
}
