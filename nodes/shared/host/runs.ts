import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isTool } from './tool';

/**
 * Whether an agent calls the node directly, outside of n8n's engine. Each try of *Retry On Fail*
 * then has its own run index, but the same object of arguments. (n8n 1.123 and 2.41; until n8n runs
 * tools by its engine alone.)
 */
export function isCalledByAgent(context: IExecuteFunctions): boolean {
	return 'getNextRunIndex' in context;
}

/**
 * Whether this run follows one that was killed: n8n's retry of a crashed execution knows that the
 * node was begun, but not what it did (n8n 1.123 and 2.41; until it keeps what a killed node had
 * stored). n8n always considers a tool as begun.
 */
export function followsCrash(context: IExecuteFunctions): boolean {
	if (context.getMode() !== 'retry' || isTool(context)) return false;
	const { $ } = context.getWorkflowDataProxy(0) as {
		$: (node: string) => { readonly isExecuted: boolean };
	};
	return $(context.getNode().name).isExecuted;
}

/**
 * Whether n8n may run the node again after this output: with *Retry On Fail*, it does if the JSON
 * of the first item has an `error`, whatever its value (n8n 1.123 and 2.41).
 */
export function mayRunAgain(
	context: IExecuteFunctions,
	[first]: readonly INodeExecutionData[],
): boolean {
	return context.getNode().retryOnFail === true && first?.json.error !== undefined;
}
