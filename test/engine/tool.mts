import type {
	EngineRequest,
	EngineResponse,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { workflow } from './n8n.mts';

/** Where the model is told what the tool does; n8n adds it to every node used as a tool. */
const toolDescription: INodeProperties = {
	displayName: 'Description',
	name: 'toolDescription',
	type: 'string',
	default: '',
};

/** The tool variant n8n's server makes of a node that is usable as a tool. */
export function asTool(node: INodeType): INodeType {
	const { description } = node;
	const tool: INodeTypeDescription = {
		...description,
		name: `${description.name}Tool`,
		displayName: `${description.displayName} Tool`,
		inputs: [],
		outputs: ['ai_tool'],
		properties: [toolDescription, ...description.properties],
	};
	return Object.create(node, { description: { value: tool } }) as INodeType;
}

/** A call an agent makes: a connected tool node by name, and the model's arguments. */
export interface ToolCall {
	tool: string;
	input: IDataObject;
}

/**
 * An agent whose decisions are its parameter: it asks the engine for the given tool calls, as
 * n8n's agent does with those of its model, and outputs one item per call with what came back.
 */
export const agent: INodeType = {
	description: {
		name: 'agent',
		displayName: 'Agent',
		group: ['transform'],
		version: 1,
		description: 'Agent',
		defaults: { name: 'Agent' },
		inputs: ['main', 'ai_tool'],
		outputs: ['main'],
		properties: [{ displayName: 'Calls', name: 'calls', type: 'json', default: '[]' }],
	},
	async execute(
		this: IExecuteFunctions,
		response?: EngineResponse,
	): Promise<INodeExecutionData[][] | EngineRequest> {
		if (response && response.actionResponses.length > 0) {
			const results = response.actionResponses.map(({ action, data }) => {
				const items = data.data?.ai_tool?.[0] ?? [];
				return { tool: action.nodeName, items: items.map(({ json }) => json) };
			});
			return [results.map((json) => ({ json, pairedItem: { item: 0 } }))];
		}
		const calls = workflow.jsonParse<ToolCall[]>(String(this.getNodeParameter('calls', 0)));
		const actions = calls.map(({ tool, input }, index) => ({
			actionType: 'ExecutionNodeAction' as const,
			nodeName: tool,
			input,
			type: 'ai_tool' as const,
			id: `call-${index}`,
			metadata: { itemIndex: 0 },
		}));
		return { actions, metadata: {} };
	},
};
