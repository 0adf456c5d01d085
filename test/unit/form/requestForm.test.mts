import {
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
	NodeHelpers,
	Workflow,
} from 'n8n-workflow';
import { PayrollCompany } from '../../../nodes/PayrollCompany/PayrollCompany.node.ts';
import { resources as company } from '../../../nodes/PayrollCompany/actions.ts';
import { PayrollEmployee } from '../../../nodes/PayrollEmployee/PayrollEmployee.node.ts';
import { resources as employee } from '../../../nodes/PayrollEmployee/actions.ts';
import { PayrollHourCodes } from '../../../nodes/PayrollHourCodes/PayrollHourCodes.node.ts';
import { resources as hourCodes } from '../../../nodes/PayrollHourCodes/actions.ts';
import type { Field } from '../../../nodes/shared/contract/fields.ts';
import { soapOperations } from '../../../nodes/shared/contract/operations.ts';
import type { Resources } from '../../../nodes/shared/run/action.ts';
import { EngineNodeTypes } from '../../../dev/engine/types.mts';

const offeredBy: ReadonlyArray<readonly [INodeType, Resources]> = [
	[new PayrollEmployee(), employee],
	[new PayrollCompany(), company],
	[new PayrollHourCodes(), hourCodes],
];
const nodes = new Map(offeredBy.map(([node]) => [node.description.name, node] as const));

/** Every operation, with its subtitle: node, resource, operation, `Get Many: Address`. */
const offered = offeredBy.flatMap(([{ description }, resources]) =>
	Object.entries(resources).flatMap(([resource, { name, operations }]) =>
		Object.entries(operations).map(([operation, action]) => {
			return [description.name, resource, operation, `${action.name}: ${name}`] as const;
		}),
	),
);

/** Every operation that has a form of its own. */
const everything = offered.flatMap(([name, resource, operation]) =>
	resource === 'custom' ? [] : [[name, { resource, operation }] as const],
);

const draft = { name: 'Payroll', typeVersion: 1 } as INode;

/** A node's description, and the values that n8n stores once the given parameters are chosen. */
function filled(name: string, chosen: INodeParameters) {
	const { description } = nodes.get(name) ?? new PayrollEmployee();
	const all = description.properties;
	const values = NodeHelpers.getNodeParameters(all, chosen, true, false, draft, null) ?? {};
	return { description, all, values };
}

/** What the editor shows then, decided by n8n itself. */
function shown(name: string, chosen: INodeParameters, isTool = false): INodeProperties[] {
	const { all, values, description } = filled(name, chosen);
	const tool = { ...description, name: `${name}Tool`, outputs: ['ai_tool' as const] };
	const node = isTool ? { ...draft, type: tool.name } : draft;
	return all.filter((one) =>
		NodeHelpers.displayParameter(values, one, node, isTool ? tool : description),
	);
}

/** The fields inside a collection, or inside the rows of a fixed collection. */
function inside({ type, options = [] }: INodeProperties): INodeProperties[] {
	if (type === 'collection') return options as INodeProperties[];
	const [row] = options as Array<{ values: INodeProperties[] }>;
	return row?.values ?? [];
}

const isGroup = ({ type }: INodeProperties) => /collection$/i.test(type);
const names = (properties: readonly INodeProperties[]) => properties.map(({ name }) => name);

/** The whole numbers of the requests, and the path of a list, which every operation needs. */
const NEEDED = new Set([
	...['path', 'street', 'houseNumber', 'postalCode', 'city'],
	...soapOperations.flatMap(({ request }) =>
		Object.entries<Field>(request.fields)
			.filter(([, { kind }]) => kind === 'int')
			.map(([name]) => name.charAt(0).toLowerCase() + name.slice(1)),
	),
]);

