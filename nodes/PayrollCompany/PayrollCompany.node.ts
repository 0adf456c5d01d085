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
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Change the address of a company in a payroll service, and check or end the connection to it',
		defaults: { name: 'Payroll Company' },
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
