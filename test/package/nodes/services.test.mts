/** The parameter Service of Other Operation: Call: any service, by the convention of address and namespace. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { chain, retryWorkflow, runWorkflow } from '../../../dev/engine/index.mts';
import { checkConnection } from '../../../dev/package/calls.mts';
import type { Connected as Credential } from '../../support/setUp.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { forwarding, replying } from '../../support/scripted.mts';
import { definitions, operations, schema, SERVICE_NS, wrapper } from '../../support/wsdl.mts';
import { faultAnswer, soapAnswer, XML } from '../soap.mts';

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
	const field = '<s:element name="DebtorId" type="s:int"/>';
	const result = `<s:element name="${own}Result" type="s:int"/>`;
	const types = wrapper(own, field) + wrapper(`${own}Response`, result);
	return definitions(`<wsdl:types>${schema(types)}</wsdl:types>${operations(own)}`).replaceAll(
		`"${SERVICE_NS}"`,
		`"${ROOT}/${name}"`,
	);
}

/** A request whose values seem to be known: an enumeration of one value, a company, a period, a default. */
const OBVIOUS =
	'<s:element name="CompanyId" type="s:int"/><s:element name="Period" type="s:int"/>' +
	'<s:element name="Year" type="s:int"/><s:element name="Kind" type="tns:Only"/>' +
	'<s:element name="Unit" type="s:string" default="Hours" minOccurs="0"/>';
const ONLY =
	'<s:simpleType name="Only"><s:restriction base="s:string"><s:enumeration value="One"/></s:restriction></s:simpleType>';

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

const call = { resource: 'custom', operation: 'call' };
const named = (value: unknown) => ({ __rl: true, mode: 'name', value }) as never;
const listed = (value: string) => ({ __rl: true, mode: 'list', value }) as never;
const mapped = (value: IDataObject) => ({ mappingMode: 'defineBelow', value }) as never;

const typed = (name: unknown, operation: string): INodeParameters => ({
	...call,
	service: named(name),
	operationName: listed(operation),
	operationParameters: mapped({ DebtorId: 1 }),
});
const byName = (name: unknown): INodeParameters => ({
	...call,
	service: named(name),
	operationName: named('Debtor_Get'),
	parametersJson: '{ "DebtorId": 1 }',
});
const calls = () => service.received.filter(({ method }) => method === 'POST');

