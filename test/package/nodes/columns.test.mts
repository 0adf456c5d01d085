/** The columns of input items: numbers with too many digits, blank cells, and one place for each column. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { chain, retryWorkflow, runWorkflow } from '../../../dev/engine/index.mts';
import { callFromList, filledIn } from '../../../dev/package/calls.mts';
import { connectedTo } from '../../support/credential.mts';
import { useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { callWsdl, element, sequenceType } from '../../support/wsdl.mts';
import { sentOperations, sentWrites } from '../requests.mts';
import { soapAnswer, XML } from '../../support/soap.mts';

const { sandbox, payroll, credential } = useSandbox({ schemaValidation: true });
const server = useScriptedServer();
// A service that replaces the whole list: there, what is not sent is lost.
beforeAll(async () => await sandbox.configure({ costCenterUpdate: 'replace' }));

/** As JavaScript reads it, it is 12345678901234567000 or so. */
const LONG = JSON.parse('12345678901234567890') as number;
const LOST = 'has more than 15 digits. Write it as a string.';

const fromItems: INodeParameters = {
	...{ resource: 'costCenter', operation: 'update', specifyCostCenteren: 'items' },
};
const keys = { EmployeeId: 1001, Period: 6, Year: 2026 };

const update = async (rows: IDataObject[], more: INodeParameters = {}) =>
	await payroll.run(
		rows.map((row) => ({ ...keys, ...row })),
		credential.employee({ ...fromItems, ...more }),
	);

describe('cells of rows', () => {
	const whole: IDataObject = {
		...{ 'Cost Center Code': '4100', 'Cost Center Description': 'Warehouse' },
		...{ 'Cost Type Code': '400', 'Cost Type Description': 'Salaries' },
		...{ Percentage: 100, Default: true },
	};
	const rows = async () => (await sentWrites(sandbox)).at(-1) ?? '';

	beforeEach(async () => {
		expect((await update([whole], { keepOthers: false })).error).toBeUndefined();
	});

	it.each<[string, IDataObject]>([
		['empty', { 'Cost Center Description': '', Default: '', costTypeCode: '' }],
		['whitespace', { 'Cost Center Description': ' \t', Percentage: '\u00a0', Default: ' \n' }],
		['in a record', { CostCenter: { Code: '4100', Description: '' }, Kostensoort: { Code: '' } }],
	])('that are blank (%s) keep the current values', async (_, blank) => {
		const { json, error } = await update([{ 'Cost Center Code': '4100', ...blank }]);
		expect(error).toBeUndefined();
		expect(json('Payroll')).toMatchObject([{ written: false, changes: 'nothing changed' }]);
	});

	it.each([true, false])('with two quotes empty a field (Keep Other: %s)', async (keepOthers) => {
		const { error } = await update([{ ...whole, 'Cost Center Description': '""' }], { keepOthers });
		expect(error).toBeUndefined();
		expect(await rows()).toMatch(/<Code>4100<\/Code><Description( \/>|><\/Description>)/);
	});

	it.each(['Cost Center Code', 'Percentage', 'Cost Type Description'])(
		"with a number that has lost digits are refused: '%s'",
		async (column) => {
			const before = (await sentOperations(sandbox)).length;
			const { error } = await update([{ ...whole, [column]: LONG }], { totalMustBe100: false });
			expect(error?.message).toContain(LOST);
			expect((await sentOperations(sandbox)).slice(before).join()).not.toContain(
				'CostCenter_Update',
			);
		},
	);
});

let services = 0;

/** Calls an operation with this request, and returns the elements that were sent. */
async function mapped(request: string, types: string, ...items: IDataObject[]) {
	const namespace = 'http://payroll.example/soap/v3/EmployeeService';
	const wsdl = callWsdl(request, types, '', namespace);
	server.play((response, _, { method }) => {
		const body = method === 'GET' ? wsdl : soapAnswer('Call', '');
		response.writeHead(200, { 'Content-Type': XML }).end(body);
	});
	// A description is kept by its address.
	const url = `${server.url}/${(services += 1)}`;
	const id = await payroll.store(connectedTo(url));
	// A dry run goes on behind an error.
	const parameters = callFromList('Call', { dryRun: items.length > 1 });
	const { error } = await payroll.run(items, payroll.node('payrollEmployee', id, parameters));
	const bodies = server.received.filter(({ method }) => method === 'POST');
	const [sent] = bodies.map(({ body }) => /<Call [^>]*>(.*)<\/Call>/s.exec(body)?.[1]);
	return { sent, message: error?.message };
}

