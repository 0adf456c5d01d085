/** Properties of n8n that the package works around, each with the versions of n8n that have it. */
import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

/** n8n adds this value to the lists of resources and operations, to refer to its HTTP Request node. */
export const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** Whether a node runs as a tool of an AI agent: n8n (1.123 and 2.41) appends `Tool` to its type. */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}

/** What tools store that an agent calls, by the object of arguments from the model. */
const ofToolCalls = new WeakMap<object, Record<string, unknown>>();

/**
 * Returns what the tries of *Retry On Fail* share, and which run of the node it is: a loop runs a node
 * several times. n8n stores it with the execution, so that a retry of the execution has it, too:
 * `getContext` in `node-helpers.ts` of n8n-workflow.
 *
 * An agent may call a tool outside of n8n's engine. Each try then has a run index of its own, but the
 * same object of arguments: `makeHandleToolInvocation` in `get-input-connection-data.ts` of n8n-core
 * (1.123 and 2.41; until n8n runs tools by its engine alone).
 */
export function sharedByTries(context: IExecuteFunctions): {
	readonly run: number;
	readonly stored: Record<string, unknown>;
} {
	if (!('getNextRunIndex' in context)) {
		const run = context.getWorkflowDataProxy(0).$runIndex as number;
		return { run, stored: context.getContext('node') };
	}
	const input = context.getInputData()[0]?.json ?? {};
	const stored = ofToolCalls.get(input) ?? {};
	ofToolCalls.set(input, stored);
	return { run: 0, stored };
}

/**
 * Whether this run follows one that was killed: n8n's retry of a crashed execution knows that the
 * node was begun (`isExecuted` in `workflow-data-proxy.ts` of n8n-workflow), but not what it did (1.123
 * and 2.41; until it keeps what a killed node had stored). n8n always considers a tool as begun.
 */
export function followsCrash(context: IExecuteFunctions): boolean {
	if (context.getMode() !== 'retry' || isTool(context.getNode())) return false;
	const { $ } = context.getWorkflowDataProxy(0) as {
		$: (node: string) => { readonly isExecuted: boolean };
	};
	return $(context.getNode().name).isExecuted;
}

/**
 * Whether n8n may run the node again after this output: with *Retry On Fail*, it does if the JSON
 * of the first item has an `error`, whatever its value: `runNode` in `workflow-execute.ts` of n8n-core
 * (1.123 and 2.41).
 */
export function mayRunAgain(
	{ retryOnFail }: INode,
	[first]: readonly INodeExecutionData[],
): boolean {
	return retryOnFail === true && first?.json.error !== undefined;
}

/**
 * Restores an error's message. n8n (1.123 and 2.41) replaces a message that contains a Node.js error
 * code: for ECONNRESET with "You can retry the request immediately", even for a write.
 * "EmployeeExists" contains EEXIST.
 */
export function withMessage<E extends Error>(error: E, message: string): E {
	error.message = message;
	return error;
}

/** Returns a failure's error code. n8n (1.123 and 2.41) wraps the original error, so the causes are searched too. */
export function codeOf(error: unknown): string | undefined {
	let link = error;
	for (let depth = 0; depth < 5 && typeof link === 'object' && link !== null; depth += 1) {
		const { code, cause } = link as { code?: unknown; cause?: unknown };
		if (typeof code === 'string') return code;
		link = cause;
	}
	return undefined;
}
