/** Fills in n8n's forms, as a person does in a browser. */

/** The names of a form's fields by their labels, as they stand on its page. */
function fieldsOf(page: string): Map<string, string> {
	const labels = page.matchAll(
		/<label class='form-label[^']*' for='(field-\d+)'>([^<]+)<\/label>/g,
	);
	return new Map([...labels].map(([, name = '', label = '']) => [label.trim(), name]));
}

/**
 * Opens a form, fills in its fields by their labels and submits it; gives the page that was opened.
 *
 * @throws Error when the form does not exist, has other fields, or is not accepted
 */
export async function sendForm(address: string, answers: Record<string, string>): Promise<string> {
	const opened = await fetch(address);
	const page = await opened.text();
	const fields = fieldsOf(page);
	if (!opened.ok || [...fields.keys()].join() !== Object.keys(answers).join()) {
		throw new Error(`HTTP ${opened.status}, with the fields ${[...fields.keys()].join(', ')}`);
	}
	const body = new FormData();
	for (const [label, answer] of Object.entries(answers)) body.set(fields.get(label) ?? '', answer);
	const sent = await fetch(address, { method: 'POST', body });
	if (!sent.ok) throw new Error(`The form was answered with HTTP ${sent.status}`);
	return page;
}
