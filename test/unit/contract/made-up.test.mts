import type { INodeParameters, INodeType } from 'n8n-workflow';
import { nodeDescription, payrollNode } from '../../../nodes/shared/actions/payrollNode.ts';
import { soapAction } from '../../../nodes/shared/actions/builtIn/soap.ts';
import type { RecordField } from '../../../nodes/shared/contract/fields.ts';
import type { SoapOperation } from '../../../nodes/shared/contract/soapOperation.ts';
import type { Resources } from '../../../nodes/shared/run/action.ts';
import { chain, runWorkflow } from '../../../dev/engine/index.mts';
import { describe as describeNode } from '../../../dev/engine/describe.mts';
import { serve, type IndependentServer } from '../../support/independent.mts';
import { connectedTo } from '../../support/credential.mts';
import { usePackage } from '../../support/setUp.mts';

// A new service: these entries are all that the project knows of it.

const leaveDay = {
	kind: 'record',
	type: 'LeaveDay',
	label: 'Day',
	fields: {
		Date: { kind: 'string', description: 'Day of the leave', example: '2026-06-01' },
		Reden: {
			kind: 'record',
			type: 'Reden',
			label: 'Reason',
			fields: { Code: { kind: 'int' }, Text: { kind: 'string' } },
		},
		Hours: { kind: 'decimal' },
		Approved: { kind: 'boolean' },
		Sort: { kind: 'enumeration', values: ['SickLeave', 'Holiday'] },
	},
} as const satisfies RecordField;

const employee = { kind: 'int', label: 'Employee ID', isKey: true } as const;

const leaveRegister = {
	service: 'LeaveService',
	name: 'Leave_Register',
	effect: 'write',
	request: {
		EmployeeId: employee,
		Dagen: { kind: 'list', label: 'Days', of: leaveDay },
		Rate: { kind: 'decimal' },
		Forced: { kind: 'boolean' },
	},
	result: { kind: 'decimal', property: 'Balance' },
} as const satisfies SoapOperation;

const leaveList = {
	service: 'LeaveService',
	name: 'Leave_List',
	effect: 'read',
	request: { EmployeeId: employee, Sort: leaveDay.fields.Sort },
	result: { kind: 'list', of: leaveDay },
} as const satisfies SoapOperation;

const operations = [leaveRegister, leaveList] as const;

/** The one line in a node that an operation needs. */
const texts = (name: string) => ({ name, action: `${name} leave`, description: `${name} leave` });
const resources: Resources = {
	leave: {
		name: 'Leave',
		operations: {
			register: soapAction(leaveRegister, texts('Register')),
			getAll: soapAction(leaveList, texts('Get Many')),
		},
	},
};

const day = {
	Date: '2026-06-01',
	Reden: { Code: 7, Text: ' A & B ' },
	Hours: '7.60000000000000000001',
	Approved: false,
	Sort: 'Holiday',
} as const;

it('the output schema of a made-up operation follows from the contract', () => {
	const { register, getAll } = resources.leave?.operations ?? {};
	const integer = { type: 'integer' };
	expect(register?.outputSchema()).toMatchObject({
		type: 'object',
		properties: { EmployeeId: integer, Balance: { type: 'number' } },
	});
	expect(getAll?.outputSchema()).toMatchObject({
		properties: {
			EmployeeId: integer,
			Date: { type: 'string' },
			Reden: { type: 'object', properties: { Code: integer, Text: { type: 'string' } } },
			Hours: { type: 'number' },
			Approved: { type: 'boolean' },
			Sort: { type: 'string' },
		},
	});
});

describe('on n8n, with the soap package as server,', () => {
	const payroll = usePackage();
	let server: IndependentServer;
	beforeAll(async () => (server = await serve(operations, 'LeaveService', '1.2')));
	afterAll(async () => await server.close());

	/** A node that offers the resources above, on n8n's engine. */
	async function run(parameters: INodeParameters) {
		class Leave extends payrollNode(resources) implements INodeType {
			description = { ...describeNode('leave', 'Leave', []), ...nodeDescription(resources) };
		}
		const { soapUrl, soapNamespace } = server.connection;
		const id = await payroll.store(connectedTo(soapUrl, { soapNamespace, soapVersion: '1.2' }));
		const all = { resource: 'leave', ...parameters };
		const draft = { ...payroll.node('payrollEmployee', id, all), type: 'made.up' };
		const result = await runWorkflow({
			...payroll.workflow(chain([{ id: 7, reason: ' A & B ' }], draft)),
			host: { nodeTypes: payroll.host.nodeTypes.with('made.up', new Leave()) },
		});
		expect(result.error?.message).toBeUndefined();
		return result.json('Payroll');
	}

	it('it is called with the values of its form', async () => {
		server.answer('12.50');
		const fields = {
			date: '2026-06-01',
			redenCode: 7,
			redenText: '={{ $json.reason }}',
			hours: '7.60000000000000000001',
			approved: false,
			sort: 'Holiday',
		};
		const parameters = {
			operation: 'register',
			employeeId: '={{ $json.id }}',
			dagen: { row: [{ fields }] },
			rate: '12.3400',
			forced: true,
		};
		expect(await run(parameters)).toEqual([{ EmployeeId: 7, Balance: 12.5 }]);
		expect(server.last().values).toEqual({
			EmployeeId: 7,
			Dagen: [day],
			Rate: '12.3400',
			Forced: true,
		});
	});

	it('its list is read', async () => {
		server.answer([day, {}]);
		const parameters = { operation: 'getAll', employeeId: 7, sort: 'SickLeave' };
		expect(await run(parameters)).toEqual([{ EmployeeId: 7, ...day }, { EmployeeId: 7 }]);
	});
});
