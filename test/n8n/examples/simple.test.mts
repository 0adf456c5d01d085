/** Every example fits the n8n it is for; those without tables and spreadsheets are run. */
import { readFileSync } from 'node:fs';
import { newestN8n } from '../../../dev/n8n/install.mts';
import { parameterProblems } from '../../../dev/package/node-parameters.mts';
import {
	exampleWorkflow,
	exampleWorkflows,
	withParameters,
} from '../../../dev/package/workflow-file.mts';
import { openBrowser, openWindow } from '../editor/browser.mts';
import { Canvas } from '../editor/canvas.mts';
import { succeeded, versions, withModel } from '../setUp.mts';
import { activateForm, approveAddress, askForAddress, formAddress } from './forms.mts';
import { smtpData, useMailServer } from './mail.mts';
import { useExamples } from './setUp.mts';

jest.setTimeout(5 * 60_000);

const listed = readFileSync('docs/examples.md', 'utf8').split('\n');

const mail = useMailServer();

/** An address of the sample data, with its country. */
const CURRENT = / \d+.* \d{4} [A-Z]{2} .+ NL \(HomeAddress\)/;

describe.each(versions)('the examples in n8n %s', (version) => {
	const examples = useExamples(version);
	const { stage } = examples;

	it('set only parameters that the forms show, or need n8n 2 and the page says so', async () => {
		for (const [file, draft] of exampleWorkflows()) {
			const row = listed.find((line) => line.startsWith('|') && line.includes(`[${file}]`));
			const needs2 = version !== newestN8n && row?.includes('(n8n 2)') === true;
			const types = await stage.api.typesOf(draft.nodes);
			expect([file, types.includes(undefined)]).toEqual([file, needs2]);
			for (const [index, node] of draft.nodes.entries()) {
				const type = types[index];
				const problems = type ? parameterProblems(type, node) : [];
				expect([file, node.name, ...problems]).toEqual([file, node.name]);
			}
		}
	});

	it('finds the credential by its name when a file is imported in the editor, and runs by a click without a mail server', async () => {
		await stage.sandbox.configure({ employees: 4 });
		await examples.setCostCenters(1003, []);
		const browser = await openBrowser();
		try {
			const page = await openWindow(browser, stage.api.session);
			const canvas = new Canvas(page, stage.n8n.url);
			await canvas.importFile('examples/cost-center-totals.json');
			await canvas.execute('Spreadsheet');
		} finally {
			await browser.close();
		}
	});

	it('keeps the connection alive on schedule, once a company is given', async () => {
		const shipped = exampleWorkflow('keep-connection-alive.json');
		const asked = await examples.run(shipped);
		expect(asked.error?.message).toMatch(/Not tried\. .*Company ID/);
		const draft = withParameters(shipped, 'Check Connection', (parameters) => ({
			...{ ...parameters, companyId: 100, employeeId: 1001 },
		}));
		await stage.sandbox.reset();
		const execution = await examples.onSchedule(draft, 'Every Week');
		expect(execution.items('Check Connection')).toMatchObject([{ ok: true }]);
		const { refreshesSucceeded, refreshesRefused, soapCalls } = await stage.sandbox.stats();
		expect(refreshesSucceeded).toBeGreaterThan(0);
		// The schedule may have started a second execution.
		expect([refreshesRefused, Object.keys(soapCalls)]).toEqual([0, ['Address_GetListCurrent']]);
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
				{
					EmployeeId: 1001,
					Period: 6,
					Year: 2026,
					Id,
					created: true,
					changes: expect.stringContaining('House Number 12') as string,
					...{ verified: true, outcome: 'applied' },
				},
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
