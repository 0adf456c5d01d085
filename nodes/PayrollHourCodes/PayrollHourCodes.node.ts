import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { nodeProperties, nodeSubtitle } from '../shared/actions/nodeProperties';
import { runNode } from '../shared/run/node';
import { resources } from './actions';

export class PayrollHourCodes implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Payroll Hour Codes',
		name: 'payrollHourCodes',
		icon: {
			light: 'file:../../icons/payrollHourCodes.svg',
			dark: 'file:../../icons/payrollHourCodes.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: nodeSubtitle(resources),
		description: 'Read the hour codes of a company in a payroll service',
		defaults: { name: 'Payroll Hour Codes' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		builderHint: {
			searchHint:
				'One input item is one company. With Return All on, Get Many reads all pages itself; it gives one item per hour code: no Loop Over Items and no Split Out is needed.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-base.filter',
					relationHint: 'Keeps the hour codes that are wanted',
				},
				{
					nodeType: 'n8n-nodes-payroll.payrollCompany',
					relationHint: "Changes the company's address, and checks the connection",
				},
			],
		},
		credentials: [{ name: 'payrollOAuth2Api', required: true }],
		properties: nodeProperties(resources),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runNode(this, resources);
	}
}