describe.each(['employee', 'company'] as const)('in the %s node', (node) => {
	const nodeOf = (parameters: INodeParameters) =>
		credential[node as keyof Pick<Credential, 'employee'>](parameters);

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
		const services = await payroll.list(nodeOf(call), 'searchServices');
		expect(services.map(({ value }) => value)).toEqual(['EmployeeService', 'CompanyService']);
		const found = await payroll.list(nodeOf(call), 'searchServices', ' comp');
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
	'../EmployeeService',
	'..',
	'Employee/Service',
	'Employee\\Service',
	'%2e%2e%2fEmployee',
	'EmployeeService.asmx?WSDL',
	'Employee#Service',
	'p:EmployeeService',
	'Employee Service',
	' EmployeeService',
	'1Service',
	'Dienst"><a',
	'Diënst',
	7,
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
		[1, 2].map(() => ({ error: { code: 'VALUE_EMPTY', message: "'Service' is empty." } })),
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
	const request: Readonly<Record<string, string>> = {
		List_GetAll: '',
		Absence_GetAll: '<s:element name="CompanyID" type="s:int"/>',
	};
	const names = Object.keys(request);
	const types = names.map((name) => wrapper(name, request[name]) + wrapper(`${name}Response`));
	const wsdl = definitions(
		`<wsdl:types>${schema(types.join(''))}</wsdl:types>${operations(...names)}`,
	).replaceAll(`"${SERVICE_NS}"`, `"${ROOT}/KeyService"`);
	let refused = 0;
	beforeEach(() => {
		refused = 0;
		service.play((response, _, { method, body }) => {
			response.setHeader('Content-Type', XML);
			const name = names.find((one) => body.includes(`<${one} `)) ?? '';
			const isRefused = body.includes('CompanyID>2<') && (refused += 1) === 1;
			if (isRefused) response.writeHead(404).end();
			else response.end(method === 'GET' ? wsdl : soapAnswer(name, '', 'KeyService'));
		});
	});
	const automatic = { mappingMode: 'autoMapInputData', value: null } as never;
	const node = (name: string, operationParameters: never, more = {}) =>
		credential.company({ ...typed('KeyService', name), operationParameters, ...more });
	const success = { success: true };

	it.each<[string, string, never, IDataObject]>([
		['that has none, from columns', 'List_GetAll', automatic, success],
		['from columns', 'Absence_GetAll', automatic, { CompanyId: 1, ...success }],
		[
			'from the form',
			'Absence_GetAll',
			mapped({ CompanyID: '={{ $json.companyId }}' }),
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

	it('by name, whatever their case', async () => {
		const given = { ...byName('KeyService'), operationName: named('List_GetAll') };
		const parametersJson = '{ "companyid": "7", "employeeID": 1001, "Other": 1 }';
		const { json } = await payroll.run([{}], credential.company({ ...given, parametersJson }));
		expect(json('Payroll')).toEqual([{ EmployeeId: 1001, CompanyId: 7, ...success }]);
	});

	it('also in what an earlier try wrote', async () => {
		const tries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const drawn = { ...node('Absence_GetAll', automatic), ...tries };
		const input = [1, 2].map((companyId) => ({ companyId, EmployeeId: 1001 }));
		const { json, error } = await payroll.run(input, drawn);
		expect(error).toBeUndefined();
		expect(calls()).toHaveLength(3);
		expect(json('Payroll')).toEqual([1, 2].map((CompanyId) => ({ CompanyId, ...success })));
	});
});

it('a run does not remember the descriptions of all services that its items name', async () => {
	const names = Array.from({ length: 11 }, (_, i) => `Missing${i}Service`);
	service.play(replying(404, XML));
	const input = [...names, names[10], names[0]].map((name) => ({ name }));
	const given = typed('={{ $json.name }}', 'Debtor_Get');
	await payroll.run(input, credential.employee(given, { onError: 'continueRegularOutput' }));
	const asked = service.received.map(({ path }) => /(\d+)Service/.exec(path)?.[1]);
	expect(asked).toEqual([...names.map((_, i) => String(i)), '0']);
});

it('a service that does not know an operation of its own is not offered itself', async () => {
	service.play(
		replying(200, XML, faultAnswer('no such SOAPAction').replace('s:Server', 's:Client')),
	);
	const given = { ...byName('EmployeeService'), operationName: named('CostCenter_Get') };
	const { error } = await payroll.run([{}], credential.employee(given));
	expect(error?.description).toMatch(
		/^The EmployeeService does not know CostCenter_Get: check 'Service'/,
	);
});

it('the editor clears the operation and its parameters if the service is changed', () => {
	const type = payroll.host.nodeTypes.getByNameAndVersion(credential.employee({}).type);
	const dependsOn = (name: string) =>
		type.description.properties.find((one) => one.name === name)?.typeOptions?.loadOptionsDependsOn;
	expect(dependsOn('operationName')).toEqual(['service.cachedResultName']);
	expect(dependsOn('operationParameters')).toEqual(['service.value', 'operationName.value']);
});

it('a long name is cut in the errors', async () => {
	const name = 'A'.repeat(5000);
	const error = (await payroll
		.list(credential.employee(typed(name, 'Debtor_Get')), 'searchOperations')
		.catch((thrown: unknown) => thrown)) as Error;
	expect(error.message).toMatch(/^The description of the A{77}\.\.\. cannot be read$/);
});

it('nothing is guessed: what seems to be known is empty in the form, and not sent', async () => {
	const types = wrapper('Guess_Get', OBVIOUS) + wrapper('Guess_GetResponse') + ONLY;
	const wsdl = definitions(`<wsdl:types>${schema(types)}</wsdl:types>${operations('Guess_Get')}`);
	service.play((response, _, { method }) => {
		const text = wsdl.replaceAll(`"${SERVICE_NS}"`, `"${ROOT}/GuessService"`);
		response.setHeader('Content-Type', XML);
		response.end(method === 'GET' ? text : soapAnswer('Guess_Get', '', 'GuessService'));
	});
	const guess = (value: IDataObject) =>
		credential.company({
			...typed('GuessService', 'Guess_Get'),
			operationParameters: mapped(value),
		});
	const { fields } = await payroll.fields(guess({}), 'getOperationParameters');
	expect(fields.map(({ id, defaultValue }) => [id, defaultValue])).toEqual(
		['CompanyId', 'Period', 'Year', 'Kind', 'Unit'].map((id) => [id, undefined]),
	);
	const { error } = await payroll.run([{ CompanyId: 1, Period: 6, Year: 2026 }], guess({}));
	expect(error?.message).toMatch(/^4 values cannot be used:.+Company ID.+Period.+Year.+Kind/s);
	expect(calls()).toEqual([]);
	const given = { CompanyId: 1, Period: 6, Year: 2026, Kind: 'One' };
	await payroll.run([{}], guess(given));
	expect(calls()[0]?.body).toContain('<Kind>One</Kind></Guess_Get>');
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

	it('says if that service does not describe itself', async () => {
		const { json } = await check('MissingService');
		expect(json('Payroll')).toMatchObject([
			{
				descriptions: {
					ok: null,
					message: 'The description of the MissingService cannot be read',
				},
			},
		]);
	});

	it('refuses a name that is none', async () => {
		const { error } = await check('../Debtor');
		expect(error?.message).toMatch(/^'Service': .+ is not the name of a service/);
		expect(service.received).toEqual([]);
	});
});
