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
import { soapOperations } from '../../../nodes/shared/contract/operations.ts';
import type { SoapOperation } from '../../../nodes/shared/contract/soapOperation.ts';
import {
	chain,
	EngineCredentials,
	runWorkflow,
	type EvaluationMock,
} from '../../../dev/engine/index.mts';
import { core } from '../../../dev/engine/n8n.mts';
import { soapFault, soapResponse } from '../../../dev/sandbox/soap-reply.mts';
import {
	checkConnection,
	getAddresses,
	getHourCodes,
	revokeConnection,
	soapCalls,
	type SoapCall,
} from '../../../dev/package/calls.mts';
import { CREDENTIAL_TYPE, type Payroll } from '../../../dev/package/payroll.mts';
import { useSandbox } from '../../support/setUp.mts';

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

/** The credential of a node that is evaluated. */
const given: ReadonlyArray<[string, INodeCredentialsDetails | undefined]> = [
	['no credential', undefined],
	['a credential without an id', { id: null, name: 'Payroll' }],
	['a credential that n8n does not have', { id: 'gone', name: 'Payroll' }],
];

const namespace = 'https://payroll.invalid/soap/v3';

interface Evaluated {
	node: Parameters<Payroll['node']>[0];
	parameters: INodeParameters;
	id: number;
}

/** Evaluates a node; also gives the requests that n8n answered. */
async function evaluated(
	{ node, parameters, id }: Evaluated,
	credential: INodeCredentialsDetails | undefined,
	answer: (request: IHttpRequestOptions) => Awaited<ReturnType<EvaluationMock>>,
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
const xml = (body: unknown, status?: number) => answering('text/xml', body, status);

/** One row, one value or an empty response, as the operation has it. */
function soapAnswer({ name }: SoapCall): ReturnType<typeof xml> {
	const operation = soapOperations.find((one) => one.name === name);
	const { service, result: field }: SoapOperation = operation!;
	const list = field?.kind === 'list' && { type: field.of.type, rows: [{ Id: '7' }] };
	const result = field && (list || '7');
	const of = { namespace: `${namespace}/${service}`, operation: name, result };
	return xml(soapResponse('1.1', of).body);
}

describe.each(given)('a node with %s is evaluated', (_, credential) => {
	it.each(soapCalls)('$name', async (call) => {
		const { result, requests } = await evaluated(call, credential, () => soapAnswer(call));
		expect(result.error).toBeUndefined();
		expect(result.json('Payroll')).toHaveLength(1);
		expect(requests.length).toBeGreaterThan(0);
		for (const { url, body } of requests) {
			expect(url).toMatch(
				/^https:\/\/payroll\.invalid\/soap\/v3\/(Employee|Company)Service\.asmx$/,
			);
			expect(String(body)).toContain(`${namespace}/`);
		}
	});

	it('hour codes', async () => {
		const { result, requests } = await evaluated(
			{ node: 'payrollHourCodes', parameters: getHourCodes, id: 100 },
			credential,
			({ qs }) => json((qs as IDataObject).pageNumber === 1 ? [{ code: '10' }] : []),
		);
		expect(result.error).toBeUndefined();
		expect(result.json('Payroll')).toEqual([expect.objectContaining({ code: '10' })]);
		expect(requests[0]?.url).toBe('https://payroll.invalid/api/companies/100/hourcodes');
	});

	it('a check of the connection', async () => {
		const { result } = await evaluated(
			{ node: 'payrollCompany', parameters: checkConnection, id: 100 },
			credential,
			({ url }) => {
				if (url.includes('well-known')) return json({ issuer: 'https://payroll.invalid' });
				if (url.includes('/api/')) return json([]);
				return soapAnswer(soapCalls.find(({ name }) => name === 'Address_GetListCurrent')!);
			},
		);
		expect(result.error).toBeUndefined();
		expect(result.json('Payroll')).toEqual([expect.objectContaining({ ok: true, renewed: false })]);
	});

	it('the end of the connection', async () => {
		const { result } = await evaluated(
			{ node: 'payrollCompany', parameters: revokeConnection, id: 100 },
			credential,
			() => json(null),
		);
		expect(result.error).toBeUndefined();
		expect(result.json('Payroll')).toEqual([expect.objectContaining({ success: true })]);
	});

	it('a fault, which n8n throws for its HTTP status', async () => {
		const [call] = soapCalls;
		const { result } = await evaluated(call!, credential, () =>
			xml(soapFault('1.1', 'Server', '1004: Employee 1003 does not exist.').body, 500),
		);
		expect(result.error?.message).toBe('Employee 1003 does not exist.');
	});

	it('an error as JSON', async () => {
		const { result } = await evaluated(
			{ node: 'payrollHourCodes', parameters: getHourCodes, id: 100 },
			credential,
			() => json({ message: 'No such company' }, 404),
		);
		expect(result.error?.message).toMatch(/^Company 100 was not found/);
	});
});

it('a credential of a user is checked in an evaluation, too', async () => {
	const id = await payroll.store({ soapUrl: 'https://soap.example.com' });
	const [call] = soapCalls;
	const { result, requests } = await evaluated(call!, { id, name: 'Payroll' }, () => xml(''));
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
