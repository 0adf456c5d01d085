import type { INodeType } from 'n8n-workflow';

import { chatAgent, chatModel } from './nodes/chat-agent.mts';
import { dataTable } from './nodes/data-table.mts';
import { editFields } from './nodes/edit-fields.mts';
import * as files from './nodes/files.mts';
import * as flow from './nodes/flow.mts';
import * as triggers from './nodes/triggers.mts';
import { agent } from './tool.mts';

/** Full names of the helper nodes that drawings are made of. */
export const helperNames = {
	manualTrigger: 'n8n-nodes-base.manualTrigger',
	items: 'engine.items',
	noOp: 'n8n-nodes-base.noOp',
	editFields: 'n8n-nodes-base.set',
	agent: 'engine.agent',
} as const;

/**
 * Stand-ins for those of n8n's own nodes that appear in workflows with this package, by full name.
 * n8n-nodes-base is not installed here. The stand-ins have n8n's names, and their parameters have
 * n8n's meaning, so a workflow exported from the editor runs unchanged.
 */
export const helperNodes: ReadonlyMap<string, INodeType> = new Map([
	[helperNames.manualTrigger, triggers.manualTrigger],
	[helperNames.items, flow.items],
	[helperNames.noOp, flow.noOp],
	[helperNames.editFields, editFields],
	[helperNames.agent, agent],
	['n8n-nodes-base.scheduleTrigger', triggers.scheduleTrigger],
	['n8n-nodes-base.formTrigger', triggers.formTrigger],
	['n8n-nodes-base.webhook', triggers.webhook],
	['n8n-nodes-base.form', flow.formEnding],
	['n8n-nodes-base.executeWorkflowTrigger', triggers.executeWorkflowTrigger],
	['n8n-nodes-base.stickyNote', flow.stickyNote],
	['n8n-nodes-base.splitOut', flow.splitOut],
	['n8n-nodes-base.merge', flow.merge],
	['n8n-nodes-base.code', flow.code],
	['n8n-nodes-base.filter', flow.filter],
	['n8n-nodes-base.if', flow.branch],
	['n8n-nodes-base.limit', flow.limit],
	['n8n-nodes-base.httpRequest', flow.httpRequest],
	['n8n-nodes-base.stopAndError', flow.stopAndError],
	['n8n-nodes-base.wait', flow.wait],
	['n8n-nodes-base.executeWorkflow', flow.executeWorkflow],
	['n8n-nodes-base.dataTable', dataTable],
	['n8n-nodes-base.extractFromFile', files.extractFromFile],
	['n8n-nodes-base.convertToFile', files.convertToFile],
	['@n8n/n8n-nodes-langchain.chatTrigger', triggers.chatTrigger],
	['@n8n/n8n-nodes-langchain.lmChatOpenAi', chatModel],
	['@n8n/n8n-nodes-langchain.agent', chatAgent],
]);
