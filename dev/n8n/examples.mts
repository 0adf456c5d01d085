/** The workflows of the folder `examples` in a real n8n, each started the way it is meant to be. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import { CREDENTIAL_TYPE } from '../package/payroll.mts';
import { exampleWorkflow, exampleWorkflows, withFields } from '../package/workflow-file.mts';
import type { Execution, WorkflowDraft } from './api.mts';
import { startChatModel } from './chat-model.mts';
import { openLastPage, sendForm, type LastPage, type Login } from './forms.mts';
import type { Stage } from './stage.mts';

/** How long n8n may take for something on a slow and busy machine, in milliseconds. */
const patience = 60_000;

const chatTrigger = '@n8n/n8n-nodes-langchain.chatTrigger';
const formTrigger = 'n8n-nodes-base.formTrigger';
const approvalForm = 'n8n-nodes-base.wait';
const webhook = 'n8n-nodes-base.webhook';
const httpRequest = 'n8n-nodes-base.httpRequest';

/** What an employee fills in, and an approver. */
const addressChange = {
	'Employee ID': '1001',
	Street: 'Nieuwe Gracht & Kade',
	'House Number': '12',
	'House Number Addition': '',
	'Postal Code': '3512 LC',
	City: 'Utrecht',
	'Country ISO Code': 'NL',
};
const approval = { Approve: 'Yes', Period: '6', Year: '2026' };

/** The login of the forms, and of the webhooks. */
export const formLogin: Login = { user: 'clerk', password: 'Payroll-2026' };

/** Addresses, as a clerk has them in a spreadsheet. */
const addressList = `Employee ID;Street;House Number;House Number Addition;Postal Code;City;Country ISO Code
1001;Nieuwe Gracht & Kade;12;;3512 LC;Utrecht;NL
1002;Hauptstraße;007;B;01067;Dresden;DE
`;

function find({ nodes }: WorkflowDraft, type: string): INode | undefined {
	return nodes.find((node) => node.type === type);
}

/** The nodes of a workflow that an n8n does not have, or not in their versions. */
export async function unknownNodes({ api }: Stage, { nodes }: WorkflowDraft): Promise<INode[]> {
	const types = await api.typesOf(nodes);
	return nodes.filter((_, index) => types[index] === undefined);
}