describe('Map Automatically', () => {
	const ids = element('Ids', 's:int');
	const optional = sequenceType('Group', element('Name', 's:string'), ids);
	const required = sequenceType('Group', element('Name', 's:string', ''), ids);
	/** Its fields are no fields of the form, since it has two types. */
	const derived = `${required}<s:complexType name="Other"><s:complexContent><s:extension base="tns:Group"/></s:complexContent></s:complexType>`;
	const request = element('Group', 'tns:Group') + ids;

	const named = { 'Group.Name': 'x', Ids: 5 };
	const both = '<Group><Name>x</Name></Group><Ids>5</Ids>';
	const twice = '<Group><Ids>4</Ids></Group><Ids>5</Ids>';

	it.each<[string, string, IDataObject, string]>([
		['of the request', optional, { Ids: 5 }, '<Ids>5</Ids>'],
		['of the request, by another name', optional, { ids: 5 }, '<Ids>5</Ids>'],
		['of the request, beside a required one', required, { Ids: 5 }, '<Ids>5</Ids>'],
		['of a record', required, named, both],
		['of a record with types', derived, named, both],
		['of a record by its name alone', optional, { Name: 'x', Ids: 5 }, both],
		['at each of its paths', optional, { 'Group.Ids': 4, Ids: 5 }, twice],
	])('sends a column once: %s', async (_, types, item, sent) => {
		expect(await mapped(request, types, item)).toEqual({ sent, message: undefined });
	});

	const deep = ['First', 'Second', 'Third', 'Fourth'].map((name, i, all) =>
		sequenceType(name, element(all[i + 1] ?? 'On', i < 3 ? `tns:${all[i + 1]}` : 's:date')),
	);
	const types = [
		...[...deep, sequenceType('T', element('B', 's:int'), element('B.C', 's:int'))],
		sequenceType('Employee', element('Id', 's:int'), element('number', 's:int')),
	].join('');
	const int = (...names: string[]): string => names.map((name) => element(name, 's:int')).join('');
	const employee = int('EmployeeId', 'EMPLOYEEID', 'Number') + element('Employee', 'tns:Employee');
	// Two paths are never taken for one.
	const dotted = int('A.B') + element('A', 'tns:T') + int('A.B.C', 'No.2');
	const inPlace = '<A.B>1</A.B><A><B>2</B><B.C>3</B.C></A><A.B.C>4</A.B.C><No.2>5</No.2>';

	it.each<[string, string, IDataObject, string]>([
		['a path', employee, { number: 5 }, '<Employee><number>5</number></Employee>'],
		['a label', employee, { 'Employee ID (Employee.Id)': 2 }, '<Employee><Id>2</Id></Employee>'],
		[
			'exact names, and no id of its own',
			employee,
			{ EmployeeId: 1, 'Employee.Id': 2, id: 3 },
			'<EmployeeId>1</EmployeeId><Employee><Id>2</Id></Employee>',
		],
		['the label of an identifier', int('Id'), { ID: 1 }, '<Id>1</Id>'],
		[
			'a path into a record that is JSON in the form',
			element('First', 'tns:First'),
			{ 'First.Second.Third.Fourth.On': '2026-01-01' },
			'<First><Second><Third><Fourth><On>2026-01-01</On></Fourth></Third></Second></First>',
		],
		[
			'what it is called, and no other of the same subject',
			int('Hours') + ['Email', 'Iban', 'Data'].map((own) => element(own, 's:string')).join(''),
			{ Uren: 8, Naam: 'Ann', Bank: 'ING', Info: 'x' },
			'<Hours>8</Hours>',
		],
		['dots', dotted, { 'A.B': 1, A: { B: 2, 'B.C': 3 }, 'A.B.C': 4, 'No.2': 5 }, inPlace],
		[
			'paths with dots',
			dotted,
			{ '/A.B': 1, '/A/B': 2, '/A/B.C': 3, '/A.B.C': 4, 'no.2': 5 },
			inPlace,
		],
	])('knows a column by %s', async (_, request, item, sent) => {
		expect(await mapped(request, types, item)).toEqual({ sent, message: undefined });
	});

	it.each<[string, string, IDataObject, string]>([
		[
			'is for two fields',
			int('EmployeeId', 'EMPLOYEEID'),
			{ 'employee id': 1 },
			' is the name of several fields. Rename the column to one of them: EmployeeId or EMPLOYEEID.',
		],
		[
			'may be for two paths',
			int('A.B.C') + element('A', 'tns:T'),
			{ 'A.B.C': 1, 'a.b.c': 2 },
			' is the name of several fields. Rename the column to one of them: /A.B.C or /A/B.C.',
		],
		[
			'is missing',
			element('EmployeeId', 's:int', ''),
			{ Other: 1 },
			'Name a column Employee ID, EmployeeId or employeeId.',
		],
		[
			'is missing, of a label that has the path',
			element('EmployeeId', 's:int', '') + element('Employee', 'tns:Employee'),
			{ Other: 1 },
			"'Employee ID (EmployeeId)' is missing.",
		],
		[
			'is missing in a record',
			element('Group', 'tns:Group') + element('Ids', 's:int'),
			{ Group: { Ids: 4 } },
			'Name a column Group Name, Group.Name or groupName.',
		],
	])('refuses a column that %s', async (_, request, item, message) => {
		const result = await mapped(request, types + required, item);
		expect(result.message).toContain(message);
		expect(result.sent).toBeUndefined();
	});

	it('tells what is wrong with several items by its cause, and a blank cell is no missing column', async () => {
		const all = element('EmployeeId', 's:int', '') + element('Count', 's:decimal');
		const cells = ['7,5', '8,5', '€ 1'].map((Count, i) => ({ EmployeeId: i, Count }));
		const { message } = await mapped(all, '', ...cells, { EmployeeId: ' ', Count: 1 });
		expect(message?.split('\n• ')).toEqual([
			'4 values cannot be used:',
			"Count has a decimal comma: 2 rows, e.g. row 2. Turn on 'Decimal Comma'.",
			`Row 4, 'Count': "€ 1" has a sign beside the number. Write 1`,
			"Row 5, 'Employee ID (EmployeeId)' is empty.",
		]);
	});

	it('sends no blank cells, and two quotes as an empty text', async () => {
		const item = { Name: ' ', Note: '""', Count: '', Group: { Name: '', Ids: 1 } };
		const fields = ['Name', 'Note'].map((name) => element(name, 's:string')).join('');
		const all = fields + element('Count', 's:int') + element('Group', 'tns:Group');
		expect(await mapped(all, optional, item)).toEqual({
			sent: '<Note></Note><Group><Ids>1</Ids></Group>',
			message: undefined,
		});
	});
});

