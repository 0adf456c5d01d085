import type { IExecuteFunctions } from 'n8n-workflow';

/** Whether a node is run as a tool of an AI agent: n8n gives such a node's type another ending. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}
