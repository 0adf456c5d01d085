import { compileFunction } from 'node:vm';
import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	INodeExecutionData,
	INodeParameterResourceLocator,
	INodeType,
} from 'n8n-workflow';

import { workflow } from '../n8n.mts';
import { describe, parameter } from './describe.mts';

/** A note on the canvas; it never runs. */
export const stickyNote: INodeType = {
	description: {
		...describe('stickyNote', 'Sticky Note', [
			parameter('content', 'string', ''),
			parameter('height', 'number', 160),
			parameter('width', 'number', 240),
		]),
		inputs: [],
		outputs: [],
	},
};

/** Hands its input on unchanged. */
export const noOp: INodeType = {
	description: describe('noOp', 'No Operation, do nothing', []),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	},
};

/** Emits the items of its JSON parameter, each paired with the item that started it. */
export const items: INodeType = {
	description: describe('items', 'Items', [parameter('items', 'json', '[]')]),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const list: unknown = this.getNodeParameter('items', 0);
		const parsed: unknown = typeof list === 'string' ? JSON.parse(list) : list;
		if (!Array.isArray(parsed)) {
			throw new workflow.NodeOperationError(this.getNode(), '"Items" is not a JSON list');
		}
		return [parsed.map((json) => ({ json, pairedItem: { item: 0 } }))];
	},
};

/** Split Out: an item for each value of a list of plain values, and no other fields. */
export const splitOut: INodeType = {
	description: describe('splitOut', 'Split Out', [
		parameter('fieldToSplitOut', 'string', ''),
		parameter('options', 'json', {}),
	]),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const split = this.getInputData().flatMap(({ json }, item) => {
			const name = this.getNodeParameter('fieldToSplitOut', item) as string;
			const options = this.getNodeParameter('options', item) as { destinationFieldName?: string };
			return (json[name] as string[]).map((value) => ({
				json: { [options.destinationFieldName ?? name]: value },
				pairedItem: { item },
			}));
		});
		return [split];
	},
};

/** Merge, Append: the items of both inputs, those of the first one first. */
export const merge: INodeType = {
	description: { ...describe('merge', 'Merge', []), inputs: ['main', 'main'], requiredInputs: 1 },
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const inputs = [this.getInputData(0), this.getInputData(1)];
		const paired = inputs.flatMap((list, input) =>
			list.map((one, item) => ({ ...one, pairedItem: { item, input } })),
		);
		return [paired];
	},
};

/** Code: runs JavaScript once for all items. */
export const code: INodeType = {
	description: describe('code', 'Code', [parameter('jsCode', 'string', '')]),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const names = ['$', '$input', '$execution'] as const;
		const proxy = this.getWorkflowDataProxy(0);
		const run = compileFunction(this.getNodeParameter('jsCode', 0) as string, [...names]);
		return [run(...names.map((name) => proxy[name] as unknown)) as INodeExecutionData[]];
	},
};

/** Splits the input items by a condition, which n8n's own filter evaluates. */
function splitByCondition(
	context: IExecuteFunctions,
): [INodeExecutionData[], INodeExecutionData[]] {
	const passed: INodeExecutionData[] = [];
	const others: INodeExecutionData[] = [];
	context.getInputData().forEach((item, index) => {
		const options = { extractValue: true };
		const passes = context.getNodeParameter('conditions', index, false, options) as boolean;
		(passes ? passed : others).push({ ...item, pairedItem: { item: index } });
	});
	return [passed, others];
}

const condition = [parameter('conditions', 'filter', {}), parameter('options', 'json', {})];

/** Filter: keeps the items that meet a condition. */
export const filter: INodeType = {
	description: describe('filter', 'Filter', condition),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [splitByCondition(this)[0]];
	},
};

/** If: sends the items that meet a condition one way, and the others another. */
export const branch: INodeType = {
	description: { ...describe('if', 'If', condition), outputs: ['main', 'main'] },
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return splitByCondition(this);
	},
};

/** Limit: keeps the first items, so many of them. */
export const limit: INodeType = {
	description: describe('limit', 'Limit', [parameter('maxItems', 'number', 1)]),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData().slice(0, this.getNodeParameter('maxItems', 0) as number)];
	},
};

