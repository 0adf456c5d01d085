/** How n8n (1.123 and 2.41) runs a node, and what it makes of its forms and errors. Lines of sources are those of 2.41.1. */
import {
	ApplicationError,
	BaseError,
	NodeApiError,
	NodeHelpers,
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
} from 'n8n-workflow';
import { readable } from '../errors/words';

/**
 * Whether a node runs as a tool of an AI agent. n8n appends `Tool` to its type: `ai-tools.ts` of its
 * server, line 33.
 */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}

/**
 * Whether the failed call of a tool becomes its answer, `{ error }`. A tool that throws gives the model of
 * agents 2.x an empty text, and ends the execution with agent 3 of n8n 1. Agent 3 of n8n 2 does the same as
 * this, also unless *On Error* is *Stop Workflow*: `handleNodeExecutionError` in `workflow-execute.ts` of
 * n8n-core. The MCP Server Trigger marks what a tool throws as an error; it is the parent of the tool also in
 * queue mode: `invokeTool` in `job-processor.ts` of n8n's server.
 */
export function answersWithError(context: IExecuteFunctions): boolean {
	const node = context.getNode();
	const { parentNode } = context as { parentNode?: INode };
	const isForMcp = parentNode?.type.endsWith('.mcpTrigger') === true;
	return isTool(node) && !isForMcp && node.onError !== 'stopWorkflow';
}

/** What tools store that an agent calls, by the object of arguments from the model. */
const ofToolCalls = new WeakMap<object, Record<string, unknown>>();

/**
 * Returns which run of a node this is, and what the tries of *Retry On Fail* share. n8n stores that with the
 * execution, so that a retry of the execution has it, too: `getContext` in `node-helpers.ts` of n8n-workflow, line 593.
 *
 * An agent may call a tool outside of n8n's engine (until n8n runs tools by its engine alone). Each try then
 * has a run index of its own, but the same object of arguments: `makeHandleToolInvocation` in
 * `get-input-connection-data.ts` of n8n-core, line 233.
 */
export function runOf(context: IExecuteFunctions) {
	const isOneCall = 'getNextRunIndex' in context;
	const input = context.getInputData()[0]?.json ?? {};
	const stored = isOneCall ? (ofToolCalls.get(input) ?? {}) : context.getContext('node');
	if (isOneCall) ofToolCalls.set(input, stored);
	const { additionalData } = context as { additionalData?: { hooks?: { retryOf?: unknown } } };
	const retried = additionalData?.hooks?.retryOf;
	return {
		/** Its index: a loop runs a node several times. */
		run: isOneCall ? 0 : (context.getWorkflowDataProxy(0).$runIndex as number),
		stored: stored as Record<string, unknown>,
		/** Whether an agent calls the tool: what is stored is that of this one call. */
		isOneCall,
		/**
		 * The id of the execution that n8n retries; `undefined` if it does not say. n8n 2 has it in
		 * `execution-lifecycle-hooks.ts` of n8n-core, which no documented type mentions; n8n 1 has it nowhere.
		 */
		retried: retried === undefined ? undefined : String(retried),
		/**
		 * Whether this run follows one that was killed: n8n's retry of a crashed execution knows that the
		 * node was begun (`isExecuted` in `workflow-data-proxy.ts` of n8n-workflow, line 1296), but not what it
		 * did. n8n always considers a tool as begun. Needed until n8n keeps what a killed node had stored.
		 */
		followsCrash(): boolean {
			if (context.getMode() !== 'retry' || isTool(context.getNode())) return false;
			const { $ } = context.getWorkflowDataProxy(0) as {
				$: (node: string) => { readonly isExecuted: boolean };
			};
			return $(context.getNode().name).isExecuted;
		},
	};
}

/** The execution of a call that has none, as by the MCP Server Trigger: `get-additional-keys.ts` of n8n-core. */
const NO_EXECUTION = '__UNKNOWN__';

/**
 * Returns the execution of a sub-workflow; `undefined` if nothing calls this workflow.
 *
 * @returns its name, as the list of executions has it: all callers show its error, too; and `caller`, which
 * identifies the node and the execution that call, if there is one: *Retry On Fail* of that node begins a new one
 * for each try
 */
export function subExecution(
	context: IExecuteFunctions,
): { readonly name: string; readonly caller: string | undefined } | undefined {
	if (context.getMode() !== 'integrated') return undefined;
	const { id, name = '' } = context.getWorkflow();
	const { parentExecutionId: parent = NO_EXECUTION } = context.getExecutionContext() ?? {};
	const caller = JSON.stringify([parent, id, context.getNode().name]);
	return {
		name: `execution ${context.getExecutionId()} of the workflow '${name}'`,
		caller: parent === NO_EXECUTION ? undefined : caller,
	};
}