const ID = '={{ $json.EmployeeId }}';
it.each([
	[undefined, { EmployeeId: ID }],
	[{ Note: null, EmployeeId: ID }, { EmployeeId: ID.replace('$json.EmployeeId', 'String($&)') }],
])('a retry that sends the same by another mapping is the same call: %j', async (first, second) => {
	const fields = element('EmployeeId', 's:int', '') + element('Note', 's:string');
	const wsdl = callWsdl(fields, '', '', 'http://payroll.example/soap/v3/EmployeeService');
	server.play((response, __, { method, body }) => {
		if (body.includes('>1002<')) return void response.writeHead(403).end();
		response.writeHead(200, { 'Content-Type': XML });
		response.end(method === 'GET' ? wsdl : soapAnswer('Call', ''));
	});
	const id = await payroll.store(connectedTo(`${server.url}/${(services += 1)}`));
	const mapping = (value?: object) => {
		const more = value && { operationParameters: filledIn(value as IDataObject) };
		const node = payroll.node('payrollEmployee', id, callFromList('Call', more));
		return payroll.workflow(chain([{ EmployeeId: 1001 }, { EmployeeId: 1002 }], node));
	};
	await retryWorkflow(mapping(second), await runWorkflow(mapping(first)));
	const sent = server.received.flatMap(({ body }) => />(100\d)</.exec(body)?.[1] ?? []);
	expect(sent).toEqual(['1001', '1002', '1002']);
});
