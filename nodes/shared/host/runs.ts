/** How n8n (1.123 and 2.41) runs a node. Lines of sources are those of 2.41.1. */
import type { IExecuteFunctions, INode } from 'n8n-workflow';

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

/**
 * Returns the execution of a sub-workflow; `undefined` if nothing calls this workflow.
 *
 * @returns its name, as the list of executions has it: all callers show its error, too; and `caller`, which
 * identifies the node and the execution that call: *Retry On Fail* of that node begins a new one for each try
 */
export function subExecution(
	context: IExecuteFunctions,
): { readonly name: string; readonly caller: string } | undefined {
	if (context.getMode() !== 'integrated') return undefined;
	const { id, name = '' } = context.getWorkflow();
	const { parentExecutionId } = context.getExecutionContext() ?? {};
	return {
		name: `execution ${context.getExecutionId()} of the workflow '${name}'`,
		caller: JSON.stringify([parentExecutionId, id, context.getNode().name]),
	};
}
