/** What a check of the connection says of the SOAP services. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import {
	dialects,
	soapFault,
	soapResponse,
	type FaultCode,
} from '../../../dev/sandbox/soap-reply.mts';
import { Account } from '../../../dev/package/account.mts';
import { checkConnection, Payroll } from '../../../dev/package/payroll.mts';
import {
	closedPort,
	scriptedServer,
	type Script,
	type ScriptedServer,
} from '../../support/scripted.mts';

let sandbox: SandboxClient;
let server: ScriptedServer;
let payroll: Payroll;
let account: Account;

beforeAll(async () => {
	[sandbox, server, payroll] = await Promise.all([
		launchSandbox(),
		scriptedServer(),
		Payroll.load(),
	]);
});
afterAll(async () => await Promise.all([sandbox.stop(), server.close()]));
beforeEach(async () => {
	await sandbox.configure({ soapVersions: 'both', expiryAs: 'status' });
	account = await Account.connect(payroll, sandbox);
});

const versions = ['1.1', '1.2'] as const;

async function run(parameters: INodeParameters = {}) {
	const all = { ...checkConnection, ...parameters };
	return await payroll.run([{ id: 100 }], payroll.node('payrollCompany', account.credential, all));
}

interface Checked extends IDataObject {
	soapApi: IDataObject;
}

/** What a check of the connection says, which never ends with an error. */
async function checked(parameters: INodeParameters = {}): Promise<Checked> {
	const { error, json } = await run(parameters);
	expect(error).toBeUndefined();
	expect(json('Payroll')).toHaveLength(1);
	return json('Payroll')[0] as Checked;
}

/** How many requests the SOAP services of the sandbox got. */
async function soapRequests(): Promise<number> {
	return (await sandbox.requests()).filter(({ path }) => path.startsWith('/soap/')).length;
}

describe.each(versions)('over SOAP %s', (soapVersion) => {
	beforeEach(async () => await account.patch({ soapVersion }));

	it('right settings work, with a company and an employee', async () => {
		expect(await checked({ employeeId: '1003' })).toMatchObject({
			CompanyId: 100,
			EmployeeId: 1003,
			ok: true,
			soapApi: { ok: true, httpStatus: 200 },
		});
		expect(await sandbox.stats()).toMatchObject({ soapCalls: { Address_GetListCurrent: 1 } });
	});

	it('right settings work without an employee: the refusal of employee 0 is an answer', async () => {
		const item = await checked();
		expect(item).toMatchObject({ ok: true });
		expect(item.soapApi).toEqual({
			ok: true,
			httpStatus: 500,
			message:
				"The SOAP services answered. Without an 'Employee ID', employee 0 was asked for and refused, as expected (\"Employee 0 does not exist.\"). Give an 'Employee ID' to read an employee's addresses instead.",
		});
		expect(item).not.toHaveProperty('EmployeeId');
		expect(await soapRequests()).toBe(1);
	});

	it('an employee who was given and is refused is a failure, told as such', async () => {
		const item = await checked({ employeeId: 999_999 });
		expect(item).toMatchObject({
			EmployeeId: 999_999,
			ok: false,
			soapApi: {
				ok: false,
				message: 'Employee 999999 does not exist.',
				description: expect.stringMatching(/answered, and refused this employee.*'Employee ID'/),
				httpStatus: 500,
				serviceCode: '1004',
			},
		});
	});

	const other = { '1.1': '1.2', '1.2': '1.1' } as const;

	it.each<[string, () => Promise<void>, RegExp]>([
		[
			'SOAP Address, of a server that has no such path',
			async () => await account.patch({ soapUrl: `${sandbox.url}/elsewhere` }),
			/SOAP Address/,
		],
		[
			'SOAP Address, of a closed port',
			async () => await account.patch({ soapUrl: `http://127.0.0.1:${await closedPort()}` }),
			/SOAP Address/,
		],
		[
			'SOAP Namespace',
			async () => await account.patch({ soapNamespace: 'http://payroll.example/soap/v4' }),
			/SOAP Namespace/,
		],
		[
			'SOAP Version',
			async () => await sandbox.configure({ soapVersions: other[soapVersion] }),
			/SOAP Version/,
		],
		['Domain', async () => await account.patch({ domain: 'other' }), /Domain/],
		[
			'Subscription Key',
			async () => await account.patch({ subscriptionKey: 'wrong' }),
			/Subscription Key/,
		],
	])('a wrong %s is found, with an employee and without', async (_, makeWrong, description) => {
		await makeWrong();
		for (const employeeId of ['', '1003']) {
			const item = await checked({ employeeId });
			expect(item).toMatchObject({
				ok: false,
				soapApi: {
					ok: false,
					message: expect.stringMatching(/./),
					description: expect.stringMatching(description),
				},
			});
		}
	});

	it('an access token that a fault rejects is renewed', async () => {
		await sandbox.configure({ expiryAs: 'fault' });
		await sandbox.expireAccessTokens();
		expect(await checked({ companyId: '', employeeId: '1003' })).toMatchObject({
			ok: null,
			renewed: true,
			soapApi: { ok: true, httpStatus: 200 },
		});
		expect(await account.renewals()).toBe(1);
	});
});

