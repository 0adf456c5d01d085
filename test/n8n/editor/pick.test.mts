/** A current record is picked in the editors of both n8n versions. */
import type { Browser, Locator, Page } from 'playwright-core';
import { openStage, type Stage } from '../../../dev/n8n/stage.mts';
import { chain, manualTrigger, payrollNode } from '../../../dev/n8n/workflow.mts';
import { openBrowser, openWindow } from './browser.mts';
import { Canvas } from './canvas.mts';
import type { NodeView } from './node-view.mts';
import { picture } from './pictures.mts';

/** On a bare machine n8n is installed and compiled first. */
const installing = 30 * 60_000;

describe.each(['2.41.1', '1.123.81'] as const)('the editor of n8n %s', (version) => {
	let stage: Stage;
	let browser: Browser;
	let page: Page;
	let view: NodeView;

	/** Opens a node that updates one cost center of employee 1003. */
	async function open(id: number | object, employeeId = '1003'): Promise<Locator> {
		const workflow = await stage.create(
			chain(
				'Pick',
				manualTrigger,
				payrollNode('payrollEmployee', {
					resource: 'costCenter',
					operation: 'update',
					employeeId,
					period: '6',
					year: '2026',
					costCenteren: { row: [{ percentage: 20, fields: { id: id as number } }] },
				}),
			),
		);
		await page.goto(`${stage.n8n.url}/workflow/${workflow}`);
		view = await new Canvas(page, stage.n8n.url).open('Payroll');
		const row = view.root.getByTestId('fixed-collection-costCenteren');
		const picker = row.getByTestId('resource-locator-id');
		await picker.waitFor();
		return picker;
	}

	const inputOf = (picker: Locator): Locator => picker.locator('input[data-test-id=rlc-input]');

	/** The value that a picker shows. */
	const shown = async (picker: Locator): Promise<string> => await inputOf(picker).inputValue();

	const listed = (): Locator => page.getByTestId('rlc-item').filter({ visible: true });

	beforeAll(async () => {
		stage = await openStage({ version });
		browser = await openBrowser();
		page = await openWindow(browser, stage.api.session);
		page.setDefaultTimeout(20_000);
	}, installing);

	afterAll(async () => {
		await browser?.close();
		await stage?.close();
	});

	it('lists the current cost centers, and takes the one that is chosen', async () => {
		const picker = await open({ __rl: true, mode: 'list', value: '' });
		await inputOf(picker).click();
		await listed().first().waitFor();
		const names = await listed().allInnerTexts();
		expect(names).toHaveLength(3);
		for (const name of names) expect(name.trim()).toMatch(/^\d+ \S.*, [\d.]+ % \(\d+\)$/);
		await picture(page, `pick-${version}`, [view.main]);
		await listed().nth(1).click();
		expect(await shown(picker)).toBe(names[1]?.trim());
	});

	it('shows the number that an older workflow has', async () => {
		expect(await shown(await open(5003))).toBe('5003');
	});

	it('says in a sentence what the list needs', async () => {
		const picker = await open({ __rl: true, mode: 'list', value: '' }, '');
		await inputOf(picker).click();
		const error = page.getByTestId('rlc-error-container').filter({ visible: true });
		await error.waitFor();
		expect(await error.innerText()).toContain("Enter 'Employee ID' first");
		expect(await error.innerText()).toContain('The list is read with these values.');
	});
});
