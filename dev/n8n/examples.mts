/** The workflows of the folder `examples` in a real n8n. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CREDENTIAL_TYPE } from '../package/payroll.mts';
import { exampleWorkflow, withFields } from '../package/workflow-file.mts';
import type { WorkflowDraft } from './api.mts';
import type { Stage } from './stage.mts';

/** How long n8n may take for something on a slow and busy machine, in milliseconds. */
const patience = 60_000;

/** The login of the forms, and of the webhooks. */
export const formLogin = { user: 'clerk', password: 'Payroll-2026' };

/** The types of nodes, with their versions, that a workflow has and an n8n does not. */
export async function unknownNodes({ api }: Stage, { nodes }: WorkflowDraft): Promise<string[]> {
	const types = await api.typesOf(nodes);
	const missing = nodes.filter((_, index) => types[index] === undefined);
	return missing.map(({ type, typeVersion }) => `${type} ${typeVersion}`);
}

/** Creates an example as a workflow, whose forms and webhooks ask for {@link formLogin}; gives its id. */
export async function createExample(
	{ api, credential }: Pick<Stage, 'api' | 'credential'>,
	draft: WorkflowDraft,
): Promise<string> {
	const credentials: Record<string, string> = { [CREDENTIAL_TYPE]: credential };
	if (draft.nodes.some((node) => node.credentials?.httpBasicAuth)) {
		const data = { ...formLogin };
		credentials.httpBasicAuth = await api.createCredential('httpBasicAuth', data, 'Payroll form');
	}
	return await api.createWorkflow(draft, credentials);
}

/** A fan-out in an n8n, whose chunk workflow is active. */
export interface FanOut {
	/** The id of the chunk workflow. */
	readonly chunk: string;
	/** The address of its webhook. */
	readonly chunkUrl: string;
	/** Creates the workflow that starts chunks, with other values in the node *Settings*; gives its id. */
	create(settings?: Record<string, unknown>): Promise<string>;
}

/**
 * Creates and activates the chunk workflow of a fan-out.
 *
 * @param name of the files, without `.json` and `-chunk.json`
 */
export async function createFanOut(
	stage: Pick<Stage, 'api' | 'n8n' | 'credential'>,
	name: string,
): Promise<FanOut> {
	const draft = exampleWorkflow(`${name}-chunk.json`);
	const chunk = await createExample(stage, draft);
	await stage.api.activate(chunk);
	const path = draft.nodes.find(({ webhookId }) => webhookId)?.webhookId ?? '';
	const chunkUrl = `${stage.n8n.url}/webhook/${path}`;
	const limit = Date.now() + patience;
	// Without the login nothing is started: the answer only says whether the webhook exists already.
	while ((await fetch(chunkUrl, { method: 'POST' })).status === 404) {
		if (Date.now() > limit) throw new Error(`There is no webhook at ${chunkUrl}`);
		await sleep(200);
	}
	const parent = withFields(exampleWorkflow(`${name}.json`), 'Settings', { chunkUrl });
	return {
		chunk,
		chunkUrl,
		create: async (settings = {}) =>
			await createExample(stage, withFields(parent, 'Settings', settings)),
	};
}