/** An answer of the scripted server in place of the SOAP services. */
const answering =
	(status: number, type: string, body: string): Script =>
	(response) =>
		void response.writeHead(status, { 'Content-Type': type }).end(body);

const xml = dialects['1.1'].contentType;

function faulting(message: string, code: FaultCode = 'Server', status = 500): Script {
	return answering(status, xml, String(soapFault('1.1', code, message, status).body));
}

/** What is said of services that answer so; the rest of the connection is not their business. */
async function soapApi(script: Script, employeeId = ''): Promise<IDataObject> {
	server.play(script);
	await account.patch({ soapUrl: server.url });
	const item = await checked({ employeeId });
	expect(item).toMatchObject({ restApi: { ok: true } });
	expect(item.ok).toBe(item.soapApi.ok);
	return item.soapApi;
}

describe('asked for employee 0, the services', () => {
	it('may know no address of them, and work', async () => {
		const rows = { type: 'EmployeeAddress', rows: [] };
		const { body } = soapResponse('1.1', {
			namespace: `${sandbox.namespace}/EmployeeService`,
			operation: 'Address_GetListCurrent',
			result: rows,
		});
		expect(await soapApi(answering(200, xml, String(body)))).toEqual({ ok: true, httpStatus: 200 });
		expect(server.received).toHaveLength(1);
		expect(server.received[0]?.body).toContain('<EmployeeId>0</EmployeeId>');
	});

	it.each([
		'Employee 0 not found',
		'Onbekende werknemer',
		'De medewerker bestaat niet.',
		'TWK exception: 1004: Unknown EmployeeId',
		'No record with id 0',
	])('work where they refuse the employee: %s', async (message) => {
		const told = await soapApi(faulting(message));
		expect(told).toEqual({
			ok: true,
			httpStatus: 500,
			message: expect.stringContaining('employee 0 was asked for and refused, as expected'),
		});
		// A fault is an answer: it is not asked for again.
		expect(server.received).toHaveLength(1);
	});

	it.each([
		'Object reference not set to an instance of an object.',
		'The EmployeeService is closed.',
		'Value 0 is out of range',
		'No permission to read this employee',
		'U heeft geen rechten op deze medewerker',
		'The token does not allow to read an employee',
		'The key of the employee is unknown',
	])('are not judged by a fault that may have another reason: %s', async (message) => {
		expect(await soapApi(faulting(message))).toMatchObject({
			ok: null,
			httpStatus: 500,
			message: `The service answered with a fault that may be about the employee: ${message}`,
			description: "Give an 'Employee ID' to find out.",
		});
	});

	it.each<[string, Script, RegExp]>([
		[
			'a domain, also beside the employee',
			faulting('Employee 0 does not exist in this domain'),
			/Domain/,
		],
		[
			'a subscription key',
			faulting('Subscription key of the employee missing'),
			/Subscription Key/,
		],
		[
			'a SOAPAction',
			faulting('SOAPAction .../EmployeeService is not known', 'Client'),
			/SOAP Namespace/,
		],
		['a version, by its code alone', faulting('Employee?', 'VersionMismatch'), /SOAP Version/],
		['a token', faulting('The access token of the employee has expired'), /connect the account/],
	])('do not work where a fault speaks of %s', async (_, script, description) => {
		expect(await soapApi(script)).toMatchObject({
			ok: false,
			message: expect.stringMatching(/./),
			description: expect.stringMatching(description),
		});
	});

	it.each<[string, Script, IDataObject]>([
		[
			'a web page',
			answering(200, 'text/html', '<html>Employee 0 does not exist</html>'),
			{ httpStatus: 200, message: 'The payroll service gave no readable answer' },
		],
		['nothing', answering(200, xml, ''), { httpStatus: 200 }],
		['HTTP 404', answering(404, 'text/plain', 'Employee 0 not found'), { httpStatus: 404 }],
		['HTTP 403', faulting('Employee 0 not found', 'Server', 403), { httpStatus: 403 }],
		['a redirect', answering(302, xml, ''), { httpStatus: 302 }],
		[
			'an answer of another namespace',
			answering(
				200,
				xml,
				String(
					soapResponse('1.1', {
						namespace: 'http://other.example/EmployeeService',
						operation: 'Address_GetListCurrent',
						result: { type: 'EmployeeAddress', rows: [] },
					}).body,
				),
			),
			{ httpStatus: 200, description: expect.stringContaining('SOAP Namespace') },
		],
	])('do not work where they answer with %s', async (_, script, expected) => {
		expect(await soapApi(script)).toMatchObject({
			ok: false,
			message: expect.stringMatching(/./),
			description: expect.stringMatching(/./),
			...expected,
		});
		expect(server.received).toHaveLength(1);
	});

	it('are asked again as for every read where they are not available', async () => {
		const told = await soapApi(answering(503, 'text/plain', ''));
		expect(told).toMatchObject({ ok: false, httpStatus: 503 });
		expect(server.received).toHaveLength(4);
	});
});

