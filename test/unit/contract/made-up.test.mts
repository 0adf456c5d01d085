import type { IExecuteFunctions, INodeParameters, INodeType } from 'n8n-workflow';
import { nodeProperties } from '../../../nodes/shared/actions/nodeProperties.ts';
import { soapAction } from '../../../nodes/shared/actions/soap.ts';
import type { RecordField } from '../../../nodes/shared/contract/fields.ts';
import type {
	RequestOf,
	ResultOf,
	SoapOperation,
} from '../../../nodes/shared/contract/soapOperation.ts';
import { requestProperties } from '../../../nodes/shared/form/requestForm.ts';
import type { Resources } from '../../../nodes/shared/run/action.ts';
import { runNode } from '../../../nodes/shared/run/node.ts';
import { callSoap } from '../../../nodes/shared/soap/call.ts';
import { writeEnvelope } from '../../../nodes/shared/soap/envelope.ts';
import { readEnvelope } from '../../../nodes/shared/soap/response.ts';
import type { SoapVersion } from '../../../nodes/shared/transport/connection.ts';
import { chain, runWorkflow } from '../../../dev/engine/index.mts';
import { EngineNodeTypes } from '../../../dev/engine/types.mts';
import { wsdl } from '../../../dev/package/wsdl.mts';
import { plainExchange } from '../../support/exchange.mts';
import { serve, type IndependentServer } from '../../support/independent.mts';
import { CREDENTIAL_TYPE, Payroll } from '../../../dev/package/payroll.mts';

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

const employee = { kind: 'int', label: 'Employee ID' } as const;

const leaveRegister = {
	service: 'LeaveService',
	name: 'Leave_Register',
	effect: 'write',
	subject: 'EmployeeId',
	keys: ['EmployeeId'],
	request: {
		EmployeeId: employee,
		Dagen: { kind: 'list', label: 'Days', of: leaveDay },
		Rate: { kind: 'decimal' },
		Forced: { kind: 'boolean' },
	},
	result: { kind: 'decimal' },
	resultName: 'Balance',
} as const satisfies SoapOperation;

const leaveList = {
	service: 'LeaveService',
	name: 'Leave_List',
	effect: 'read',
	subject: 'EmployeeId',
	keys: ['EmployeeId'],
	request: { EmployeeId: employee, Sort: leaveDay.fields.Sort },
	result: { kind: 'list', of: leaveDay },
} as const satisfies SoapOperation;

const leaveAdd = {
	service: 'LeaveService',
	name: 'Leave_Add',
	effect: 'write',
	subject: 'EmployeeId',
	keys: ['EmployeeId'],
	request: { EmployeeId: employee, Dag: leaveDay, Sort: leaveDay.fields.Sort },
	result: { kind: 'int' },
	resultName: 'Number',
	inserts: { record: 'Dag', read: leaveList },
} as const satisfies SoapOperation;

const operations = [leaveRegister, leaveList, leaveAdd] as const;

/** The one line in a node that an operation needs. */
const texts = (name: string) => ({ name, action: `${name} leave`, description: `${name} leave` });
const resources: Resources = {
	leave: {
		name: 'Leave',
		operations: {
			register: soapAction(leaveRegister, texts('Register')),
			getAll: soapAction(leaveList, texts('Get Many')),
			add: soapAction(leaveAdd, texts('Add')),
		},
	},
};

const root = 'http://payroll.example/soap/v3';
const day = {
	Date: '2026-06-01',
	Reden: { Code: 7, Text: ' A & B ' },
	Hours: '7.60000000000000000001',
	Approved: false,
	Sort: 'Holiday',
} as const;
const dayXml =
	'<LeaveDay><Date>2026-06-01</Date><Reden><Code>7</Code><Text> A &amp; B </Text></Reden>' +
	'<Hours>7.60000000000000000001</Hours><Approved>false</Approved><Sort>Holiday</Sort></LeaveDay>';

