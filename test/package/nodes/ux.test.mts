/**
 * n8n's UX guidelines, checked on the forms as the editor gets them. n8n's lint reads only literals,
 * and these forms are computed.
 */
import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { PayrollOAuth2Api } from '../../../credentials/PayrollOAuth2Api.credentials.ts';
import { PayrollCompany } from '../../../nodes/PayrollCompany/PayrollCompany.node.ts';
import { PayrollEmployee } from '../../../nodes/PayrollEmployee/PayrollEmployee.node.ts';
import { PayrollHourCodes } from '../../../nodes/PayrollHourCodes/PayrollHourCodes.node.ts';
import { soapOperations } from '../../../nodes/shared/contract/operations.ts';

/** A text that the editor shows. */
interface Text {
	/** The names from the form down to the text, for messages. */
	readonly where: string;
	readonly part: 'label' | 'description' | 'hint' | 'notice' | 'placeholder' | 'action';
	readonly text: string;
	/** The parameter's type; for the choices of an operation, `operation`. */
	readonly type: string;
}

/** A list whose entries the editor shows in this order. */
interface Shown {
	readonly where: string;
	readonly names: readonly string[];
}

interface Form {
	readonly texts: Text[];
	readonly lists: Shown[];
	/** Parameters that need a description and have none. */
	readonly undescribed: string[];
}

/** The types of parameters that need no description. */
const UNDESCRIBED = ['options', 'collection', 'notice', 'hidden'];

function visit(property: INodeProperties, outer: string, form: Form): void {
	const { displayName, name, type, description, hint, placeholder, options = [] } = property;
	if (type === 'hidden') return;
	const where = `${outer} > ${name}`;
	const add = (part: Text['part'], text: string | undefined, of: string = type, at = where) => {
		if (text !== undefined) form.texts.push({ where: at, part, text, type: of });
	};
	add(type === 'notice' ? 'notice' : 'label', displayName);
	add('description', description);
	add('hint', hint);
	add('placeholder', placeholder);
	if (description === undefined && !UNDESCRIBED.includes(type)) form.undescribed.push(where);
	if (type === 'collection') {
		const fields = options as INodeProperties[];
		form.lists.push({ where, names: fields.map((field) => field.displayName) });
		for (const field of fields) visit(field, where, form);
	} else if (type === 'fixedCollection') {
		for (const group of options as INodePropertyCollection[]) {
			add('label', group.displayName);
			for (const field of group.values) visit(field, `${where} > ${group.name}`, form);
		}
	} else {
		const choices = options as INodePropertyOptions[];
		// Scopes are the service's own names, in its order.
		if (type === 'multiOptions') return;
		form.lists.push({ where, names: choices.map((choice) => choice.name) });
		for (const choice of choices) {
			const at = `${where} > ${String(choice.value)}`;
			add('label', choice.name, type, at);
			add('description', choice.description, name, at);
			add('action', choice.action, name, at);
		}
	}
}

function formOf(name: string, properties: readonly INodeProperties[]): Form {
	const form: Form = { texts: [], lists: [], undescribed: [] };
	for (const property of properties) {
		const { resource, operation } = property.displayOptions?.show ?? {};
		visit(property, [name, resource, operation].filter(Boolean).join(' '), form);
	}
	return form;
}

const nodes: INodeTypeDescription[] = [PayrollEmployee, PayrollCompany, PayrollHourCodes].map(
	(Node) => new Node().description,
);
const forms = new Map<string, Form>(
	[...nodes, new PayrollOAuth2Api()].map(({ displayName, properties }) => [
		displayName,
		formOf(displayName, properties),
	]),
);
const all = [...forms.values()].flatMap(({ texts }) => texts);

