/** The workflows of the folder `examples`, imported into a real n8n and run there. */
import type { IDataObject } from 'n8n-workflow';
import { parameterProblems } from '../../dev/package/node-parameters.mts';
import {
	exampleWorkflow,
	exampleWorkflows,
	withFields,
	withParameters,
} from '../../dev/package/workflow-file.mts';
import type { Execution, WorkflowDraft } from '../../dev/n8n/api.mts';
import { openBrowser, openWindow } from './editor/browser.mts';
import { Canvas } from './editor/canvas.mts';
import { approveAddress, askForAddress, runExample } from '../../dev/n8n/examples.mts';
import { chain, manualTrigger, payrollNode } from '../../dev/n8n/workflow.mts';
import { deactivated, useStage } from './setUp.mts';

jest.setTimeout(5 * 60_000);

describe('the examples in n8n 2.41.1', () => {
	const stage = useStage({ version: '2.41.1' });

	/** How often each SOAP operation was executed in this test. */
	const executed = async () => (await stage.sandbox.stats()).soapExecuted;

	const succeeded = (execution: Execution | undefined): Execution => {
		expect(execution?.error).toBeUndefined();
		expect(execution?.status).toBe('success');
		return execution as Execution;
	};

	/** Activates a workflow with its schedule set to every second; gives its first execution. */
	async function onSchedule(draft: WorkflowDraft, trigger: string): Promise<Execution> {
		const rule = { interval: [{ field: 'seconds', secondsInterval: 1 }] };
		const id = await stage.create(withParameters(draft, trigger, () => ({ rule })));
		await stage.api.activate(id);
		await stage.api.ended(id, 1);
		const all = await deactivated(stage, id);
		for (const execution of all) expect(execution.mode).toBe('trigger');
		return succeeded(all.at(-1));
	}

	it.each([...exampleWorkflows()])(
		'%s sets only parameters that the forms show',
		async (_, { nodes }) => {
			const types = await stage.api.typesOf(nodes);
			for (const [index, node] of nodes.entries()) {
				const type = types[index];
				const problems = type ? parameterProblems(type, node) : ['is unknown'];
				expect({ [node.name]: problems }).toEqual({ [node.name]: [] });
			}
		},
	);

	it('finds the credential by its name when a file is imported in the editor, and runs by a click', async () => {
		const browser = await openBrowser();
		try {
			const canvas = new Canvas(await openWindow(browser, stage.api.session), stage.n8n.url);
			await canvas.importFile('examples/move-cost-center.json');
			await canvas.execute('Update Cost Centers');
		} finally {
			await browser.close();
		}
		expect(await executed()).toEqual({ CostCenter_Get: 6 });
	});

	it('moves cost centers once the dry run is off', async () => {
		const draft = exampleWorkflow('move-cost-center.json');
		const dry = succeeded(await runExample(stage, draft));
		expect(dry.items('Update Cost Centers').map(({ dryRun }) => dryRun)).toEqual([true, true]);
		expect(await executed()).toEqual({ CostCenter_Get: 6 });

		const wet = succeeded(
			await runExample(stage, withFields(draft, 'Settings', { dryRun: false })),
		);
		const written = wet.items('Update Cost Centers');
		expect(written.map(({ EmployeeId, success }) => [EmployeeId, success])).toEqual([
			[1001, true],
			[1004, true],
		]);
		expect(await executed()).toEqual({ CostCenter_Get: 12, CostCenter_Update: 2 });
		const again = succeeded(await runExample(stage, draft));
		expect(again.runs('Update Cost Centers')).toEqual([]);
	});

	describe('an address change', () => {
		const draft = exampleWorkflow('address-change-with-approval.json');
		let workflow: string;

		beforeAll(async () => {
			workflow = await stage.create(draft);
			await stage.api.activate(workflow);
		});

		afterAll(async () => await stage.api.deactivate(workflow));

		it('is inserted once it is approved', async () => {
			const asked = await askForAddress(stage, workflow, { Street: '<a href="/">Gracht</a>' });
			// The employee's own execution has ended, so that the employee cannot approve.
			expect(asked.employee.mode).toBe('webhook');
			expect(asked.employee.runs('Wait for Approval')).toEqual([]);
			const page = await (await fetch(asked.approve)).text();
			// What the employee typed is shown without its HTML.
			expect(/<p style="white-space: pre-line">(.*?) *<\/p>/.exec(page)?.[1]).toBe(
				'Employee 1001: a href="/"Gracht/a 12 3512 LC Utrecht NL',
			);
			expect(await executed()).toEqual({});

			const done = succeeded(await approveAddress(stage, asked));
			expect(done.items('Insert Address')).toEqual([
				{
					...{ EmployeeId: 1001, Period: 6, Year: 2026 },
					...{ Id: expect.any(Number) as number, created: true },
				},
			]);
			const requests = await stage.sandbox.requests();
			const body = requests.find((request) => request.body.includes('<Address_Insert '))?.body;
			expect(body).toContain('<Street>&lt;a href="/"&gt;Gracht&lt;/a&gt;</Street>');
			expect(body).toContain('<Type>HomeAddress</Type></Address><Period>6</Period>');

			// The link works once.
			expect(await (await fetch(asked.approve)).text()).not.toContain('Approve');
			expect(await executed()).toEqual({ Address_GetListCurrent: 1, Address_Insert: 1 });
		});

		it('is not inserted if the approver rejects it, or by anybody without the link', async () => {
			const asked = await askForAddress(stage, workflow);
			const withoutToken = new URL(asked.approve);
			withoutToken.search = '';
			expect((await fetch(withoutToken)).status).toBe(401);
			const done = succeeded(await approveAddress(stage, asked, { Approve: 'No' }));
			expect(done.items('Not Approved')).toHaveLength(1);
			expect(done.runs('Insert Address')).toEqual([]);
			expect(await executed()).toEqual({});
		});
	});

	it('copies hour codes to a table on schedule, and replaces the earlier ones', async () => {
		const draft = exampleWorkflow('nightly-hour-codes.json');
		const first = await onSchedule(draft, 'Every Night');
		expect(first.items('Add Rows')).toHaveLength(40);
		await runExample(stage, draft);
		const last = succeeded(await runExample(stage, draft));
		const added = last.items('Add Rows');
		expect(added.map(({ companyId }) => companyId)).toEqual([
			...Array<number>(37).fill(100),
			...Array<number>(3).fill(200),
		]);
		const code = JSON.parse(String(added[0]?.hourCode)) as IDataObject;
		expect(code).toEqual({ id: 301, code: 'U001', description: 'Normale uren 1' });
		// As many rows as the run before has added, so that there are no others.
		expect(last.items('Delete Older Rows')).toHaveLength(40);
	});

	it('keeps the connection alive on schedule, and a failure says what to do', async () => {
		const draft = exampleWorkflow('keep-connection-alive.json');
		const execution = await onSchedule(draft, 'Every Week');
		expect(execution.items('All Is Well')).toMatchObject([
			{ ok: null, renewed: true, restApi: { ok: null }, soapApi: { ok: true } },
		]);
		const { refreshesSucceeded, refreshesRefused, soapCalls } = await stage.sandbox.stats();
		expect(refreshesSucceeded).toBeGreaterThan(0);
		// The schedule may have started a second execution.
		expect([refreshesRefused, Object.keys(soapCalls)]).toEqual([0, ['Address_GetListCurrent']]);

		const end = { resource: 'connection', operation: 'revoke', confirmed: true };
		const ending = chain('End', manualTrigger, payrollNode('payrollCompany', end));
		succeeded(await stage.api.run(await stage.create(ending)));
		try {
			const failed = await runExample(stage, draft);
			expect(failed.status).toBe('error');
			expect(failed.error?.message).toMatch(/Open the credential and connect the account again/);
		} finally {
			await stage.api.connect(stage.credential, stage.sandbox);
		}
	});

	it('lets an agent answer with an address, and only read it', async () => {
		const execution = succeeded(await runExample(stage, exampleWorkflow('address-agent.json')));
		const [answer] = execution.items('AI Agent');
		expect(answer?.output).toContain('Laan van Meerdervoort');
		expect(await executed()).toEqual({ Address_GetListCurrent: 1 });
	});
});
