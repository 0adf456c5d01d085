/** The packed package in a real n8n of each version: it is found, connects, and runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	getCostCenters,
	getDepartments,
	getHourCodes,
	updateCompany,
} from '../../dev/package/calls.mts';
import { fromAi } from '../../dev/package/from-ai.mts';
import { CREDENTIAL_TYPE } from '../../dev/package/payroll.mts';
import {
	chain,
	itemsNode,
	manualTrigger,
	payrollNode,
	withAgent,
} from '../../dev/n8n/workflow.mts';
import { soapList } from '../package/soap.mts';
import { useScriptedServer } from '../support/setUp.mts';
import { employees, webhook } from './nodes.mts';
import { callWebhook, killAndRestart, succeeded, useStage, versions, withModel } from './setUp.mts';

describe.each(versions)('n8n %s', (version) => {
	// A secret with everything that OAuth wants URL-encoded.
	const service = useScriptedServer();
	const stage = useStage({ version, sandbox: { clientSecret: 'p+y/100% r:o&l=l secret' } });

	it('loads three nodes, a tool of each, and one credential', async () => {
		const own = (names: Iterable<string>) => [...names].filter((name) => /payroll/i.test(name));
		const nodes = ['payrollEmployee', 'payrollCompany', 'payrollHourCodes'];
		const names = nodes.flatMap((name) => [name, `${name}Tool`]);
		expect(own((await stage.api.types()).keys()).sort()).toEqual(
			names.map((name) => `n8n-nodes-payroll.${name}`).sort(),
		);
		expect(own((await stage.api.types('credentials')).keys())).toEqual([CREDENTIAL_TYPE]);
		expect(stage.n8n.log()).not.toMatch(/n8n-nodes-payroll|payroll.*(error|fail)/i);
	});

	it('evaluates the expressions in the hidden fields of the credential', async () => {
		const url = new URL(await stage.api.authorizationUrl(stage.credential));
		expect(url.origin + url.pathname).toBe(`${stage.sandbox.url}/connect/authorize`);
		expect(url.searchParams.get('scope')?.split(' ')).toEqual(stage.sandbox.scopes);
		expect(url.searchParams.get('redirect_uri')).toBe(stage.n8n.callbackUrl);
	});

	it('connects with a secret that has to be encoded, and shows no secret', async () => {
		const { data } = await stage.api.credential(stage.credential);
		expect(data.oauthTokenData).toBe(true);
		expect(data.appSecret).not.toBe(stage.sandbox.clientSecret);
		expect(data.subscriptionKey).not.toBe(stage.sandbox.subscriptionKey);
	});

	it.each<[Parameters<typeof payrollNode>[0], INodeParameters, number[], IDataObject, number]>([
		['payrollEmployee', getCostCenters, [1001, 1002, 1003], { EmployeeId: 1001, Period: 6 }, 6],
		['payrollCompany', updateCompany, [100], { CompanyId: 100, success: true }, 1],
		['payrollHourCodes', getHourCodes, [100, 200], { CompanyId: 100, id: 301 }, 40],
		['payrollCompany', getDepartments, [100, 200], { companyId: 100, departmentId: 'd-1' }, 10],
	])('runs %s with %j', async (type, parameters, ids, first, count) => {
		const input = itemsNode(ids.map((id) => ({ id })));
		const draft = chain(type, manualTrigger, ...input, payrollNode(type, parameters));
		const execution = await stage.api.run(await stage.create(draft));
		expect(execution.error).toBeUndefined();
		const items = execution.items('Payroll');
		expect(items).toHaveLength(count);
		expect(items[0]).toMatchObject(first);
	});

	it('lets a model read a list below the REST address, and no other', async () => {
		const tool = payrollNode('payrollCompany', {
			...getDepartments,
			path: fromAi('path', 'string'),
			parameters: { parameter: [{ name: 'companyId', value: fromAi('id', 'string') }] },
			returnAll: false,
			limit: 2,
		});
		const told = async (path: string): Promise<string> => {
			const draft = withAgent('Lists', manualTrigger, tool);
			const given = { path, id: '200' };
			return await withModel(stage, draft, given, async (id, model) => {
				await stage.api.run(id);
				return JSON.stringify(model.requests.at(-1));
			});
		};
		const list = '/api/companies/{companyId}/departments';
		expect(await told(list)).toContain('Magazijn & Expeditie');
		expect((await stage.sandbox.stats()).restCalls).toBe(1);
		for (const path of ['//evil.example/x', '/api/../admin', '/api/companies?x=1'])
			await told(path);
		expect((await stage.sandbox.stats()).restCalls).toBe(1);
	});

	it('renews an expired token once for all nodes', async () => {
		await stage.sandbox.expireAccessTokens();
		const codes = payrollNode(
			'payrollHourCodes',
			{ ...getHourCodes, companyId: '100' },
			{ name: 'Codes', executeOnce: true },
		);
		const ids = Array.from({ length: 20 }, (_, index) => 1001 + index);
		const centers = payrollNode('payrollEmployee', getCostCenters);
		const draft = chain('After an hour', manualTrigger, ...employees(...ids), centers, codes);
		const execution = await stage.api.run(await stage.create(draft));
		expect(execution.error).toBeUndefined();
		expect(execution.items('Codes')).toHaveLength(37);
		expect(await stage.sandbox.stats()).toMatchObject({
			tokenRequests: { refresh_token: 1 },
			refreshesSucceeded: 1,
			refreshesRefused: 0,
		});
	});

	it('keeps many reads in flight after a single refusal', async () => {
		const { api, credential, sandbox } = stage;
		let [inFlight, mostLater] = [0, 0];
		service.play(async (response, index) => {
			inFlight += 1;
			await sleep(300);
			if (index > 200) mostLater = Math.max(mostLater, inFlight);
			inFlight -= 1;
			const status = index === 50 ? 503 : 200;
			response.writeHead(status, { 'Content-Type': 'text/xml' });
			response.end(soapList('CostCenter_Get', ''));
		});
		const soapNamespace = 'http://payroll.example/soap/v3';
		await api.updateCredential(credential, { soapUrl: service.url, soapNamespace });
		try {
			const ids = Array.from({ length: 600 }, (_, index) => 1001 + index);
			const centers = payrollNode('payrollEmployee', getCostCenters);
			const draft = chain('Refused once', manualTrigger, ...employees(...ids), centers);
			succeeded(await api.run(await stage.create(draft)));
			expect(service.received).toHaveLength(601);
			expect(mostLater).toBeGreaterThanOrEqual(10);
		} finally {
			const { url: soapUrl, namespace } = sandbox;
			await api.updateCredential(credential, { soapUrl, soapNamespace: namespace });
		}
	});

	it('runs an active workflow when its webhook is called, also after n8n was killed', async () => {
		const codes = payrollNode('payrollHourCodes', { ...getHourCodes, companyId: '200' });
		const id = await stage.create(chain('Called', webhook('smoke'), codes));
		const call = async () => (await callWebhook(stage.n8n, 'smoke')).status;
		await stage.api.activate(id);
		expect(await call()).toBe(200);
		await stage.api.ended(id, 1);
		await killAndRestart(stage);
		expect(await call()).toBe(200);
		const executions = await stage.api.ended(id, 2);
		expect(executions.map((execution) => execution.items('Payroll').length)).toEqual([3, 3]);
		await stage.api.deactivate(id);
		expect(await call()).toBe(404);
	});
});