/** Stop and Error: ends the run with a message. */
export const stopAndError: INodeType = {
	description: {
		...describe('stopAndError', 'Stop and Error', [parameter('errorMessage', 'string', '')]),
		outputs: [],
	},
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const message = this.getNodeParameter('errorMessage', 0) as string;
		throw new workflow.NodeOperationError(this.getNode(), message);
	},
};

/** Wait, On Form Submitted: waits for the form, for a number of days at most. */
export const wait: INodeType = {
	description: describe('wait', 'Wait', [
		parameter('resume', 'string', ''),
		parameter('formTitle', 'string', ''),
		parameter('formDescription', 'string', ''),
		parameter('formFields', 'json', {}),
		parameter('responseMode', 'string', ''),
		parameter('limitWaitTime', 'boolean', false),
		parameter('resumeAmount', 'number', 1),
		parameter('resumeUnit', 'string', 'hours'),
		parameter('options', 'json', {}),
	]),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const [how, unit] = ['resume', 'resumeUnit'].map((name) => this.getNodeParameter(name, 0));
		if (how !== 'form' || unit !== 'days' || !this.getNodeParameter('limitWaitTime', 0)) {
			throw new workflow.OperationalError("The tests' engine waits for a form, for days");
		}
		const days = this.getNodeParameter('resumeAmount', 0) as number;
		await this.putExecutionToWait(new Date(Date.now() + days * 24 * 3600 * 1000));
		return [this.getInputData()];
	},
};

/** n8n Form, Form Ending: shows a page with its texts, and waits until a browser has opened it. */
export const formEnding: INodeType = {
	description: describe('form', 'n8n Form', [
		parameter('operation', 'string', 'page'),
		parameter('respondWith', 'string', 'text'),
		parameter('completionTitle', 'string', ''),
		parameter('completionMessage', 'string', ''),
		parameter('inputDataFieldName', 'string', 'data'),
		parameter('options', 'json', {}),
	]),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		if (this.getNodeParameter('operation', 0) !== 'completion') {
			throw new workflow.OperationalError("The tests' engine has only the last page of a form");
		}
		// The real node does the rest when a browser opens the page; here a wrong value fails at once.
		for (const name of ['completionTitle', 'completionMessage']) this.getNodeParameter(name, 0);
		if (this.getNodeParameter('respondWith', 0) === 'returnBinary') {
			this.helpers.assertBinaryData(0, this.getNodeParameter('inputDataFieldName', 0) as string);
		}
		await this.putExecutionToWait(workflow.WAIT_INDEFINITELY);
		return [this.getInputData()];
	},
};

/** Execute Sub-workflow: calls a workflow with all items, and does not wait for its end. */
export const executeWorkflow: INodeType = {
	description: describe('executeWorkflow', 'Execute Sub-workflow', [
		parameter('workflowId', 'workflowSelector', ''),
		parameter('options', 'json', {}),
	]),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { value } = this.getNodeParameter('workflowId', 0) as INodeParameterResourceLocator;
		const { waitForSubWorkflow } = this.getNodeParameter('options', 0) as IDataObject;
		await this.executeWorkflow({ id: String(value) }, this.getInputData(), undefined, {
			doNotWaitToFinish: waitForSubWorkflow === false,
		});
		return [this.getInputData()];
	},
};

/** HTTP Request: sends fields as JSON; the engine has no credentials of n8n's own, so it sends none. */
export const httpRequest: INodeType = {
	description: describe('httpRequest', 'HTTP Request', [
		parameter('method', 'string', 'GET'),
		parameter('url', 'string', ''),
		parameter('authentication', 'string', 'none'),
		parameter('genericAuthType', 'string', ''),
		parameter('sendBody', 'boolean', false),
		parameter('bodyParameters', 'json', {}),
		parameter('options', 'json', {}),
	]),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const answers = this.getInputData().map(async (_, item): Promise<INodeExecutionData> => {
			const fields = this.getNodeParameter('bodyParameters.parameters', item) as IDataObject[];
			const json = (await this.helpers.httpRequest({
				method: this.getNodeParameter('method', item) as IHttpRequestMethods,
				url: this.getNodeParameter('url', item) as string,
				body: Object.fromEntries(fields.map(({ name, value }) => [String(name), value])),
				json: true,
			})) as IDataObject;
			return { json, pairedItem: { item } };
		});
		return [await Promise.all(answers)];
	},
};
