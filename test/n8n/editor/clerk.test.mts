/** A payroll clerk's work in the editor: what the forms offer, what protects, and what the errors say. */
import type { INode, INodeParameters } from 'n8n-workflow';
import type { Browser, Locator, Page } from 'playwright-core';
import { n8nVersions } from '../../../dev/n8n/install.mts';
import { chain, itemsNode, manualTrigger, payrollNode } from '../../../dev/n8n/workflow.mts';
import { useStage } from '../setUp.mts';
import { openBrowser, openWindow } from './browser.mts';
import { Canvas } from './canvas.mts';
import { countClicks } from './clicks.mts';
import { CredentialWindow } from './credential-window.mts';
import type { NodeView } from './node-view.mts';
import { picture } from './pictures.mts';

type NodeName = Parameters<typeof payrollNode>[0];

const update: INodeParameters = { resource: 'costCenter', operation: 'update' };
const period: INodeParameters = { period: 6, year: 2026 };

/** What a search finds. */
const words: Readonly<Record<string, string>> = {
	salary: 'Payroll Employee',
	wage: 'Payroll Employee',
	payroll: 'Payroll Company',
	HR: 'Payroll Employee',
	people: 'Payroll Employee',
	hours: 'Payroll Hour Codes',
	'cost centre': 'Payroll Employee',
	kostenplaats: 'Payroll Employee',
	loon: 'Payroll Employee',
	salaris: 'Payroll Employee',
	uren: 'Payroll Hour Codes',
};

/** Mistakes, and the titles of their errors. */
const mistakes: ReadonlyArray<[string, NodeName, INodeParameters, RegExp]> = [
	[
		'a decimal comma',
		'payrollEmployee',
		{
			...{ ...update, ...period, employeeId: '1001' },
			costCenteren: { row: [{ costCenterCode: '4200', percentage: '={{ "33,34" }}' }] },
		},
		/^Row 1, 'Percentage': "33,34" is not a number\. Write 33\.34\.?$/,
	],
	[
		'an unknown company',
		'payrollHourCodes',
		{ companyId: '999' },
		/^Company 999 was not found, or /,
	],
];

