/** A payroll clerk's work in the editor: what the forms offer, what protects, and what the errors say. */
import type { INodeParameters } from 'n8n-workflow';
import { versions } from '../setUp.mts';
import { picture } from './pictures.mts';
import { useEditor } from './setUp.mts';

const update: INodeParameters = { resource: 'costCenter', operation: 'update' };

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
