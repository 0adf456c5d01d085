/** The examples in a real n8n, connected to a sandbox. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Execution, WorkflowDraft } from '../../../dev/n8n/api.mts';
import { createExample } from '../../../dev/n8n/examples.mts';
import type { N8nVersion } from '../../../dev/n8n/host.mts';
import type { Stage } from '../../../dev/n8n/stage.mts';
import { chain, manualTrigger, payrollNode } from '../../../dev/n8n/workflow.mts';
import { getCostCenters } from '../../../dev/package/calls.mts';
import { withParameters } from '../../../dev/package/workflow-file.mts';
import { sentOperations } from '../../package/requests.mts';
import { employees } from '../nodes.mts';
import { deactivated, succeeded, useStage } from '../setUp.mts';

/** A workflow in which a node that calls an operation sends other values. */
export const sending = (draft: WorkflowDraft, node: string, values: Record<string, string>) =>
	withParameters(draft, node, (parameters) => {
		const { value, ...mapper } = parameters.operationParameters as IDataObject;
		const changed = { ...mapper, value: { ...(value as IDataObject), ...values } };
		return { ...parameters, operationParameters: changed } as typeof parameters;
	});

/** An n8n in which examples are run. */
export class Examples {
	constructor(readonly stage: Stage) {}

	/**
	 * Runs a workflow by the editor's button, which is also how a schedule is tried.
	 *
	 * @param others the ids of further credentials by their types
	 */
	async run(draft: WorkflowDraft, others: Record<string, string> = {}): Promise<Execution> {
		return await this.stage.api.run(await createExample(this.stage, draft, others));
	}

	/** Activates a workflow with its schedule set to every second; gives its first execution. */
	async onSchedule(draft: WorkflowDraft, trigger: string): Promise<Execution> {
		const { api } = this.stage;
		const rule = { interval: [{ field: 'seconds', secondsInterval: 1 }] };
		const id = await createExample(
			this.stage,
			withParameters(draft, trigger, () => ({ rule })),
		);
		await api.activate(id);
		await api.ended(id, 1);
		const all = await deactivated(this.stage, id);
		for (const execution of all) expect(execution.mode).toBe('trigger');
		return succeeded(all.at(-1));
	}

	/** How often each SOAP operation was executed in this test. */
	async executed(): Promise<Record<string, number>> {
		return (await this.stage.sandbox.stats()).soapExecuted;
	}

	/** The operation's element of each SOAP request in this test; all of them valid. */
	async sent(): Promise<string[]> {
		return await sentOperations(this.stage.sandbox);
	}

	/** The items of a node of this package, for these employees. */
	async ofEmployees(ids: readonly number[], parameters: INodeParameters): Promise<IDataObject[]> {
		const node = payrollNode('payrollEmployee', parameters);
		const draft = chain('Service', manualTrigger, ...employees(...ids), node);
		return succeeded(await this.run(draft)).items('Payroll');
	}

	/** Cost centers of employees, as the service has them now. */
	async costCenters(...ids: number[]): Promise<IDataObject[]> {
		return await this.ofEmployees(ids, getCostCenters);
	}

	/** Gives an employee these cost centers and no others, until the sandbox is reset. */
	async setCostCenters(EmployeeId: number, EmployeeCostCenter: IDataObject[]): Promise<void> {
		const { sandbox } = this.stage;
		const request = { EmployeeId, CostCenteren: { EmployeeCostCenter }, Period: 6, Year: 2026 };
		await sandbox.configure({ costCenterUpdate: 'replace' });
		await this.ofEmployees([EmployeeId], {
			...{ resource: 'custom', operation: 'call', operationName: 'CostCenter_Update' },
			parametersJson: JSON.stringify(request),
			options: {},
		});
		await sandbox.configure({ costCenterUpdate: 'change' });
	}
}

/** Starts an n8n of this version; each test begins with the sample data. */
export function useExamples(version: N8nVersion): Examples {
	return new Examples(useStage({ version }));
}