describe.each(everything)('the form of %s %j', (name, chosen) => {
	it('names each parameter once', () => {
		for (const how of ['fields', 'json']) {
			const all = shown(name, { ...chosen, specifyAddress: how, specifyCostCenteren: how });
			for (const fields of [all, ...all.filter(isGroup).map(inside)]) {
				expect(new Set(names(fields)).size).toBe(fields.length);
				const labels = new Set(fields.map(({ displayName }) => displayName));
				if (fields !== all) expect(labels.size).toBe(fields.length);
			}
		}
	});

	it('has what it needs empty by default, and marked until it is given', () => {
		const marked = (more: INodeParameters) => {
			const { all, values, description } = filled(name, { ...chosen, ...more });
			const node = { ...draft, parameters: values } as INode;
			const issues = NodeHelpers.getNodeParametersIssues(all, node, description);
			return Object.keys(issues?.parameters ?? {}).sort();
		};
		// The connection check does not need a company.
		const isNeeded = (one: string) => chosen.operation !== 'check' && NEEDED.has(one);
		const required = names(shown(name, chosen)).filter(isNeeded);
		expect(marked({})).toEqual(required.toSorted());
		// A number, a text, an expression, and a field that a model fills in.
		for (const value of [6, '6', '={{ $json.id }}', "={{ $fromAI('id', '', 'number') }}"]) {
			expect(marked(Object.fromEntries(required.map((one) => [one, value])))).toEqual([]);
		}
	});

	// n8n's field for numbers makes 3334 of "33,34".
	it('has no field for numbers in its request', () => {
		const fieldsOf = (one: INodeProperties): INodeProperties[] => [
			...[one, ...(isGroup(one) ? inside(one).flatMap(fieldsOf) : [])],
		];
		const request = shown(name, { ...chosen, returnAll: true });
		const fields = request.filter((one) => one.name !== 'options').flatMap(fieldsOf);
		expect(names(fields.filter(({ type }) => type === 'number'))).toEqual([]);
	});
});

it('the form of an address offers the countries by name, and a text to a model', () => {
	const country = (isTool: boolean) =>
		shown('payrollEmployee', { resource: 'address', operation: 'create' }, isTool).filter(
			({ name }) => name === 'countryISOCode',
		);
	const [list, ...others] = country(false);
	expect([list?.type, list?.options?.[0], others]).toEqual([
		'options',
		{ name: 'Not Given', value: '' },
		[],
	]);
	expect(list?.options).toContainEqual({ name: 'Netherlands (NL)', value: 'NL' });
	expect(country(true).map(({ type }) => type)).toEqual(['string']);
});

describe('the subtitle', () => {
	const nodeTypes = new EngineNodeTypes(nodes);
	const subtitle = (type: string, parameters: INodeParameters) => {
		const node: INode = {
			...{ id: '1', name: 'Payroll', type, typeVersion: 1, position: [0, 0] },
			parameters,
		};
		const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
		const [first = node] = Object.values(workflow.nodes);
		const text = nodes.get(type)?.description.subtitle ?? '';
		return workflow.expression.getSimpleParameterValue(first, text, 'internal', {}, undefined, '');
	};

	it.each(offered)('of %s %s %s is %s', (name, resource, operation, expected) => {
		expect(subtitle(name, { resource, operation })).toBe(expected);
	});

	it.each([
		['list', 'Wage_GetHistory', 'Wage_GetHistory'],
		['name', 'Wage_GetHistory', 'Wage_GetHistory'],
		['list', '', 'Other Operation'],
		['name', '={{ undefined }}', 'Other Operation'],
	])('of a call, chosen by %s: %j', (mode, value, expected) => {
		const operationName = { __rl: true, mode, value };
		for (const name of ['payrollEmployee', 'payrollCompany']) {
			const parameters = { resource: 'custom', operation: 'call', operationName };
			expect(subtitle(name, parameters)).toBe(`Call: ${expected}`);
		}
		const left = { resource: 'address', operation: 'update', operationName };
		expect(subtitle('payrollCompany', left)).toBe('Update: Address');
	});
});

it.each([
	['payrollEmployee', 'address', 'getAll'],
	['payrollCompany', 'connection', 'check'],
	['payrollHourCodes', 'hourCode', 'getAll'],
])('a new node %s starts on an operation that only reads', (name, resource, operation) => {
	expect(filled(name, {}).values).toMatchObject({ resource, operation });
});
