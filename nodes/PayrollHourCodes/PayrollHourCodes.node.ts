import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { hourCodes, listAction } from '../shared/actions/builtIn/rest';
import type { Resources } from '../shared/run/action';
import { nodeDescription, nodeSubtitle, payrollNode } from '../shared/run/node';

/** The resources and operations of the Payroll Hour Codes node. */
export const resources: Resources = {
	hourCode: {
		name: 'Hour Code',
		operations: {
			getAll: listAction(hourCodes, {
				name: 'Get Many',
				action: 'Get many hour codes',
				description: 'Get the hour codes of a company',
			}),
		},
	},
};

export class PayrollHourCodes extends payrollNode(resources) implements INodeType {
	description: INodeTypeDescription = {
		...nodeDescription(resources),
		displayName: 'Payroll Hour Codes',
		name: 'payrollHourCodes',
		icon: {
			light: 'file:../../icons/payrollHourCodes.svg',
			dark: 'file:../../icons/payrollHourCodes.dark.svg',
		},
		subtitle: nodeSubtitle(resources),
		description: 'Read the hour codes of a company in a payroll service',
		defaults: { name: 'Payroll Hour Codes' },
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
	};
}
