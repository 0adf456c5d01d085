/** What a check of the connection reports of the SOAP services. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storedSecrets } from '../../../dev/package/payroll.mts';
import { soapRequests } from '../requests.mts';
import { replying, type Script } from '../../support/scripted.mts';
import { expectNoSecret } from '../secrets.mts';
import { useAccount, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { faultAnswer, soapList, XML } from '../soap.mts';
import { checkedItem, runCheck } from './checked.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();
const account = useAccount(payroll, sandbox);
beforeEach(async () => await sandbox.configure({ soapVersions: 'both', expiryAs: 'status' }));
/** The calls that arrived; descriptions are read by GET. */
const calls = () => server.received.filter(({ method }) => method === 'POST');

interface Checked extends IDataObject {
	soapApi: IDataObject;
}

const checked = async (parameters: INodeParameters = {}) =>
	(await checkedItem(account, parameters)) as Checked;

describe.each([
	['1.1', '1.2'],
	['1.2', '1.1'],
] as const)('over SOAP %s', (soapVersion, otherVersion) => {
	beforeEach(async () => await account.patch({ soapVersion }));

	it('right settings work: a refusal of employee 0 counts as an answer', async () => {
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
		expect(await checked({ employeeId: 999_999 })).toMatchObject({
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

	const soapUrl = async (url: string) => await account.patch({ soapUrl: url });

	it.each<[string, () => Promise<void>]>([
		['SOAP Address, of a server without such a path', () => soapUrl(`${sandbox.url}/elsewhere`)],
		['SOAP Namespace', () => account.patch({ soapNamespace: 'http://payroll.example/soap/v4' })],
		['SOAP Version', () => sandbox.configure({ soapVersions: otherVersion })],
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

const faulting = (message: string, status = 500): Script =>
	replying(status, XML, faultAnswer(message));

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
	const noAddresses = soapList('Address_GetListCurrent', '');

	it('work if they answer without addresses', async () => {
		expect(await soapApi(replying(200, XML, noAddresses))).toEqual({ ok: true, httpStatus: 200 });
		expect(calls()).toHaveLength(1);
		expect(calls()[0]?.body).toContain('<EmployeeId>0</EmployeeId>');
	});

	it.each([
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
		'The EmployeeService is closed.',
		'Value 0 is out of range',
		'No permission to read this employee',
		'U heeft geen rechten op deze medewerker',
		'The key of the employee is unknown',
	])('are undecided after a fault that may have another reason: %s', async (message) => {
		expect(await soapApi(faulting(message))).toMatchObject({
			ok: null,
			httpStatus: 500,
			message: `The service answered with a fault that may be about the employee: ${message}`,
			description: "Enter an 'Employee ID' to find out.",
		});
	});

	const mismatch = faultAnswer('Employee?').replace('s:Server', 's:VersionMismatch');
	const page = '<html>Employee 0 does not exist</html>';
	it.each<[string, Script, RegExp, number]>([
		['a fault about the domain', faulting('Employee 0 is not of this domain'), /Domain/, 500],
		['a fault about a key', faulting('Subscription key missing'), /Subscription Key/, 500],
		['a fault about a version', replying(500, XML, mismatch), /SOAP Version/, 500],
		['a fault about a token', faulting('The access token has expired', 403), /connect/, 401],
		['a web page', replying(200, 'text/html', page), /SOAP Address/, 200],
		['HTTP 404', replying(404, 'text/plain', 'Employee 0 not found'), /SOAP Address/, 404],
		['HTTP 403', faulting('Employee 0 not found', 403), /./, 403],
		[
			'another namespace',
			replying(200, XML, noAddresses.replace('payroll.', 'other.')),
			/SOAP Namespace/,
			200,
		],
	])('do not work if they answer with %s', async (_, script, description, httpStatus) => {
		expect(await soapApi(script)).toMatchObject({
			ok: false,
			httpStatus,
			message: expect.stringMatching(/./),
			description: expect.stringMatching(description),
		});
	});
});

it('a fault without a reason is a failure if an employee is given', async () => {
	const message = 'Object reference not set to an instance of an object.';
	expect(await soapApi(faulting(message), '1003')).toMatchObject({ ok: false, message });
});

it('hints name what does not work or was not tried, or say that all works', async () => {
	const hints = async (parameters: INodeParameters) =>
		(await runCheck(account, parameters)).run.data.resultData.runData.Payroll?.[0]?.hints?.map(
			({ type, message }) => [type, message],
		);
	expect(await hints({ companyId: '100', employeeId: '1003' })).toEqual([
		['info', 'All parts of the connection work.'],
	]);
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
		server.play(faulting(`${word} ${secrets.join(' ').replaceAll('&', '&amp;')}`));
		const result = await runCheck(account);
		const message = expect.stringContaining('***');
		expect(result.json('Payroll')).toMatchObject([{ soapApi: { ok, message } }]);
		expectNoSecret(secrets, result.run);
	}
});
