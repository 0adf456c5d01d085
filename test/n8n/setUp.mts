/** What the tests in a real n8n set up and wait for. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Execution, WorkflowDraft } from '../../dev/n8n/api.mts';
import { startChatModel, type ChatModel } from '../../dev/n8n/chat-model.mts';
import { n8nVersions, type N8n } from '../../dev/n8n/host.mts';
import { openStage, type Stage, type StageOptions } from '../../dev/n8n/stage.mts';
import { CREDENTIAL_TYPE } from '../../dev/package/payroll.mts';
import { Pending } from '../support/setUp.mts';

/** The versions of n8n that tests of both versions run in: those that begin with `PAYROLL_TEST_N8N`. */
export const versions = n8nVersions.filter((version) =>
	version.startsWith(process.env.PAYROLL_TEST_N8N ?? ''),
);
if (versions.length === 0) throw new Error(`PAYROLL_TEST_N8N is none of ${n8nVersions.join(', ')}`);

/** How long a set-up may take, in milliseconds: on a bare machine n8n is installed and compiled first. */
export const INSTALLING = 30 * 60_000;

/** How long n8n may take for something on a slow and busy machine, in milliseconds. */
export const PATIENCE = 120_000;

/** Starts a sandbox and an n8n that is connected to it; each test begins with the sample data. */
export function useStage(options: StageOptions): Stage {
	const stage = new Pending<Stage>('stage');
	let opened: Stage | undefined;
	beforeAll(async () => stage.is((opened = await openStage(options))), INSTALLING);
	beforeEach(async () => await stage.object.sandbox.reset());
	afterAll(async () => await opened?.close());
	return stage.object;
}

/** Kills n8n and starts it again. */
export async function killAndRestart(stage: Stage): Promise<void> {
	await stage.n8n.kill();
	stage.n8n = await stage.n8n.restart();
}

/**
 * Waits until a condition holds.
 *
 * @throws Error saying what was waited for, when it takes too long
 */
export async function until(
	what: string,
	condition: () => boolean | Promise<boolean>,
	{ timeout = PATIENCE, interval = 50 } = {},
): Promise<void> {
	const limit = Date.now() + timeout;
	while (!(await condition())) {
		if (Date.now() > limit) throw new Error(`Waited in vain until ${what}`);
		await sleep(interval);
	}
}

/** Expects an execution that has ended well; gives it. */
export function succeeded(execution: Execution | undefined): Execution {
	expect(execution?.error).toBeUndefined();
	expect(execution?.status).toBe('success');
	return execution as Execution;
}

/** Calls a webhook, whether it exists or not. */
export async function callWebhook({ url }: N8n, path: string): Promise<Response> {
	const response = await fetch(`${url}/webhook/${encodeURIComponent(path)}`);
	await response.body?.cancel();
	return response;
}

/** Calls a webhook as soon as it exists: n8n 2 registers it a moment after the activation. */
export async function callOnceRegistered(n8n: N8n, path: string): Promise<void> {
	const isAnswered = async (): Promise<boolean> => (await callWebhook(n8n, path)).ok;
	await until(`there is a webhook "${path}"`, isAnswered, { interval: 200 });
}

/** Ends the triggers of a workflow; gives all executions once the running ones have ended. */
export async function deactivated({ api }: Stage, id: string): Promise<Execution[]> {
	await api.deactivate(id);
	return await api.ended(id, (await api.executions({ workflowId: id })).length, PATIENCE);
}

/**
 * Creates a workflow whose nodes use the connected account and a stub of a chat model, and works with both.
 *
 * @param given the arguments of the call that the model makes
 */
export async function withModel<T>(
	{ api, credential }: Pick<Stage, 'api' | 'credential'>,
	draft: WorkflowDraft,
	given: object,
	work: (workflow: string, model: ChatModel) => Promise<T>,
): Promise<T> {
	const model = await startChatModel(given);
	try {
		const data = { apiKey: 'stub', url: model.url };
		const openAiApi = await api.createCredential('openAiApi', data, 'Chat model');
		const ids = { [CREDENTIAL_TYPE]: credential, openAiApi };
		return await work(await api.createWorkflow(draft, ids), model);
	} finally {
		await model.stop();
	}
}
