import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { writeAction } from '../shared/actions/builtIn/soap';
import { connectionOperations } from '../shared/actions/connection/connection';
import { listAction, otherList } from '../shared/actions/builtIn/rest';
import { otherOperationAction } from '../shared/actions/otherOperation/action';
import { addressUpdate } from '../shared/contract/operations';
import type { Resources } from '../shared/run/action';
import { nodeDescription, nodeSubtitle, payrollNode } from '../shared/run/node';

/** The resources and operations of the Payroll Company node. */
export const resources: Resources = {
	address: {
		name: 'Address',
		operations: {
			update: writeAction(addressUpdate, {
				name: 'Update',
				action: 'Update address',
				description: 'Update the current address of a company',
			}),
		},
	},
	connection: {
		name: 'Connection',
		operations: connectionOperations,
	},
	list: {
		name: 'Other List',
		operations: {
			getAll: listAction(otherList, {
				name: 'Get Many',
				action: 'Get many records of another list',
				description:
					'Get the records of any list of the REST interface, such as companies, employees or departments',
			}),
		},
	},
	custom: {
		name: 'Other Operation',
		operations: {
			call: otherOperationAction(addressUpdate),
		},
	},
};

export class PayrollCompany extends payrollNode(resources) implements INodeType {
	description: INodeTypeDescription = {
		...nodeDescription(resources),
		displayName: 'Payroll Company',
		name: 'payrollCompany',
		icon: {
			light: 'file:../../icons/payrollCompany.svg',
			dark: 'file:../../icons/payrollCompany.dark.svg',
		},
		subtitle: nodeSubtitle(resources),
		description:
			'Read companies, employees and other lists of a payroll service, change the address of a company, and check or end the connection',
		defaults: { name: 'Payroll Company' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'One input item is one call: no Loop Over Items is needed. Other List: Get Many reads any list of the REST interface, all pages of it with Return All on, and gives one item per record: no Split Out is needed. Address: Update writes an address that it cannot read first, so give all of its fields. Connection: Check, run weekly by a Schedule Trigger, keeps the connection alive. Turn on Dry Run while trying out a write.',
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
	};
}
