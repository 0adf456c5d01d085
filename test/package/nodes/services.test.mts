/** Other Operation: Call: any service, by the convention of address and namespace; any operation by its name. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { chain, retryWorkflow, runWorkflow } from '../../../dev/engine/index.mts';
import {
	callByName,
	callFromList,
	checkConnection,
	filledIn,
	createAddress,
} from '../../../dev/package/calls.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { forwarding, replying } from '../../support/scripted.mts';
import { element, serviceWsdl } from '../../support/wsdl.mts';
import { soapAnswer, XML } from '../../support/soap.mts';
import { soapRequests } from '../requests.mts';

const { sandbox, payroll } = useSandbox();
const service = useScriptedServer();
const credential = useCredential(payroll, sandbox, () => ({ soapUrl: service.url }));

const ROOT = 'http://payroll.example/soap/v3';
const OPERATIONS: Readonly<Record<string, string>> = {
	DebtorService: 'Debtor_Get',
	debtorService: 'Other_Get',
};

/** A description of one operation with one parameter, which the name of the service tells apart. */
function describing(name: string): string {
	const own = OPERATIONS[name] ?? '';
	const request = element('DebtorId', 's:int', '');
	const response = element(`${own}Result`, 's:int', '');
	return serviceWsdl({ [own]: [request, response] }, '', `${ROOT}/${name}`);
}

/** The sandbox with two services more. */
beforeEach(() =>
	service.play(async (response, index, request) => {
		const [, name = ''] = /^\/soap\/v3\/([^/]+)\.asmx/.exec(request.path) ?? [];
		const own = OPERATIONS[name];
		if (name === 'MissingService') return void response.writeHead(404).end();
		if (own === undefined) return await forwarding(sandbox.url)(response, index, request);
		response.setHeader('Content-Type', XML);
		const isCall = request.method === 'POST';
		response.end(
			isCall ? soapAnswer(own, `<${own}Result>7</${own}Result>`, name) : describing(name),
		);
	}),
);

const named = (value: unknown) => ({ __rl: true, mode: 'name', value }) as never;

const typed = (
	name: unknown,
	operation: string,
	operationParameters = filledIn({ DebtorId: 1 }),
): INodeParameters => callFromList(operation, { service: named(name), operationParameters });
const byName = (name: unknown): INodeParameters =>
	callByName('Debtor_Get', { DebtorId: 1 }, { service: named(name) });
const calls = () => service.received.filter(({ method }) => method === 'POST');

describe.each(['employee', 'company'] as const)('in the %s node', (node) => {
	const nodeOf = (parameters: INodeParameters) =>
		node === 'employee' ? credential.employee(parameters) : credential.company(parameters);

	it.each<[string, INodeParameters, IDataObject]>([
		['typed', typed('DebtorService', 'Debtor_Get'), { Result: 7 }],
		['by name', byName('DebtorService'), { Debtor_GetResult: '7' }],
	])('a call of another service, %s, is for its address and namespace', async (_, given, item) => {
		const { error, json } = await payroll.run([{}], nodeOf(given));
		expect(error).toBeUndefined();
		expect(json('Payroll')).toEqual([item]);
		const [sent, ...others] = calls();
		expect(others).toEqual([]);
		expect(sent).toMatchObject({
			path: '/soap/v3/DebtorService.asmx',
			headers: { soapaction: `"${ROOT}/DebtorService/Debtor_Get"` },
			body: expect.stringMatching(
				new RegExp(
					`<AuthHeaderWithDomain xmlns="${ROOT}/DebtorService">.+<Debtor_Get xmlns="${ROOT}/DebtorService"><DebtorId>1</DebtorId>`,
				),
			),
		});
	});

	it('a workflow that was saved without a service calls that of the node', async () => {
		const { service: _, ...given } = byName('');
		await payroll.run([{}], nodeOf(given));
		const own = node === 'employee' ? 'EmployeeService' : 'CompanyService';
		expect(calls().map(({ path }) => path)).toEqual([`/soap/v3/${own}.asmx`]);
	});

	it('the form offers the services of the interface, and the operations of the chosen one', async () => {
		const services = await payroll.list(nodeOf(byName('')), 'searchServices');
		expect(services.map(({ value }) => value)).toEqual(['EmployeeService', 'CompanyService']);
		const found = await payroll.list(nodeOf(byName('')), 'searchServices', ' comp');
		expect(found.map(({ value }) => value)).toEqual(['CompanyService']);
		const values = async (name: string) =>
			(await payroll.list(nodeOf(typed(name, 'Debtor_Get')), 'searchOperations')).map(
				({ value }) => value,
			);
		expect(await values('DebtorService')).toEqual(['Debtor_Get']);
		// Names in different case are different services, also where their descriptions are kept.
		expect(await values('debtorService')).toEqual(['Other_Get']);
		expect(await values('DebtorService')).toEqual(['Debtor_Get']);
		expect(
			await payroll.fields(nodeOf(typed('DebtorService', 'Debtor_Get')), 'getOperationParameters'),
		).toMatchObject({ fields: [{ id: 'DebtorId' }] });
	});
});

