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

/** A text that the editor shows. */
interface Text {
	/** The names from the form down to the text, for messages. */
	readonly where: string;
	readonly part: 'label' | 'description' | 'hint' | 'notice' | 'placeholder' | 'action';
	readonly text: string;
	/** The parameter's type; for the choices of an operation, `operation`. */
	readonly type: string;
}

interface Form {
	readonly texts: Text[];
	/** Lists whose entries the editor shows in this order. */
	readonly lists: Array<{ readonly where: string; readonly names: readonly string[] }>;
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
		// A choice of nothing comes first.
		const named = choices.filter(({ value }, i) => i > 0 || value !== '');
		form.lists.push({ where, names: named.map((choice) => choice.name) });
		for (const choice of choices) {
			const at = `${where} > ${String(choice.value)}`;
			// The names of countries are as they are.
			if (!/ \([A-Z]{2}\)$/.test(choice.name)) add('label', choice.name, type, at);
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

type Rule = [
	name: string,
	appliesTo: (text: Text) => boolean,
	holds: (text: string) => boolean,
	broken: string,
];
const of =
	(...parts: ReadonlyArray<Text['part']>) =>
	({ part }: Text): boolean =>
		parts.includes(part);

const rules: Rule[] = [
	['a label is in title case', of('label'), isTitleCase, 'Country code'],
	[
		'a description, hint or notice is a sentence',
		of('description', 'hint', 'notice'),
		(text) => /^[A-Z'].*\w/.test(text),
		'',
	],
	[
		'a description or hint of one sentence has no full stop at its end, others have',
		of('description', 'hint'),
		(text) => /\.$/.test(text) === sentences(text) > 1,
		'City.',
	],
	[
		'names of parameters are in single quotes',
		of('description', 'hint', 'notice'),
		(text) => unquoted(text, labels).length === 0,
		'The same as Employee ID',
	],
	[
		'the description of a switch begins with "Whether"',
		({ part, type }) => part === 'description' && type === 'boolean',
		(text) => /^Whether \w/.test(text),
		'If the address is the default one',
	],
	[
		'a placeholder is an example, or says what a button adds',
		of('placeholder'),
		(text) => /^(e\.g\.|Add) \S/.test(text),
		'1001',
	],
	[
		'the name of an action is a verb and what it is done to, without articles',
		of('action'),
		(text) => /^[A-Z][a-z]+( [a-z]+)+$/.test(text) && !/ (a|an|the) /.test(text),
		'Create an address',
	],
	[
		'a description does not repeat what the field takes',
		of('description'),
		(text) => !/\d{10}|whole number|true or false|for example/i.test(text),
		'Identifier of the employee. A whole number from -2147483648 to 2147483647.',
	],
];

it.each(rules)('%s', (_, appliesTo, holds, broken) => {
	const texts = all.filter(appliesTo);
	const found = texts.filter(({ text }) => !holds(text));
	expect(found.map(({ where, text }) => `${where}: ${text}`)).toEqual([]);
	expect(texts).not.toEqual([]);
	expect(holds(broken)).toBe(false);
});

it.each([...forms])(
	'%s offers choices in alphabetical order, and describes its parameters',
	(_, { lists, undescribed }) => {
		for (const { where, names } of lists) {
			const inOrder = [...names].sort((a, b) => a.localeCompare(b));
			expect([where, ...names]).toEqual([where, ...inOrder]);
		}
		expect(undescribed).toEqual([]);
	},
);
