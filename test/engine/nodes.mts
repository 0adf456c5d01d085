import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
	ITriggerFunctions,
	ITriggerResponse,
} from 'n8n-workflow';

import { workflow } from './n8n.mts';
import { agent } from './tool.mts';

/*
 * The few nodes of n8n's own that a workflow around ours needs. n8n-nodes-base is not installed
 * here, so these stand in under n8n's names: a workflow exported from the editor runs unchanged.
 */

/** Describes a node with one main input (unless it starts the workflow) and one main output. */
function describe(
	name: string,
	displayName: string,
	properties: INodeProperties[],
	group: 'trigger' | 'transform',
): INodeTypeDescription {
	return {
		name,
		displayName,
		group: [group],
		version: 1,
		description: displayName,
		defaults: { name: displayName },
		inputs: group === 'trigger' ? [] : ['main'],
		outputs: ['main'],
		properties,
	};
}

/** Starts a workflow with one empty item, as the button in the editor does. */
const manualTrigger: INodeType = {
	description: describe('manualTrigger', 'Manual Trigger', [], 'trigger'),
	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		const manualTriggerFunction = async () => {
			this.emit([this.helpers.returnJsonArray([{}])]);
		};
		return { manualTriggerFunction };
	},
};

/** Emits the items of its JSON parameter, each paired with the item that started it. */
const items: INodeType = {
	description: describe(
		'items',
		'Items',
		[{ displayName: 'Items', name: 'items', type: 'json', default: '[]' }],
		'transform',
	),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const list: unknown = this.getNodeParameter('items', 0);
		const parsed: unknown = typeof list === 'string' ? JSON.parse(list) : list;
		if (!Array.isArray(parsed)) {
			throw new workflow.NodeOperationError(this.getNode(), '"Items" is not a JSON list');
		}
		return [parsed.map((json) => ({ json, pairedItem: { item: 0 } }))];
	},
};

/** Hands its input on unchanged. */
const noOp: INodeType = {
	description: describe('noOp', 'No Operation, do nothing', [], 'transform'),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	},
};

/** Full names of the helper nodes. */
export const helperNames = {
	manualTrigger: 'n8n-nodes-base.manualTrigger',
	items: 'engine.items',
	noOp: 'n8n-nodes-base.noOp',
	agent: 'engine.agent',
} as const;

/** The helper nodes by full name. */
export const helperNodes: ReadonlyMap<string, INodeType> = new Map([
	[helperNames.manualTrigger, manualTrigger],
	[helperNames.items, items],
	[helperNames.noOp, noOp],
	[helperNames.agent, agent],
]);