it.each([
	...['../EmployeeService', '..', 'Employee/Service', 'Employee\\Service', '%2e%2e%2fEmployee'],
	...['EmployeeService.asmx?WSDL', 'Employee#Service', 'p:EmployeeService', 'Employee Service'],
	...[' EmployeeService', '1Service', 'Dienst"><a', 'Diënst', 7],
])('%j is not the name of a service: nothing is sent', async (name) => {
	for (const given of [byName(name), typed(name, 'Debtor_Get')]) {
		const { error } = await payroll.run([{}], credential.employee(given));
		expect(error).toMatchObject({
			message: expect.stringMatching(/^'Service': .+ is not the name of a service/s),
			context: { data: { code: 'VALUE_INVALID', outcome: 'notApplied' } },
		});
	}
	const edited = credential.employee(typed(name, 'Debtor_Get'));
	await expect(payroll.list(edited, 'searchOperations')).rejects.toThrow(
		"Choose a 'Service' first",
	);
	expect(await payroll.fields(edited, 'getOperationParameters')).toMatchObject({
		fields: [],
		emptyFieldsNotice: expect.stringContaining("Choose a 'Service' first"),
	});
	expect(service.received).toEqual([]);
});

it('the service of each item is evaluated, and an empty one is never that of the node', async () => {
	const given = byName('={{ $json.service }}');
	const input = [{ service: 'DebtorService' }, { service: '' }, {}, { service: 'debtorService' }];
	const node = credential.employee(given, { onError: 'continueRegularOutput' });
	const { json } = await payroll.run(input, node);
	expect(calls().map(({ path }) => path)).toEqual([
		'/soap/v3/DebtorService.asmx',
		'/soap/v3/debtorService.asmx',
	]);
	expect(json('Payroll').slice(1, 3)).toMatchObject(
		[3, 4].map((row) => ({
			error: { code: 'VALUE_EMPTY', message: `Row ${row}, 'Service' is empty.` },
		})),
	);
	// The editor has no item to evaluate it with.
	await expect(payroll.list(credential.employee(given), 'searchOperations')).rejects.toThrow(
		"Choose a 'Service' first",
	);
});

it('a retry sends what was applied at another service: the record of a run has the service', async () => {
	const options = (name: string) => {
		const parameters = byName(`={{ $json.n === 1 ? "MissingService" : "${name}" }}`);
		return payroll.workflow(chain([{ n: 0 }, { n: 1 }], credential.employee(parameters)));
	};
	const debtors = () => calls().filter(({ path }) => /\/debtor/i.test(path));
	const failed = await runWorkflow(options('DebtorService'));
	expect(failed.error?.description).toContain(
		"Check 'SOAP Address' in the credential, and 'Service'",
	);
	expect(debtors()).toHaveLength(1);
	await retryWorkflow(options('DebtorService'), failed);
	expect(debtors()).toHaveLength(1);
	await retryWorkflow(options('debtorService'), failed);
	expect(debtors()).toHaveLength(2);
});

