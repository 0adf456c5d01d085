import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { runNode } from '../shared/run/node';
import { nodeProperties } from '../shared/run/properties';
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
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Read the hour codes of a company in a payroll service',
		defaults: { name: 'Payroll Hour Codes' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'payrollOAuth2Api', required: true }],
		properties: nodeProperties(resources),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runNode(this, resources);
	}
}
