/** The resource Custom: an operation of the service that has no form. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createAddress, getCostCenters } from '../../../dev/package/calls.mts';
import { soapRequests } from '../requests.mts';
import { replying } from '../../support/scripted.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { soapAnswer, XML } from '../soap.mts';

const { sandbox, payroll } = useSandbox();
const service = useScriptedServer();
const connected = useCredential(payroll, sandbox);
/** Connected to a service that answers as a test says. */
const scripted = useCredential(payroll, sandbox, () => ({ soapUrl: service.url }));

const custom = { resource: 'custom', operation: 'call' };

const call = async (
	parameters: INodeParameters,
	input: IDataObject[] = [{}],
	used = scripted,
	more = {},
) => await payroll.run(input, used.employee({ ...custom, ...parameters }, more));

const asJson = (value: unknown): INodeParameters => ({
	specifyParameters: 'json',
	parametersJson: JSON.stringify(value),
});
const asRows = (...row: Array<{ name: string; value: unknown }>): INodeParameters => ({
	parameters: { row } as INodeParameters,
});

function answering(operation: string, content: string): void {
	service.play(replying(200, XML, soapAnswer(operation, content)));
}

it.each<[string, INodeParameters, INodeParameters]>([
	[
		'CostCenter_Get from rows',
		getCostCenters,
		asRows(
			{ name: 'EmployeeId', value: '={{ $json.id }}' },
			{ name: 'Period', value: '6' },
			{ name: 'Year', value: '2026' },
		),
	],
	[
		'Address_Insert from JSON',
		createAddress,
		asJson({
			EmployeeId: 1001,
			Address: {
				Street: 'Keizersgracht',
				HouseNumber: '241',
				City: 'Amsterdam',
				StateProvince: null,
				Type: 'HomeAddress',
			},
			Period: 6,
			Year: 2026,
			UnprotectedMode: false,
		}),
	],
])('%s is what the form of the same operation sends', async (name, form, byName) => {
	const [operationName = ''] = name.split(' ');
	for (const parameters of [form, { ...custom, operationName, ...byName }]) {
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
	const nil = '<R><X xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/></R>';
	const two = '<CountResult>12</CountResult><Next>n</Next>';
	const items = [{ Id: '1', Name: ' A & B ' }, { Tag: ['a', 'b'] }];
	const cases: Array<[string, content: string, resultPath: string, expected: unknown[]]> = [
		['an item for each row at the result path', rows, 'XResult.X', items],
		['null for nil', nil, 'R.X', [{ value: null }]],
		['the whole answer without a path', two, '', [{ CountResult: '12', Next: 'n' }]],
		['success for an empty answer', '', '', [{ success: true }]],
		['no item for an empty list', '<XResult/>', 'XResult.X', []],
	];
	it.each(cases)('%s', async (_, content, resultPath, expected) => {
		answering('Anything_List', content);
		const parameters = { operationName: 'Anything_List', resultPath, ...asJson({}) };
		const { json, error } = await call(parameters);
		expect(error).toBeUndefined();
		expect(json('Payroll')).toEqual(expected);
	});

	it('the request keys, by the names that known operations use', async () => {
		answering('Leave_Get', '<Days>3</Days>');
		const parameters = {
			operationName: 'Leave_Get',
			...asRows(
				{ name: 'EmployeeId', value: '={{ $json.id }}' },
				{ name: 'Sort', value: 'Holiday' },
				{ name: 'Year', value: 2026 },
			),
		};
		const { items } = await call(parameters, [{ id: 1 }, { id: 2 }]);
		expect(items('Payroll').map(({ json, pairedItem }) => [json, pairedItem])).toEqual([
			[{ EmployeeId: 1, Year: 2026, Days: '3' }, { item: 0 }],
			[{ EmployeeId: 2, Year: 2026, Days: '3' }, { item: 1 }],
		]);
	});
});

it('fails if the result path leads elsewhere, and does not send the call again for its answer', async () => {
	answering('Anything_Set', '<XResult><Y>1</Y><Z/></XResult>');
	const parameters = { operationName: 'Anything_Set', resultPath: 'XResult.X', ...asJson({}) };
	const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const { error } = await call(parameters, [{}], scripted, retries);
	expect(error).toMatchObject({
		message: 'The answer contains no X at the result path',
		description:
			"It contains this instead: Y and Z. Correct 'Result Path'. The service carried out the call, " +
			'so any change that it makes was applied: do not send it again only to read the answer.',
		context: { data: { outcome: 'applied' } },
	});
	expect(service.received).toHaveLength(1);
});

it('is never sent twice after a server error', async () => {
	service.play(replying(502, XML, '<h1>Bad Gateway</h1>'));
	const { error } = await call({ operationName: 'Any', ...asJson({ EmployeeId: 1 }) });
	expect(error).toMatchObject({ context: { data: { outcome: 'unknown' } } });
	expect(service.received).toHaveLength(1);
});

it.each([
	[
		'payrollEmployee',
		'Address_Update',
		'Address_Update is an operation of the CompanyService: use the node Payroll Company.',
	],
	[
		'payrollCompany',
		'Leave_Get',
		"The CompanyService does not know Leave_Get: check 'Operation Name', and 'SOAP Namespace' in the credential. For an operation of the EmployeeService, use the node Payroll Employee.",
	],
] as const)('says in %s which node has %s', async (node, operationName, advice) => {
	const parameters = { ...custom, operationName, ...asJson({}) };
	const { error } = await payroll.run([{}], payroll.node(node, connected.id, parameters));
	expect(error).toMatchObject({
		message: expect.stringContaining('did not recognize the value of HTTP Header SOAPAction'),
		description: `${advice} The change was not applied.`,
		context: { data: { outcome: 'notApplied' } },
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
	const parameters = {
		operationName: 'Any',
		...{ specifyParameters: 'json', parametersJson: '={{ JSON.stringify($json) }}' },
		options: { concurrency: 5 },
	};
	const input = [0, 1, 2, 3, 4].map((N) => ({ N, EmployeeId: ids[N] }) as IDataObject);
	const { error } = await call(parameters, input);
	expect(error).toBeUndefined();
	expect(order).toEqual(['0', '1', '2', '3', '4']);
});

it.each<[string, INodeParameters, RegExp]>([
	['an operation name', { operationName: 'A B' }, /^'Operation Name': "A B" is not the name of/],
	[
		'an element name',
		asRows({ name: 'a b', value: 1 }),
		/^Row 1, 'Name': "a b" is not the name of an XML element/,
	],
	[
		'a nested name',
		asJson({ A: { 'B/><C': 1 } }),
		/^'Parameters \(JSON\)', 'A\.B\/><C': .+ is not the name of an XML element/,
	],
	['JSON', asJson(['x']), /^'Parameters \(JSON\)': \["x"\] is not an object with element names/],
	[
		'a JSON text',
		{ specifyParameters: 'json', parametersJson: '{' },
		/^'Parameters \(JSON\)': "\{" is not valid JSON/,
	],
	[
		'several values, reported at once,',
		{
			operationName: '={{ "" }}',
			resultPath: 'A.',
			...asRows({ name: '', value: 1 }, { name: 'A', value: '\u0000' }),
		},
		/^4 values cannot be used:\n• 'Operation Name' is empty\.\n• Row 1, 'Name' is empty\.\n• Row 2, 'A': .+ contains a control character or a broken emoji\.\n• 'Result Path': "A\." has a dot .+$/,
	],
])('%s that cannot be used: nothing is sent', async (_, parameters, message) => {
	const { error } = await call({ operationName: 'A', ...parameters }, [{}], connected);
	expect(error).toMatchObject({
		name: 'NodeOperationError',
		message: expect.stringMatching(message),
	});
	expect(await soapRequests(sandbox)).toEqual([]);
});
