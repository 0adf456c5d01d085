/** An example workflow on n8n's engine, connected to a sandbox. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import {
	resumeWorkflow,
	runWorkflow,
	type Result,
	type RunOptions,
} from '../../../dev/engine/index.mts';
import type { SandboxClient } from '../../../dev/sandbox/client.mts';
import { CREDENTIAL_TYPE, type Payroll } from '../../../dev/package/payroll.mts';
import { linked, type WorkflowDraft } from '../../../dev/package/workflow-file.mts';
import { sentOperations } from '../requests.mts';
import { useCredential, useSandbox, type Connected } from '../../support/setUp.mts';

export class Bench {
	constructor(
		readonly sandbox: SandboxClient,
		readonly payroll: Payroll,
		/** The connected credential, used in place of the one called "Payroll". */
		readonly credential: Connected,
	) {}

	/** Runs a workflow from its trigger. */
	async run(draft: WorkflowDraft): Promise<Result> {
		return await runWorkflow(this.options(draft));
	}

	/** Runs a workflow from a trigger that receives an item. */
	async receive(draft: WorkflowDraft, trigger: string, item: IDataObject): Promise<Result> {
		const event = { startNode: trigger, event: [item], mode: 'webhook' as const };
		return await runWorkflow({ ...this.options(draft), ...event });
	}

	/** Runs a workflow from a trigger that gives an item with a file. */
	async submit(draft: WorkflowDraft, trigger: string, item: INodeExecutionData): Promise<Result> {
		const pinned = { startNode: trigger, pinData: { [trigger]: [item] } };
		return await runWorkflow({ ...this.options(draft), ...pinned });
	}

	/** Resumes a run that waits for a form; without a form, its waiting time is over. */
	async resume(draft: WorkflowDraft, waiting: Result, form?: IDataObject): Promise<Result> {
		return await resumeWorkflow(this.options(draft), waiting, form);
	}

	/** The operation's element of each SOAP call since the last reset, in order. */
	async sent(): Promise<string[]> {
		return await sentOperations(this.sandbox);
	}

	/** Gives an employee these cost centers, and no others, until the next reset. */
	async setCostCenters(EmployeeId: number, EmployeeCostCenter: IDataObject[]): Promise<void> {
		await this.sandbox.configure({ costCenterUpdate: 'replace' });
		const request = { EmployeeId, CostCenteren: { EmployeeCostCenter }, Period: 6, Year: 2026 };
		const node = this.credential.employee({
			...{ resource: 'custom', operation: 'call', operationName: 'CostCenter_Update' },
			...{ specifyParameters: 'json', parametersJson: JSON.stringify(request), options: {} },
		});
		const { error } = await this.payroll.run([{}], node);
		await this.sandbox.configure({ costCenterUpdate: 'change' });
		expect(error).toBeUndefined();
	}

	/** How often each SOAP operation was executed since the last reset. */
	async executed(): Promise<Record<string, number>> {
		return (await this.sandbox.stats()).soapExecuted;
	}

	private options(draft: WorkflowDraft): RunOptions {
		const nodes = linked(draft.nodes, { [CREDENTIAL_TYPE]: this.credential.id });
		return this.payroll.workflow({ nodes, connections: draft.connections });
	}
}

/** Starts a sandbox with a connected credential for the tests of a file; each begins with the sample data. */
export function useBench(): Bench {
	const { sandbox, payroll } = useSandbox({ schemaValidation: true });
	return new Bench(sandbox, payroll, useCredential(payroll, sandbox));
}