describe('asked for an employee who was given', () => {
	it('a fault that says nothing of its reason is a failure', async () => {
		const message = 'Object reference not set to an instance of an object.';
		expect(await soapApi(faulting(message), '1003')).toMatchObject({ ok: false, message });
	});

	it.each(['x', 1.5, '1003; 1004', 2 ** 31])(
		'%j ends the node before anything is sent',
		async (employeeId) => {
			const { error } = await run({ employeeId });
			expect(error?.message).toMatch(/Employee ?I[dD]/);
			expect(await sandbox.requests()).toEqual([]);
		},
	);
});

it('what does not work, or was not tried, is told beside the item', async () => {
	const hints = async (parameters: INodeParameters) =>
		(await run(parameters)).run.data.resultData.runData.Payroll?.[0]?.hints?.map(
			({ type, message }) => [type, message],
		);
	expect(await hints({ companyId: '100', employeeId: '1003' })).toEqual([]);
	expect(await hints({ companyId: '', employeeId: '1003' })).toEqual([
		['info', "REST API: Not tried: give a 'Company ID' to try the REST API."],
	]);
	await account.patch({ soapUrl: `${sandbox.url}/elsewhere` });
	expect(await hints({ companyId: '100', employeeId: '1003' })).toEqual([
		[
			'warning',
			expect.stringMatching(
				/^SOAP services: The payroll service answered with HTTP 404\. .*'SOAP Address'/,
			),
		],
	]);
});

it('shows no secret of what the SOAP services say', async () => {
	await account.patch({ domain: 'kantoor-zuid-7f3a' });
	const { access_token = '', refresh_token = '' } = await account.tokens();
	const secrets = [
		...[access_token, refresh_token, sandbox.clientSecret, sandbox.subscriptionKey],
		'kantoor-zuid-7f3a',
	];
	await account.patch({ soapUrl: server.url });
	const said = ['Employee 0:', 'Fout:', 'Domain:'].map((word) => `${word} ${secrets.join(' ')}`);
	const oks = [];
	for (const message of said) {
		server.play(faulting(message));
		const result = await run();
		const [item] = result.json('Payroll');
		const { ok, message: told } = item?.soapApi as IDataObject;
		expect(told).toContain('***');
		oks.push(ok);
		const all = JSON.stringify(result.run);
		for (const secret of secrets) expect(all).not.toContain(JSON.stringify(secret).slice(1, -1));
	}
	expect(oks).toEqual([true, null, false]);
});
