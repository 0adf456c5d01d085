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
import { type Chosen, soapCalls } from '../../../dev/package/calls.mts';

const resourcesOf: Readonly<Record<string, Resources>> = {
	payrollEmployee: employee,
	payrollCompany: company,
	payrollHourCodes: hourCodes,
};

const nodes: Readonly<Record<string, INodeType>> = {
	payrollEmployee: new PayrollEmployee(),
	payrollCompany: new PayrollCompany(),
	payrollHourCodes: new PayrollHourCodes(),
};

const forms: Readonly<Record<string, INodeProperties[]>> = Object.fromEntries(
	Object.entries(nodes).map(([name, { description }]) => [name, description.properties]),
);

/** Every operation, with its subtitle: node, resource, operation, `Get Many: Address`. */
const offeredActions = Object.entries(resourcesOf).flatMap(([node, resources]) =>
	Object.entries(resources).flatMap(([resource, { name, operations }]) =>
		Object.entries(operations).map(
			([operation, action]) => [node, resource, operation, `${action.name}: ${name}`] as const,
		),
	),
);

/** The operations that are none of SOAP: node, resource, operation, label. */
const others = [
	['payrollCompany', 'connection', 'check', 'Check'],
	['payrollCompany', 'connection', 'revoke', 'Revoke'],
	['payrollCompany', 'list', 'getAll', 'Get Many'],
	['payrollHourCodes', 'hourCode', 'getAll', 'Get Many'],
] as const;

/** Every operation that has a form of its own. */
const withForm = [
	...soapCalls.map(
		({ node, parameters: { resource, operation }, label }) =>
			[node, resource, operation, label] as const,
	),
	...others,
];

const everything = withForm.map(([node, resource, operation]): readonly [string, Chosen] => [
	node,
	{ resource, operation },
]);

/** What the editor shows once the given parameters are chosen, decided by n8n itself. */
function shown(node: string, chosen: INodeParameters): INodeProperties[] {
	const properties = forms[node] ?? [];
	const draft = { typeVersion: 1 } as INode;
	const values = NodeHelpers.getNodeParameters(properties, chosen, true, false, draft, null) ?? {};
	return properties.filter((property) =>
		NodeHelpers.displayParameter(values, property, draft, null),
	);
}

/** The fields inside a collection, or inside the rows of a fixed collection. */
function inside({ type, options = [] }: INodeProperties): INodeProperties[] {
	if (type === 'collection') return options as INodeProperties[];
	const [row] = options as Array<{ values: INodeProperties[] }>;
	return row?.values ?? [];
}

const names = (properties: readonly INodeProperties[]) => properties.map(({ name }) => name);

describe('the form of', () => {
	it.each(everything)('%s %j names each parameter once', (node, chosen) => {
		for (const how of ['fields', 'json']) {
			const all = shown(node, { ...chosen, specifyAddress: how, specifyCostCenteren: how });
			expect(new Set(names(all)).size).toBe(all.length);
			for (const group of all.filter(({ type }) => /collection$/i.test(type))) {
				const fields = inside(group);
				expect(new Set(names(fields)).size).toBe(fields.length);
				expect(new Set(fields.map(({ displayName }) => displayName)).size).toBe(fields.length);
			}
		}
	});
});

