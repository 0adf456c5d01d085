import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { sequence, type Drawing, type NodeDraft } from '../drawing.mts';
import { helperNames } from './nodes.mts';
import type { ToolCall } from './tool.mts';

/** Starts a workflow by hand. */
export function trigger(name = 'Start'): NodeDraft {
	return { name, type: helperNames.manualTrigger };
}

/** A source of items: one item per given JSON object. */
export function items(list: IDataObject[], name = 'Items'): NodeDraft {
	return { name, type: helperNames.items, parameters: { items: JSON.stringify(list) } };
}

/** Adds files to each item, by binary field. */
export function addFiles(files: Record<string, Buffer>, name = 'Files'): NodeDraft {
	const contents = Object.entries(files).map(([field, file]) => [field, file.toString('base64')]);
	const parameters = { files: Object.fromEntries(contents) as INodeParameters };
	return { name, type: helperNames.files, parameters };
}

/** Sets fields of each item, by dotted names, and keeps its others. */
export function editFields(values: Record<string, unknown>, name = 'Edit Fields'): NodeDraft {
	return { name, type: helperNames.editFields, parameters: { fields: values as INodeParameters } };
}

/** Takes items and hands them on unchanged: an end where a test looks at what arrived. */
export function collect(name = 'Collect'): NodeDraft {
	return { name, type: helperNames.noOp };
}

/** An agent that makes the given tool calls, in this order; connect tools to it with `addTool`. */
export function agent(calls: ToolCall[], name = 'Agent'): NodeDraft {
	return { name, type: helperNames.agent, parameters: { calls: JSON.stringify(calls) } };
}

/**
 * Draws a linear workflow. A list in place of the first node stands for a manual start followed by
 * a source of these items.
 */
export function chain(first: NodeDraft | IDataObject[], ...rest: NodeDraft[]): Drawing {
	return Array.isArray(first)
		? sequence(trigger(), items(first), ...rest)
		: sequence(first, ...rest);
}