describe('the keys in items are those of the request', () => {
	/** Operations that have no key, and a key in another spelling. */
	const key = element('CompanyID', 's:int', '');
	const keyed = { List_GetAll: [''], Absence_GetAll: [key] } as const;
	const wsdl = serviceWsdl(keyed, '', `${ROOT}/KeyService`);
	beforeEach(() => {
		service.play((response, _, { method, body }) => {
			response.setHeader('Content-Type', XML);
			const name = Object.keys(keyed).find((one) => body.includes(`<${one} `)) ?? '';
			response.end(method === 'GET' ? wsdl : soapAnswer(name, '', 'KeyService'));
		});
	});
	const automatic = { mappingMode: 'autoMapInputData', value: null };
	const node = (name: string, operationParameters: INodeParameters, more = {}) =>
		credential.company({ ...typed('KeyService', name, operationParameters), ...more });
	const success = { success: true };

	it.each<[string, string, INodeParameters, IDataObject]>([
		['that has none, from columns', 'List_GetAll', automatic, success],
		['from columns', 'Absence_GetAll', automatic, { CompanyId: 1, ...success }],
		[
			'from the form',
			'Absence_GetAll',
			filledIn({ CompanyID: '={{ $json.companyId }}' }),
			{ CompanyId: 1, ...success },
		],
	])('%s: %s', async (_, name, parameters, expected) => {
		const input = [{ companyId: 1, EmployeeId: 1001, Year: 1 }];
		const { json, error, run } = await payroll.run(input, node(name, parameters));
		expect(error).toBeUndefined();
		expect(json('Payroll')).toEqual([expected]);
		// Nor is a hint about the year, which is not sent.
		expect(JSON.stringify(run)).not.toContain('Year is more than');
		const dry = await payroll.run(input, node(name, parameters, { dryRun: true }));
		const { success: __, ...keys } = expected;
		expect(dry.json('Payroll')).toMatchObject([keys]);
		expect(dry.json('Payroll')[0]).not.toHaveProperty('EmployeeId');
	});
});

it('the editor clears the operation and its parameters if the service is changed', () => {
	const type = payroll.host.nodeTypes.getByNameAndVersion(credential.employee({}).type);
	const dependsOn = (name: string) =>
		type.description.properties.find((one) => one.name === name)?.typeOptions?.loadOptionsDependsOn;
	expect(dependsOn('operationName')).toEqual(['service.cachedResultName']);
	expect(dependsOn('operationParameters')).toEqual(['service.value', 'operationName.value']);
});

describe('Connection: Check', () => {
	const check = async (name: unknown) => {
		const parameters = { ...checkConnection, companyId: '', employeeId: '1001', service: name };
		return await payroll.run([{}], credential.company(parameters as INodeParameters));
	};
	const described = () =>
		service.received.flatMap(({ path }) => /(\w+)\.asmx\?WSDL$/.exec(path)?.[1] ?? []);

	it('also reads the description of a service that is named', async () => {
		const { json } = await check('DebtorService');
		expect(json('Payroll')).toMatchObject([{ descriptions: { ok: true } }]);
		expect(described()).toEqual(['EmployeeService', 'CompanyService', 'DebtorService']);
		service.received.length = 0;
		await check('CompanyService');
		expect(described()).toEqual(['EmployeeService', 'CompanyService']);
	});
});

describe('a call by its name', () => {
	const connected = useCredential(payroll, sandbox);

	/** Calls an operation by its name. */
	const call = async (
		name: string,
		values: string | object = {},
		input: IDataObject[] = [{}],
		more: INodeParameters = {},
	) => await payroll.run(input, credential.employee(callByName(name, values, more)));

	function answering(operation: string, content: string): void {
		service.play(replying(200, XML, soapAnswer(operation, content)));
	}

	const address = {
		...{ Street: 'Keizersgracht', HouseNumber: '241', PostalCode: '1016 EA', City: 'Amsterdam' },
		...{ StateProvince: null, Type: 'HomeAddress' },
	};
	const inPeriod = { Period: 6, Year: 2026 };

	it('sends what the form of the same operation sends', async () => {
		const values = { EmployeeId: 1001, Address: address, ...inPeriod, UnprotectedMode: false };
		for (const parameters of [createAddress, callByName('Address_Insert', values)]) {
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
			{ A: '\u0000', '': 1 },
			/^2 values cannot be used:\n• 'Parameters \(JSON\)', 'A': .+ contains a control character or a broken emoji\.\n• 'Parameters \(JSON\)', '': "" is not the name of an XML element without a prefix\.$/,
		],
	])('nothing is sent for %j with %j', async (name, values, message) => {
		const { error } = await payroll.run([{}], connected.employee(callByName(name, values)));
		expect(error?.name).toBe('NodeOperationError');
		expect(error?.message).toMatch(message);
		expect(await soapRequests(sandbox)).toEqual([]);
	});
});