/** The last node of this package that ran, or the last of all if there is none, and how many items it gave. */
export function lastGiven({ nodes }: WorkflowDraft, execution: Execution): [string, number] {
	const own = nodes.filter(({ type }) => type.startsWith('n8n-nodes-payroll.'));
	const last = own.findLast((node) => execution.runs(node.name).length > 0)?.name;
	const name = last ?? execution.data.resultData.lastNodeExecuted ?? '';
	const { main, ai_tool: tool } = execution.runs(name).at(-1)?.data ?? {};
	return [name, (main ?? tool)?.[0]?.length ?? 0];
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

/** Creates an example with a form, and activates it; gives its id. */
export async function activateForm(stage: Stage, draft: WorkflowDraft): Promise<string> {
	const workflow = await createExample(stage, draft);
	await stage.api.activate(workflow);
	return workflow;
}

/** The address of a workflow's form. */
export async function formAddress({ api, n8n }: Stage, workflow: string): Promise<string> {
	const { nodes } = await api.workflow(workflow);
	const path = nodes.find(({ type }) => type === formTrigger)?.webhookId ?? '';
	return `${n8n.url}/form/${path}`;
}

/** A requested change of address. */
export interface Asked {
	/** The execution of the employee's own form. */
	employee: Execution;
	/** The id of the execution that waits for the approver. */
	waiting: string;
	/** The address of the approver's form, from the message to the approver. */
	approve: string;
}

/** Submits the employee's form, and waits until an approver is asked. */
export async function askForAddress(
	stage: Stage,
	workflow: string,
	changes: Partial<typeof addressChange> = {},
): Promise<Asked> {
	const { api } = stage;
	const before = (await api.executions({ workflowId: workflow })).map(({ id }) => id);
	const address = await formAddress(stage, workflow);
	await sendForm(address, { ...addressChange, ...changes }, formLogin);
	const limit = Date.now() + patience;
	for (;;) {
		const all = await api.executions({ workflowId: workflow });
		const [waiting, own] = ['waiting', 'success'].map(
			(status) => all.find((one) => one.status === status && !before.includes(one.id))?.id,
		);
		if (waiting !== undefined && own !== undefined) {
			const execution = await api.execution(waiting);
			const [{ message = '' } = {}] = execution.items('Tell the Approver');
			const approve = /http\S+$/.exec(String(message))?.[0] ?? '';
			return { employee: await api.execution(own), waiting, approve };
		}
		if (Date.now() > limit) throw new Error('Nobody was asked to approve');
		await sleep(200);
	}
}

/** Submits the approver's form; gives the execution that waited for it, once it has ended. */
export async function approveAddress(
	{ api }: Stage,
	{ waiting, approve }: Asked,
	changes: Partial<typeof approval> = {},
): Promise<Execution> {
	await sendForm(approve, { ...approval, ...changes });
	return await api.finished(waiting);
}

/** Uploads a spreadsheet of addresses; gives the last page of the form, and the execution once it has ended. */
export async function uploadAddresses(
	stage: Stage,
	workflow: string,
	file: File,
	run: 'Dry run: insert nothing' | 'Insert the addresses',
): Promise<{ page: LastPage; execution: Execution }> {
	const { api } = stage;
	const answers = { Spreadsheet: file, Period: '6', Year: '2026', Run: run };
	const count = (await api.executions({ workflowId: workflow })).length;
	const answer = await sendForm(await formAddress(stage, workflow), answers, formLogin);
	const page = await openLastPage(answer);
	const [execution] = await api.ended(workflow, count + 1);
	if (!execution) throw new Error('The form started no execution');
	return { page, execution };
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
	const chunkUrl = `${stage.n8n.url}/webhook/${find(draft, webhook)?.webhookId ?? ''}`;
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

/** Runs a fan-out of one chunk anew; gives the execution of the given workflow, one of its two. */
async function runFanOut(stage: Stage, { name }: WorkflowDraft): Promise<Execution> {
	const [file = ''] = [...exampleWorkflows()].find(([, draft]) => draft.name === name) ?? [];
	const isChunk = file.endsWith('-chunk.json');
	const pair = file.replace(/(-chunk)?\.json$/, '');
	const fanOut = await createFanOut(stage, pair);
	try {
		const writes = isChunk && pair === 'fan-out-write';
		const settings = { run: '={{ $execution.id }}', ...(writes && { dryRun: false }) };
		const parent = await fanOut.create(settings);
		const execution = await stage.api.run(parent, { timeout: patience });
		const [started = execution] = isChunk ? await stage.api.ended(fanOut.chunk, 1) : [];
		return started;
	} finally {
		await stage.api.deactivate(fanOut.chunk);
	}
}

async function runForm(stage: Stage, draft: WorkflowDraft): Promise<Execution> {
	const workflow = await activateForm(stage, draft);
	try {
		if (find(draft, approvalForm)) {
			return await approveAddress(stage, await askForAddress(stage, workflow));
		}
		const file = new File([addressList], 'addresses.csv');
		return (await uploadAddresses(stage, workflow, file, 'Dry run: insert nothing')).execution;
	} finally {
		await stage.api.deactivate(workflow);
	}
}

/** Asks in the editor's chat, with a stub in the place of the chat model. */
async function runChat({ api, credential }: Stage, draft: WorkflowDraft): Promise<Execution> {
	const model = await startChatModel({ employeeId: 1003 });
	try {
		const data = { apiKey: 'stub', url: model.url };
		const openAiApi = await api.createCredential('openAiApi', data, 'Stub of a chat model');
		const credentials = { [CREDENTIAL_TYPE]: credential, openAiApi };
		const item = { action: 'sendMessage', chatInput: 'Where does employee 1003 live?' };
		return await api.run(await api.createWorkflow(draft, credentials), { item });
	} finally {
		await model.stop();
	}
}

/**
 * Runs an example the way it is meant to be started: by the editor's button (that is also how a
 * schedule is tried), by a form with its approval or its file, by a message in the editor's chat, or
 * as a pair of workflows, the first of which starts the second.
 */
export async function runExample(stage: Stage, draft: WorkflowDraft): Promise<Execution> {
	if (find(draft, formTrigger)) return await runForm(stage, draft);
	if (find(draft, chatTrigger)) return await runChat(stage, draft);
	if (find(draft, webhook) ?? find(draft, httpRequest)) return await runFanOut(stage, draft);
	return await stage.api.run(await stage.create(draft), { timeout: patience });
}
