import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CREDENTIAL_TYPE } from '../../../dev/package/payroll.mts';
import type { Execution } from '../../../dev/n8n/api.mts';
import { openStage, type Stage } from '../../../dev/n8n/stage.mts';
import { startChatModel } from '../../../dev/n8n/chat-model.mts';
import { agent, called, calling, scheduled } from './workflows.mts';

const version = '2.41.1';

/** On a bare machine n8n is installed and compiled first. */
const installing = 30 * 60_000;

/** How long n8n may take for something on a slow and busy machine, in milliseconds. */
const patience = 120_000;

jest.setTimeout(5 * 60_000);

describe(`n8n ${version}, with nobody watching, across the end of an access token`, () => {
	let stage: Stage;

	beforeAll(async () => {
		// Spending a refresh token twice would take the consent away, and every later test would fail.
		stage = await openStage({ version, sandbox: { reuse: 'revoke' } });
	}, installing);

	afterAll(async () => await stage?.close());

	beforeEach(async () => await stage.sandbox.reset());

	/** Calls a webhook as soon as it is there; n8n registers it a moment after the activation. */
	async function call(path: string): Promise<void> {
		const limit = Date.now() + patience;
		while (!(await fetch(`${stage.n8n.url}/webhook/${path}`)).ok) {
			if (Date.now() > limit) throw new Error(`There is no webhook "${path}"`);
			await sleep(200);
		}
	}

	/** The service refused the old token, and one refresh gave the new one that the rest was done with. */
	async function expectOneRenewal(): Promise<void> {
		const requests = await stage.sandbox.requests();
		const business = requests.filter(({ path }) => /^\/(soap|api)\//.test(path));
		const refused = business.filter(({ status }) => status === 401);
		expect(refused.length).toBeGreaterThan(0);
		expect(business.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
		const tokens = new Set(business.map(({ headers }) => headers.authorization));
		expect(tokens.size).toBe(2);
		expect(await stage.sandbox.stats()).toMatchObject({
			tokenRequests: { refresh_token: 1 },
			refreshesSucceeded: 1,
			refreshesRefused: 0,
		});
	}

	const failures = (executions: readonly Execution[]): unknown[] =>
		executions.filter(({ status }) => status !== 'success').map(({ error }) => error?.message);

	it('an active workflow runs on its schedule', async () => {
		const id = await stage.create(scheduled);
		await stage.api.activate(id);
		const before = await stage.api.ended(id, 2, patience);
		await stage.sandbox.expireAccessTokens();
		await stage.api.ended(id, before.length + 3, patience);
		await stage.api.deactivate(id);
		// Those still under way too: their requests must not be counted to the next test.
		const all = await stage.api.ended(id, (await stage.api.executions({ workflowId: id })).length);

		expect(failures(all)).toEqual([]);
		expect(new Set(all.map(({ mode }) => mode))).toEqual(new Set(['trigger']));
		for (const execution of all) {
			const employees = execution.items('Payroll').map(({ EmployeeId }) => EmployeeId);
			expect(new Set(employees)).toEqual(new Set([1001, 1002, 1003]));
		}
		await expectOneRenewal();
	});

	it('a workflow calls another one', async () => {
		const child = await stage.create(called);
		await stage.api.activate(child);
		const parent = await stage.create(calling(child));
		await stage.api.activate(parent);
		await stage.sandbox.expireAccessTokens();
		await call('calling');

		const [execution] = await stage.api.ended(parent, 1, patience);
		expect(execution?.error).toBeUndefined();
		expect(execution?.status).toBe('success');
		const codes = execution?.items('Sub-workflow') ?? [];
		const companies = codes.map(({ CompanyId }) => CompanyId);
		expect(companies.filter((company) => company === 100)).toHaveLength(37);
		expect(companies.filter((company) => company === 200)).toHaveLength(3);
		expect(execution?.items('Payroll')[0]).toMatchObject({ EmployeeId: 1001 });

		const children = await stage.api.ended(child, 2, patience);
		expect(children.map(({ mode }) => mode)).toEqual(['integrated', 'integrated']);
		expect((await stage.sandbox.stats()).soapExecuted).toEqual({
			Address_Update: 2,
			CostCenter_Get: 1,
		});
		await expectOneRenewal();
	});

	it('an AI agent uses the node as a tool', async () => {
		const model = await startChatModel({ Employee_ID: 1003 });
		try {
			const openAiApi = await stage.api.createCredential(
				'openAiApi',
				{ apiKey: 'stub', url: model.url },
				'Chat model',
			);
			const credentials = { [CREDENTIAL_TYPE]: stage.credential, openAiApi };
			const id = await stage.api.createWorkflow(agent(), credentials);
			await stage.api.activate(id);
			await stage.sandbox.expireAccessTokens();
			await call('agent');

			const [execution] = await stage.api.ended(id, 1, patience);
			expect(execution?.error).toBeUndefined();
			// Asked, told what the tool gave, and done: the model never saw a failure on the way.
			expect(model.requests).toHaveLength(2);
			const [tool] = model.requests[0]?.tools ?? [];
			expect(tool?.function).toMatchObject({
				name: 'Get_many_cost_centers_in_Payroll_Employee',
				parameters: { properties: { Employee_ID: { type: 'number' } }, required: ['Employee_ID'] },
			});
			expect(await readFile('docs/tools.md', 'utf8')).toContain(
				['```text', tool?.function.description, '```'].join('\n'),
			);
			const records =
				execution?.items('Get many cost centers in Payroll Employee', 0, 'ai_tool') ?? [];
			expect(JSON.stringify(records)).toContain('"EmployeeId":1003');
			expect(JSON.stringify(execution?.items('AI Agent'))).toContain('4300');
			const { soapExecuted } = await stage.sandbox.stats();
			expect(soapExecuted).toEqual({ CostCenter_Get: 1 });
			await expectOneRenewal();
		} finally {
			await model.stop();
		}
	});
});
