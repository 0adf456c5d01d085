import type {
	ExecutionError,
	ExecutionStatus,
	ICredentialsHelper,
	IDataObject,
	INodeExecutionData,
	IRun,
	IRunExecutionData,
	IWorkflowSettings,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalData, workflowRecord } from './additional.mts';
import type { Drawing } from '../drawing.mts';
import type { Host } from './host.mts';
import { core, workflow as n8n } from './n8n.mts';

/** A workflow to run and what it runs on. */
export interface RunOptions extends Drawing {
	host: Pick<Host, 'nodeTypes'>;
	credentials: ICredentialsHelper;
	/** How the run was started; by default, by hand in the editor. */
	mode?: WorkflowExecuteMode;
	settings?: IWorkflowSettings;
	/** The id of the workflow; by default, each run has another one. */
	id?: string;
}

/** The result of a run. */
export interface Result {
	/** The id of its execution. */
	id: string;
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
	/** The texts of the hints of a node. */
	hints(node?: string): string[];
}

/** A run under way. */
export interface Running {
	/** Stops the run as n8n's stop button does. */
	cancel(): void;
	/** Settles when the last node has ended, also after a cancellation. */
	done: Promise<Result>;
}

let executions = 0;

function summarize(run: IRun, id: string): Result {
	const { runData, error } = run.data.resultData;
	const task = (node: string, runIndex: number) => runData[node]?.[runIndex];
	const outputs = (node: string, runIndex = 0) =>
		(task(node, runIndex)?.data?.main ?? []).map((list) => list ?? []);
	const items = (node: string, output = 0, runIndex = 0) => outputs(node, runIndex)[output] ?? [];
	return {
		id,
		run,
		status: run.status,
		error,
		outputs,
		items,
		json: (node, output, runIndex) => items(node, output, runIndex).map(({ json }) => json),
		errorOf: (node, runIndex = 0) => task(node, runIndex)?.error,
		hints: (node = 'Payroll') => (task(node, 0)?.hints ?? []).map(({ message }) => message),
	};
}

/** An execution that can be started: its workflow, and n8n's engine with the data of the run so far. */
interface Prepared {
	workflow: Workflow;
	executionId: string;
	engine(soFar?: IRunExecutionData): InstanceType<typeof core.WorkflowExecute>;
}

function prepare(options: RunOptions, retryOf?: string): Prepared {
	const { nodes, connections, host, credentials, mode = 'manual' } = options;
	executions += 1;
	const executionId = String(executions);
	const workflowData = workflowRecord({
		id: options.id ?? `workflow-${executionId}`,
		// The engine writes into nodes, so a drawing that is run twice must not be shared.
		nodes: structuredClone(nodes),
		connections,
		settings: { executionOrder: 'v1', ...options.settings },
	});
	const additional = additionalData(credentials, {
		...{ executionId, mode, workflowData, retryOf },
	});
	return {
		workflow: new n8n.Workflow({ ...workflowData, nodeTypes: host.nodeTypes }),
		executionId,
		engine: (soFar) => new core.WorkflowExecute(additional, mode, soFar),
	};
}

/**
 * Starts a workflow on n8n's engine.
 *
 * @throws WorkflowHasIssuesError when a node lacks a required parameter or is of unknown type
 */
export function startWorkflow(options: RunOptions): Running {
	const { workflow, engine, executionId } = prepare(options);
	const running = engine().run({ workflow });
	return {
		cancel: () => running.cancel(),
		done: running.then((run) => summarize(run, executionId)),
	};
}

/** Runs a workflow that an execution calls, from its first node, as n8n's server does. */
export async function runSubWorkflow(options: RunOptions, caller: string): Promise<Result> {
	const called = { ...options, id: 'called', mode: 'integrated' } as const;
	const { workflow, engine, executionId } = prepare(called);
	const [node] = Object.values(workflow.nodes);
	const parentExecution = { executionId: caller, workflowId: 'calling' };
	const data = n8n.createRunExecutionData({
		executionData: {
			nodeExecutionStack: node
				? [{ node, data: { main: [[{ json: {} }]] }, metadata: { parentExecution }, source: null }]
				: [],
		},
		parentExecution,
	});
	return summarize(await engine(data).processRunExecutionData(workflow), executionId);
}

/** Runs a workflow on n8n's engine to its end. Errors of nodes are in the result, not thrown. */
export async function runWorkflow(options: RunOptions): Promise<Result> {
	return await startWorkflow(options).done;
}

/**
 * Retries a failed run as n8n's server does: from the failed node, with the data kept of the run, as a
 * new execution.
 *
 * @param options those the run was started with; its nodes may have other parameters by now
 */
export async function retryWorkflow(
	options: RunOptions,
	{ id, run }: Pick<Result, 'id' | 'run'>,
): Promise<Result> {
	// As n8n reads it from its database, where an error is plain data.
	const soFar = JSON.parse(JSON.stringify(run.data)) as IRunExecutionData;
	const { resultData, executionData } = soFar;
	const { lastNodeExecuted = '' } = resultData;
	delete resultData.error;
	if (resultData.runData[lastNodeExecuted]?.at(-1)?.error)
		resultData.runData[lastNodeExecuted]?.pop();
	const { workflow, engine, executionId } = prepare({ ...options, mode: 'retry' }, id);
	for (const entry of executionData?.nodeExecutionStack ?? []) {
		entry.node = workflow.getNode(entry.node.name) ?? entry.node;
	}
	return summarize(await engine(soFar).processRunExecutionData(workflow), executionId);
}
