/** Workflows that run without anybody pressing a button. */
import type { WorkflowDraft } from '../../../dev/n8n/api.mts';
import { getCostCenters, getHourCodes, updateCompany } from '../../../dev/package/calls.mts';
import {
	chain,
	fromModel,
	itemsNode,
	payrollNode,
	withAgent,
	type NodeDraft,
} from '../../../dev/n8n/workflow.mts';
import { callWorkflow, employees, subWorkflowTrigger, webhook } from '../nodes.mts';

/** Starts the workflow every second. */
const schedule: NodeDraft = {
	name: 'Schedule',
	type: 'n8n-nodes-base.scheduleTrigger',
	typeVersion: 1.2,
	parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } },
};

/** Reads the cost centers of three employees every second. */
export const scheduled: WorkflowDraft = chain(
	'Every second',
	schedule,
	...employees(1001, 1002, 1003),
	payrollNode('payrollEmployee', getCostCenters),
);

/** Changes a company and reads its hour codes when another workflow calls it. */
export const called: WorkflowDraft = chain(
	'Called',
	subWorkflowTrigger,
	payrollNode('payrollCompany', updateCompany, { name: 'Company' }),
	payrollNode('payrollHourCodes', { ...getHourCodes, companyId: '={{ $json.CompanyId }}' }),
);

/** Calls that workflow for two companies, then makes a call itself. */
export function calling(workflow: string): WorkflowDraft {
	return chain(
		'Calling',
		webhook('calling'),
		...itemsNode([{ id: 100 }, { id: 200 }]),
		callWorkflow(workflow, 'each'),
		payrollNode('payrollEmployee', { ...getCostCenters, employeeId: 1001 }, { executeOnce: true }),
	);
}

/** Lets an agent read the cost centers of the employee that its chat model names. */
export const agent: WorkflowDraft = withAgent(
	'Agent',
	webhook('agent'),
	payrollNode(
		'payrollEmployee',
		{ ...getCostCenters, employeeId: fromModel('Employee_ID') },
		{ name: 'Get many cost centers in Payroll Employee' },
	),
	{ text: 'Where are the wages of employee 1003 booked?' },
);
