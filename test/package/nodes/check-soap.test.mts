/** What a check of the connection reports of the SOAP services. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { soapFault, soapResponse, type FaultCode } from '../../../dev/sandbox/soap-reply.mts';
import { storedSecrets } from '../../../dev/package/payroll.mts';
import { soapRequests } from '../requests.mts';
import { closedPort, replying, type Script } from '../../support/scripted.mts';
import { expectNoSecret } from '../secrets.mts';
import { useAccount, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { XML } from '../soap.mts';
import { checkedItem, runCheck } from './checked.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
const account = useAccount(payroll, sandbox);
beforeEach(async () => await sandbox.configure({ soapVersions: 'both', expiryAs: 'status' }));
/** The calls that arrived; descriptions are read by GET. */
const calls = () => server.received.filter(({ method }) => method === 'POST');

const versions = ['1.1', '1.2'] as const;

interface Checked extends IDataObject {
	soapApi: IDataObject;
}

const checked = async (parameters: INodeParameters = {}) =>
	(await checkedItem(account, parameters)) as Checked;

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

	it('right settings work without an employee: a refusal of employee 0 counts as an answer', async () => {
		const item = await checked();
		expect(item).toMatchObject({ ok: true });
		expect(item.soapApi).toEqual({
			ok: true,
			httpStatus: 500,
			message:
				"The SOAP services answered. Without an 'Employee ID', the check asks for employee 0, who was refused, as expected (\"Employee 0 does not exist.\"). Enter an 'Employee ID' to read an employee's addresses instead.",
		});
		expect(item).not.toHaveProperty('EmployeeId');
		expect(await soapRequests(sandbox)).toHaveLength(1);
	});

	it('a given employee who is refused is a failure', async () => {
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

	const soapUrl = async (url: string) => await account.patch({ soapUrl: url });

	it.each<[string, () => Promise<void>]>([
		['SOAP Address, of a server without such a path', () => soapUrl(`${sandbox.url}/elsewhere`)],
		[
			'SOAP Address, of a closed port',
			async () => await soapUrl(`http://127.0.0.1:${await closedPort()}`),
		],
		['SOAP Namespace', () => account.patch({ soapNamespace: 'http://payroll.example/soap/v4' })],
		['SOAP Version', () => sandbox.configure({ soapVersions: other[soapVersion] })],
		['Domain', () => account.patch({ domain: 'other' })],
		['Subscription Key', () => account.patch({ subscriptionKey: 'wrong' })],
	])('a wrong %s is found, with an employee and without', async (what, makeWrong) => {
		const [field = ''] = what.split(',');
		await makeWrong();
		for (const employeeId of ['', '1003']) {
			expect(await checked({ employeeId })).toMatchObject({
				ok: false,
				soapApi: {
					ok: false,
					message: expect.stringMatching(/./),
					description: expect.stringContaining(field),
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

function faulting(message: string, code: FaultCode = 'Server', status = 500): Script {
	return replying(status, XML, soapFault('1.1', code, message, status).body);
}

/** An employee without addresses, from services of this namespace. */
function noAddresses(namespace: string): Script {
	const result = { type: 'EmployeeAddress', rows: [] };
	const of = { namespace, operation: 'Address_GetListCurrent', result };
	return replying(200, XML, soapResponse('1.1', of).body);
}

/** What is reported of services that answer so; the rest of the connection works. */
async function soapApi(script: Script, employeeId = ''): Promise<IDataObject> {
	server.play(script);
	await account.patch({ soapUrl: server.url });
	const item = await checked({ employeeId });
	expect(item).toMatchObject({ restApi: { ok: true } });
	expect(item.ok).toBe(item.soapApi.ok);
	return item.soapApi;
}

describe('asked for employee 0, the services', () => {
	it('work if they answer without addresses', async () => {
		const script = noAddresses(`${sandbox.namespace}/EmployeeService`);
		expect(await soapApi(script)).toEqual({ ok: true, httpStatus: 200 });
		expect(calls()).toHaveLength(1);
		expect(calls()[0]?.body).toContain('<EmployeeId>0</EmployeeId>');
	});

	it.each([
		'Employee 0 not found',
		'Onbekende werknemer',
		'De medewerker bestaat niet.',
		'TWK exception: 1004: Unknown EmployeeId',
		'No record with id 0',
	])('work if they refuse the employee: %s', async (message) => {
		expect(await soapApi(faulting(message))).toEqual({
			ok: true,
			httpStatus: 500,
			message: expect.stringContaining('employee 0, who was refused, as expected'),
		});
		expect(calls()).toHaveLength(1);
	});

	it.each([
		'Object reference not set to an instance of an object.',
		'The EmployeeService is closed.',
		'Value 0 is out of range',
		'No permission to read this employee',
		'U heeft geen rechten op deze medewerker',
		'The token does not allow to read an employee',
		'The key of the employee is unknown',
	])(
		'are neither right nor wrong after a fault that may have another reason: %s',
		async (message) => {
			expect(await soapApi(faulting(message))).toMatchObject({
				ok: null,
				httpStatus: 500,
				message: `The service answered with a fault that may be about the employee: ${message}`,
				description: "Enter an 'Employee ID' to find out.",
			});
		},
	);

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
	])('do not work if a fault speaks of %s', async (_, script, description) => {
		expect(await soapApi(script)).toMatchObject({
			ok: false,
			message: expect.stringMatching(/./),
			description: expect.stringMatching(description),
		});
	});

	it.each<[string, Script, IDataObject]>([
		[
			'a web page',
			replying(200, 'text/html', '<html>Employee 0 does not exist</html>'),
			{ httpStatus: 200, message: 'The payroll service gave no readable answer' },
		],
		['nothing', replying(200, XML), { httpStatus: 200 }],
		['HTTP 404', replying(404, 'text/plain', 'Employee 0 not found'), { httpStatus: 404 }],
		['HTTP 403', faulting('Employee 0 not found', 'Server', 403), { httpStatus: 403 }],
		['a redirect', replying(302, XML), { httpStatus: 302 }],
		[
			'an answer of another namespace',
			noAddresses('http://other.example/EmployeeService'),
			{ httpStatus: 200, description: expect.stringContaining('SOAP Namespace') },
		],
	])('do not work if they answer with %s', async (_, script, expected) => {
		expect(await soapApi(script)).toMatchObject({
			ok: false,
			message: expect.stringMatching(/./),
			description: expect.stringMatching(/./),
			...expected,
		});
		expect(calls()).toHaveLength(1);
	});

	it('are asked again, as for every read, while they are not available', async () => {
		expect(await soapApi(replying(503, 'text/plain'))).toMatchObject({
			ok: false,
			httpStatus: 503,
		});
		expect(calls()).toHaveLength(4);
	});
});

describe('asked for a given employee', () => {
	it('a fault without a reason is a failure', async () => {
		const message = 'Object reference not set to an instance of an object.';
		expect(await soapApi(faulting(message), '1003')).toMatchObject({ ok: false, message });
	});

	it.each(['x', 1.5, '1003; 1004', 2 ** 31])(
		'%j ends the node before anything is sent',
		async (employeeId) => {
			const { error } = await runCheck(account, { employeeId });
			expect(error?.message).toMatch(/Employee ?I[dD]/);
			expect(await sandbox.requests()).toEqual([]);
		},
	);
});

it('hints name what does not work or was not tried', async () => {
	const hints = async (parameters: INodeParameters) =>
		(await runCheck(account, parameters)).run.data.resultData.runData.Payroll?.[0]?.hints?.map(
			({ type, message }) => [type, message],
		);
	expect(await hints({ companyId: '100', employeeId: '1003' })).toEqual([]);
	expect(await hints({ companyId: '', employeeId: '1003' })).toEqual([
		['info', "REST API: Not tried: enter a 'Company ID' to try the REST API."],
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

it('masks secrets that the SOAP services repeat', async () => {
	await account.patch({ domain: 'kantoor-zuid-7f3a' });
	const secrets = storedSecrets(await payroll.credentials.stored(account.credential));
	await account.patch({ soapUrl: server.url });
	for (const [word, ok] of [
		['Employee 0:', true],
		['Fout:', null],
		['Domain:', false],
	] as const) {
		server.play(faulting(`${word} ${secrets.join(' ')}`));
		const result = await runCheck(account);
		const message = expect.stringContaining('***');
		expect(result.json('Payroll')).toMatchObject([{ soapApi: { ok, message } }]);
		expectNoSecret(secrets, result.run);
	}
});
