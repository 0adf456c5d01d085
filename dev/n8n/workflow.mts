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

/** A number that a chat model chooses; as the editor's button writes it. */
export function fromModel(name: string): string {
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`\`, 'number') }}`;
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
	{ text = 'Go ahead.', typeVersion = 2.2 } = {},
): WorkflowDraft {
	const agent: NodeDraft = {
		name: 'AI Agent',
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion,
		parameters: { promptType: 'define', text, options: {} },
	};
	const model: NodeDraft = {
		name: 'Chat Model',
		type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
		typeVersion: 1.2,
		parameters: { model: { __rl: true, mode: 'id', value: 'stub' }, options: {} },
		credentials: { openAiApi: { id: null, name: 'Chat model' } },
	};
	const draft = chain(name, trigger, agent);
	const place = { position: [220, 200] as [number, number], typeVersion: 1 };
	return {
		...draft,
		nodes: [
			...draft.nodes,
			{ ...place, ...model, id: 'model' },
			{ ...place, ...tool, type: `${tool.type}Tool`, id: 'tool' },
		],
		connections: {
			...draft.connections,
			[model.name]: {
				ai_languageModel: [[{ node: agent.name, type: 'ai_languageModel', index: 0 }]],
			},
			[tool.name]: { ai_tool: [[{ node: agent.name, type: 'ai_tool', index: 0 }]] },
		},
	};
}
