/**
 * The generated parts of README.md and docs/operations.md are current; docs/operations.md has every field of every form, and
 * says which are required.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { INodeProperties } from 'n8n-workflow';
import { resources as company } from '../../nodes/PayrollCompany/PayrollCompany.node.ts';
import { resources as employee } from '../../nodes/PayrollEmployee/PayrollEmployee.node.ts';
import { resources as hourCodes } from '../../nodes/PayrollHourCodes/PayrollHourCodes.node.ts';
import { rowsOf } from '../support/markdown.mts';

/** The resources of each node, in the order of package.json. */
const nodes = {
	PayrollEmployee: employee,
	PayrollCompany: company,
	PayrollHourCodes: hourCodes,
};
const operations = Object.entries(nodes).flatMap(([node, resources]) =>
	Object.values(resources).flatMap(({ name: resource, operations: actions }) =>
		Object.values(actions).map((action) => ({
			label: `${resource}: ${action.name}`,
			title: `${node.replace(/\B(?=[A-Z])/g, ' ')} ${resource}: ${action.name}`,
			action,
		})),
	),
);

type Generate = (resourcesByNode: object) => string;

const { operationsTable, operationsPages } = createRequire(import.meta.url)(
	'../../dev/pages/operations.cjs',
) as Record<'operationsTable' | 'operationsPages', Generate>;

const page = readFileSync('docs/operations.md', 'utf8');
const sections = new Map(
	page.split(/^##+ /m).map((section) => {
		const [title = '', ...lines] = section.split('\n');
		return [title, lines.join('\n')] as const;
	}),
);
const OPTIONS = 'Options of most operations';
const rowsFor = (title: string): string[][] => rowsOf(sections.get(title) ?? '');

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

it.each([
	['README.md', operationsTable],
	['docs/operations.md', operationsPages],
])('%s is current (npm run readme writes it)', (name, generate) => {
	const marked = readFileSync(name, 'utf8').split(/<!-- operations:(?:start|end) -->/)[1];
	expect(marked?.trim()).toBe(generate(nodes));
});

it('each operation, and no other, has an entry of what a reader wants of it', () => {
	expect(() => operationsTable({ ...nodes, PayrollHourCodes: {} })).toThrow(
		"no node offers 'Payroll Hour Codes Hour Code: Get Many'",
	);
	expect(() => operationsTable({ ...nodes, PayrollMore: hourCodes })).toThrow(
		"an entry 'Payroll More Hour Code: Get Many' is missing",
	);
});

/** The form of an operation that two nodes have is on the page once. */
const documented = operations.filter(
	({ label }, index) =>
		operations.findIndex((one) => one.label === label) === index ||
		!label.startsWith('Other Operation'),
);

it.each(documented)('$title', ({ title, action }) => {
	const lines =
		sections
			.get(title)
			?.match(/^(?:Parameters|Options): .*$/gm)
			?.join('\n') ?? '';
	const listed = [...lines.matchAll(/(\*\*)?`(\w+)`/g)].map(
		([, bold, name]) => [name, bold] as const,
	);
	const own = listed.map(([name]) => name);
	const common = rowsFor(OPTIONS).map(([, parameter]) => parameter);
	const missing = action.properties
		.flatMap(parametersOf)
		.filter((name) => !own.includes(name) && !common.includes(name));
	expect(missing).toEqual([]);
	expect(own.filter((name) => common.includes(name))).toEqual([]);
	const required = action.properties.filter((one) => one.required).map(({ name }) => name);
	const marked = listed.filter(([, bold]) => bold !== undefined).map(([name]) => name);
	expect(new Set(marked)).toEqual(new Set(required));
});
