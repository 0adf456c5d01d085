import type {
	ExecutionError,
	ExecutionStatus,
	ICredentialsHelper,
	IDataObject,
	INodeExecutionData,
	IPinData,
	IRun,
	IRunExecutionData,
	ITaskData,
	IWorkflowExecuteAdditionalData,
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
	pinData?: IPinData;
	/** The workflow's id; a new one by default. */
	workflowId?: string;
	/** The node to start at; the trigger by default. */
	startNode?: string;
	/** The items that arrive at that node, as from a submitted form; by default it makes its own. */
	event?: IDataObject[];
	/** When n8n has to stop the run between two nodes, in milliseconds since 1970. */
	executionTimeoutTimestamp?: number;
	/** Answers the requests of nodes in place of the services, as when n8n evaluates a workflow. */
	mock?: EvaluationMock;
}

/** n8n's hook that answers the requests of nodes when a workflow is evaluated. */
export type EvaluationMock = NonNullable<IWorkflowExecuteAdditionalData['evalLlmMockHandler']>;

/** The result of a run. */
export interface Result {
	/** The number of the execution. */
	executionId: string;
	/** Results of the runs that the workflow started by calling itself without waiting. */
	called: readonly Result[];
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

function summarize(executionId: string, run: IRun, called: readonly Result[]): Result {
	const { runData, error } = run.data.resultData;
	const task = (node: string, runIndex: number) => runData[node]?.[runIndex];
	const outputs = (node: string, runIndex = 0) =>
		(task(node, runIndex)?.data?.main ?? []).map((list) => list ?? []);
	const items = (node: string, output = 0, runIndex = 0) => outputs(node, runIndex)[output] ?? [];
	return {
		executionId,
		called,
		run,
		status: run.status,
		error,
		outputs,
		items,
		json: (node, output, runIndex) => items(node, output, runIndex).map(({ json }) => json),
		errorOf: (node, runIndex = 0) => task(node, runIndex)?.error,
	};
}

/** An execution that can be started: its workflow, n8n's engine for it, and its result. */
interface Prepared {
	workflow: Workflow;
	/** The engine, with the data of the run so far. */
	engine(soFar?: IRunExecutionData): InstanceType<typeof core.WorkflowExecute>;
	summary(run: IRun): Promise<Result>;
}

type ExecuteWorkflow = IWorkflowExecuteAdditionalData['executeWorkflow'];

/** Lets a workflow call itself without waiting for it; other calls are refused. */
function callingItself(
	options: RunOptions & { workflowId: string },
	called: Array<Promise<Result>>,
): ExecuteWorkflow {
	return async ({ id }, _, { inputData = [], doNotWaitToFinish }) => {
		const start = options.nodes.find(({ type }) => type.endsWith('.executeWorkflowTrigger'));
		if (id !== options.workflowId || !doNotWaitToFinish || !start) {
			throw new n8n.OperationalError(
				"The tests' engine calls no other workflow, nor waits for one",
			);
		}
		const event = inputData.map(({ json }) => json);
		const call = startWorkflow({ ...options, mode: 'integrated', startNode: start.name, event });
		called.push(call.done);
		return { executionId: call.executionId, data: [null] };
	};
}

function prepare(options: RunOptions, executionId: string): Prepared {
	const { nodes, connections, host, credentials, mode = 'manual' } = options;
	const workflowId = options.workflowId ?? `workflow-${executionId}`;
	const workflowData = workflowRecord({
		id: workflowId,
		// The engine writes into nodes, so a drawing that is run twice must not be shared.
		nodes: structuredClone(nodes),
		connections,
		settings: { executionOrder: 'v1', ...options.settings },
	});
	const { executionTimeoutTimestamp } = options;
	const execution = { executionId, mode, workflowData, executionTimeoutTimestamp };
	const called: Array<Promise<Result>> = [];
	const additional = additionalData(
		credentials,
		execution,
		callingItself({ ...options, workflowId }, called),
	);
	if (options.mock) additional.evalLlmMockHandler = options.mock;
	return {
		workflow: new n8n.Workflow({ ...workflowData, nodeTypes: host.nodeTypes }),
		engine: (soFar) => new core.WorkflowExecute(additional, mode, soFar),
		summary: async (run) => summarize(executionId, run, await Promise.all(called)),
	};
}

/** Items that arrived from outside, as n8n passes them to its engine. */
export function taskData(event: readonly IDataObject[]): ITaskData {
	const main = [event.map((json) => ({ json }))];
	return { startTime: Date.now(), executionTime: 0, executionIndex: 0, source: [], data: { main } };
}

/**
 * Starts a workflow on n8n's engine.
 *
 * @throws WorkflowHasIssuesError when a node lacks a required parameter or is of unknown type
 */
export function startWorkflow(options: RunOptions): Running {
	executions += 1;
	const executionId = String(executions);
	const { pinData, event } = options;
	const { workflow, engine, summary } = prepare(options, executionId);
	const startNode = options.startNode ? workflow.getNode(options.startNode) : null;
	const data = event && taskData(event);
	const running = engine().run({
		workflow,
		...(startNode && { startNode }),
		...(startNode && data && { triggerToStartFrom: { name: startNode.name, data } }),
		...(pinData && { pinData }),
	});
	return { executionId, cancel: () => running.cancel(), done: running.then(summary) };
}

/** Runs a workflow on n8n's engine to its end. Errors of nodes are in the result, not thrown. */
export async function runWorkflow(options: RunOptions): Promise<Result> {
	return await startWorkflow(options).done;
}

/**
 * Resumes a run that waits for a form, as n8n's server does.
 *
 * @param options those the run was started with
 * @param form what was filled in; without it, the wait has timed out
 */
export async function resumeWorkflow(
	options: RunOptions,
	{ run, executionId }: Result,
	form?: IDataObject,
): Promise<Result> {
	// As n8n reads it from its database.
	const soFar = structuredClone(run.data);
	const [waiting] = soFar.executionData?.nodeExecutionStack ?? [];
	if (!waiting || !soFar.waitTill) throw new n8n.OperationalError('The run does not wait');
	if (form) {
		delete soFar.waitTill;
		soFar.resultData.runData[waiting.node.name]?.pop();
		waiting.node.disabled = true;
		waiting.data.main = [[{ json: form }]];
		waiting.metadata = { ...waiting.metadata, forwardAllOutputs: true };
	}
	const { workflow, engine, summary } = prepare({ ...options, mode: run.mode }, executionId);
	return await summary(await engine(soFar).processRunExecutionData(workflow));
}

/**
 * Retries a failed run as n8n's server does: from the failed node, with the data kept of the run, as a
 * new execution.
 *
 * @param options those the run was started with; its nodes may have other parameters by now
 */
export async function retryWorkflow(options: RunOptions, { run }: Result): Promise<Result> {
	// As n8n reads it from its database, where an error is plain data.
	const soFar = JSON.parse(JSON.stringify(run.data)) as IRunExecutionData;
	const { resultData, executionData } = soFar;
	const { lastNodeExecuted = '' } = resultData;
	delete resultData.error;
	if (resultData.runData[lastNodeExecuted]?.at(-1)?.error)
		resultData.runData[lastNodeExecuted]?.pop();
	executions += 1;
	const { workflow, engine, summary } = prepare({ ...options, mode: 'retry' }, String(executions));
	for (const entry of executionData?.nodeExecutionStack ?? []) {
		entry.node = workflow.getNode(entry.node.name) ?? entry.node;
	}
	return await summary(await engine(soFar).processRunExecutionData(workflow));
}
