import type {
	ExecutionError,
	ExecutionStatus,
	ICredentialsHelper,
	IDataObject,
	INodeExecutionData,
	IPinData,
	IRun,
	IWorkflowSettings,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalData, workflowRecord } from './additional.mts';
import type { Drawing } from './chain.mts';
import type { Host } from './host.mts';
import { core, workflow as n8n } from './n8n.mts';

/** A workflow to run and what it runs on. */
export interface RunOptions extends Drawing {
	host: Pick<Host, 'nodeTypes'>;
	credentials: ICredentialsHelper;
	/** How the run was started; by hand in the editor if not said. */
	mode?: WorkflowExecuteMode;
	settings?: IWorkflowSettings;
	pinData?: IPinData;
	/** The node to start at; the trigger if not said. */
	startNode?: string;
	/** When n8n has to stop the run between two nodes, in milliseconds since 1970. */
	executionTimeoutTimestamp?: number;
}

/** What came out of a run. */
export interface Result {
	/** Everything the engine returned: what n8n would save as the execution. */
	run: IRun;
	status: ExecutionStatus;
	/** The error that ended the run, if one did. */
	error: ExecutionError | undefined;
	/** Every output of a node with its items; empty when the node did not run. */
	outputs(node: string, runIndex?: number): INodeExecutionData[][];
	/** The items of one output of a node. */
	items(node: string, output?: number, runIndex?: number): INodeExecutionData[];
	/** The JSON of the items of one output of a node. */
	json(node: string, output?: number, runIndex?: number): IDataObject[];
	/** The error a node ended with, also when the run went on after it. */
	errorOf(node: string, runIndex?: number): ExecutionError | undefined;
}

/** A run under way. */
export interface Running {
	executionId: string;
	/** Stops the run as n8n's stop button does. */
	cancel(): void;
	/** Settles when the last node has ended, also after a cancellation. */
	done: Promise<Result>;
}

let executions = 0;

function summarize(run: IRun): Result {
	const { runData, error } = run.data.resultData;
	const task = (node: string, runIndex: number) => runData[node]?.[runIndex];
	const outputs = (node: string, runIndex = 0) =>
		(task(node, runIndex)?.data?.main ?? []).map((list) => list ?? []);
	const items = (node: string, output = 0, runIndex = 0) => outputs(node, runIndex)[output] ?? [];
	return {
		run,
		status: run.status,
		error,
		outputs,
		items,
		json: (node, output, runIndex) => items(node, output, runIndex).map(({ json }) => json),
		errorOf: (node, runIndex = 0) => task(node, runIndex)?.error,
	};
}

/**
 * Starts a workflow on n8n's engine.
 *
 * @throws WorkflowHasIssuesError when a node lacks a required parameter or is of unknown type
 */
export function startWorkflow(options: RunOptions): Running {
	const { nodes, connections, host, mode = 'manual', pinData } = options;
	executions += 1;
	const executionId = String(executions);
	const workflowData = workflowRecord({
		id: `workflow-${executionId}`,
		// The engine writes into nodes, so a drawing that is run twice must not be shared.
		nodes: structuredClone(nodes),
		connections,
		settings: { executionOrder: 'v1', ...options.settings },
	});
	const workflow = new n8n.Workflow({ ...workflowData, nodeTypes: host.nodeTypes });
	const execution = {
		executionId,
		mode,
		workflowData,
		executionTimeoutTimestamp: options.executionTimeoutTimestamp,
	};
	const engine = new core.WorkflowExecute(additionalData(options.credentials, execution), mode);
	const startNode = options.startNode ? workflow.getNode(options.startNode) : null;
	const running = engine.run({
		workflow,
		...(startNode && { startNode }),
		...(pinData && { pinData }),
	});
	return { executionId, cancel: () => running.cancel(), done: running.then(summarize) };
}

/** Runs a workflow on n8n's engine to its end. Errors of nodes are in the result, not thrown. */
export async function runWorkflow(options: RunOptions): Promise<Result> {
	return await startWorkflow(options).done;
}
