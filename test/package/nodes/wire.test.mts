import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import {
	createAddress,
	getAddresses,
	getCostCenters,
	getHourCodes,
	Payroll,
	updateCompany,
	updateCostCenters,
} from '../../../dev/package/payroll.mts';

let sandbox: SandboxClient;
let payroll: Payroll;

beforeAll(async () => {
	[sandbox, payroll] = await Promise.all([launchSandbox(), Payroll.load()]);
});
afterAll(async () => await sandbox.stop());

const EMPLOYEE = 'http://payroll.example/soap/v3/EmployeeService';
const COMPANY = 'http://payroll.example/soap/v3/CompanyService';

/** Operation, node, parameters, service namespace and body (docs/interface.md, section 4.3). */
const calls = [
	[
		'CostCenter_Get',
		'payrollEmployee',
		getCostCenters,
		EMPLOYEE,
		'<EmployeeId>1001</EmployeeId><Period>6</Period><Year>2026</Year>',
	],
	[
		'CostCenter_Update',
		'payrollEmployee',
		updateCostCenters,
		EMPLOYEE,
		'<EmployeeId>1001</EmployeeId><CostCenteren><EmployeeCostCenter><CostCenter><Code>4100</Code></CostCenter><Kostensoort><Code>400</Code></Kostensoort><Percentage>100</Percentage><Default>true</Default></EmployeeCostCenter></CostCenteren><Period>6</Period><Year>2026</Year>',
	],
	[
		'Address_GetListCurrent',
		'payrollEmployee',
		getAddresses,
		EMPLOYEE,
		'<EmployeeId>1001</EmployeeId>',
	],
	[
		'Address_Insert',
		'payrollEmployee',
		createAddress,
		EMPLOYEE,
		'<EmployeeId>1001</EmployeeId><Address><Street>Keizersgracht</Street><HouseNumber>241</HouseNumber><City>Amsterdam</City><Type>HomeAddress</Type></Address><Period>6</Period><Year>2026</Year><UnprotectedMode>false</UnprotectedMode>',
	],
	[
		'Address_Update',
		'payrollCompany',
		updateCompany,
		COMPANY,
		'<CompanyId>100</CompanyId><Address><Street>Herengracht</Street><HouseNumber>1</HouseNumber></Address>',
	],
] as const;

const versions = [
	['1.1', 'soap', 'http://schemas.xmlsoap.org/soap/envelope/', 'text/xml; charset=utf-8'],
	[
		'1.2',
		'soap12',
		'http://www.w3.org/2003/05/soap-envelope',
		'application/soap+xml; charset=utf-8',
	],
] as const;

describe.each(versions)('SOAP %s', (soapVersion, prefix, envelope, contentType) => {
	let credential: string;

	beforeAll(async () => {
		credential = await payroll.connect(sandbox, { soapVersion });
	});

	it.each(calls)(
		'%s goes out byte for byte as specified',
		async (name, node, parameters, ns, body) => {
			await sandbox.reset();
			const result = await payroll.run(
				[{ id: name === 'Address_Update' ? 100 : 1001 }],
				payroll.node(node, credential, parameters),
			);
			expect(result.error).toBeUndefined();
			const [request, ...others] = await sandbox.requests();
			expect(others).toEqual([]);
			expect(request).toMatchObject({
				method: 'POST',
				path: `/soap/v3/${ns.split('/').at(-1)}.asmx`,
				status: 200,
				violations: [],
				body:
					`<?xml version="1.0" encoding="utf-8"?><${prefix}:Envelope xmlns:${prefix}="${envelope}">` +
					`<${prefix}:Header><AuthHeaderWithDomain xmlns="${ns}"><Domain>demo</Domain></AuthHeaderWithDomain></${prefix}:Header>` +
					`<${prefix}:Body><${name} xmlns="${ns}">${body}</${name}></${prefix}:Body></${prefix}:Envelope>`,
			});
			expect(request?.headers).toMatchObject({
				'content-type': contentType,
				authorization: `Bearer ${await payroll.accessToken(credential)}`,
				'x-subscription-key': sandbox.subscriptionKey,
			});
			expect(request?.headers.soapaction).toBe(
				soapVersion === '1.1' ? `"${ns}/${name}"` : undefined,
			);
		},
	);
});

it('GET hourcodes goes out as specified', async () => {
	const credential = await payroll.connect(sandbox);
	await sandbox.reset();
	const node = payroll.node('payrollHourCodes', credential, {
		...getHourCodes,
		options: { pageSize: 40 },
	});
	await payroll.run([{ id: 'A/1?b' }], node);
	const [request] = await sandbox.requests();
	expect(request).toMatchObject({
		method: 'GET',
		path: '/api/companies/A%2F1%3Fb/hourcodes?pageNumber=1&pageSize=40',
		body: '',
	});
	expect(request?.headers).toMatchObject({
		accept: 'application/json',
		authorization: `Bearer ${await payroll.accessToken(credential)}`,
		'x-subscription-key': sandbox.subscriptionKey,
	});
});

it('the token endpoint receives Basic with URL-encoded id and secret, and a form body', async () => {
	await sandbox.reset();
	await payroll.connect(sandbox);
	const request = (await sandbox.requests()).find(({ path }) => path === '/connect/token');
	const { clientId, clientSecret } = sandbox;
	const basic = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
	expect(clientSecret).toMatch(/(?=.*\+)(?=.*\/)(?=.*%)(?=.*:)(?=.*&)(?=.*=)(?=.* )/);
	expect(request?.headers.authorization).toBe(`Basic ${Buffer.from(basic).toString('base64')}`);
	expect(request?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
	expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
		grant_type: 'authorization_code',
		code: expect.any(String),
		redirect_uri: sandbox.redirectUris[0],
	});
});
