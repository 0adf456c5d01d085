/** The sandbox's own tests: SOAP requests written by hand from docs/dev/interface.md, section 4.3. */
import { soapCalls } from '../../../dev/package/calls.mts';
import { describedCalls } from '../../../dev/package/described.mts';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import { connect } from '../../../dev/sandbox/oauth.mts';
import type { Service } from '../../../dev/sandbox/schemas.mts';

/** The default {soap_namespace} of the sandbox. */
const root = 'http://payroll.example/soap/v3';

let sandbox: SandboxClient;
let token: string;
beforeAll(async () => {
	sandbox = await launchSandbox({ schemaValidation: true });
	token = (await connect(sandbox)).access_token;
});
beforeEach(async () => {
	await sandbox.configure({ schemaValidation: true, costCenterUpdate: 'replace' });
	await sandbox.reset();
});
afterAll(async () => await sandbox.stop());

interface Call {
	version?: '1.1' | '1.2';
	service?: Service;
	operation?: string;
	content?: string;
}

/** Writes an envelope by hand and posts it. */
async function call({
	version = '1.1',
	service = 'EmployeeService',
	operation = 'CostCenter_Get',
	content = '<EmployeeId>1001</EmployeeId><Period>6</Period><Year>2026</Year>',
}: Call): Promise<{ status: number; text: string }> {
	const namespace = `${root}/${service}`;
	const [envelope, type] =
		version === '1.1'
			? ['http://schemas.xmlsoap.org/soap/envelope/', 'text/xml']
			: ['http://www.w3.org/2003/05/soap-envelope', 'application/soap+xml'];
	const domain = `<AuthHeaderWithDomain xmlns="${namespace}"><Domain>demo</Domain></AuthHeaderWithDomain>`;
	const body =
		`<?xml version="1.0" encoding="utf-8"?><e:Envelope xmlns:e="${envelope}">` +
		`<e:Header>${domain}</e:Header><e:Body>` +
		`<${operation} xmlns="${namespace}">${content}</${operation}></e:Body></e:Envelope>`;
	const response = await fetch(`${sandbox.url}/soap/v3/${service}.asmx`, {
		method: 'POST',
		headers: {
			Authorization: `Bearer ${token}`,
			'X-Subscription-Key': sandbox.subscriptionKey,
			'Content-Type': `${type}; charset=utf-8`,
			...(version === '1.1' && { SOAPAction: `"${namespace}/${operation}"` }),
		},
		body,
	});
	return { status: response.status, text: await response.text() };
}

/** A valid call of every operation. */
const calls = [
	...soapCalls.map(({ name, node, id, body }) => ({
		operation: name,
		service: node === 'payrollCompany' ? ('CompanyService' as const) : ('EmployeeService' as const),
		content: body(id),
	})),
	...describedCalls.map(({ name, body, ...to }) => ({
		operation: name,
		service: to.service,
		content: body,
	})),
];

describe.each(['1.1', '1.2'] as const)('SOAP %s', (version) => {
	it.each(calls)('$operation has a valid answer', async (sample) => {
		const { status, text } = await call({ version, ...sample });
		expect(status).toBe(200);
		const namespace = `${root}/${sample.service}`;
		expect(text).toContain(`<${sample.operation}Response xmlns="${namespace}"`);
		expect(await sandbox.validate(sample.service, text)).toEqual([]);
		expect(await sandbox.requests()).toMatchObject([{ status: 200, violations: [] }]);
	});

	it.each([
		['an int that is none', 'CostCenter_Get', '<EmployeeId>12a</EmployeeId>', 'xs:int'],
		[
			'elements out of order',
			'CostCenter_Get',
			'<Period>6</Period><EmployeeId>1001</EmployeeId>',
			'not expected',
		],
		['a required element left out', 'Employee_Get', '', 'EmployeeId'],
		[
			'a malformed Guid',
			'Employee_Update',
			'<EmployeeId>1001</EmployeeId><Employee><Id>7001</Id></Employee>',
			'pattern',
		],
	])('a request with %s is refused and noted', async (_, operation, content, violation) => {
		await sandbox.configure({ costCenterUpdate: 'change' });
		const { status, text } = await call({ version, operation, content });
		expect(status).toBe(500);
		expect(text).toMatch(/soap:Client|soap12:Sender/);
		expect(text).toContain(violation);
		const [request] = await sandbox.requests();
		expect(request?.violations.join()).toContain(violation);
		expect((await sandbox.stats()).soapExecuted).toEqual({});
	});
});
