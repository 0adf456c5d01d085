import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	ITriggerFunctions,
	ITriggerResponse,
	IWebhookResponseData,
} from 'n8n-workflow';

import { workflow } from '../n8n.mts';
import { describe, parameter } from './describe.mts';

/** A trigger that gives one item when the button in the editor is clicked. */
function byButton(
	name: string,
	displayName: string,
	properties: INodeProperties[],
	item: () => IDataObject,
): INodeType {
	return {
		description: describe(name, displayName, properties, 'trigger'),
		async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
			const manualTriggerFunction = async () => {
				this.emit([this.helpers.returnJsonArray([item()])]);
			};
			return { manualTriggerFunction };
		},
	};
}

/** A trigger for events from outside; a run takes the event as its option `event`. */
function fromOutside(name: string, displayName: string, properties: INodeProperties[]): INodeType {
	return {
		description: describe(name, displayName, properties, 'trigger'),
		async webhook(): Promise<IWebhookResponseData> {
			throw new workflow.OperationalError(`"${displayName}" has no address in the tests' engine`);
		},
	};
}

/** Starts a workflow with one empty item. */
export const manualTrigger = byButton('manualTrigger', 'Manual Trigger', [], () => ({}));

/** Starts a workflow at set times, or by the button. */
export const scheduleTrigger = byButton(
	'scheduleTrigger',
	'Schedule Trigger',
	[parameter('rule', 'json', {})],
	() => ({ timestamp: new Date().toISOString() }),
);

/** Starts a workflow with what was filled into a form. */
export const formTrigger = fromOutside('formTrigger', 'n8n Form Trigger', [
	parameter('authentication', 'string', 'none'),
	parameter('formTitle', 'string', ''),
	parameter('formDescription', 'string', ''),
	parameter('formFields', 'json', {}),
	parameter('options', 'json', {}),
]);

/** Starts a workflow with a message of a chat. */
export const chatTrigger = fromOutside('chatTrigger', 'Chat Trigger', [
	parameter('options', 'json', {}),
]);

/** Starts a workflow with a request to its address. */
export const webhook = fromOutside('webhook', 'Webhook', [
	parameter('httpMethod', 'string', 'GET'),
	parameter('path', 'string', ''),
	parameter('authentication', 'string', 'none'),
	parameter('options', 'json', {}),
]);

/** Starts a workflow with the items of the one that called it. */
export const executeWorkflowTrigger: INodeType = {
	description: describe(
		'executeWorkflowTrigger',
		'Execute Workflow Trigger',
		[parameter('inputSource', 'string', '')],
		'trigger',
	),
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	},
};
