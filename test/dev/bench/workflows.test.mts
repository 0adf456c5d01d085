/** What the benchmark's batch is compared with, as far as it does not need a real n8n. */
import { authorizationUri, exchangeCode } from '../../../dev/engine/index.mts';
import { CREDENTIAL_TYPE } from '../../../dev/package/payroll.mts';
import { authorize } from '../../../dev/sandbox/login.mts';
import {
	alternative,
	costCenterCall,
	GENERIC_CREDENTIAL_TYPE,
	genericCredentialData,
	workflowOf,
	type Contender,
} from '../../../bench/n8n/workflows.mts';
import { useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox();

it("n8n's own credential connects, and its token is good for the call", async () => {
	const { credentials } = payroll;
	const data = genericCredentialData(sandbox);
	await credentials.store('generic', 'OAuth2', GENERIC_CREDENTIAL_TYPE, data);
	const callback = await authorize(await authorizationUri(credentials, 'generic'), sandbox);
	await exchangeCode(credentials, callback.toString());
	const { envelope, headers, url } = costCenterCall(sandbox);
	const response = await fetch(url, {
		method: 'POST',
		headers: { ...headers, Authorization: `Bearer ${await payroll.accessToken('generic')}` },
		body: envelope.slice(1).replace('{{ $json.id }}', '1001'),
	});
	expect(response.status).toBe(200);
	expect(await response.text()).toContain('<EmployeeCostCenter>');
});

it.each<[Contender, string, string]>([
	[alternative, 'genericAuthType', GENERIC_CREDENTIAL_TYPE],
	["HTTP Request + XML, n8n's OAuth2 API credential", 'genericAuthType', GENERIC_CREDENTIAL_TYPE],
	[
		"HTTP Request + XML, n8n's OAuth2 API credential, batching",
		'genericAuthType',
		GENERIC_CREDENTIAL_TYPE,
	],
	["HTTP Request + XML, this package's credential", 'nodeCredentialType', CREDENTIAL_TYPE],
])('HTTP Request alone signs, with the named credential: %s', (name, parameter, type) => {
	const { nodes } = workflowOf(name, sandbox, 1);
	const signing = nodes.filter(({ credentials }) => credentials !== undefined);
	expect(signing).toEqual([expect.objectContaining({ type: 'n8n-nodes-base.httpRequest' })]);
	expect(signing[0]?.parameters[parameter]).toBe(type);
	expect(Object.keys(signing[0]?.credentials ?? {})).toEqual([type]);
});
