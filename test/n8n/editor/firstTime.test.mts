/** A first-time user's journey, clicked and typed in the editor, with the installed package. */
import type { Browser, Page } from 'playwright-core';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import { N8nApi } from '../../../dev/n8n/api.mts';
import { freePort } from '../../../dev/listen.mts';
import { startN8n, type N8n } from '../../../dev/n8n/host.mts';
import { newestN8n } from '../../../dev/n8n/install.mts';
import { sentOperations } from '../../package/requests.mts';
import { INSTALLING } from '../setUp.mts';
import { openBrowser, openWindow } from './browser.mts';
import { Canvas } from './canvas.mts';
import { CredentialWindow } from './credential-window.mts';
import { dismissMessages } from './messages.mts';
import { picture } from './pictures.mts';

/** A secret with everything that OAuth wants URL-encoded. */
const clientSecret = 'p+y/100% r:o&l=l secret';

const nodes = ['Payroll Company', 'Payroll Employee', 'Payroll Hour Codes'];

/** What a cost center is in a simplified item. */
const columns = ['employeeId', 'period', 'year', 'recordId', 'costCenterCode']
	.concat(['costCenterDescription', 'costCenterId', 'costTypeCode', 'costTypeDescription'])
	.concat(['percentage', 'default']);

describe(`a first-time user in the editor of n8n ${newestN8n}`, () => {
	let sandbox: SandboxClient;
	let n8n: N8n;
	let api: N8nApi;
	let browser: Browser;
	let page: Page;
	let canvas: Canvas;

	beforeAll(async () => {
		const port = await freePort();
		const redirectUris = [`http://127.0.0.1:${port}/rest/oauth2-credential/callback`];
		sandbox = await launchSandbox({ clientSecret, redirectUris, schemaValidation: true });
		n8n = await startN8n({ version: newestN8n, port });
		api = await N8nApi.open(n8n);
		browser = await openBrowser();
		page = await openWindow(browser, api.session);
		canvas = new Canvas(page, n8n.url);
	}, INSTALLING);

	afterAll(async () => {
		await browser?.close();
		await n8n?.remove();
		await sandbox?.stop();
	});

	let isBroken = false;

	/** A step of the journey; the steps after a failed one are not taken. */
	const step = (name: string, go: () => Promise<void>): void => {
		it(name, async () => {
			if (isBroken) throw new Error('An earlier step failed');
			try {
				await go();
			} catch (error) {
				isBroken = true;
				await picture(page, 'failure').catch(() => undefined);
				throw error;
			}
		});
	};

	/** The requests for a SOAP operation, as the sandbox received them. */
	const received = async (operation: string): Promise<string[]> =>
		(await sentOperations(sandbox)).filter((request) => request.startsWith(`<${operation}>`));

	step('finds the three nodes by searching "payroll", each with an icon', async () => {
		await canvas.newWorkflow();
		await canvas.search('payroll');
		expect(await canvas.listed('Payroll Employee')).toEqual(nodes);
		const images = canvas.panel.getByTestId('node-creator-action-item').locator('img:visible');
		expect(await images.count()).toBe(nodes.length);
		for (const image of await images.all()) {
			const source = new URL((await image.getAttribute('src')) ?? '', n8n.url);
			const response = await page.request.get(source.toString());
			expect(response.headers()['content-type']).toContain('image/svg+xml');
		}
		await picture(page, 'nodes-panel', [canvas.panel]);
	});

	step('sees the actions of a node, and adds it', async () => {
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

	step('creates the credential from the node, logs in, consents and is connected', async () => {
		const view = await canvas.opened();
		const window = await view.createCredential();
		expect((await window.redirectUrl.innerText()).trim()).toContain(n8n.callbackUrl);
		await picture(page, 'credential-empty', [window.root]);
		await window.fillIn(sandbox);
		await window.choose('allowedHttpRequestDomains', 'None');
		await window.field('scopes').scrollIntoViewIfNeeded();
		await picture(page, 'credential-filled', [window.root]);

		const popup = await window.connect();
		await popup.getByLabel('User name').fill(sandbox.user);
		await popup.getByLabel('Password').fill(sandbox.password);
		await popup.getByRole('button', { name: 'Sign in' }).click();
		await popup.getByRole('button', { name: 'Allow' }).waitFor();
		// By default all scopes are requested.
		expect(await popup.locator('li code').allInnerTexts()).toEqual(sandbox.scopes);
		const closed = popup.waitForEvent('close');
		await popup.getByRole('button', { name: 'Allow' }).click();
		await closed;

		await window.root.waitFor({ state: 'hidden' });
		await CredentialWindow.edit(page);
		await window.connected.waitFor();
		expect(await window.field('appSecret').locator('input').inputValue()).not.toContain(
			clientSecret,
		);
		// n8n's window takes four fifths of the page's height.
		const high = { width: 1400, height: 1125 };
		await picture(page, 'credential', [window.root], { docs: true, window: high });
		await window.field('appSecret').evaluate((field) => field.scrollIntoView());
		await picture(page, 'credential-fields', [window.root], { docs: true, window: high });
		await window.close();
		await view.close();

		const { tokenRequests } = await sandbox.stats();
		expect(tokenRequests).toEqual({ authorization_code: 1 });
		const exchange = (await sandbox.requests()).find(({ path }) => path === '/connect/token');
		const basic = `${sandbox.clientId}:${encodeURIComponent(clientSecret)}`;
		expect(exchange?.headers.authorization).toBe(`Basic ${Buffer.from(basic).toString('base64')}`);
	});

	step('sees the fields of the output before the first run', async () => {
		const view = await canvas.add('Payroll Employee', 'Update cost centers');
		await view.input.getByText('Usually outputs the following fields').waitFor();
		const fields = await view.input.getByTestId('run-data-schema-item').allInnerTexts();
		// The list is rendered in any order.
		expect(fields.map((field) => field.trim()).sort()).toEqual([...columns].sort());
		expect(await sandbox.stats()).toMatchObject({ soapCalls: {}, restCalls: 0 });
		const low = { width: 1400, height: 730 };
		await picture(page, 'schema', [view.input], { docs: true, window: low });
	});

	step('fills in a repeated record, with optional fields and expressions', async () => {
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

	step('executes a step and sees the items as a table', async () => {
		const view = await canvas.open('Get many cost centers');
		await view.execute();
		const [heading, first, ...others] = await view.rows();
		expect(heading?.split(/\s+/).filter(Boolean)).toEqual(columns);
		expect(first).toMatch(/^1002\s+6\s+2026\s[^]*R&D <lab> "Noord"[^]*62\.5\s+true/);
		expect(others).toHaveLength(1);
		await view.close();
	});

	step('updates with values from the node before, row by row', async () => {
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
			expect.stringMatching(/^1001\s+6\s+2026\s+true/),
		]);
		await view.close();
		const bodies = await received('CostCenter_Update');
		expect(bodies).toEqual([
			expect.stringMatching(
				/<EmployeeId>1001<[^]*<Code>4100<[^]*<Percentage>60<[^]*<Code>4300<[^]*<Code>410<[^]*<Percentage>40</,
			),
		]);
	});

	step('changes the address of a company', async () => {
		const view = await canvas.add('Payroll Company', 'Update address');
		await view.type('companyId', '100');
		await view.typeAll({
			street: 'Herengracht & Zn <2>',
			houseNumber: '12',
			postalCode: '1015 BN',
			city: 'Amsterdam',
		});
		await view.choose('countryISOCode', 'Netherlands (NL)');
		await picture(page, 'company-address', [view.main]);
		await view.execute();
		expect((await view.rows())[1]).toMatch(/^100\s+true/);
		await view.close();
		expect((await received('Address_Update'))[0]).toContain(
			'<CompanyId>100</CompanyId><Address><Street>Herengracht &amp; Zn &lt;2&gt;</Street>' +
				'<HouseNumber>12</HouseNumber><PostalCode>1015 BN</PostalCode><City>Amsterdam</City>' +
				'<CountryISOCode>NL</CountryISOCode></Address>',
		);
	});

	step('sees why the service refuses, and corrects it', async () => {
		await sandbox.reset();
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
		expect(await view.output.innerText()).not.toContain(sandbox.subscriptionKey);

		await view.turn('unprotectedMode');
		await view.execute();
		expect((await view.rows())[1]).toMatch(/^1001\s+5\s+2026\s+\d+/);
		await view.close();
		expect((await sandbox.stats()).soapExecuted).toEqual({
			Address_Insert: 2,
			Address_GetListCurrent: 3,
		});
		const [, insert = ''] = await received('Address_Insert');
		expect(insert).toContain('<City>Amsterdam</City><Type>WorkAddress</Type>');
		expect(insert).toContain('<UnprotectedMode>true</UnprotectedMode>');
	});

	step('checks the connection, and sees no secret', async () => {
		await canvas.newWorkflow();
		const view = await canvas.add('Payroll Company', 'Check connection');
		await view.typeAll({ companyId: '100', employeeId: '1001' });
		await view.execute();
		const [, first] = await view.rows();
		expect(first).toMatch(/^100\s+1001\s+true/);
		const shown = await view.output.innerText();
		for (const secret of [clientSecret, sandbox.subscriptionKey])
			expect(shown).not.toContain(secret);
		await view.showSchema();
		await picture(page, 'check', [view.main, view.output], {
			docs: true,
			window: { width: 1400, height: 764 },
		});
		await view.close();
	});

	step('has sent only valid requests, and renewed the token once, to check it', async () => {
		const requests = await sandbox.requests();
		expect(requests.flatMap(({ violations }) => violations)).toEqual([]);
		expect((await sandbox.stats()).tokenRequests).toEqual({ refresh_token: 1 });
	});
});
