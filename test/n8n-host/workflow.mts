/** Short workflows for a real n8n, made in a test. */
import type { IConnections, INode, INodeParameters } from 'n8n-workflow';
import type { WorkflowDraft } from './api.mts';

/** The type of this package's credential. */
const credentialType = 'payrollOAuth2Api';

/** A node without what can be made up for it. */
export type NodeDraft = Pick<INode, 'name' | 'type' | 'parameters'> & Partial<INode>;

/** The node that a workflow started by hand begins with. */
export const manualTrigger: NodeDraft = {
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	parameters: {},
};

/** A node that gives these items, whatever comes in; it is done in n8n itself, without a task runner. */
export function itemsNode(items: object[], name = 'Items'): NodeDraft[] {
	const jsonOutput = JSON.stringify({ item: items });
	return [
		{
			name: `${name} (List)`,
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput, options: {} },
		},
		{ name, type: 'n8n-nodes-base.splitOut', parameters: { fieldToSplitOut: 'item', options: {} } },
	];
}

/** A node of this package, with its credential yet to be linked. */
export function payrollNode(
	type: 'payrollEmployee' | 'payrollCompany' | 'payrollHourCodes',
	parameters: INodeParameters,
	more: Partial<INode> = {},
): NodeDraft {
	return {
		name: 'Payroll',
		type: `n8n-nodes-payroll.${type}`,
		parameters,
		credentials: { [credentialType]: { id: null, name: 'Payroll' } },
		...more,
	};
}

/** A workflow of nodes one after the other. */
export function chain(name: string, ...nodes: NodeDraft[]): WorkflowDraft {
	const connections: IConnections = {};
	nodes.slice(1).forEach((node, index) => {
		const before = nodes[index]?.name ?? '';
		connections[before] = { main: [[{ node: node.name, type: 'main', index: 0 }]] };
	});
	return {
		name,
		connections,
		nodes: nodes.map((node, index) => ({
			id: `node-${index}`,
			typeVersion: 1,
			position: [index * 220, 0],
			...node,
		})),
	};
}
