/** A payroll clerk's work in the editor: what the forms offer, what protects, and what the errors say. */
import type { INodeParameters } from 'n8n-workflow';
import type { Locator } from 'playwright-core';
import { versions } from '../setUp.mts';
import { picture } from './pictures.mts';
import { useEditor } from './setUp.mts';

const update: INodeParameters = { resource: 'costCenter', operation: 'update' };
const period: INodeParameters = { period: 6, year: 2026 };

describe.each(versions)('a payroll clerk in the editor of n8n %s', (version) => {
	const editor = useEditor(version);

	editor.step('sees what would be written when the switch for a dry run is on', async () => {
		const { view } = await editor.open('payrollEmployee', update);
		await view.typeAll({ employeeId: '1002', period: '6', year: '2026' });
		await view.addRow('costCenteren');
		await view.typeAll({ costCenterCode: '4200', percentage: '170' });
		await view.turn('totalMustBe100');
		await view.turn('dryRun');
		await view.execute();
		await view.output.getByText('Dry run: nothing was written.').waitFor();
		const [heading = '', row] = await view.rows();
		expect(heading.split(/\s+/).filter(Boolean).join(' ')).toBe(
			'EmployeeId Period Year dryRun changes changed added kept percentageTotal operation request envelope',
		);
		expect(row).toMatch(/^1002\s+6\s+2026\s+true\s[^]*4200: 62\.5 → 170/);
		await picture(editor.page, editor.named('dry-run'), [view.output], {
			docs: editor.isNewest,
			window: { width: 2100, height: 960 },
		});
		expect(await editor.executed()).toEqual({ CostCenter_Get: 1 });
	});

	describe('picks a current record', () => {
		const pickFrom = async (id: number | object, employeeId = '1003'): Promise<Locator> => {
			const costCenteren = { row: [{ percentage: 20, fields: { id: id as number } }] };
			const parameters = { ...update, ...period, employeeId, costCenteren };
			const { view } = await editor.open('payrollEmployee', parameters);
			const row = view.root.getByTestId('fixed-collection-costCenteren');
			return row.getByTestId('resource-locator-id').locator('input[data-test-id=rlc-input]');
		};

		const fromList = { __rl: true, mode: 'list', value: '' };

		editor.step('from the list of the current cost centers', async () => {
			const picker = await pickFrom(fromList);
			await picker.click();
			const listed = editor.page.getByTestId('rlc-item').filter({ visible: true });
			await listed.first().waitFor();
			const names = await listed.allInnerTexts();
			expect(names).toHaveLength(3);
			for (const name of names) expect(name.trim()).toMatch(/^\d+ \S.*, [\d.]+ % \(\d+\)$/);
			await picture(editor.page, `pick-${version}`, [editor.page.getByTestId('ndv')]);
			await listed.nth(1).click();
			expect(await picker.inputValue()).toBe(names[1]?.trim());
		});

		editor.step('and is told what the list needs', async () => {
			await (await pickFrom(fromList, '')).click();
			const error = editor.page.getByTestId('rlc-error-container').filter({ visible: true });
			await error.waitFor();
			expect(await error.innerText()).toContain("Enter 'Employee ID' first");
			expect(await error.innerText()).toContain('The list is read with these values.');
		});
	});

	editor.step('sees which item failed if the node continues', async () => {
		const ids = [1001, 1002, 999999, 1003, 1004].map((id) => ({ id }));
		const { view } = await editor.open(
			'payrollEmployee',
			{ resource: 'address', operation: 'getAll', employeeId: '={{ $json.id }}' },
			{ input: ids, onError: 'continueRegularOutput' },
		);
		await view.execute();
		await view.output.getByText('1 of 5 items failed: Employee ID 999999.').waitFor();
		await picture(editor.page, editor.named('failed-item'), [view.main, view.output]);
	});
});
