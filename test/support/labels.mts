/** The texts of today's forms, errors and examples, as a person reads them. */
import { PayrollOAuth2Api } from '../../credentials/PayrollOAuth2Api.credentials.ts';
import { exampleWorkflows } from '../../dev/package/workflow-file.mts';
import { PayrollCompany } from '../../nodes/PayrollCompany/PayrollCompany.node.ts';
import { PayrollEmployee } from '../../nodes/PayrollEmployee/PayrollEmployee.node.ts';
import { PayrollHourCodes } from '../../nodes/PayrollHourCodes/PayrollHourCodes.node.ts';
import { texts } from '../../nodes/shared/errors/catalogue.ts';

/** A text of this length is also found within another one. */
const FRAGMENT = 20;

/** All strings in a value, without their places for values. */
function stringsIn(value: unknown): string[] {
	if (typeof value === 'string') {
		const parts = value.split(/\{\w+\}|\n/).map((part) => part.trim());
		return parts.filter((part) => /\p{L}/u.test(part));
	}
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(stringsIn);
}

const descriptions = [new PayrollCompany(), new PayrollEmployee(), new PayrollHourCodes()].map(
	({ description }) => description,
);
const examples = [...exampleWorkflows().values()].flatMap(({ nodes }) =>
	nodes.map(({ name, parameters }) => [name, parameters]),
);

/** Today's texts. */
export const labels: ReadonlySet<string> = new Set(
	stringsIn([descriptions, new PayrollOAuth2Api().properties, texts, examples]),
);

const fragments = [...labels].filter((label) => label.length >= FRAGMENT);

/** The texts of today that a visible text is or contains. */
export function labelsIn(text: string): string[] {
	return labels.has(text) ? [text] : fragments.filter((fragment) => text.includes(fragment));
}
