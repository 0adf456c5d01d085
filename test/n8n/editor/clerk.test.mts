/** A payroll clerk's work in the editor: what the forms offer, what protects, and what the errors say. */
import type { INodeParameters } from 'n8n-workflow';
import { costCenterUpdate } from '../../../nodes/shared/contract/operations.ts';
import { rowFields } from '../../../nodes/shared/form/mapping/mapper.ts';
import { versions } from '../setUp.mts';
import { picture } from './pictures.mts';
import { useEditor } from './setUp.mts';

const update: INodeParameters = { resource: 'costCenter', operation: 'update' };

describe.each(versions)('a payroll clerk in the editor of n8n %s', (version) => {
	const editor = useEditor(version);

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
		await picture(editor.page, editor.named('dry-run'), [view.output], {
			docs: editor.isNewest,
			window: { width: 1800, height: 400 },
		});
		await view.mapper.root.scrollIntoViewIfNeeded();
		const columnsAndComma = [view.mapper.root, view.field('decimalComma')];
		await picture(editor.page, editor.named('from-items'), columnsAndComma, {
			...{ docs: editor.isNewest, margin: 6, window: { width: 1400, height: 1250 } },
		});
	});

	editor.step('previews a sheet of addresses in the words of the form, and writes it', async () => {
		const row = (id: number, Naam: string) => ({
			...{ Medewerker: id, Naam, Straat: 'Nieuwe Gracht', Huisnummer: 10 },
			...{ Postcode: '3512 LC', Plaats: 'Utrecht', Land: 'Nederland' },
		});
		const { view } = await editor.open(
			'payrollEmployee',
			{
				...{ resource: 'address', operation: 'create', specifyAddress: 'items' },
				...{ period: '6', year: '2026', dryRun: true },
			},
			{ input: [row(1001, 'Jansen'), row(1002, 'de Vries')] },
		);
		await view.execute();
		expect((await view.rows()).slice(1)).toEqual([
			expect.stringMatching(/^1001\s+Jansen\s+Street Nieuwe Gracht · .* · Country ISO Code NL\s/),
			expect.stringMatching(/^1002\s+de Vries\s+Street Nieuwe Gracht · House Number 10 · /),
		]);
		await view.turn('dryRun');
		await view.execute();
		expect((await view.rows()).slice(1)).toEqual([
			expect.stringMatching(/^1001\s+Jansen\s+Street .* NL\s+\d+\s+true\s+applied\s/),
			expect.stringMatching(/^1002\s+de Vries\s+Street .* NL\s+\d+\s+true\s+applied\s/),
		]);
	});
});
