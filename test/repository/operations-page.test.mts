/** docs/operations.md has every field of every form, and says which operations have a common option. */
import { readFileSync } from 'node:fs';
import type { INodeProperties } from 'n8n-workflow';
import { resources as company } from '../../nodes/PayrollCompany/actions.ts';
import { resources as employee } from '../../nodes/PayrollEmployee/actions.ts';
import { resources as hourCodes } from '../../nodes/PayrollHourCodes/actions.ts';
import { rowsOf } from '../support/markdown.mts';

const nodes = {
	'Payroll Employee': employee,
	'Payroll Company': company,
	'Payroll Hour Codes': hourCodes,
};
const operations = Object.entries(nodes).flatMap(([node, resources]) =>
	Object.values(resources).flatMap(({ name: resource, operations: actions }) =>
		Object.values(actions).map((action) => ({
			label: `${resource}: ${action.name}`,
			title: `${node} ${resource}: ${action.name}`,
			action,
		})),
	),
);

const page = readFileSync('docs/operations.md', 'utf8');
const sections = new Map(
	page.split(/^##+ /m).map((section) => {
		const [title = '', ...lines] = section.split('\n');
		return [title, lines.join('\n')] as const;
	}),
);
const OPTIONS = 'Options of every operation';
const anchorOf = (title: string): string =>
	title.toLowerCase().replaceAll(':', '').replaceAll(' ', '-');

/** The rows of a section, and of the sections to which it links. */
function rowsFor(title: string): string[][] {
	const text = sections.get(title) ?? '';
	const linked = [...sections].filter(([other]) => text.includes(`](#${anchorOf(other)})`));
	return [text, ...linked.map(([, other]) => other)].flatMap(rowsOf);
}

/** The names of the parameters below a property; not those that only old workflows have. */
function parametersOf(property: INodeProperties): string[] {
	const { name, type, options = [], displayOptions } = property;
	if (type === 'notice' || displayOptions?.show?.[name] !== undefined) return [];
	const inner = options.flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option as INodeProperties] : [];
	});
	const isGroup = name === 'options' || name === 'fields';
	return [...(isGroup ? [] : [name]), ...inner.flatMap(parametersOf)];
}

it.each(operations)('$title', ({ title, action }) => {
	const own = rowsFor(title).map(([, parameter]) => parameter);
	const common = rowsFor(OPTIONS).map(([, parameter]) => parameter);
	const missing = action.properties
		.flatMap(parametersOf)
		.filter((name) => !own.includes(name) && !common.includes(name));
	expect(missing).toEqual([]);
	expect(own.filter((name) => common.includes(name))).toEqual([]);
});

it.each(rowsFor(OPTIONS))('%s', (_, parameter = '', _value, _byDefault, users = '') => {
	const [, effect = '', exceptions = ''] =
		/^All(?: that (read|write))?(?:, except (.+))?$/.exec(users) ?? [];
	const named = operations
		.filter(({ action }) => effect === '' || action.effect === effect)
		.filter(({ label }) => !exceptions.split(', ').includes(label));
	const having = operations.filter(({ action }) =>
		action.properties.flatMap(parametersOf).includes(parameter),
	);
	expect(named.map(({ title }) => title)).toEqual(having.map(({ title }) => title));
});
