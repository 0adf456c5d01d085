/** Workflows that write, for a node that n8n runs again. */
import type { INode, INodeParameters } from 'n8n-workflow';
import { createAddress } from '../../../dev/package/payroll.mts';
import type { WorkflowDraft } from '../../../dev/n8n/api.mts';
import { chain, itemsNode, payrollNode, type NodeDraft } from '../../../dev/n8n/workflow.mts';

/** An employee that the service does not know. */
export const unknownEmployee = 4711;

/** n8n's setting *Retry On Fail*. */
export const threeTries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };

/** n8n's setting *On Error → Continue*. */
export const goOn = { onError: 'continueRegularOutput' } as const;

/** Inserts an address for the employee of each item. */
export function insert(more: Partial<INode> = {}, parameters: INodeParameters = {}): NodeDraft {
	return payrollNode('payrollEmployee', { ...createAddress, ...parameters }, more);
}

/** Input items, one for each employee. */
export function employees(...ids: number[]): NodeDraft[] {
	return itemsNode(ids.map((id) => ({ id })));
}

/** Works on the items of a list in rounds: `body` gets so many of them at once, one round after the other. */
export function inRounds(
	name: string,
	before: NodeDraft[],
	size: number,
	body: NodeDraft[],
): WorkflowDraft {
	const loop: NodeDraft = {
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize: size, options: {} },
	};
	const draft = chain(name, ...before, loop, ...body);
	const to = (node = '') => [{ node, type: 'main' as const, index: 0 }];
	return {
		...draft,
		connections: {
			...draft.connections,
			// The first output is for the end, the second for each round.
			[loop.name]: { main: [[], to(body[0]?.name)] },
			[body.at(-1)?.name ?? '']: { main: [to(loop.name)] },
		},
	};
}
