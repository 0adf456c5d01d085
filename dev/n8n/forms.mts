/** Fills in n8n's forms, as a person does in a browser. */
import { setTimeout as sleep } from 'node:timers/promises';

/** The user and password that a form asks for. */
export interface Login {
	user: string;
	password: string;
}

/** The last page of a form. */
export interface LastPage {
	title: string;
	message: string;
	/** The files that the browser saves, by name. */
	files: Map<string, Buffer>;
}

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
	login?: Login,
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

/** Waits until a run has come to the last page of its form; gives the address of that page. */
async function lastPageAddress(answer: string): Promise<string> {
	const { formWaitingUrl } = JSON.parse(answer) as { formWaitingUrl: string };
	const status = new URL(formWaitingUrl);
	status.pathname += '/n8n-execution-status';
	for (let i = 0; i < 300; i += 1) {
		const text = (await (await fetch(status)).text()).trim();
		if (text === 'form-waiting') return formWaitingUrl;
		if (!['new', 'running', 'waiting'].includes(text)) throw new Error(`The run ended: ${text}`);
		await sleep(200);
	}
	throw new Error('The form has no last page');
}

/**
 * Opens the last page of a submitted form, which ends its run.
 *
 * @param answer what n8n answered to the form
 * @throws Error when the run ends without that page
 */
export async function openLastPage(answer: string): Promise<LastPage> {
	const address = await lastPageAddress(answer);
	const page = await (await fetch(address)).text();
	const ended = await fetch(address, { method: 'POST' });
	await ended.body?.cancel();
	if (!ended.ok) throw new Error(`The last page was answered with HTTP ${ended.status}`);
	const text = (pattern: RegExp): string => pattern.exec(page)?.[1]?.trim() ?? '';
	const encoded = decodeURIComponent(text(/const binaries = "([^"]*)"/) || '[]');
	const files = JSON.parse(encoded) as Array<{
		fileName: string;
		data: { data: number[] } | string;
	}>;
	return {
		title: text(/<h1>(.*?)<\/h1>/s),
		message: text(/<p style="white-space: pre-line;">(.*?)<\/p>/s),
		files: new Map(
			files.map(({ fileName, data }) => [
				fileName,
				typeof data === 'string' ? Buffer.from(data, 'latin1') : Buffer.from(data.data),
			]),
		),
	};
}
