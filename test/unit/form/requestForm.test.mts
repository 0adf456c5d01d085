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
import { shownFor } from '../../../nodes/shared/actions/payrollNode.ts';
import type { Field } from '../../../nodes/shared/contract/fields.ts';
import { soapOperations } from '../../../nodes/shared/contract/operations.ts';
import { requestProperties } from '../../../nodes/shared/form/requestForm.ts';
import type { Resources } from '../../../nodes/shared/run/action.ts';
import { EngineNodeTypes } from '../../../dev/engine/types.mts';
import { type Chosen, soapCalls } from '../../../dev/package/calls.mts';

it('a property keeps its display conditions under its operation', () => {
	const hide = { '@tool': [true] };
	const property: INodeProperties = {
		displayName: 'Days',
		name: 'days',
		type: 'number',
		default: 0,
		displayOptions: { show: { all: [false] }, hide },
	};
	expect(shownFor('leave', 'getAll', [property])).toEqual([
		{
			...property,
			displayOptions: { show: { resource: ['leave'], operation: ['getAll'], all: [false] }, hide },
		},
	]);
});

it('a whole number that is not a key follows the rows, also where they are input items', () => {
	const row = { kind: 'record', type: 'Day', fields: { Hours: { kind: 'decimal' } } } as const;
	const request = {
		Amount: { kind: 'int' },
		Days: { kind: 'list', of: row },
		EmployeeId: { kind: 'int', isKey: true },
	} as const;
	const properties = requestProperties(request);
	expect(properties.map(({ name }) => name)).toEqual([
		'employeeId',
		'specifyDays',
		'days',
		'daysJson',
		'daysColumns',
		'decimalComma',
		'amount',
	]);
	expect(properties.at(0)?.displayOptions?.show).toEqual({ specifyDays: ['fields', 'json'] });
	expect(properties.at(-1)?.displayOptions).toBeUndefined();
	const mapper = properties.find(({ type }) => type === 'resourceMapper')?.description;
	expect(mapper).toContain('items with the same employee are written together');
});

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

function property(node: string, chosen: Chosen, name: string): INodeProperties {
	const found = shown(node, chosen).find((candidate) => candidate.name === name);
	if (found === undefined) throw new Error(`${name} is not shown`);
	return found;
}

/** The fields inside a collection, or inside the rows of a fixed collection. */
function inside({ type, options = [] }: INodeProperties): INodeProperties[] {
	if (type === 'collection') return options as INodeProperties[];
	const [row] = options as Array<{ values: INodeProperties[] }>;
	return row?.values ?? [];
}

const names = (properties: readonly INodeProperties[]) => properties.map(({ name }) => name);

const costCenterRows = () =>
	property('payrollEmployee', { resource: 'costCenter', operation: 'update' }, 'costCenteren');
const newAddress = () =>
	property('payrollEmployee', { resource: 'address', operation: 'create' }, 'addressFields');

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

describe('the fields of', () => {
	it("a cost type have the service's name in their descriptions", () => {
		const rows = costCenterRows();
		const fields = inside(inside(rows)[2] ?? rows);
		const code = fields.find(({ name }) => name === 'kostensoortCode');
		expect(code?.description).toBe('Code of the cost type (Kostensoort.Code)');
		expect(fields.find(({ name }) => name === 'costCenterId')?.description).not.toContain('(');
	});
});

describe('a parameter', () => {
	it('of an address type is a drop-down of the six names', () => {
		const address = newAddress();
		expect(address).toMatchObject({ default: {}, placeholder: 'Add Field' });
		expect(inside(address).find(({ name }) => name === 'type')?.options).toEqual([
			{ name: 'Absence Address', value: 'AbsenceAddress' },
			{ name: 'Holidays Address', value: 'HolidaysAddress' },
			{ name: 'Home Address', value: 'HomeAddress' },
			{ name: 'Post Address', value: 'PostAddress' },
			{ name: 'Weekend Address', value: 'WeekendAddress' },
			{ name: 'Work Address', value: 'WorkAddress' },
		]);
	});

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

	it.each([
		[{ resource: 'address', operation: 'create', specifyAddress: 'json' }, 'addressJson', '{}'],
		[
			{ resource: 'costCenter', operation: 'update', specifyCostCenteren: 'json' },
			'costCenterenJson',
			'[]',
		],
	])('given as JSON is required, and its example is JSON: %j', (chosen, name, empty) => {
		const json = property('payrollEmployee', chosen, name);
		expect(json).toMatchObject({ required: true, default: empty });
		const example = /<code>(.*)<\/code>/.exec(json.description ?? '')?.[1] ?? '';
		expect(JSON.stringify(JSON.parse(example))).toBe(example);
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

	it('the subtitle of a new node, which has no stored parameters', () => {
		const titles = Object.entries(nodes).map(([name, { description }]) =>
			evaluate(name, description.subtitle),
		);
		expect(titles).toEqual(['Get Many: Address', 'Check: Connection', 'Get Many: Hour Code']);
	});

	it.each([
		[{ costCenterCode: '4100', percentage: 40 }, '4100: 40 %'],
		[{ costCenterCode: 4100, percentage: '62.5' }, '4100: 62.5 %'],
		[{ costCenterCode: '4100', percentage: '' }, '4100'],
		[{ costCenterCode: '={{ $json.code }}', percentage: 0 }, '0 %'],
		[{ percentage: '={{ $json.share }}' }, ''],
		[{}, ''],
	])('the title of the row %j', (value, expected) => {
		const rows = costCenterRows();
		const title = rows.typeOptions?.fixedCollection?.itemTitle ?? '';
		const item = { $collection: { item: { value, index: 0, properties: [] } } };
		expect(evaluate('payrollEmployee', title, {}, item)).toBe(expected);
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
