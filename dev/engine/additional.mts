import type {
	ICredentialsHelper,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { core, workflow } from './n8n.mts';

const instance = 'http://localhost:5678/';

/** Rejects a call that the tests' engine does not support, naming it, so that none is ignored. */
export function unsupported(what: string) {
	return async (): Promise<never> => {
		throw new workflow.OperationalError(`${what} is not offered by the tests' engine`);
	};
}

/** A workflow as n8n's database stores it, with defaults for the parts that are missing. */
export function workflowRecord(
	parts: Pick<IWorkflowBase, 'id' | 'nodes' | 'connections'> & Partial<IWorkflowBase>,
): IWorkflowBase {
	const now = new Date();
	return {
		name: parts.id,
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: now,
		updatedAt: now,
		...parts,
	};
}

/** One run of a workflow. */
export interface Execution {
	executionId: string;
	mode: WorkflowExecuteMode;
	workflowData: IWorkflowBase;
	/** The execution that this one retries. */
	retryOf?: string | undefined;
}

/** What n8n's server passes to the engine besides the workflow. */
export function additionalData(
	credentialsHelper: ICredentialsHelper,
	{ executionId, mode, workflowData, retryOf }: Execution,
): IWorkflowExecuteAdditionalData {
	return {
		credentialsHelper,
		executionId,
		hooks: new core.ExecutionLifecycleHooks(mode, executionId, workflowData, retryOf),
		externalSecretsProxy: new core.ExternalSecretsProxy(),
		currentNodeExecutionIndex: 0,
		variables: {},
		workflowId: workflowData.id,
		userId: 'user',
		executeWorkflow: unsupported('A sub-workflow'),
		startRunnerTask: unsupported('A task runner'),
		getRuntimeCredential: unsupported('A runtime credential'),
		getRunExecutionData: async () => undefined,
		logAiEvent: () => {},
		restApiUrl: `${instance}rest`,
		instanceBaseUrl: instance,
		formBaseUrl: `${instance}form`,
		formWaitingBaseUrl: `${instance}form-waiting`,
		formTestBaseUrl: `${instance}form-test`,
		webhookBaseUrl: `${instance}webhook`,
		webhookWaitingBaseUrl: `${instance}webhook-waiting`,
		webhookTestBaseUrl: `${instance}webhook-test`,
		mcpBaseUrl: `${instance}mcp`,
		mcpTestBaseUrl: `${instance}mcp-test`,
	};
}
