import type { FunctionsBase } from 'n8n-workflow';

/** Whether a node runs as a tool of an AI agent: n8n appends `Tool` to the type of such a node. */
export function isTool(context: Pick<FunctionsBase, 'getNode'>): boolean {
	return context.getNode().type.endsWith('Tool');
}