/**
 * Condition of what is shown, or hidden, if the node is a tool of an AI agent: `getPropertyValues` in
 * `node-helpers.ts` of n8n-workflow.
 */
export const AS_TOOL = { '@tool': [true] };

/**
 * Returns a text for the description of a tool that depends on other parameters, as far as n8n evaluates an
 * expression there: 2.41 does, with a third parameter of this function, and 1.123 gives it to the model as it is.
 */
export function evaluatedDescription(expression: string, otherwise: string): string {
	return NodeHelpers.getToolDescriptionForNode.length > 2 ? `=${expression}` : otherwise;
}

/** The mode of the mapper in which columns are found by their names. */
export const AUTOMATIC = 'autoMapInputData';

/** What stands before the words of the service, in quotes: a model must not take them for the node's. */
export const SERVICE_SAYS = 'The service says: ';

/** Whether an error is n8n's own. It throws them for expressions, before a call is sent. */
export function isOfHost(error: unknown): error is ApplicationError | BaseError {
	return error instanceof ApplicationError || error instanceof BaseError;
}

/**
 * Restores an error's message. n8n replaces a message that contains a Node.js error code: for ECONNRESET
 * with "You can retry the request immediately", even for a write. "EmployeeExists" contains EEXIST. See
 * `node.error.ts` of n8n-workflow, line 186.
 */
export function withMessage<E extends Error>(error: E, message: string): E {
	error.message = message;
	return error;
}

interface ApiErrorFields {
	readonly description?: string | undefined;
	readonly httpStatus?: number | undefined;
	readonly itemIndex?: number | undefined;
	/** n8n logs the stack of an error of the level `error`. */
	readonly level?: 'error' | undefined;
}

/**
 * Creates the one class of error whose description the editor shows, also for its lists:
 * `sendErrorResponse` in `response-helper.ts` of its server, line 83.
 */
export function apiError(
	node: INode,
	message: string,
	{ description, httpStatus, itemIndex, level }: ApiErrorFields,
): NodeApiError {
	const httpCode = httpStatus === undefined ? undefined : String(httpStatus);
	const options = { message, description, httpCode, itemIndex, level };
	const given = Object.entries(options).filter(([, value]) => value !== undefined);
	return withMessage(new NodeApiError(node, { message }, Object.fromEntries(given)), message);
}

/** Returns a text without what it says of a retry: a model makes none, and n8n offers none of an execution that went on. */
export const withoutRetry = (text: string): string =>
	text.replace(/(?:\.|:) a retry of this execution[^.]*(?=\.)/gi, '');

/**
 * Prepares an error for its caller. n8n often passes only the message to an AI model, so for a tool
 * the advice and the outcome of a write are appended to the message. Whether a protection is turned off, or a change
 * in doubt sent again, is a person's decision there, and the credential and the options are the builder's. A model retries no execution.
 * n8n keeps a `NodeOperationError`, and wraps any other error: `makeHandleToolInvocation` in
 * `get-input-connection-data.ts` of n8n-core, line 233.
 */
export function toToolError(
	node: INode,
	error: NodeApiError | NodeOperationError,
): NodeApiError | NodeOperationError {
	if (!isTool(node)) return error;
	const { message, description } = error;
	const text = description ? `${message.replace(/\.$/, '')}. ${description}` : message;
	const [own = '', ...said] = readable(text).split(SERVICE_SAYS);
	let ours = withoutRetry(own)
		.replace(/ before you send it again\b/, ', and ask the user$&')
		.replace(/\bturn (?:on|off)(?= ')/g, 'ask the user whether to $&')
		.replace(/\bTurn (on|off)(?= ')/g, 'Ask the user whether to turn $1');
	const isForBuilder = /\bthe credential\b|\bthe node's options\b|\bthe option '/i.test(ours);
	if (isForBuilder && !/\bask the user whether\b/i.test(ours)) {
		ours = `${ours.trimEnd()} You cannot change that: ask the user. `;
	}
	const forModel = [ours, ...said].join(SERVICE_SAYS).trimEnd();
	const toolError = withMessage(new NodeOperationError(node, error), forModel);
	toolError.description = null;
	toolError.context = error.context;
	return toolError;
}

/**
 * Returns the code of a failed request, for example `ECONNREFUSED`. n8n wraps the original error: 2.41
 * keeps it as the cause, 1.123 only keeps its code, as `httpCode`, which otherwise is an HTTP status.
 */
export function codeOf(error: unknown): string | undefined {
	let link = error;
	for (let depth = 0; depth < 5 && typeof link === 'object' && link !== null; depth += 1) {
		const { code, httpCode, cause } = link as Record<string, unknown>;
		const found = [code, httpCode].find((text) => typeof text === 'string' && !/^\d+$/.test(text));
		if (found !== undefined) return found as string;
		link = cause;
	}
	return undefined;
}
