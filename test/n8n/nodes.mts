/** Nodes of n8n and workflows of them that several tests use. */
import type { INode, INodeParameters } from 'n8n-workflow';
import { connect, sequence } from '../../dev/drawing.mts';
import { createAddress } from '../../dev/package/calls.mts';
import type { WorkflowDraft } from '../../dev/n8n/api.mts';
import { itemsNode, payrollNode, type NodeDraft } from '../../dev/n8n/workflow.mts';

/** Starts the workflow when `/webhook/<path>` is called, and answers the call at once. */
export function webhook(path: string): NodeDraft {
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { path, options: {} },
	};
}

/** Starts a workflow that another one calls. */
export const subWorkflowTrigger: NodeDraft = {
	name: 'Called',
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
};

/** Calls a workflow: once with all items, or for each of them. */
export function callWorkflow(id: string, mode: 'once' | 'each'): NodeDraft {
	return {
		name: 'Sub-workflow',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: {
			source: 'database',
			workflowId: { __rl: true, mode: 'id', value: id },
			mode,
			options: { waitForSubWorkflow: true },
		},
	};
}

/** Adds the address that ends the wait of the execution. */
export const resumeUrl: NodeDraft = {
	name: 'Url',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		mode: 'raw',
		jsonOutput: '={{ JSON.stringify({ url: $execution.resumeUrl }) }}',
		options: {},
	},
};

/** Waits until that address is called; n8n saves the execution. */
export const waitForCall: NodeDraft = {
	name: 'Wait',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	webhookId: 'wait',
	parameters: { resume: 'webhook', options: {} },
};

/** Inserts an address for the employee of each item. */
export function insert(more: Partial<INode> = {}, parameters: INodeParameters = {}): NodeDraft {
	return payrollNode('payrollEmployee', { ...createAddress, ...parameters }, more);
}

/** Input items, one for each employee. */
export function employees(...ids: number[]): NodeDraft[] {
	return itemsNode(ids.map((id) => ({ id })));
}

/** Loops over items in rounds: `body` receives so many of them at once. */
export function inRounds(
	name: string,
	before: NodeDraft[],
	size: number,
	body: NodeDraft[],
): WorkflowDraft {
	const loop: NodeDraft = {
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize: size, options: {} },
	};
	let drawing = sequence(...before, loop);
	let last = loop.name;
	for (const node of body) {
		// The loop's first output is for the end, the second for each round.
		drawing = connect(drawing, last, node, last === loop.name ? 1 : 0);
		last = node.name;
	}
	return { name, ...connect(drawing, last, loop.name) };
}
