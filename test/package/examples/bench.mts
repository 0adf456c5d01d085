/** An example workflow on n8n's engine, connected to a sandbox. */
import type { IDataObject } from 'n8n-workflow';
import {
	resumeWorkflow,
	runWorkflow,
	type Result,
	type RunOptions,
} from '../../../dev/engine/index.mts';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import { CREDENTIAL_TYPE, Payroll } from '../../../dev/package/payroll.mts';
import { linked, type WorkflowDraft } from '../../../dev/package/workflow-file.mts';

export class Bench {
	private constructor(
		readonly sandbox: SandboxClient,
		readonly payroll: Payroll,
		/** The id of the connected credential, which takes the place of the one called "Payroll". */
		readonly credential: string,
	) {}

	static async open(): Promise<Bench> {
		const [sandbox, payroll] = await Promise.all([launchSandbox(), Payroll.load()]);
		return new Bench(sandbox, payroll, await payroll.connect(sandbox));
	}

	/** Runs a workflow from its trigger. */
	async run(draft: WorkflowDraft): Promise<Result> {
		return await runWorkflow(this.options(draft));
	}

	/** Runs a workflow from a trigger that something came in at. */
	async receive(draft: WorkflowDraft, trigger: string, item: IDataObject): Promise<Result> {
		const event = { startNode: trigger, event: [item], mode: 'webhook' as const };
		return await runWorkflow({ ...this.options(draft), ...event });
	}

	/** Goes on with a run that waits for a form; without what was filled in, its time is over. */
	async resume(draft: WorkflowDraft, waiting: Result, form?: IDataObject): Promise<Result> {
		return await resumeWorkflow(this.options(draft), waiting, form);
	}

	/** The SOAP calls that arrived since the last reset, in their order: the operation's elements. */
	async sent(): Promise<string[]> {
		const requests = (await this.sandbox.requests()).filter(({ path }) =>
			path.startsWith('/soap/'),
		);
		expect(requests.flatMap(({ violations }) => violations)).toEqual([]);
		return requests.map(
			({ body }) =>
				/<soap:Body>(.*)<\/soap:Body>/s.exec(body)?.[1]?.replace(/ xmlns="[^"]*"/, '') ?? '',
		);
	}

	/** How often each SOAP operation was carried out since the last reset. */
	async executed(): Promise<Record<string, number>> {
		return (await this.sandbox.stats()).soapExecuted;
	}

	async close(): Promise<void> {
		await this.sandbox.stop();
	}

	private options(draft: WorkflowDraft): RunOptions {
		return {
			nodes: linked(draft.nodes, { [CREDENTIAL_TYPE]: this.credential }),
			connections: draft.connections,
			host: this.payroll.host,
			credentials: this.payroll.credentials,
		};
	}
}
