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

import { describe, parameter } from './describe.mts';
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

/**
 * An agent whose tool calls are a parameter, and are asked of the engine as n8n's agent asks for those of its model. It
 * outputs one item per call with the tool's items.
 */
export const agent: INodeType = {
	description: {
		...describe('agent', 'Agent', [parameter('calls', 'json', '[]')]),
		inputs: ['main', 'ai_tool'],
	},
	async execute(
		this: IExecuteFunctions,
		response?: EngineResponse,
	): Promise<INodeExecutionData[][] | EngineRequest> {
		if (response && response.actionResponses.length > 0) {
			const answers = response.actionResponses.map(({ action, data }): INodeExecutionData => {
				const items = (data.data?.ai_tool?.[0] ?? []).map(({ json }) => json);
				return { json: { tool: action.nodeName, items }, pairedItem: { item: 0 } };
			});
			return [answers];
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