describe('from a made-up operation in the contract follows', () => {
	it('its form', () => {
		const form = requestProperties(leaveRegister.request, leaveRegister.keys);
		expect(form.map(({ displayName, name, type }) => [displayName, name, type])).toEqual([
			['Employee ID', 'employeeId', 'string'],
			['Specify Days', 'specifyDagen', 'options'],
			['Days', 'dagen', 'fixedCollection'],
			['Days (JSON)', 'dagenJson', 'json'],
			[expect.stringContaining("the same 'Employee ID'"), 'dagenItems', 'notice'],
			['Rate', 'rate', 'number'],
			['Forced', 'forced', 'boolean'],
		]);
		expect(form[2]).toMatchObject({
			options: [
				{
					values: [
						{
							displayName: 'Additional Fields',
							options: [
								{ displayName: 'Approved', name: 'approved', type: 'boolean' },
								{ displayName: 'Date', name: 'date', placeholder: 'e.g. 2026-06-01' },
								{ displayName: 'Hours', name: 'hours', type: 'number' },
								{ displayName: 'Reason Code', name: 'redenCode', type: 'number' },
								{ displayName: 'Reason Text', name: 'redenText', type: 'string' },
								{
									displayName: 'Sort',
									name: 'sort',
									type: 'options',
									options: [
										{ name: 'Holiday', value: 'Holiday' },
										{ name: 'Sick Leave', value: 'SickLeave' },
									],
								},
							],
						},
					],
				},
			],
		});
		expect(requestProperties(leaveList.request, leaveList.keys)).toMatchObject([
			{ name: 'employeeId', required: true },
			{ name: 'sort', type: 'options', required: true },
		]);
	});

	it('its envelope', () => {
		const connection = { domain: 'd', soapNamespace: root, soapVersion: '1.2' } as const;
		const request = { Forced: true, Dagen: [day], EmployeeId: 1 };
		expect(writeEnvelope(connection, leaveRegister, request)).toContain(
			`<soap12:Body><Leave_Register xmlns="${root}/LeaveService"><EmployeeId>1</EmployeeId>` +
				`<Dagen>${dayXml}</Dagen><Forced>true</Forced></Leave_Register></soap12:Body>`,
		);
	});

	it('its reader', () => {
		const answer = (name: string, result: string) =>
			'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>' +
			`<${name}Response xmlns="${root}/LeaveService"><${name}Result>${result}</${name}Result>` +
			`</${name}Response></s:Body></s:Envelope>`;
		const namespace = `${root}/LeaveService`;
		expect(readEnvelope(leaveRegister, namespace, answer('Leave_Register', '12.50'))).toEqual({
			kind: 'result',
			result: 12.5,
		});
		expect(readEnvelope(leaveList, namespace, answer('Leave_List', dayXml))).toEqual({
			kind: 'result',
			result: [day],
		});
	});

	it('its output schema', () => {
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

	it('its WSDL', () => {
		const at = { address: 'http://localhost/leave', namespace: root };
		const text = wsdl(operations, 'LeaveService', at);
		for (const part of [
			'name="Dagen" type="tns:ArrayOfLeaveDay"/>',
			'<s:complexType name="Reden">',
			'<s:enumeration value="SickLeave"/>',
			'name="Leave_RegisterResult" type="s:decimal"/>',
			`soapAction="${root}/LeaveService/Leave_List"`,
		]) {
			expect(text).toContain(part);
		}
	});

	it('its types', () => {
		const request: RequestOf<typeof leaveRegister> = { EmployeeId: 1, Dagen: [day] };
		const sort: NonNullable<ResultOf<typeof leaveList>[number]['Sort']> = 'SickLeave';
		const balance: ResultOf<typeof leaveRegister> = '1.5';
		expect([request.Dagen?.[0]?.Sort, sort, balance]).toEqual(['Holiday', 'SickLeave', '1.5']);
	});
});

describe.each(['1.1', '1.2'] as SoapVersion[])(
	'served by the soap package in SOAP %s',
	(version) => {
		let server: IndependentServer;
		let payroll: Payroll;

		beforeAll(async () => {
			[server, payroll] = await Promise.all([
				serve(operations, 'LeaveService', version),
				Payroll.load(),
			]);
		});
		afterAll(async () => await server.close());

		it('it is called', async () => {
			server.answer('12.50');
			const request = { EmployeeId: 1, Dagen: [day, {}], Forced: null };
			const balance = await callSoap(plainExchange, server.connection, leaveRegister, request);
			expect(balance).toBe(12.5);
			expect(server.last()).toMatchObject({
				operation: 'Leave_Register',
				values: { EmployeeId: 1, Dagen: [day, {}] },
				domain: 'demo',
			});
			server.answer([day]);
			expect(await callSoap(plainExchange, server.connection, leaveList, {})).toEqual([day]);
		});

		/** A node that offers the resources above, on n8n's engine. */
		async function run(parameters: INodeParameters) {
			const node: INodeType = {
				description: {
					displayName: 'Leave',
					name: 'leave',
					group: ['transform'],
					version: 1,
					description: 'Leave',
					defaults: { name: 'Leave' },
					inputs: ['main'],
					outputs: ['main'],
					credentials: [{ name: CREDENTIAL_TYPE, required: true }],
					properties: nodeProperties(resources),
				},
				async execute(this: IExecuteFunctions) {
					return await runNode(this, resources);
				},
			};
			const { connection } = server;
			const id = await payroll.store({
				identityUrl: connection.soapUrl,
				...{ restUrl: connection.restUrl, soapUrl: connection.soapUrl },
				soapNamespace: connection.soapNamespace,
				soapVersion: version,
				...{ clientId: 'c', appSecret: 's', subscriptionKey: 'key', domain: 'demo' },
				oauthTokenData: { access_token: 'token', token_type: 'Bearer' },
			});
			const known = new Map([...helpers(payroll), ['made.up', node] as const]);
			const draft = {
				name: 'Leave',
				type: 'made.up',
				parameters: { resource: 'leave', ...parameters },
				credentials: { [CREDENTIAL_TYPE]: { id, name: 'Payroll' } },
			};
			const result = await runWorkflow({
				...chain([{ id: 7, reason: ' A & B ' }], draft),
				host: { nodeTypes: new EngineNodeTypes(known) },
				credentials: payroll.credentials,
			});
			expect(result.error?.message).toBeUndefined();
			return result.json('Leave');
		}

		it('it works as a node on n8n, by its form', async () => {
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

		it('it works as a node on n8n, by JSON and with a list as result', async () => {
			server.answer([day, {}]);
			const parameters = { operation: 'getAll', employeeId: 7, sort: 'SickLeave' };
			expect(await run(parameters)).toEqual([{ EmployeeId: 7, ...day }, { EmployeeId: 7 }]);
			server.answer('0');
			const json = JSON.stringify([day]);
			const days = { specifyDagen: 'json', dagenJson: json };
			await run({ operation: 'register', employeeId: 7, ...days, rate: 0.5 });
			expect(server.last().values).toEqual({
				EmployeeId: 7,
				Dagen: [day],
				Rate: '0.5',
				Forced: false,
			});
		});

		it('it is not inserted where it exists', async () => {
			server.answer([{ ...day, Hours: '7.6' }, day]);
			const given = { ...day, Hours: '+7.600000000000000000010' };
			const parameters = {
				operation: 'add',
				employeeId: 7,
				specifyDag: 'json',
				dagJson: JSON.stringify(given),
				sort: 'Holiday',
				options: { skipIfExists: true },
			};
			expect(await run(parameters)).toEqual([{ EmployeeId: 7, ...day, created: false }]);
			const values = { EmployeeId: 7, Sort: 'Holiday' };
			expect(server.last()).toMatchObject({ operation: 'Leave_List', values });
		});
	},
);

function helpers({ host }: Payroll): Array<readonly [string, INodeType]> {
	return ['n8n-nodes-base.manualTrigger', ...Object.keys(host.nodeTypes.getKnownTypes())].map(
		(name) => [name, host.nodeTypes.getByNameAndVersion(name)] as const,
	);
}
