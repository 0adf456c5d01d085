/** Workflows that run without anybody pressing a button. */
import type { WorkflowDraft } from '../../../dev/n8n/api.mts';
import { getCostCenters, getHourCodes, updateCompany } from '../../../dev/package/payroll.mts';
import {
	chain,
	fromModel,
	itemsNode,
	payrollNode,
	withAgent,
	type NodeDraft,
} from '../../../dev/n8n/workflow.mts';

/** Starts the workflow every second. */
const schedule: NodeDraft = {
	name: 'Schedule',
	type: 'n8n-nodes-base.scheduleTrigger',
	typeVersion: 1.2,
	parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } },
};

/** Starts the workflow when its address is called; gives a 200 at once. */
export function webhook(path: string): NodeDraft {
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { path, options: {} },
	};
}

/** Reads the cost centers of three employees every second. */
export const scheduled: WorkflowDraft = chain(
	'Every second',
	schedule,
	...itemsNode([{ id: 1001 }, { id: 1002 }, { id: 1003 }]),
	payrollNode('payrollEmployee', getCostCenters),
);

/** Changes a company and reads its hour codes, for whoever calls it. */
export const called: WorkflowDraft = chain(
	'Called',
	{
		name: 'Called',
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	},
	payrollNode('payrollCompany', updateCompany, { name: 'Company' }),
	payrollNode('payrollHourCodes', { ...getHourCodes, companyId: '={{ $json.CompanyId }}' }),
);

/** Calls that workflow for two companies, then asks for something itself. */
export function calling(workflow: string): WorkflowDraft {
	return chain(
		'Calling',
		webhook('calling'),
		...itemsNode([{ id: 100 }, { id: 200 }]),
		{
			name: 'Sub-workflow',
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.2,
			parameters: {
				source: 'database',
				workflowId: { __rl: true, mode: 'id', value: workflow },
				mode: 'each',
				options: { waitForSubWorkflow: true },
			},
		},
		payrollNode('payrollEmployee', { ...getCostCenters, employeeId: 1001 }, { executeOnce: true }),
	);
}

/** Lets an agent ask for the cost centers of the employee that its chat model names. */
export function agent(): WorkflowDraft {
	const tool = payrollNode(
		'payrollEmployee',
		{ ...getCostCenters, employeeId: fromModel('Employee_ID') },
		{ name: 'Get many cost centers in Payroll Employee' },
	);
	return withAgent('Agent', webhook('agent'), tool, {
		text: 'Where are the wages of employee 1003 booked?',
	});
}
