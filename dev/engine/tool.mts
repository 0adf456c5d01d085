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

/** Whether the tool's description is written by hand, for nodes that have no field for it. */
const descriptionType: INodeProperties = {
	displayName: 'Tool Description',
	name: 'descriptionType',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Set Automatically', value: 'auto' },
		{ name: 'Set Manually', value: 'manual' },
	],
	default: 'auto',
};

/** What n8n's server puts before a tool's own parameters (`convertNodeToAiTool`). */
function added({ description, properties }: INodeTypeDescription): INodeProperties[] {
	const has = (...wanted: string[]) => properties.some(({ name }) => wanted.includes(name));
	if (has('toolDescription')) return [];
	const toolDescription: INodeProperties = {
		displayName: 'Description',
		name: 'toolDescription',
		type: 'string',
		default: description,
		required: true,
	};
	if (!has('resource', 'operation')) return [toolDescription];
	const displayOptions = { show: { descriptionType: ['manual'] } };
	return [descriptionType, { ...toolDescription, displayOptions }];
}

/** The tool variant n8n's server makes of a node that is usable as a tool. */
export function asTool(node: INodeType): INodeType {
	const { description } = node;
	const tool: INodeTypeDescription = {
		...description,
		name: `${description.name}Tool`,
		displayName: `${description.displayName} Tool`,
		inputs: [],
		outputs: ['ai_tool'],
		properties: [...added(description), ...description.properties],
	};
	return Object.create(node, { description: { value: tool } }) as INodeType;
}

/** A call that an agent makes: the name of a connected tool node, and the model's arguments. */
export interface ToolCall {
	tool: string;
	input: IDataObject;
}

/** Asks the engine for tool calls, as n8n's agent does with those of its model. */
export function callTools(calls: readonly ToolCall[]): EngineRequest {
	const actions = calls.map(({ tool, input }, index) => ({
		actionType: 'ExecutionNodeAction' as const,
		nodeName: tool,
		input,
		type: 'ai_tool' as const,
		id: `call-${index}`,
		metadata: { itemIndex: 0 },
	}));
	return { actions, metadata: {} };
}

/** The items of each tool call; undefined before the first one. */
export function toolAnswers(
	response: EngineResponse | undefined,
): Array<{ tool: string; items: IDataObject[] }> | undefined {
	if (!response || response.actionResponses.length === 0) return undefined;
	return response.actionResponses.map(({ action, data }) => {
		const items = data.data?.ai_tool?.[0] ?? [];
		return { tool: action.nodeName, items: items.map(({ json }) => json) };
	});
}

/** An agent whose tool calls are a parameter; it outputs one item per call with the tool's items. */
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
		const answers = toolAnswers(response);
		if (answers) return [answers.map((json) => ({ json, pairedItem: { item: 0 } }))];
		return callTools(workflow.jsonParse<ToolCall[]>(String(this.getNodeParameter('calls', 0))));
	},
};
