/** Workflows in a real n8n that are started by a webhook and measured as a whole. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { ApiError, type WorkflowDraft } from '../../dev/n8n/api.mts';
import type { Stage } from '../../dev/n8n/stage.mts';
import { CREDENTIAL_TYPE } from '../../dev/package/payroll.mts';
import { cpuOf, forgetPeak, peakOf } from './process.mts';
import { GENERIC_CREDENTIAL_TYPE, genericCredentialData, pathOf } from './workflows.mts';

/** The cost of one execution. */
export interface Cost {
	/** Seconds from the webhook's call to its answer. */
	readonly wall: number;
	/** CPU time of n8n's process in milliseconds, including storing the execution. */
	readonly cpu: number;
	/** Peak memory of n8n in megabytes. */
	readonly peak: number;
	/** The highest number of calls in flight at the service. */
	readonly inFlight: number;
	/** How many calls the service carried out, by operation. */
	readonly calls: Readonly<Record<string, number>>;
}

/** Ids of credentials, by type. */
export type CredentialIds = Record<string, string>;

/** Connects n8n's own credential to the sandbox; gives it and the package's. */
export async function connectCredentials(stage: Stage): Promise<CredentialIds> {
	const { api, credential, sandbox } = stage;
	const data = genericCredentialData(sandbox);
	const generic = await api.createCredential(GENERIC_CREDENTIAL_TYPE, data, 'OAuth2');
	await api.connect(generic, sandbox);
	return { [CREDENTIAL_TYPE]: credential, [GENERIC_CREDENTIAL_TYPE]: generic };
}

/** An active workflow. */
export class WebhookWorkflow {
	#runs = 0;

	private constructor(
		private readonly stage: Stage,
		private readonly id: string,
		private readonly name: string,
	) {}

	/**
	 * Creates a workflow of {@link workflowOf} and activates it.
	 *
	 * @param credentials what {@link connectCredentials} gives
	 */
	static async create(
		stage: Stage,
		draft: WorkflowDraft,
		credentials: CredentialIds,
	): Promise<WebhookWorkflow> {
		const id = await stage.api.createWorkflow(draft, credentials);
		await stage.api.activate(id);
		return new WebhookWorkflow(stage, id, draft.name);
	}

	/**
	 * Runs it once on the sample data, and waits until n8n has stored the execution.
	 *
	 * @throws {Error} if the execution fails
	 */
	async run(): Promise<Cost> {
		const { n8n, sandbox } = this.stage;
		await sandbox.reset();
		forgetPeak(n8n.pid);
		this.#runs += 1;
		const cpu = cpuOf(n8n.pid);
		const start = performance.now();
		const response = await fetch(`${n8n.url}/webhook/${pathOf(this.name)}`);
		const body = await response.text();
		if (!response.ok) throw new Error(`${this.name}: HTTP ${response.status}, ${body}`);
		const wall = (performance.now() - start) / 1000;
		await this.stored();
		const spent = cpuOf(n8n.pid) - cpu;
		const { maxInFlight: inFlight, soapExecuted: calls } = await sandbox.stats();
		return { wall, cpu: spent, peak: peakOf(n8n.pid) / 1e6, inFlight, calls };
	}

	/** Returns the items of the last node in the latest execution. */
	async rows(): Promise<IDataObject[]> {
		const [execution] = await this.stage.api.ended(this.id, 1);
		const node = execution?.data.resultData.lastNodeExecuted;
		if (execution === undefined || node === undefined) throw new Error('Nothing was executed');
		return execution.items(node);
	}

	private async stored(): Promise<void> {
		for (;;) {
			try {
				await this.stage.api.endedSummaries(this.id, this.#runs);
				return;
			} catch (error) {
				// A busy n8n may report its database as not ready for a moment.
				if (!(error instanceof ApiError && error.status === 503)) throw error;
				await sleep(200);
			}
		}
	}
}
