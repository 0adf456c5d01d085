/** Fills in n8n's forms, as a person does in a browser: those of any workflow, and those of the examples. */
import type { Execution, WorkflowDraft } from '../../../dev/n8n/api.mts';
import { createExample, formLogin } from '../../../dev/n8n/examples.mts';
import type { Stage } from '../../../dev/n8n/stage.mts';
import { until } from '../setUp.mts';

/** The names of a form's fields by their labels, as they stand on its page. */
function fieldsOf(page: string): Map<string, string> {
	const labels = page.matchAll(
		/<label class='form-label[^']*' for='(field-\d+)'>([^<]+)<\/label>/g,
	);
	return new Map([...labels].map(([, name = '', label = '']) => [label.trim(), name]));
}

/**
 * Opens a form, fills in its fields by their labels and submits it; gives what n8n answers.
 *
 * @throws Error when the form does not exist, has other fields, or is not accepted
 */
export async function sendForm(
	address: string,
	answers: Record<string, string | File>,
	login?: typeof formLogin,
): Promise<string> {
	const basic = login && Buffer.from(`${login.user}:${login.password}`).toString('base64');
	const opened = await fetch(address, {
		...(basic && { headers: { Authorization: `Basic ${basic}` } }),
	});
	const page = await opened.text();
	const fields = fieldsOf(page);
	if (!opened.ok || [...fields.keys()].join() !== Object.keys(answers).join()) {
		throw new Error(`HTTP ${opened.status}, with the fields ${[...fields.keys()].join(', ')}`);
	}
	const body = new FormData();
	for (const [label, answer] of Object.entries(answers)) body.set(fields.get(label) ?? '', answer);
	// The page has no origin and therefore no login of the browser's: it sends a token instead.
	const token = /const authToken = '([^']+)'/.exec(page)?.[1];
	const headers = { ...(token && { 'x-auth-token': token }) };
	const sent = await fetch(address, { method: 'POST', body, headers });
	if (!sent.ok) throw new Error(`The form was answered with HTTP ${sent.status}`);
	return await sent.text();
}

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

/** Creates an example with a form, and activates it; gives its id. */
export async function activateForm(
	stage: Stage,
	draft: WorkflowDraft,
	others?: Parameters<typeof createExample>[2],
): Promise<string> {
	const workflow = await createExample(stage, draft, others);
	await stage.api.activate(workflow);
	return workflow;
}

/** The address of a workflow's form. */
export async function formAddress({ api, n8n }: Stage, workflow: string): Promise<string> {
	const { nodes } = await api.workflow(workflow);
	const path = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger')?.webhookId ?? '';
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
	let [waiting, own] = ['', ''];
	await until('an approver is asked', async () => {
		const all = (await api.executions({ workflowId: workflow })).filter(
			({ id }) => !before.includes(id),
		);
		[waiting = '', own = ''] = ['waiting', 'success'].map(
			(status) => all.find((one) => one.status === status)?.id,
		);
		return waiting !== '' && own !== '';
	});
	const [{ message = '' } = {}] = (await api.execution(waiting)).items('Tell the Approver');
	const approve = /http\S+$/.exec(String(message))?.[0] ?? '';
	return { employee: await api.execution(own), waiting, approve };
}

/** Submits the approver's form; gives n8n's answer, and the execution that waited for it, once it has ended. */
export async function approveAddress(
	{ api }: Stage,
	{ waiting, approve }: Asked,
	changes: Partial<typeof approval> = {},
): Promise<{ execution: Execution; page: string }> {
	const page = await sendForm(approve, { ...approval, ...changes });
	return { execution: await api.finished(waiting), page };
}
