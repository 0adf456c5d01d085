/** The packed package in a real n8n of each version: it is found, connects, and runs. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	getCostCenters,
	getDepartments,
	getHourCodes,
	updateCompany,
} from '../../dev/package/calls.mts';
import { CREDENTIAL_TYPE } from '../../dev/package/payroll.mts';
import { chain, itemsNode, manualTrigger, payrollNode } from '../../dev/n8n/workflow.mts';
import { employees, webhook } from './nodes.mts';
import { callWebhook, killAndRestart, useStage, versions } from './setUp.mts';

describe.each(versions)('n8n %s', (version) => {
	// A secret with everything that OAuth wants URL-encoded.
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
