import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	ITriggerFunctions,
	ITriggerResponse,
} from 'n8n-workflow';

import { workflow } from './n8n.mts';
import { describe, parameter } from './describe.mts';
import { agent } from './tool.mts';

/** Full names of the helper nodes that drawings are made of. */
export const helperNames = {
	manualTrigger: 'n8n-nodes-base.manualTrigger',
	items: 'engine.items',
	files: 'engine.files',
	noOp: 'n8n-nodes-base.noOp',
	editFields: 'engine.editFields',
	agent: 'engine.agent',
} as const;

/** Starts a workflow with one empty item. */
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
	description: describe('items', 'Items', [parameter('items', 'json', '[]')]),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const list = workflow.jsonParse<IDataObject[]>(String(this.getNodeParameter('items', 0)));
		return [list.map((json) => ({ json, pairedItem: { item: 0 } }))];
	},
};

/** Adds files to each item: the text, in base64, of each field of an object. */
const files: INodeType = {
	description: describe('files', 'Files', [parameter('files', 'json', '{}')]),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const input = this.getInputData().map(async ({ json }, item) => {
			const contents = Object.entries(this.getNodeParameter('files', item) as IDataObject);
			const binary = contents.map(async ([name, content]) => {
				const bytes = Buffer.from(String(content), 'base64');
				return [name, await this.helpers.prepareBinaryData(bytes, name)] as const;
			});
			return { json, binary: Object.fromEntries(await Promise.all(binary)), pairedItem: { item } };
		});
		return [await Promise.all(input)];
	},
};

/** Hands its input on unchanged. */
const noOp: INodeType = {
	description: describe('noOp', 'No Operation', []),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	},
};

/** Sets fields of each item, by dotted names, and keeps its others. */
const editFields: INodeType = {
	description: describe('editFields', 'Edit Fields', [parameter('fields', 'json', {})]),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const changed = this.getInputData().map((item, index): INodeExecutionData => {
			const json = structuredClone(item.json);
			const fields = this.getNodeParameter('fields', index) as IDataObject;
			for (const [path, value] of Object.entries(fields)) {
				const names = path.split('.');
				const last = names.pop() ?? '';
				const target = names.reduce((record, name) => (record[name] ??= {}) as IDataObject, json);
				target[last] = value;
			}
			return { json, pairedItem: { item: index } };
		});
		return [changed];
	},
};

/** The nodes of drawings, by full name. n8n-nodes-base is not installed here. */
export const helperNodes: ReadonlyMap<string, INodeType> = new Map([
	[helperNames.manualTrigger, manualTrigger],
	[helperNames.items, items],
	[helperNames.files, files],
	[helperNames.noOp, noOp],
	[helperNames.editFields, editFields],
	[helperNames.agent, agent],
]);
