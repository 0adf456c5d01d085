/** What the description of a node computes: its subtitle, and on which operation a new node starts. */
import {
	type INode,
	type INodeParameters,
	type INodeType,
	NodeHelpers,
	Workflow,
} from 'n8n-workflow';
import * as company from '../../../nodes/PayrollCompany/PayrollCompany.node.ts';
import * as employee from '../../../nodes/PayrollEmployee/PayrollEmployee.node.ts';
import * as hourCodes from '../../../nodes/PayrollHourCodes/PayrollHourCodes.node.ts';
import type { Resources } from '../../../nodes/shared/run/action.ts';
import { EngineNodeTypes } from '../../../dev/engine/types.mts';

const offeredBy: ReadonlyArray<readonly [INodeType, Resources]> = [
	[new employee.PayrollEmployee(), employee.resources],
	[new company.PayrollCompany(), company.resources],
	[new hourCodes.PayrollHourCodes(), hourCodes.resources],
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
	const all = nodes.get(name)?.description.properties ?? [];
	const node = { name: 'Payroll', typeVersion: 1 } as INode;
	const values = NodeHelpers.getNodeParameters(all, {}, true, false, node, null);
	expect(values).toMatchObject({ resource, operation });
});
