import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { addressRules } from '../shared/actions/addresses/create';
import { readAction, writeAction } from '../shared/actions/builtIn/soap';
import { costCenterRules, shareNotices } from '../shared/actions/costCenters/update';
import { otherOperationAction } from '../shared/actions/otherOperation/action';
import {
	addressGetListCurrent,
	addressInsert,
	costCenterGet,
	costCenterUpdate,
} from '../shared/contract/operations';
import type { Resources } from '../shared/run/action';
import { nodeDescription, nodeSubtitle, payrollNode } from '../shared/run/node';

/** The resources and operations of the Payroll Employee node. */
export const resources: Resources = {
	address: {
		name: 'Address',
		operations: {
			create: writeAction(
				addressInsert,
				{
					name: 'Create',
					action: 'Create address',
					description: 'Insert an address for an employee in a payroll period',
				},
				addressRules,
			),
			getAll: readAction(addressGetListCurrent, {
				name: 'Get Many',
				action: 'Get many addresses',
				description: 'Get all currently active addresses of an employee',
			}),
		},
	},
	costCenter: {
		name: 'Cost Center',
		operations: {
			getAll: readAction(
				costCenterGet,
				{
					name: 'Get Many',
					action: 'Get many cost centers',
					description: 'Get all cost centers of an employee in a payroll period',
				},
				shareNotices,
			),
			update: writeAction(
				costCenterUpdate,
				{
					name: 'Update',
					action: 'Update cost centers',
					description: 'Update the cost centers of an employee in a payroll period',
				},
				costCenterRules,
			),
		},
	},
	custom: {
		name: 'Other Operation',
		operations: {
			call: otherOperationAction(costCenterGet),
		},
	},
};

export class PayrollEmployee extends payrollNode(resources) implements INodeType {
	description: INodeTypeDescription = {
		...nodeDescription(resources),
		displayName: 'Payroll Employee',
		name: 'payrollEmployee',
		icon: {
			light: 'file:../../icons/payrollEmployee.svg',
			dark: 'file:../../icons/payrollEmployee.dark.svg',
		},
		subtitle: nodeSubtitle(resources),
		description: 'Read and change addresses and cost centers of employees in a payroll service',
		defaults: { name: 'Payroll Employee' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'One input item is one call; with From Input Items, the rows of one employee are one call. Calls run in the right order by themselves: no Loop Over Items is needed. Get Many gives one item per record. Cost Center: Update keeps the cost centers that the rows do not name, unless Keep Other Cost Centers is off. Turn on Dry Run while trying out a write.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-base.filter',
					relationHint: 'Keeps the records of Get Many that are wanted, such as one cost center',
				},
				{
					nodeType: 'n8n-nodes-base.set',
					relationHint:
						'Changes fields of the cost centers from Get Many before Cost Center: Update with From Input Items',
				},
				{
					nodeType: 'n8n-nodes-payroll.payrollCompany',
					relationHint: "Changes the company's address, and checks the connection",
				},
			],
		},
	};
}
