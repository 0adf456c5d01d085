/** An execution of a workflow, as n8n stored it, made easy to look into. */
import { parse } from 'flatted';
import type { IDataObject, IRunExecutionData, ITaskData, WorkflowExecuteMode } from 'n8n-workflow';

/** How far an execution is; the first three are not the end. */
export type Status = 'new' | 'running' | 'waiting' | 'success' | 'error' | 'canceled' | 'crashed';

/** One line of the list of executions. */
export interface ExecutionSummary {
	id: string;
	workflowId: string;
	status: Status;
	mode: WorkflowExecuteMode;
	startedAt?: string;
	stoppedAt?: string;
}

/** An error of a node or of the whole execution, as the editor shows it. */
export interface StoredError {
	name?: string;
	message: string;
	description?: string | null;
	httpCode?: string | null;
	context?: IDataObject;
	[more: string]: unknown;
}

/** An execution with its data. */
export interface Execution extends ExecutionSummary {
	/** What ended it, if it failed. */
	error?: StoredError;
	/** Everything n8n stored: every run of every node. */
	data: IRunExecutionData;
	/**
	 * The items of a node's last run.
	 *
	 * @throws Error when the node did not run; its error, if it has one
	 */
	items(node: string): IDataObject[];
	/** Every run of a node, in order; empty when it did not run. */
	runs(node: string): ITaskData[];
}

/** What n8n's API gives for an execution; `data` in the `flatted` format. */
export type StoredExecution = ExecutionSummary & { data: string };

/** Whether nothing more will happen in an execution. */
export function hasEnded({ status }: ExecutionSummary): boolean {
	return !['new', 'running', 'waiting'].includes(status);
}

/** n8n wants its own factory to be used for what it is to run; this is only read. */
const nothingYet = { version: 1, resultData: { runData: {} } } as unknown as IRunExecutionData;

/** Makes an execution out of what n8n's API gives. */
export function execution(stored: StoredExecution): Execution {
	// While an execution runs, there may be nothing yet.
	const parsed = parse(stored.data) as IRunExecutionData | undefined;
	const data = parsed?.resultData ? parsed : nothingYet;
	const { error } = data.resultData;
	const runs = (node: string): ITaskData[] => data.resultData.runData[node] ?? [];
	return {
		...stored,
		// It has lost its class on its way through the database.
		...(error && { error: error as unknown as StoredError }),
		data,
		runs,
		items(node) {
			const last = runs(node).at(-1);
			if (!last) throw new Error(`"${node}" did not run: ${error?.message ?? stored.status}`);
			if (last.error) throw new Error(`"${node}" failed: ${last.error.message}`);
			return (last.data?.main?.[0] ?? []).map(({ json }) => json);
		},
	};
}
