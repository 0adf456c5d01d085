/** A payroll clerk's work in the editor: what the forms offer, what protects, and what the errors say. */
import type { INodeParameters } from 'n8n-workflow';
import { costCenterUpdate } from '../../../nodes/shared/contract/operations.ts';
import { rowFields } from '../../../nodes/shared/form/mapping/rows.ts';
import { versions } from '../setUp.mts';
import { picture } from './pictures.mts';
import { useEditor } from './setUp.mts';

const update: INodeParameters = { resource: 'costCenter', operation: 'update' };

describe.each(versions)('a payroll clerk in the editor of n8n %s', (version) => {
	const editor = useEditor(version);

	editor.step('sees what would be written when the switch for a dry run is on', async () => {
		const { view } = await editor.open('payrollEmployee', update);
		await view.typeAll({ employeeId: '1002', period: '6', year: '2026' });
		const changed = await view.addRow('costCenteren');
		await changed.typeAll({ costCenterCode: '4200', percentage: '60' });
		const added = await view.addRow('costCenteren');
		await added.typeAll({ costCenterCode: '4700', percentage: '2.5' });
		await view.turn('dryRun');
		await view.execute();
		await view.output.getByText('Dry run: nothing was written.').waitFor();
		const [heading = '', row] = await view.rows();
		expect(heading.split(/\s+/).filter(Boolean).join(' ')).toBe(
			'EmployeeId Period Year dryRun written changes changed added lost kept operation request',
		);
		expect(row).toMatch(/^1002\s+6\s+2026\s+true\s+false\s[^]*4200: 62\.5 → 60[^]*4700: added/);
		// The columns up to the changes: those behind them have the records in full.
		const columns = await view.output.locator('th:nth-child(-n+6)').all();
		const hint = view.output.getByText('Dry run: nothing was written.');
		const last = view.output.getByText('4700: added');
		await picture(editor.page, editor.named('dry-run'), [hint, ...columns, last], {
			...{ margin: 5, window: { width: 2100, height: 900 } },
		});
		expect(await editor.executed()).toEqual({ CostCenter_Get: 1 });
	});

	editor.step('writes a sheet whose columns have names of its own', async () => {
		const schema = rowFields(costCenterUpdate.request.fields);
		const value = {
			EmployeeId: '={{ $json.Medewerker }}',
			'CostCenter.Code': '={{ $json.Kostenplaats }}',
			Percentage: '={{ $json.Aandeel }}',
		};
		const columns = {
			...{ mappingMode: 'defineBelow', value, schema, matchingColumns: ['CostCenter.Code'] },
			...{ attemptToConvertTypes: false, convertFieldsToString: false },
		};
		const row = (Medewerker: string, Kostenplaats: string, Aandeel: string) => ({
			...{ Medewerker, Kostenplaats, Aandeel },
		});
		const { view } = await editor.open(
			'payrollEmployee',
			{
				...{ ...update, specifyCostCenteren: 'items', costCenterenColumns: columns },
				...{ period: '6', year: '2026', decimalComma: true, dryRun: true },
			},
			{ input: [row('1001', '4100', '66,66'), row('1001', '4300', '33,34')] },
		);
		await view.execute();
		expect((await view.rows()).slice(1)).toEqual([
			expect.stringMatching(/^1001\s[^]*4100: 100 → 66\.66[^]*4300: added/),
		]);
		await view.field('specifyCostCenteren').scrollIntoViewIfNeeded();
		await picture(editor.page, editor.named('from-items'), [view.input, view.main], {
			docs: editor.isNewest,
			window: { width: 1400, height: 1250 },
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
