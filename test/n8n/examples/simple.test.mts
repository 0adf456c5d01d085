/** Every example fits the n8n it is for; those without tables and spreadsheets are run. */
import { readFileSync } from 'node:fs';
import type { IDataObject } from 'n8n-workflow';
import { newestN8n } from '../../../dev/n8n/install.mts';
import { chain, manualTrigger, payrollNode } from '../../../dev/n8n/workflow.mts';
import { exampleWorkflow, withFields } from '../../../dev/package/workflow-file.mts';
import { openBrowser, openWindow } from '../editor/browser.mts';
import { Canvas } from '../editor/canvas.mts';
import { picture } from '../editor/pictures.mts';
import { succeeded, versions, withModel } from '../setUp.mts';
import { activateForm, approveAddress, askForAddress, formAddress } from './forms.mts';
import { smtpData, useMailServer } from './mail.mts';
import { useExamples } from './setUp.mts';

jest.setTimeout(5 * 60_000);

const codeOf = ({ CostCenter }: IDataObject): unknown => (CostCenter as IDataObject).Code;

const mail = useMailServer();

/** An address of the sample data, with its country. */
const CURRENT = / \d+.* \d{4} [A-Z]{2} .+ NL \(HomeAddress\)/;

describe.each(versions)('the examples in n8n %s', (version) => {
	const examples = useExamples(version);
	const { stage } = examples;

	it('finds the credential by its name when a file is imported in the editor, and runs by a click', async () => {
		const share = (Code: string, Percentage: number) => ({ CostCenter: { Code }, Percentage });
		await examples.setCostCenters(1002, [share('4100', 60), share('4300', 40)]);
		await examples.setCostCenters(1003, [share('4100', 33.34), share('4500', 66.66)]);
		const browser = await openBrowser();
		try {
			const page = await openWindow(browser, stage.api.session);
			const canvas = new Canvas(page, stage.n8n.url);
			await canvas.importFile('examples/move-cost-center.json');
			await canvas.execute('Changes');
			const docs = version === newestN8n;
			await page.getByTestId('sticky').evaluate((element) => element.remove());
			await canvas.deselect();
			await page.getByTestId('zoom-to-fit').click();
			const button = page.getByTestId('execute-workflow-button');
			await button.evaluate((element) => (element.style.visibility = 'hidden'));
			const nodes = await page.getByTestId('canvas-node').all();
			await picture(page, 'workflow', nodes, { docs, margin: 45 });

			const view = await canvas.open('Changes');
			const cells = (row: string): string[] => row.split('\t', 3).map((cell) => cell.trim());
			expect((await view.rows()).map(cells)).toEqual([
				['employeeId', 'changes', 'result'],
				['1001', '4100 → 4200, 100 %', 'dry run'],
				['1002', '4100 → 4200, 60 %', 'dry run'],
				['1003', '4100 → 4200, 33.34 %', 'dry run'],
				expect.arrayContaining(['1004', 'dry run']),
			]);
		} finally {
			await browser.close();
		}
		expect((await examples.executed()).CostCenter_Get).toBe(8);
	});

	it.each(['change', 'replace'] as const)(
		'moves those who have the old cost center, and nothing else; the service takes rows to %s',
		async (costCenterUpdate) => {
			await stage.sandbox.configure({ costCenterUpdate });
			const ids = [1001, 1002, 1003, 1004];
			const draft = exampleWorkflow('move-cost-center.json');
			const before = await examples.costCenters(...ids);
			const dry = succeeded(await examples.run(draft));
			const previews = dry.items('Update Cost Centers');
			expect(previews).toMatchObject(
				[1001, 1004].map((EmployeeId) => ({ EmployeeId, Period: 6, Year: 2026, dryRun: true })),
			);
			expect(await examples.costCenters(...ids)).toEqual(before);

			await stage.sandbox.reset();
			await stage.sandbox.configure({ costCenterUpdate });
			const wet = succeeded(await examples.run(withFields(draft, 'Settings', { dryRun: false })));
			expect(await examples.executed()).toEqual({ CostCenter_Get: 8, CostCenter_Update: 2 });
			expect(wet.items('Update Cost Centers')).toMatchObject(
				[1001, 1004].map((EmployeeId) => ({ EmployeeId, success: true })),
			);
			const bodies = (await examples.sent()).filter((body) => /^<CostCenter_Update>/.test(body));
			expect(bodies.map((body) => body.match(/<EmployeeCostCenter>/g)?.length)).toEqual([1, 4]);
			// The code only: the other fields of the old cost center are not those of the new one.
			for (const body of bodies)
				expect(body).toContain('<CostCenter><Code>4200</Code></CostCenter>');

			const others = ({ CostCenter: _, ...rest }: IDataObject): IDataObject => rest;
			const after = await examples.costCenters(...ids);
			expect(after.map(others)).toEqual(before.map(others));
			expect(after.map(codeOf)).toEqual(
				before.map((row) => (codeOf(row) === '4100' ? '4200' : codeOf(row))),
			);
			// Nobody has it any more.
			const again = succeeded(await examples.run(draft));
			expect(again.runs('Update Cost Centers')).toEqual([]);
			await stage.sandbox.configure({ costCenterUpdate: 'change' });
		},
	);

	it('moves the others if somebody cannot be moved, and says who was not, and why', async () => {
		await examples.setCostCenters(1001, [{ CostCenter: { Code: '4100' }, Percentage: 90 }]);
		const draft = exampleWorkflow('move-cost-center.json');
		const wet = withFields(draft, 'Settings', { dryRun: false });
		const failed = await examples.run(wet);
		expect(failed.error?.message).toMatch(/^Not moved: employee 1001\./);
		expect(failed.items('Not Moved')).toEqual([
			{ employeeId: 1001, reason: expect.stringMatching(/90.*100 %/s) as string },
		]);
		expect(failed.items('Update Cost Centers')).toMatchObject([{ EmployeeId: 1004 }]);

		await examples.setCostCenters(1001, [{ CostCenter: { Code: '4100' }, Percentage: 100 }]);
		const before = (await examples.executed()).CostCenter_Update ?? 0;
		const corrected = succeeded(await examples.run(wet));
		expect(corrected.items('Update Cost Centers')).toMatchObject([{ EmployeeId: 1001 }]);
		expect((await examples.executed()).CostCenter_Update).toBe(before + 1);
	});

	it('keeps the connection alive on schedule, and a failure says what to do', async () => {
		const draft = exampleWorkflow('keep-connection-alive.json');
		const execution = await examples.onSchedule(draft, 'Every Week');
		// Without a company the REST API is not tried, and without an employee a fault says little: no failure.
		expect(execution.items('All Is Well')).toMatchObject([
			{ ok: null, token: { ok: true }, restApi: { ok: null }, soapApi: { ok: null } },
		]);
		const { refreshesSucceeded, refreshesRefused, soapCalls } = await stage.sandbox.stats();
		expect(refreshesSucceeded).toBeGreaterThan(0);
		// The schedule may have started a second execution.
		expect([refreshesRefused, Object.keys(soapCalls)]).toEqual([0, ['Address_GetListCurrent']]);

		const { api, credential, sandbox } = stage;
		await api.updateCredential(credential, { soapUrl: `${sandbox.url}/elsewhere` });
		const wrong = await examples.run(draft);
		await api.updateCredential(credential, { soapUrl: sandbox.url });
		expect(wrong.error?.message).toMatch(/SOAP Address/);

		const end = { resource: 'connection', operation: 'revoke', confirmed: true };
		succeeded(await examples.run(chain('End', manualTrigger, payrollNode('payrollCompany', end))));
		try {
			const ended = await examples.run(draft);
			expect(ended.error?.message).toMatch(/Open the credential.*log in again/);
			expect([...wrong.runs('All Is Well'), ...ended.runs('All Is Well')]).toEqual([]);
		} finally {
			await api.connect(credential, sandbox);
		}
	});

	it('lets an agent answer with an address, and only read it, though the access token has expired', async () => {
		const { api, sandbox } = stage;
		const draft = exampleWorkflow('address-agent.json');
		await withModel(stage, draft, { employeeId: 1003 }, async (id, model) => {
			await sandbox.expireAccessTokens();
			const chatInput = 'Where does employee 1003 live?';
			const execution = await api.run(id, { item: { action: 'sendMessage', chatInput } });
			const [answer] = succeeded(execution).items('AI Agent');
			expect(answer?.output).toContain('Laan van Meerdervoort');
			// A question and the result of the tool: the model never sees the expired token.
			expect(model.requests).toHaveLength(2);
			const [tool] = model.requests[0]?.tools ?? [];
			const snapshots = 'test/package/nodes/__snapshots__/as-tool.test.mts.snap';
			expect(readFileSync(snapshots, 'utf8')).toContain(`\n\n${tool?.function.description}\n\n`);
			expect(await examples.executed()).toEqual({ Address_GetListCurrent: 1 });
			expect(await sandbox.stats()).toMatchObject({ refreshesSucceeded: 1, refreshesRefused: 0 });
		});
	});

	describe('an address change', () => {
		const draft = exampleWorkflow('address-change-with-approval.json');
		let [workflow, smtp] = ['', ''];

		beforeAll(async () => {
			smtp = await stage.api.createCredential('smtp', smtpData(mail), 'SMTP account');
			workflow = await activateForm(stage, draft, { smtp });
		});
		afterAll(async () => await stage.api.deactivate(workflow));

		it('is asked only of those who have the login', async () => {
			const address = await formAddress(stage, workflow);
			expect((await fetch(address)).status).toBe(401);
			const body = new FormData();
			body.set('field-0', '1001');
			expect((await fetch(address, { method: 'POST', body })).status).toBe(401);
			const Authorization = `Basic ${Buffer.from('clerk:guess').toString('base64')}`;
			expect((await fetch(address, { headers: { Authorization } })).status).toBe(401);
			expect(await stage.api.executions({ workflowId: workflow })).toEqual([]);
		});

		it('is inserted once it is approved, and not again if it was asked for twice', async () => {
			const street = { Street: '<a href="/">Gracht</a>' };
			const asked = await askForAddress(stage, workflow, street);
			const twice = await askForAddress(stage, workflow, street);
			// The employee's own execution has ended, so that the employee cannot approve.
			expect(asked.employee.mode).toBe('webhook');
			expect(asked.employee.runs('Wait for Approval')).toEqual([]);
			const page = await (await fetch(asked.approve)).text();
			// What the employee typed is shown without its HTML.
			const shown = /<p style="white-space: pre-line">(.*?) *<\/p>/s.exec(page)?.[1] ?? '';
			const addresses =
				/^Employee 1001\nCurrent address: (.+ \(HomeAddress\).*)\nNew address: (.+)\n/.exec(shown);
			expect(addresses?.[2]).toBe('a href="/"Gracht/a 12 3512 LC Utrecht NL');
			expect(addresses?.[1]).toMatch(CURRENT);
			expect(shown).toMatch(/confirm the change with the employee first\.$/);
			const [told, ...others] = mail.received();
			expect(others).toHaveLength(1);
			expect(told?.to).toEqual(['approver@example.com']);
			expect(told?.text).toContain(asked.approve);
			expect(told?.text).toMatch(CURRENT);
			expect(await examples.executed()).toEqual({ Address_GetListCurrent: 2 });

			const { execution, page: answer } = await approveAddress(stage, asked);
			const done = succeeded(execution);
			expect(JSON.parse(answer)).toEqual({ formSubmittedText: 'The address was inserted.' });
			const Id = expect.any(Number) as number;
			expect(done.items('Insert Address')).toEqual([
				{ EmployeeId: 1001, Period: 6, Year: 2026, Id, created: true, verified: true },
			]);
			// The link works once.
			expect(await (await fetch(asked.approve)).text()).not.toContain('Approve');
			const second = await approveAddress(stage, twice);
			expect(second.page).toContain('already has this address: nothing was inserted');
			expect(succeeded(second.execution).items('Insert Address')).toMatchObject([
				{ created: false },
			]);
			// Both approvals look for the address, and the insert is verified.
			expect(await examples.executed()).toEqual({ Address_GetListCurrent: 5, Address_Insert: 1 });
			const sent = await examples.sent();
			expect(sent.find((one) => one.startsWith('<Address_Insert>'))).toBe(
				'<Address_Insert><EmployeeId>1001</EmployeeId><Address>' +
					'<Street>&lt;a href="/"&gt;Gracht&lt;/a&gt;</Street><HouseNumber>12</HouseNumber>' +
					'<PostalCode>3512 LC</PostalCode>' +
					'<City>Utrecht</City><CountryISOCode>NL</CountryISOCode><Type>HomeAddress</Type>' +
					'</Address><Period>6</Period><Year>2026</Year><UnprotectedMode>false</UnprotectedMode>' +
					'</Address_Insert>',
			);
		});

		it('is not inserted if the approver rejects it, nor, in n8n 2, by anybody without the link', async () => {
			const asked = await askForAddress(stage, workflow);
			const withoutToken = new URL(asked.approve);
			withoutToken.search = '';
			// The workflow's note says so, too.
			expect((await fetch(withoutToken)).status).toBe(version === newestN8n ? 401 : 200);
			const { execution, page } = await approveAddress(stage, asked, { Approve: 'No' });
			const done = succeeded(execution);
			expect(page).toContain('Not approved: nothing was inserted.');
			expect(done.items('Not Approved')).toHaveLength(1);
			expect(done.runs('Insert Address')).toEqual([]);
			expect(await examples.executed()).toEqual({ Address_GetListCurrent: 1 });
		});
	});
});
