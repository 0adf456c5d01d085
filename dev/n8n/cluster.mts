/** An n8n in queue mode: one main process and its workers, connected to a sandbox. */
import { launchSandbox, type SandboxClient, type SandboxOptions } from '../sandbox/client.mts';
import { CREDENTIAL_TYPE, credentialData } from '../package/payroll.mts';
import { N8nApi } from './api.mts';
import { startN8n, type N8n, type N8nOptions, type N8nVersion } from './host.mts';
import { installN8n } from './install.mts';
import { createServices } from './services.mts';

/** How many executions a worker runs at once: the sixty of the tests need two workers. */
const CONCURRENCY = 30;

/** Milliseconds after which n8n gives up what a killed worker ran: by default, that may take more than two minutes. */
const LOCK = {
	QUEUE_WORKER_LOCK_DURATION: '20000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '5000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** A running queue. */
export interface Cluster {
	readonly api: N8nApi;
	readonly main: N8n;
	/** The two workers, in the order of {@link Cluster.perWorker}. */
	readonly workers: readonly N8n[];
	readonly sandbox: SandboxClient;
	/** The id of a connected credential. */
	readonly credential: string;
	/** How many of these executions each worker ran, according to its log. */
	perWorker(executions: readonly string[]): number[];
	/** Stops everything and removes what it left in PostgreSQL and Redis. */
	remove(): Promise<void>;
}

/**
 * Starts everything and connects a credential.
 *
 * @throws Error saying how to start PostgreSQL or Redis when they do not answer
 */
export async function startCluster(version: N8nVersion, modes: SandboxOptions): Promise<Cluster> {
	const cleanups: Array<() => Promise<void>> = [];
	const remove = async (): Promise<void> => {
		for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
	};
	const start = async (options: Partial<N8nOptions>): Promise<N8n> =>
		await startN8n({ version, ...options });
	try {
		const services = await createServices(await installN8n(version));
		cleanups.push(() => services.remove());
		const env = { ...services.env, ...LOCK };
		// The main process sets the database up; a worker that starts first would fail.
		const main = await start({ env });
		cleanups.push(() => main.remove());
		const workers: N8n[] = [];
		cleanups.push(async () => {
			for (const worker of workers) await worker.remove();
		});
		while (workers.length < 2) {
			const args = [`--concurrency=${CONCURRENCY}`];
			workers.push(await start({ env, command: 'worker', args }));
		}
		const sandbox = await launchSandbox({ redirectUris: [main.callbackUrl], ...modes });
		cleanups.push(() => sandbox.stop());
		const api = await N8nApi.open(main);
		const credential = await api.createCredential(CREDENTIAL_TYPE, credentialData(sandbox));
		await api.connect(credential, sandbox);
		const perWorker = (executions: readonly string[]): number[] =>
			workers.map((worker) => {
				const log = worker.log();
				return executions.filter((id) => log.includes(`Worker started execution ${id} `)).length;
			});
		return { api, main, workers, sandbox, credential, perWorker, remove };
	} catch (error) {
		await remove();
		throw error;
	}
}