const SMALL_WORDS = /^(a|an|and|as|at|by|for|if|in|of|on|or|per|the|to|with)$/;
const isTitleCase = (text: string): boolean =>
	text.split(/[ (]+/).every((word, i) => /^[^a-z]/.test(word) || (i > 0 && SMALL_WORDS.test(word)));

/** A text without quotations and code. */
const bare = (text: string): string =>
	text.replace(/<code>.*?<\/code>/g, '').replace(/(?<!\w)'[^']+'(?!\w)/g, '');

/** The labels that a text names without quotes. A single word counts unless it begins a sentence. */
function unquoted(text: string, labels: readonly string[]): string[] {
	return labels.filter((label) => {
		const escaped = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
		const before = label.includes(' ') ? '(?<!\\w)' : '(?<=[a-z,;] )';
		return new RegExp(`${before}${escaped}(?!\\w)`).test(bare(text));
	});
}

const labels = [...new Set(all.filter(({ part }) => part === 'label').map(({ text }) => text))];
const sentences = (text: string): number => text.replace(/\be\.g\./g, '').split(/[.?!] /).length;

/** A rule, the texts that it applies to, and a text that breaks it. */
const rules: ReadonlyArray<{
	readonly name: string;
	readonly about: (text: Text) => boolean;
	readonly holds: (text: string) => boolean;
	readonly broken: string;
}> = [
	{
		name: 'a label is in title case',
		about: ({ part }) => part === 'label',
		holds: isTitleCase,
		broken: 'Country code',
	},
	{
		name: 'a description, hint or notice is a sentence',
		about: ({ part }) => ['description', 'hint', 'notice'].includes(part),
		holds: (text) => /^[A-Z'].*\w/.test(text),
		broken: '',
	},
	{
		name: 'a description or hint of one sentence has no full stop at its end, others have',
		about: ({ part }) => ['description', 'hint'].includes(part),
		holds: (text) => /\.$/.test(text) === sentences(text) > 1,
		broken: 'City.',
	},
	{
		name: 'names of parameters are in single quotes',
		about: ({ part }) => ['description', 'hint', 'notice'].includes(part),
		holds: (text) => unquoted(text, labels).length === 0,
		broken: 'The same as Employee ID',
	},
	{
		name: 'the description of a switch begins with "Whether"',
		about: ({ part, type }) => part === 'description' && type === 'boolean',
		holds: (text) => /^Whether \w/.test(text),
		broken: 'If the address is the default one',
	},
	{
		name: 'a hint has at most 120 characters',
		about: ({ part }) => part === 'hint',
		holds: (text) => text.length <= 120,
		broken: 'x'.repeat(121),
	},
	{
		name: 'a placeholder is an example, or says what a button adds',
		about: ({ part }) => part === 'placeholder',
		holds: (text) => /^(e\.g\.|Add) \S/.test(text),
		broken: '1001',
	},
	{
		name: 'the name of an action is a verb and what it is done to, without articles',
		about: ({ part }) => part === 'action',
		holds: (text) => /^[A-Z][a-z]+( [a-z]+)+$/.test(text) && !/ (a|an|the) /.test(text),
		broken: 'Create an address',
	},
	{
		name: 'the description of an operation has no name of the service',
		about: ({ part, type }) => part === 'description' && type === 'operation',
		holds: (text) => !/\w_\w|Service\b|[()]/.test(text),
		broken: 'Insert an address (Address_Insert)',
	},
	{
		name: 'a description does not repeat what the field takes',
		about: ({ part }) => part === 'description',
		holds: (text) => !/\d{10}|whole number|true or false|for example/i.test(text),
		broken: 'Identifier of the employee. A whole number from -2147483648 to 2147483647.',
	},
];

describe.each(rules)('$name:', ({ about, holds, broken }) => {
	it.each([...forms])('%s', (_, { texts }) => {
		const found = texts.filter(about).filter(({ text }) => !holds(text));
		expect(found.map(({ where, text }) => `${where}: ${text}`)).toEqual([]);
	});

	it('applies to some texts, and finds one that breaks it', () => {
		expect(all.filter(about)).not.toEqual([]);
		expect(holds(broken)).toBe(false);
	});
});

const inOrder = (names: readonly string[]): string[] =>
	[...names].sort((a, b) => a.localeCompare(b));

it.each([...forms])('%s offers its choices in alphabetical order', (_, { lists }) => {
	for (const { where, names } of lists) {
		expect([where, ...names]).toEqual([where, ...inOrder(names)]);
	}
});

it.each([...forms])(
	'%s describes every parameter that needs a description',
	(_, { undescribed }) => {
		expect(undescribed).toEqual([]);
	},
);

it('every SOAP operation has its name in a hint of its form', () => {
	const hints = all.filter(({ part }) => part === 'hint').map(({ text }) => text);
	for (const { name } of soapOperations) {
		expect(hints.filter((hint) => hint.endsWith(`: ${name}`))).toHaveLength(1);
	}
});

describe('each node has its own examples:', () => {
	const [employee, company] = ['Payroll Employee', 'Payroll Company'].map(
		(name) => forms.get(name)?.texts ?? [],
	);

	it('none of Payroll Company is an operation or element of the other node', () => {
		const other = soapOperations.filter(({ service }) => service === 'EmployeeService');
		const names = [...other.map(({ name }) => name), 'EmployeeService', 'CostCenter'];
		const found = company?.filter(({ text }) => names.some((name) => text.includes(name)));
		expect(found).toEqual([]);
		expect(employee?.some(({ text }) => text.includes('CostCenter_Get'))).toBe(true);
	});

	it.each(['street', 'postalCode', 'city'])('the %s of an address', (name) => {
		const [one, two] = [employee, company].map(
			(texts) =>
				texts?.find(({ where, part }) => part === 'placeholder' && where.endsWith(` > ${name}`))
					?.text,
		);
		expect(one).toMatch(/^e\.g\. /);
		expect(two).toMatch(/^e\.g\. /);
		expect(one).not.toBe(two);
	});
});

it('a subtitle is made of the names in the form', () => {
	for (const { displayName, subtitle = '', properties } of nodes) {
		const names = properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options = [] }) => (options as INodePropertyOptions[]).map(({ name }) => name));
		for (const name of names) {
			expect([displayName, subtitle]).toEqual([displayName, expect.stringContaining(`"${name}: `)]);
		}
	}
});
