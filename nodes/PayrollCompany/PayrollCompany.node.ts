import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { nodeMethods, nodeProperties, nodeSubtitle } from '../shared/actions/nodeProperties';
import { runNode } from '../shared/run/node';
import { resources } from './actions';

export class PayrollCompany implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Payroll Company',
		name: 'payrollCompany',
		icon: {
			light: 'file:../../icons/payrollCompany.svg',
			dark: 'file:../../icons/payrollCompany.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: nodeSubtitle(resources),
		description:
			'Change the address of a company in a payroll service, and check or end the connection to it',
		defaults: { name: 'Payroll Company' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		builderHint: {
			searchHint:
				'One input item is one call: no Loop Over Items is needed. Address: Update writes an address that it cannot read first, so give all of its fields. Connection: Check, run weekly by a Schedule Trigger, keeps the connection alive. Turn on Dry Run while trying out a write.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-base.scheduleTrigger',
					relationHint: 'Runs Connection: Check once a week, so that the connection stays alive',
				},
				{
					nodeType: 'n8n-nodes-payroll.payrollEmployee',
					relationHint: 'Addresses and cost centers of the employees of a company',
				},
				{
					nodeType: 'n8n-nodes-payroll.payrollHourCodes',
					relationHint: 'Hour codes of a company',
				},
			],
		},
		credentials: [{ name: 'payrollOAuth2Api', required: true }],
		properties: nodeProperties(resources),
	};

	methods = nodeMethods(resources);

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runNode(this, resources);
	}
}
