/** Short workflows for a real n8n, made in a test. */
import type { INode, INodeParameters } from 'n8n-workflow';
import { addTool, attach, sequence, type NodeDraft } from '../drawing.mts';
import { CREDENTIAL_TYPE } from '../package/payroll.mts';
import type { WorkflowDraft } from './api.mts';

export type { NodeDraft } from '../drawing.mts';

/** The node that a workflow started by hand begins with. */
export const manualTrigger: NodeDraft = {
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
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
		credentials: { [CREDENTIAL_TYPE]: { id: null, name: 'Payroll' } },
		...more,
	};
}

/** A workflow of nodes one after the other. */
export function chain(name: string, ...nodes: NodeDraft[]): WorkflowDraft {
	return { name, ...sequence(...nodes) };
}

/**
 * A workflow in which an AI agent has one tool.
 *
 * @param tool a node of this package, which becomes a tool here
 */
export function withAgent(
	name: string,
	trigger: NodeDraft,
	tool: NodeDraft,
	typeVersion: number,
): WorkflowDraft {
	const agent: NodeDraft = {
		name: 'AI Agent',
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion,
		parameters: { promptType: 'define', text: 'Go ahead.', options: {} },
	};
	const model: NodeDraft = {
		name: 'Chat Model',
		type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
		typeVersion: 1.2,
		parameters: { model: { __rl: true, mode: 'id', value: 'stub' }, options: {} },
		credentials: { openAiApi: { id: null, name: 'Chat model' } },
	};
	const drawing = attach(sequence(trigger, agent), agent.name, model, 'ai_languageModel');
	return { name, ...addTool(drawing, agent.name, { ...tool, type: `${tool.type}Tool` }) };
}
