import { readFile } from 'node:fs/promises';
import { CREDENTIAL_TYPE } from '../../../dev/package/payroll.mts';
import type { Execution } from '../../../dev/n8n/api.mts';
import { startChatModel } from '../../../dev/n8n/chat-model.mts';
import { callOnceRegistered, deactivated, PATIENCE, useStage } from '../setUp.mts';
import { agent, called, calling, scheduled } from './workflows.mts';

jest.setTimeout(5 * 60_000);

describe('n8n 2.41.1, unattended while an access token expires', () => {
	// A refresh token that is spent twice ends the connection, so that all later tests fail.
	const stage = useStage({ version: '2.41.1', sandbox: { reuse: 'revoke' } });

	/** The service refused the old token, and one refresh gave the token for all other calls. */
	async function expectOneRenewal(): Promise<void> {
		const requests = await stage.sandbox.requests();
		const business = requests.filter(({ path }) => /^\/(soap|api)\//.test(path));
		expect(new Set(business.map(({ status }) => status))).toEqual(new Set([200, 401]));
		const tokens = new Set(business.map(({ headers }) => headers.authorization));
		expect(tokens.size).toBe(2);
		expect(await stage.sandbox.stats()).toMatchObject({
			tokenRequests: { refresh_token: 1 },
			refreshesSucceeded: 1,
			refreshesRefused: 0,
		});
	}

	/** Expires the token and calls a webhook; gives the execution. */
	async function executed(workflow: string, path: string): Promise<Execution> {
		await stage.api.activate(workflow);
		await stage.sandbox.expireAccessTokens();
		await callOnceRegistered(stage.n8n, path);
		const [execution] = await stage.api.ended(workflow, 1, PATIENCE);
		expect(execution?.error).toBeUndefined();
		expect(execution?.status).toBe('success');
		return execution as Execution;
	}

	it('runs an active workflow on its schedule', async () => {
		const id = await stage.create(scheduled);
		await stage.api.activate(id);
		const before = await stage.api.ended(id, 2, PATIENCE);
		await stage.sandbox.expireAccessTokens();
		await stage.api.ended(id, before.length + 3, PATIENCE);

		for (const execution of await deactivated(stage, id)) {
			expect(execution).toMatchObject({ status: 'success', mode: 'trigger' });
			const employees = execution.items('Payroll').map(({ EmployeeId }) => EmployeeId);
			expect(new Set(employees)).toEqual(new Set([1001, 1002, 1003]));
		}
		await expectOneRenewal();
	});

	it('runs a workflow that calls another one', async () => {
		const child = await stage.create(called);
		await stage.api.activate(child);
		const execution = await executed(await stage.create(calling(child)), 'calling');

		const companies = execution.items('Sub-workflow').map(({ CompanyId }) => CompanyId);
		expect(companies.filter((company) => company === 100)).toHaveLength(37);
		expect(companies.filter((company) => company === 200)).toHaveLength(3);
		expect(execution.items('Payroll')[0]).toMatchObject({ EmployeeId: 1001 });
		const children = await stage.api.ended(child, 2, PATIENCE);
		expect(children.map(({ mode }) => mode)).toEqual(['integrated', 'integrated']);
		expect((await stage.sandbox.stats()).soapExecuted).toEqual({
			Address_Update: 2,
			CostCenter_Get: 1,
		});
		await expectOneRenewal();
	});

	it('lets an AI agent use the node as a tool', async () => {
		const model = await startChatModel({ Employee_ID: 1003 });
		try {
			const data = { apiKey: 'stub', url: model.url };
			const openAiApi = await stage.api.createCredential('openAiApi', data, 'Chat model');
			const credentials = { [CREDENTIAL_TYPE]: stage.credential, openAiApi };
			const execution = await executed(await stage.api.createWorkflow(agent, credentials), 'agent');

			// A question and the result of the tool: the model never sees the expired token.
			expect(model.requests).toHaveLength(2);
			const [tool] = model.requests[0]?.tools ?? [];
			expect(tool?.function).toMatchObject({
				name: 'Get_many_cost_centers_in_Payroll_Employee',
				parameters: { properties: { Employee_ID: { type: 'number' } }, required: ['Employee_ID'] },
			});
			expect(await readFile('docs/tool-prompts.md', 'utf8')).toContain(
				['```text', tool?.function.description, '```'].join('\n'),
			);
			const records = execution.items('Get many cost centers in Payroll Employee', 0, 'ai_tool');
			expect(JSON.stringify(records)).toContain('"EmployeeId":1003');
			expect(JSON.stringify(execution.items('AI Agent'))).toContain('4300');
			expect((await stage.sandbox.stats()).soapExecuted).toEqual({ CostCenter_Get: 1 });
			await expectOneRenewal();
		} finally {
			await model.stop();
		}
	});
});
