/** A first-time user's journey, clicked and typed in the editor, with the installed package. */
import { newestN8n } from '../../../dev/n8n/install.mts';
import { sentOperations } from '../../package/requests.mts';
import { CredentialWindow } from './credential-window.mts';
import { dismissMessages } from './messages.mts';
import { picture } from './pictures.mts';
import { useEditor } from './setUp.mts';

const nodes = ['Payroll Company', 'Payroll Employee', 'Payroll Hour Codes'];

/** What a cost center is in a simplified item. */
const columns = ['employeeId', 'period', 'year', 'recordId', 'costCenterCode']
	.concat(['costCenterDescription', 'costCenterId', 'costTypeCode', 'costTypeDescription'])
	.concat(['percentage', 'default']);

describe(`a first-time user in the editor of n8n ${newestN8n}`, () => {
	const editor = useEditor(newestN8n);
	const { stage } = editor;

	beforeAll(async () => {
		const { api, credential } = stage;
		await api.session.rest('DELETE', `/credentials/${credential}`);
	});
	afterEach(async () => {
		expect((await stage.sandbox.requests()).flatMap(({ violations }) => violations)).toEqual([]);
	});

	/** The requests for a SOAP operation, as the sandbox received them. */
	const received = async (operation: string): Promise<string[]> =>
		(await sentOperations(stage.sandbox)).filter((request) => request.startsWith(`<${operation}>`));

	editor.step('finds the three nodes by searching "payroll", each with an icon', async () => {
		const { canvas } = editor;
		await canvas.newWorkflow();
		await canvas.search('payroll');
		expect(await canvas.listed('Payroll Employee')).toEqual(nodes);
		const images = canvas.panel.getByTestId('node-creator-action-item').locator('img:visible');
		expect(await images.count()).toBe(nodes.length);
	});

	editor.step('sees the actions of a node, and adds it', async () => {
		const { canvas } = editor;
		await canvas.pickNode('Payroll Employee');
		expect(await canvas.listed('Update cost centers')).toEqual([
			'Create address',
			'Get many addresses',
			'Get many cost centers',
			'Update cost centers',
			'Call other operation',
		]);
		const view = await canvas.pickAction('Get many cost centers');
		await view.typeAll({ employeeId: '1002', period: '6', year: '2026' });
	});

	editor.step(
		'creates the credential from the node, logs in, consents and is connected',
		async () => {
			const { canvas, page } = editor;
			const view = await canvas.opened();
			const window = await view.createCredential();
			expect((await window.redirectUrl.innerText()).trim()).toContain(stage.n8n.callbackUrl);
			await window.fillIn(stage.sandbox);
			await window.choose('allowedHttpRequestDomains', 'None');

			const popup = await window.connect();
			await popup.getByLabel('User name').fill(stage.sandbox.user);
			await popup.getByLabel('Password').fill(stage.sandbox.password);
			await popup.getByRole('button', { name: 'Sign in' }).click();
			await popup.getByRole('button', { name: 'Allow' }).waitFor();
			// By default all scopes are requested.
			expect(await popup.locator('li code').allInnerTexts()).toEqual(stage.sandbox.scopes);
			const closed = popup.waitForEvent('close');
			await popup.getByRole('button', { name: 'Allow' }).click();
			await closed;

			await window.root.waitFor({ state: 'hidden' });
			await CredentialWindow.edit(page);
			await window.connected.waitFor();
			expect(await window.field('appSecret').locator('input').inputValue()).not.toContain(
				stage.sandbox.clientSecret,
			);
			// n8n's window takes four fifths of the page's height.
			const high = { width: 1400, height: 1125 };
			await picture(page, 'credential', [window.root], { docs: true, window: high });
			await window.field('appSecret').evaluate((field) => field.scrollIntoView());
			await picture(page, 'credential-fields', [window.root], { docs: true, window: high });
			await window.close();
			await view.close();
		},
	);

	editor.step('sees the fields of the output before the first run', async () => {
		const { canvas, page } = editor;
		const view = await canvas.add('Payroll Employee', 'Update cost centers');
		await view.input.getByText('Usually outputs the following fields').waitFor();
		const fields = await view.input.getByTestId('run-data-schema-item').allInnerTexts();
		// The list is rendered in any order.
		expect(fields.map((field) => field.trim()).sort()).toEqual([...columns].sort());
		expect(await stage.sandbox.stats()).toMatchObject({ soapCalls: {}, restCalls: 0 });
		const low = { width: 1400, height: 730 };
		await picture(page, 'schema', [view.input], { docs: true, window: low });
	});

	editor.step('fills in a repeated record, with optional fields and expressions', async () => {
		const { canvas } = editor;
		const view = await canvas.opened();
		await view.express('employeeId', '$json.employeeId');
		await view.typeAll({ period: '6', year: '2026' });
		const first = await view.addRow('costCenteren');
		await first.express('costCenterCode', '$json.costCenterCode');
		await first.typeAll({ percentage: '60' });
		const second = await view.addRow('costCenteren');
		await second.typeAll({ costCenterCode: '4300', percentage: '40' });
		await second.addFields('Cost Type Code');
		await second.typeAll({ kostensoortCode: '410' });
		await view.close();
	});

	editor.step('executes a step and sees the items as a table', async () => {
		const { canvas } = editor;
		const view = await canvas.open('Get many cost centers');
		await view.execute();
		const [heading, first, ...others] = await view.rows();
		expect(heading?.split(/\s+/).filter(Boolean)).toEqual(columns);
		expect(first).toMatch(/^1002\s+6\s+2026\s[^]*R&D <lab> "Noord"[^]*62\.5\s+true/);
		expect(others).toHaveLength(1);
		await view.close();
	});

	editor.step('updates with values from the node before, row by row', async () => {
		const { canvas, page } = editor;
		const read = await canvas.open('Get many cost centers');
		await read.type('employeeId', '1001');
		await read.execute();
		await read.close();
		const view = await canvas.open('Update cost centers');
		// The preview of the expression.
		await view.root.getByText('4100', { exact: true }).first().waitFor();
		await view.field('employeeId').scrollIntoViewIfNeeded();
		const long = { width: 1400, height: 1480 };
		const rows = view.root.getByTestId('fixed-collection-costCenteren');
		await picture(page, 'cost-centers', [rows], { docs: true, margin: 16, window: long });
		await view.execute();
		expect((await view.rows()).slice(1)).toEqual([
			expect.stringMatching(/^1001\s+6\s+2026\s+4100: 100 → 60 %/),
		]);
		await view.close();
		const bodies = await received('CostCenter_Update');
		expect(bodies).toEqual([
			expect.stringMatching(
				/<EmployeeId>1001<[^]*<Code>4100<[^]*<Percentage>60<[^]*<Code>4300<[^]*<Code>410<[^]*<Percentage>40</,
			),
		]);
	});

	editor.step('sees why the service refuses, and corrects it', async () => {
		const { canvas, page } = editor;
		await canvas.newWorkflow();
		const view = await canvas.add('Payroll Employee', 'Create address');
		// The only credential is selected.
		expect(await view.credentialName()).toBe('Payroll account');
		await view.type('employeeId', '1001');
		await view.typeAll({ street: 'Singel', houseNumber: '1' });
		await view.typeAll({ postalCode: '1012 VC', city: 'Amsterdam' });
		await view.choose('type', 'Work Address');
		await view.typeAll({ period: '5', year: '2026' });
		await view.execute();
		expect(await view.errorMessage.innerText()).toContain(
			'TWK exception: The period lies before the current period of the company.',
		);
		const description = await view.errorDescription.innerText();
		expect(description).toContain("turn on 'Unprotected Mode'");
		expect(description).toContain('Employee ID 1001, Period 5, Year 2026.');
		expect(description).toContain('The change was not applied');
		await dismissMessages(page);
		await view.output.getByText('From Payroll Employee', { exact: true }).click();
		const low = { width: 1400, height: 770 };
		await picture(page, 'fault', [view.output], { docs: true, window: low });
		await view.output.getByText('Other info', { exact: true }).click();
		expect(await view.output.innerText()).not.toContain(stage.sandbox.subscriptionKey);

		await view.turn('unprotectedMode');
		await view.execute();
		expect((await view.rows())[1]).toMatch(/^1001\s+5\s+2026\s+Street .*Type WorkAddress\s+\d+/);
		await view.close();
		const [, insert = ''] = await received('Address_Insert');
		expect(insert).toContain('<City>Amsterdam</City><Type>WorkAddress</Type>');
		expect(insert).toContain('<UnprotectedMode>true</UnprotectedMode>');
	});

	editor.step('checks the connection, and sees no secret', async () => {
		const { canvas, page } = editor;
		await canvas.newWorkflow();
		const view = await canvas.add('Payroll Company', 'Check connection');
		await view.typeAll({ companyId: '100', employeeId: '1001' });
		await view.execute();
		const [, first] = await view.rows();
		expect(first).toMatch(/^100\s+1001\s+true/);
		const shown = await view.output.innerText();
		for (const secret of [stage.sandbox.clientSecret, stage.sandbox.subscriptionKey])
			expect(shown).not.toContain(secret);
		await view.showSchema();
		await picture(page, 'check', [view.main, view.output], {
			docs: true,
			window: { width: 1400, height: 764 },
		});
		await view.close();
	});
});
