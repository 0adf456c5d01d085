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
import { picture } from './editor/pictures.mts';
import { createFanOut, runExample } from '../../dev/n8n/examples.mts';
import { chain, manualTrigger, payrollNode } from '../../dev/n8n/workflow.mts';
import { deactivated, succeeded, useStage } from './setUp.mts';

jest.setTimeout(5 * 60_000);

describe('the examples in n8n 2.41.1', () => {
	const stage = useStage({ version: '2.41.1' });

	/** How often each SOAP operation was executed in this test. */
	const executed = async () => (await stage.sandbox.stats()).soapExecuted;

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

	it.each([
		'addresses-from-spreadsheet',
		'cost-center-changes-with-audit',
		'changed-cost-centers',
		'fan-out',
	])('shows all nodes of %s in the editor', async (name) => {
		const browser = await openBrowser();
		try {
			const page = await openWindow(browser, stage.api.session);
			const canvas = new Canvas(page, stage.n8n.url);
			await page.setViewportSize({ width: 2400, height: 1100 });
			await canvas.importFile(`examples/${name}.json`);
			await page.getByTestId('zoom-to-fit').click();
			const nodes = exampleWorkflow(`${name}.json`).nodes.filter(({ id }) => id !== 'note');
			const shown = nodes.map(({ name: label }) =>
				page.locator(`[data-test-id="canvas-node"][data-node-name="${label}"]`),
			);
			for (const node of shown) await node.waitFor();
			// An import selects all nodes.
			await page.locator('.vue-flow__pane').click({ position: { x: 20, y: 400 } });
			const parts = [...shown, page.getByTestId('sticky')];
			await picture(page, `example-${name}`, parts, { docs: true, margin: 60 });
		} finally {
			await browser.close();
		}
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

	it('changes cost centers with an audit trail, and writes back what was before', async () => {
		const draft = exampleWorkflow('cost-center-changes-with-audit.json');
		const settings = { dryRun: false, changedBy: 'A. Clerk' };
		const dry = succeeded(await runExample(stage, draft));
		expect(dry.items('Preview')).toHaveLength(2);
		expect(dry.runs('Write the Row First')).toEqual([]);

		const wet = succeeded(await runExample(stage, withFields(draft, 'Settings', settings)));
		const rows = wet.items('Complete the Row');
		expect(rows).toMatchObject(
			[1001, 1004].map((employeeId) => ({
				...{ employeeId, period: 6, year: 2026, action: 'change', status: 'changed' },
				...{ changedBy: 'A. Clerk', execution: wet.id, error: null },
			})),
		);
		const started = wet.items('Write the Row First');
		expect(started).toMatchObject(rows.map(() => ({ status: 'started', after: null })));
		const codes = ({ before }: IDataObject): unknown[] =>
			(JSON.parse(String(before)) as Array<{ CostCenter: IDataObject }>).map(
				({ CostCenter }) => CostCenter.Code,
			);
		expect(rows.map(codes)).toEqual([['4100'], ['4400', '4500', '4600', '4100']]);

		const undo = { ...settings, undoExecution: wet.id };
		const undone = succeeded(await runExample(stage, withFields(draft, 'Settings', undo)));
		expect(undone.items('Complete the Row')).toMatchObject(
			rows.map(({ employeeId, before, after }) => ({
				...{ employeeId, status: 'changed', action: `undo of execution ${wet.id}` },
				...{ before: after, after: before },
			})),
		);
	});

	it('marks the row of a change that the service refuses, and completes the others', async () => {
		const draft = withParameters(
			withFields(exampleWorkflow('cost-center-changes-with-audit.json'), 'Settings', {
				...{ dryRun: false, changedBy: 'A. Clerk' },
			}),
			'Update Cost Centers',
			(parameters) => ({
				...parameters,
				costCenterenJson:
					'={{ $json.employeeId === 1001 ? \'[{"Id":1,"Percentage":1}]\' : $json.requested }}',
			}),
		);
		const failed = await runExample(stage, draft);
		expect(failed.error?.message).toMatch(/^1 of 2 changes failed/);
		expect(failed.items('Mark the Row')).toMatchObject([
			{ employeeId: 1001, status: 'not changed' },
		]);
		expect(failed.items('Complete the Row')).toMatchObject([
			{ employeeId: 1004, status: 'changed' },
		]);
	});

	it('tells on schedule which cost centers changed, each change once', async () => {
		const draft = exampleWorkflow('changed-cost-centers.json');
		const ids = [1001, 1002, 1003, 1004];
		const told = (execution: Execution): unknown[] =>
			execution.runs('Tell Somebody').length === 0
				? []
				: execution.items('Tell Somebody').map(({ employeeId }) => employeeId);
		expect(told(succeeded(await runExample(stage, draft)))).toEqual(ids);
		expect(told(await onSchedule(draft, 'Every Morning'))).toEqual([]);

		const move = exampleWorkflow('move-cost-center.json');
		succeeded(await runExample(stage, withFields(move, 'Settings', { dryRun: false })));
		const unreadable = withParameters(draft, 'Get Cost Centers', (parameters) => ({
			...parameters,
			period: '={{ $json.employeeId === 1004 ? 0.5 : 6 }}',
		}));
		const failed = await runExample(stage, unreadable);
		expect(failed.error?.message).toMatch(/^Not read, and not compared: 1004\./);
		expect(told(failed)).toEqual([1001]);
		expect(told(succeeded(await runExample(stage, draft)))).toEqual([1004]);
		expect(told(succeeded(await runExample(stage, draft)))).toEqual([]);
	});

	it('reads employees in chunks, and only those who are missing when it is started again', async () => {
		const { create, chunk } = await createFanOut(stage, 'fan-out');
		const parent = await create();
		const first = succeeded(await stage.api.run(parent));
		expect(first.items('Start a Chunk')).toHaveLength(1);
		const [read] = await stage.api.ended(chunk, 1);
		expect(succeeded(read).mode).toBe('webhook');
		expect(await executed()).toEqual({ CostCenter_Get: 4 });
		const rows = await stage.api.tableRows('Payroll fan-out');
		expect(rows.map(({ employeeId, status }) => [employeeId, status])).toEqual(
			[1001, 1002, 1003, 1004].map((id) => [id, 'done']),
		);
		const again = succeeded(await stage.api.run(parent));
		expect(again.runs('Start a Chunk')).toEqual([]);
		await stage.api.deactivate(chunk);
	});

	it('starts no chunk without the login', async () => {
		const { chunk, chunkUrl } = await createFanOut(stage, 'fan-out');
		const refused = await fetch(chunkUrl, { method: 'POST' });
		expect(refused.status).toBe(401);
		expect(await stage.api.executions({ workflowId: chunk })).toEqual([]);
		await stage.api.deactivate(chunk);
	});

	it('inserts an address for employees in chunks, after a dry run', async () => {
		const dry = succeeded(await runExample(stage, exampleWorkflow('fan-out-write.json')));
		expect(dry.items('Preview').map(({ dryRun }) => dryRun)).toEqual(Array(4).fill(true));
		const wet = succeeded(await runExample(stage, exampleWorkflow('fan-out-write-chunk.json')));
		expect(wet.items('Insert Address').map(({ created }) => created)).toEqual(Array(4).fill(true));
		expect(await executed()).toEqual({ Address_GetListCurrent: 8, Address_Insert: 4 });
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