describe.each(n8nVersions)('a payroll clerk in the editor of n8n %s', (version) => {
	const isNewest = version === n8nVersions[0];
	const named = (name: string): string => (isNewest ? name : `${name}-${version}`);
	const stage = useStage({ version });
	let browser: Browser;
	let page: Page;

	beforeAll(async () => {
		browser = await openBrowser();
		page = await openWindow(browser, stage.api.session);
	});

	afterAll(async () => await browser?.close());

	const newCanvas = (): Canvas => new Canvas(page, stage.n8n.url);

	/** A node in a workflow of its own, opened; its other parameters have their defaults. */
	const open = async (
		type: NodeName,
		parameters: INodeParameters,
		{ input = [{ id: 1001 }], ...more }: Partial<INode> & { input?: object[] } = {},
	): Promise<NodeView> => {
		const node = payrollNode(type, parameters, more);
		const draft = chain('Clerk', manualTrigger, ...itemsNode(input), node);
		await page.goto(`${stage.n8n.url}/workflow/${await stage.create(draft)}`);
		return await newCanvas().open('Payroll');
	};

	/** Executes a node that fails. */
	const failed = async (type: NodeName, parameters: INodeParameters): Promise<NodeView> => {
		const view = await open(type, parameters);
		await view.execute();
		await view.errorMessage.waitFor();
		return view;
	};

	const titleOf = async ({ errorMessage }: NodeView): Promise<string> =>
		(await errorMessage.innerText()).trim();

	/** A new node that updates one cost center of employee 1002. */
	const openUpdate = async (code: string, percentage: string): Promise<NodeView> => {
		const view = await open('payrollEmployee', update);
		await view.typeAll({ employeeId: '1002', period: '6', year: '2026' });
		await view.addRow('costCenteren');
		await view.typeAll({ costCenterCode: code, percentage });
		return view;
	};

	/** A test that takes a picture if it fails. */
	const step = (name: string, go: () => Promise<void>): void => {
		it(name, async () => {
			try {
				await go();
			} catch (error) {
				await picture(page, named(`failure ${name}`)).catch(() => undefined);
				throw error;
			}
		});
	};

	const soapExecuted = async () => (await stage.sandbox.stats()).soapExecuted;

	step('finds the nodes by the terms of the trade', async () => {
		const canvas = newCanvas();
		await canvas.newWorkflow();
		await canvas.search('');
		for (const [word, node] of Object.entries(words)) {
			// Clear what the last word has found.
			await canvas.type('nothing of this kind');
			await canvas.panel.getByText(node, { exact: true }).waitFor({ state: 'hidden' });
			await canvas.type(word);
			expect(await canvas.listed(node)).toContain(node);
		}
	});

	step('sees what would be written when the switch for a dry run is on', async () => {
		const view = await openUpdate('4200', '170');
		await view.turn('dryRun');
		await view.execute();
		await view.output.getByText('Dry run: nothing was written.').waitFor();
		const [heading = '', row] = await view.rows();
		expect(heading.split(/\s+/).filter(Boolean).join(' ')).toBe(
			'EmployeeId Period Year dryRun changed added kept operation request envelope',
		);
		expect(row).toMatch(
			/^1002\s+6\s+2026\s+true\s[^]*Percentage\s*:\s*62.5[^]*Percentage\s*:\s*170/,
		);
		await picture(page, named('dry-run'), [view.main, view.output], {
			docs: isNewest,
			window: { width: 2100, height: 1000 },
		});
		expect(await soapExecuted()).toEqual({ CostCenter_Get: 1 });
	});

	step('changes one percentage and keeps the rest in few clicks', async () => {
		const clicks = await countClicks(page);
		const view = await openUpdate('4300', '30');
		await view.execute();
		expect(await clicks()).toBe(4);
		expect(await soapExecuted()).toEqual({ CostCenter_Get: 1, CostCenter_Update: 1 });
		const { body = '' } = (await stage.sandbox.requests()).at(-1) ?? {};
		expect(body.match(/<EmployeeCostCenter>/g)).toHaveLength(2);
	});

	step('sees which required fields are empty before the run', async () => {
		const view = await open('payrollEmployee', update);
		for (const name of ['employeeId', 'period', 'year']) {
			await view.field(name).locator('input').focus();
			await view.field(name).locator('input').blur();
		}
		expect(await view.main.getByTestId('parameter-issues').count()).toBe(3);
		await picture(page, named('empty'), [view.main]);
	});

	describe('picks a current record', () => {
		const pickFrom = async (id: number | object, employeeId = '1003'): Promise<Locator> => {
			const costCenteren = { row: [{ percentage: 20, fields: { id: id as number } }] };
			const parameters = { ...update, ...period, employeeId, costCenteren };
			const { root } = await open('payrollEmployee', parameters);
			const row = root.getByTestId('fixed-collection-costCenteren');
			return row.getByTestId('resource-locator-id').locator('input[data-test-id=rlc-input]');
		};

		const fromList = { __rl: true, mode: 'list', value: '' };

		step('from the list of the current cost centers', async () => {
			const picker = await pickFrom(fromList);
			await picker.click();
			const listed = page.getByTestId('rlc-item').filter({ visible: true });
			await listed.first().waitFor();
			const names = await listed.allInnerTexts();
			expect(names).toHaveLength(3);
			for (const name of names) expect(name.trim()).toMatch(/^\d+ \S.*, [\d.]+ % \(\d+\)$/);
			await picture(page, `pick-${version}`, [page.getByTestId('ndv')]);
			await listed.nth(1).click();
			expect(await picker.inputValue()).toBe(names[1]?.trim());
		});

		step('which an older workflow has as a number', async () => {
			expect(await (await pickFrom(5003)).inputValue()).toBe('5003');
		});

		step('and is told what the list needs', async () => {
			await (await pickFrom(fromList, '')).click();
			const error = page.getByTestId('rlc-error-container').filter({ visible: true });
			await error.waitFor();
			expect(await error.innerText()).toContain("Enter 'Employee ID' first");
			expect(await error.innerText()).toContain('The list is read with these values.');
		});
	});

	for (const [mistake, type, parameters, title] of mistakes) {
		step(`reads in plain words: ${mistake}`, async () => {
			expect(await titleOf(await failed(type, parameters))).toMatch(title);
			expect(await soapExecuted()).toEqual({});
		});
	}

	step('is told which records have the same code', async () => {
		await stage.sandbox.configure({ costCenterUpdate: 'replace' });
		const rows = (...percentages: number[]): INodeParameters => ({
			...{ ...update, ...period, employeeId: '1002' },
			costCenteren: {
				row: percentages.map((percentage) => ({ costCenterCode: '4200', percentage })),
			},
		});
		const first = await open('payrollEmployee', { ...rows(60, 40), keepOthers: false });
		await first.execute();
		const title = await titleOf(await failed('payrollEmployee', rows(70)));
		await stage.sandbox.configure({ costCenterUpdate: 'change' });
		expect(title).toMatch(
			/^Row 1, 'Cost Center Code': two current records have the code 4200 \(Record IDs \d+ and \d+\)\. Give a Record ID\.$/,
		);
	});

	const custom = (operationName: string): INodeParameters => ({
		...{ resource: 'custom', operation: 'call', operationName },
		...{ specifyParameters: 'json', parametersJson: '{"EmployeeId": 1001}' },
	});

	step('is told the outcome of a call by name with a wrong path', async () => {
		const view = await failed('payrollEmployee', {
			...custom('Address_GetListCurrent'),
			resultPath: 'Addresses.Address',
		});
		const description = await view.errorDescription.innerText();
		expect(description).not.toContain('may have been applied');
		expect(description).toContain('The service carried out the call,');
	});

	step('is sent to the node of the other service', async () => {
		const view = await failed('payrollCompany', custom('CostCenter_Get'));
		expect(await view.errorDescription.innerText()).toContain('Payroll Employee');
	});

	step('sees which item failed if the node continues', async () => {
		const ids = [1001, 1002, 999999, 1003, 1004].map((id) => ({ id }));
		const view = await open(
			'payrollEmployee',
			{ resource: 'address', operation: 'getAll', employeeId: '={{ $json.id }}' },
			{ input: ids, onError: 'continueRegularOutput' },
		);
		await view.execute();
		await view.output.getByText('1 of 5 items failed: Employee ID 999999.').waitFor();
		await picture(page, named('failed-item'), [view.main, view.output]);
	});

	step('finds a wrong SOAP address by Check', async () => {
		const openCheck = async (): Promise<NodeView> => {
			const ids = { companyId: '100', employeeId: '1001' };
			return await open('payrollCompany', { resource: 'connection', operation: 'check', ...ids });
		};
		const changeAddress = async (value: string): Promise<void> => {
			const window = await CredentialWindow.edit(page);
			await window.field('soapUrl').locator('input').fill(value);
			await window.save();
			await window.close();
		};
		const view = await openCheck();
		await changeAddress(`${stage.sandbox.url}/elsewhere`);
		await view.execute();
		expect((await view.rows())[1]).toMatch(/^100\s[^]*false/);
		await view.output.getByText(/^SOAP services: .*'SOAP Address'/).waitFor();
		await picture(page, named('check-broken'), [view.main, view.output], {
			window: { width: 2100, height: 800 },
		});
		await changeAddress(stage.sandbox.url);
		// The editor does not execute a step again after its credential was changed.
		const again = await openCheck();
		await again.execute();
		expect((await again.rows())[1]).toMatch(/^100\s[^]*true/);
	});
});