describe('a parameter', () => {
	/** The whole numbers of the requests, and the path of a list, which every operation needs. */
	const NEEDED = new Set([
		...['path', 'street', 'houseNumber', 'postalCode', 'city'],
		...soapOperations.flatMap(({ request }) =>
			Object.entries<Field>(request.fields)
				.filter(([, { kind }]) => kind === 'int')
				.map(([name]) => name.charAt(0).toLowerCase() + name.slice(1)),
		),
	]);

	it.each(everything)(
		'that %s %j needs is empty by default, and marked until it is given',
		(node, chosen) => {
			const draft = { name: 'Payroll', typeVersion: 1 } as INode;
			const type = nodes[node] ?? new PayrollEmployee();
			const all = type.description.properties;
			const marked = (more: INodeParameters) => {
				const parameters = { ...chosen, ...more };
				const values =
					NodeHelpers.getNodeParameters(all, parameters, true, false, draft, null) ?? {};
				const filled = { ...draft, parameters: values } as INode;
				const issues = NodeHelpers.getNodeParametersIssues(all, filled, type.description);
				return Object.keys(issues?.parameters ?? {}).sort();
			};
			// The connection check does not need a company.
			const isCheck = chosen.operation === 'check';
			const required = names(shown(node, chosen)).filter((name) => !isCheck && NEEDED.has(name));
			expect(marked({})).toEqual(required.toSorted());
			// A number, a text, an expression, and a field that a model fills in.
			for (const value of [6, '6', '={{ $json.id }}', "={{ $fromAI('id', '', 'number') }}"]) {
				expect(marked(Object.fromEntries(required.map((name) => [name, value])))).toEqual([]);
			}
		},
	);

	// n8n's field for numbers makes 3334 of "33,34".
	it('of a request is no field for numbers', () => {
		const fieldsOf = (one: INodeProperties): INodeProperties[] => [
			one,
			...(/collection$/i.test(one.type) ? inside(one).flatMap(fieldsOf) : []),
		];
		const numbers = everything.flatMap(([node, chosen]) =>
			shown(node, { ...chosen, returnAll: true })
				.filter(({ name }) => name !== 'options')
				.flatMap(fieldsOf)
				.filter(({ type }) => type === 'number'),
		);
		expect(names(numbers)).toEqual([]);
	});
});

describe('an expression of the form gives', () => {
	const nodeTypes = new EngineNodeTypes(new Map(Object.entries(nodes)));
	const evaluate = (type: string, expression = '', parameters: INodeParameters = {}, more = {}) => {
		const node: INode = {
			...{ id: '1', name: 'Payroll', type, typeVersion: 1, position: [0, 0] },
			parameters,
		};
		const { expression: evaluator, nodes: own } = new Workflow({
			...{ nodes: [node], connections: {}, active: false, nodeTypes },
		});
		const [first = node] = Object.values(own);
		return evaluator.getSimpleParameterValue(first, expression, 'internal', more, undefined, '');
	};

	it.each(offeredActions)('the subtitle of %s %s %s', (node, resource, operation, expected) => {
		const subtitle = nodes[node]?.description.subtitle;
		expect(evaluate(node, subtitle, { resource, operation })).toBe(expected);
	});

	it.each([
		[{ __rl: true, mode: 'list', value: 'Wage_GetHistory' }, 'Call: Wage_GetHistory'],
		[{ __rl: true, mode: 'name', value: 'Wage_GetHistory' }, 'Call: Wage_GetHistory'],
		[{ __rl: true, mode: 'list', value: '' }, 'Call: Other Operation'],
		[{ __rl: true, mode: 'name', value: '={{ undefined }}' }, 'Call: Other Operation'],
	])('the subtitle of a call of %j', (operationName, expected) => {
		for (const node of ['payrollEmployee', 'payrollCompany']) {
			const parameters = { resource: 'custom', operation: 'call', operationName };
			expect(evaluate(node, nodes[node]?.description.subtitle, parameters)).toBe(expected);
		}
		const left = { resource: 'address', operation: 'update', operationName };
		const { subtitle } = new PayrollCompany().description;
		expect(evaluate('payrollCompany', subtitle, left)).toBe('Update: Address');
	});
});

describe('a new node starts on an operation that only reads:', () => {
	it.each([
		['payrollEmployee', 'address', 'getAll'],
		['payrollCompany', 'connection', 'check'],
		['payrollHourCodes', 'hourCode', 'getAll'],
	])('%s', (node, resource, operation) => {
		const draft = { typeVersion: 1 } as INode;
		const values = NodeHelpers.getNodeParameters(forms[node] ?? [], {}, true, false, draft, null);
		expect(values).toMatchObject({ resource, operation });
	});
});
