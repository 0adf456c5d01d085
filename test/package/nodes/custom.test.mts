/** The resource Custom: an operation of the service that has no form. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { callByName, createAddress, getCostCenters } from '../../../dev/package/calls.mts';
import { soapRequests } from '../requests.mts';
import { replying } from '../../support/scripted.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { soapAnswer, XML } from '../soap.mts';

const { sandbox, payroll } = useSandbox();
const service = useScriptedServer();
const connected = useCredential(payroll, sandbox);
/** Connected to a service that answers as a test says. */
const scripted = useCredential(payroll, sandbox, () => ({ soapUrl: service.url }));

/** Calls an operation by its name. */
const call = async (
	name: string,
	values: string | object = {},
	input: IDataObject[] = [{}],
	more: INodeParameters = {},
) => await payroll.run(input, scripted.employee(callByName(name, values, more)));

function answering(operation: string, content: string): void {
	service.play(replying(200, XML, soapAnswer(operation, content)));
}

const address = {
	...{ Street: 'Keizersgracht', HouseNumber: '241', PostalCode: '1016 EA', City: 'Amsterdam' },
	...{ StateProvince: null, Type: 'HomeAddress' },
};
const inPeriod = { Period: 6, Year: 2026 };

it.each<[string, INodeParameters, string | object]>([
	['CostCenter_Get', getCostCenters, '={{ { EmployeeId: $json.id, Period: "6", Year: "2026" } }}'],
	[
		'Address_Insert',
		createAddress,
		{ EmployeeId: 1001, Address: address, ...inPeriod, UnprotectedMode: false },
	],
])('%s is what the form of the same operation sends', async (name, form, values) => {
	for (const parameters of [form, callByName(name, values)]) {
		const { error } = await payroll.run([{ id: 1001 }], connected.employee(parameters));
		expect(error).toBeUndefined();
	}
	const [one, two] = await soapRequests(sandbox);
	const { body, path, headers } = one ?? {};
	const { soapaction } = headers ?? {};
	expect(two).toMatchObject({ body, path, headers: { soapaction } });
});

describe('gives', () => {
	const rows =
		'<XResult><X><Id>1</Id><Name> A &amp; B </Name></X><X><Tag>a</Tag><Tag>b</Tag></X></XResult><Total>2</Total>';
	const nil = '<R xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>';
	const found = { X: [{ Id: '1', Name: ' A & B ' }, { Tag: ['a', 'b'] }] };
	it.each<[string, content: string, expected: IDataObject]>([
		['the whole answer as one item', rows, { XResult: found, Total: '2' }],
		['null for nil', nil, { R: null }],
		['the text of an answer without elements', 'yes', { '#text': 'yes' }],
		['success for an empty answer', '', { success: true }],
	])('%s', async (_, content, expected) => {
		answering('Anything_List', content);
		const { json, error } = await call('Anything_List');
		expect(error).toBeUndefined();
		expect(json('Payroll')).toEqual([expected]);
	});

	it('the request keys, by the names that known operations use', async () => {
		answering('Leave_Get', '<Days>3</Days>');
		const values = '={{ ({ EmployeeId: $json.id, Sort: "Holiday", Year: 2026 }) }}';
		const { items } = await call('Leave_Get', values, [{ id: 1 }, { id: 2 }]);
		expect(items('Payroll').map(({ json, pairedItem }) => [json, pairedItem])).toEqual([
			[{ EmployeeId: 1, Year: 2026, Days: '3' }, { item: 0 }],
			[{ EmployeeId: 2, Year: 2026, Days: '3' }, { item: 1 }],
		]);
	});
});

it.each<[string, readonly unknown[]]>([
	['it is unknown whom the calls are about', []],
	['they are about one employee', [1001, '1001.0', '01001', '1001 ', [' +1001']]],
])('keeps the input order at any concurrency if %s', async (_, ids) => {
	const order: string[] = [];
	service.play(async (response, index, { body }) => {
		order.push(/<N>(\d)<\/N>/.exec(body)?.[1] ?? '');
		await new Promise((turn) => setTimeout(turn, 20 - 3 * index));
		response.writeHead(200, { 'Content-Type': XML }).end(soapAnswer('Any', ''));
	});
	const input = [0, 1, 2, 3, 4].map((N) => ({ N, EmployeeId: ids[N] }) as IDataObject);
	const options = { concurrency: 5 };
	const { error } = await call('Any', '={{ JSON.stringify($json) }}', input, { options });
	expect(error).toBeUndefined();
	expect(order).toEqual(['0', '1', '2', '3', '4']);
});

it.each<[string, object, RegExp]>([
	['A B', {}, /^'Operation Name': "A B" is not the name of/],
	[
		'A',
		{ A: { 'B/><C': 1 } },
		/^'Parameters \(JSON\)', 'A\.B\/>‹C': .+ is not the name of an XML element/,
	],
	['A', ['x'], /^'Parameters \(JSON\)': \["x"\] is not an object with element names/],
	[
		'A',
		{ A: '\u0000', '': 1 },
		/^2 values cannot be used:\n• 'Parameters \(JSON\)', 'A': .+ contains a control character or a broken emoji\.\n• 'Parameters \(JSON\)', '': "" is not the name of an XML element without a prefix\.$/,
	],
])('nothing is sent for %j with %j', async (name, values, message) => {
	const { error } = await payroll.run([{}], connected.employee(callByName(name, values)));
	expect(error?.name).toBe('NodeOperationError');
	expect(error?.message).toMatch(message);
	expect(await soapRequests(sandbox)).toEqual([]);
});
