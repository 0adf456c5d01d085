/**
 * n8n's AI builder evaluates workflows that have no credentials yet (n8n 2, `instance-ai/eval`): n8n
 * makes a credential up and answers every request of a node itself. These tests do the same.
 */
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INodeCredentialsDetails,
	INodeParameters,
} from 'n8n-workflow';
import {
	chain,
	EngineCredentials,
	runWorkflow,
	type EvaluationMock,
} from '../../../dev/engine/index.mts';
import { core } from '../../../dev/engine/n8n.mts';
import {
	checkConnection,
	getAddresses,
	getCostCenters,
	getHourCodes,
	revokeConnection,
} from '../../../dev/package/calls.mts';
import { CREDENTIAL_TYPE, type Payroll } from '../../../dev/package/payroll.mts';
import { useSandbox } from '../../support/setUp.mts';
import { faultAnswer, soapList, XML } from '../soap.mts';

/** As n8n's `EvalMockedCredentialsHelper`. */
class MockedCredentials extends EngineCredentials {
	override async getDecrypted(
		...args: Parameters<EngineCredentials['getDecrypted']>
	): Promise<ICredentialDataDecryptedObject> {
		const [, details, type] = args;
		if (!details.id) {
			return {
				...core.buildEvalMockCredentials(this.getCredentialsProperties(type)),
				__evalMockedCredential: true,
			};
		}
		try {
			return await super.getDecrypted(...args);
		} catch {
			return { __evalMockedCredential: true };
		}
	}
}

const { sandbox, payroll } = useSandbox();
let credentials: MockedCredentials;
beforeAll(() => {
	credentials = new MockedCredentials(payroll.host.credentialTypes, payroll.storage);
});

interface Evaluated {
	node: Parameters<Payroll['node']>[0];
	parameters: INodeParameters;
	id: number;
}

/** Evaluates a node; also gives the requests that n8n answered. */
async function evaluated(
	{ node, parameters, id }: Evaluated,
	answer: (request: IHttpRequestOptions) => Awaited<ReturnType<EvaluationMock>>,
	credential?: INodeCredentialsDetails,
) {
	const requests: IHttpRequestOptions[] = [];
	const { credentials: _, ...draft } = payroll.node(node, '', parameters);
	const result = await runWorkflow({
		...chain([{ id }], {
			...draft,
			...(credential && { credentials: { [CREDENTIAL_TYPE]: credential } }),
		}),
		host: payroll.host,
		credentials,
		mode: 'evaluation',
		mock: async (request) => {
			requests.push(request);
			return answer(request);
		},
	});
	return { result, requests };
}

const answering = (type: string, body: unknown, statusCode = 200) => ({
	body,
	headers: { 'content-type': type },
	statusCode,
});
const json = (body: unknown, status?: number) => answering('application/json', body, status);
const xml = (body: string, status?: number) =>
	answering(XML, body.replaceAll('http://payroll.example', 'https://payroll.invalid'), status);

const costCenters: Evaluated = { node: 'payrollEmployee', parameters: getCostCenters, id: 1003 };
const hourCodes: Evaluated = { node: 'payrollHourCodes', parameters: getHourCodes, id: 100 };
const oneCostCenter = soapList(
	'CostCenter_Get',
	'<EmployeeCostCenter><Id>7</Id></EmployeeCostCenter>',
);

it.each<[string, INodeCredentialsDetails | undefined]>([
	['no credential', undefined],
	['a credential without an id', { id: null, name: 'Payroll' }],
	['a credential that n8n does not have', { id: 'gone', name: 'Payroll' }],
])('a node with %s calls the SOAP services', async (_, credential) => {
	const { result, requests } = await evaluated(costCenters, () => xml(oneCostCenter), credential);
	expect(result.error).toBeUndefined();
	expect(result.json('Payroll')).toEqual([expect.objectContaining({ Id: 7 })]);
	const [{ url, body } = {} as IHttpRequestOptions] = requests;
	expect(url).toBe('https://payroll.invalid/soap/v3/EmployeeService.asmx');
	expect(String(body)).toContain('https://payroll.invalid/soap/v3/EmployeeService');
});

describe('a node without a credential', () => {
	it('reads hour codes', async () => {
		const { result, requests } = await evaluated(hourCodes, ({ qs }) =>
			json((qs as IDataObject).pageNumber === 1 ? [{ code: '10' }] : []),
		);
		expect(result.error).toBeUndefined();
		expect(result.json('Payroll')).toEqual([expect.objectContaining({ code: '10' })]);
		expect(requests[0]?.url).toBe('https://payroll.invalid/api/companies/100/hourcodes');
	});

	it('checks the connection, and ends it', async () => {
		const of = { node: 'payrollCompany', id: 100 } as const;
		const check = await evaluated({ ...of, parameters: checkConnection }, ({ url }) => {
			if (url.includes('well-known')) return json({ issuer: 'https://payroll.invalid' });
			if (url.includes('/api/')) return json([]);
			return xml(soapList('Address_GetListCurrent', ''));
		});
		expect(check.result.json('Payroll')).toMatchObject([{ ok: true, renewed: false }]);
		const end = await evaluated({ ...of, parameters: revokeConnection }, () => json(null));
		expect(end.result.json('Payroll')).toMatchObject([{ success: true }]);
	});

	it('gets a fault, which n8n throws for its HTTP status, and an error as JSON', async () => {
		const fault = faultAnswer('1004: Employee 1003 does not exist.');
		const soap = await evaluated(costCenters, () => xml(fault, 500));
		expect(soap.result.error?.message).toBe('Employee 1003 does not exist.');
		const none = { message: 'No such company' };
		const rest = await evaluated(hourCodes, () => json(none, 404));
		expect(rest.result.error?.message).toMatch(/^Company 100 was not found/);
	});
});

it('a credential of a user is checked in an evaluation, too', async () => {
	const id = await payroll.store({ soapUrl: 'https://soap.example.com' });
	const credential = { id, name: 'Payroll' };
	const { result, requests } = await evaluated(costCenters, () => xml(''), credential);
	expect(result.error?.message).toBe('The credential is not connected');
	expect(requests).toEqual([]);
});

it('the mark of a made-up credential has no effect if a user stores it', async () => {
	const credential = await payroll.connect(sandbox, { __evalMockedCredential: true });
	await sandbox.reset();
	const node = payroll.node('payrollEmployee', credential, getAddresses);
	const { error } = await payroll.run([{ id: 1003 }], node);
	expect(error).toBeUndefined();
	expect(await sandbox.stats()).toMatchObject({ soapCalls: { Address_GetListCurrent: 1 } });
});
