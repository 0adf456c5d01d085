/** Properties of n8n that the package works around, each with the versions of n8n that have it. */
import {
	NodeApiError,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

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
 * Returns the JSON of the item of a failed call. For the error output, n8n expects `error` alone and adds
 * the item's input itself: `handleNodeErrorOutput` in `workflow-execute.ts` of n8n-core, line 3026 (1.123
 * and 2.41). For the regular output, the input is included here. The item's own property `error` must
 * not be set: n8n would drop the input.
 */
export function failedJson(
	{ onError }: INode,
	input: IDataObject,
	error: IDataObject,
): IDataObject {
	return { ...(onError === 'continueErrorOutput' ? {} : input), error };
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

/** What an error says beside its message. */
export interface ApiErrorFields {
	readonly description?: string | undefined;
	readonly httpStatus?: number | undefined;
	readonly itemIndex?: number | undefined;
	/** n8n logs the stack of an error of the level `error`. */
	readonly level?: 'error' | undefined;
}

/**
 * Creates the one class of error whose description the editor shows, also for its lists:
 * `sendErrorResponse` in `response-helper.ts` of n8n, line 83 (1.123 and 2.41).
 */
export function apiError(
	node: INode,
	message: string,
	{ description, httpStatus, itemIndex, level }: ApiErrorFields,
): NodeApiError {
	const error = new NodeApiError(
		node,
		{ message },
		{
			message,
			...(description !== undefined && { description }),
			...(httpStatus !== undefined && { httpCode: String(httpStatus) }),
			...(itemIndex !== undefined && { itemIndex }),
			...(level !== undefined && { level }),
		},
	);
	return withMessage(error, message);
}

/**
 * Whether these are options of a node in the editor that n8n could not evaluate: n8n 1 (1.123) returns
 * `null` for all options if it cannot evaluate one of them.
 */
export function areUnknown(options: unknown): boolean {
	return options === null;
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
