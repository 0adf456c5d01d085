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

export class PayrollEmployee implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Payroll Employee',
		name: 'payrollEmployee',
		icon: {
			light: 'file:../../icons/payrollEmployee.svg',
			dark: 'file:../../icons/payrollEmployee.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Read and change addresses and cost centers of employees in a payroll service',
		defaults: { name: 'Payroll Employee' },
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
