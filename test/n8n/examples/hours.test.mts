/** The example that adds hours from a spreadsheet, in the pages of its form. */
import { exampleWorkflow } from '../../../dev/package/workflow-file.mts';
import { succeeded, versions } from '../setUp.mts';
import { useFormPages } from './form-pages.mts';
import { useExamples } from './setUp.mts';
import { toXlsx } from './spreadsheets.mts';

jest.setTimeout(5 * 60_000);

const rows = [
	['Employee ID', 'Hour Code', 'Hours', 'Name'],
	[1001, 2200, 4.25, 'new'],
	['1002', '2100', '8,0', 'same'],
	[1002, 2300, '7,5', 'new, too'],
	[1003, 2100, 6, 'other hours'],
	[9999, 2200, 1, 'unknown'],
	[1004, 'U001', 1, '<b>a</b>'],
	[1006, 22, 3, 'refused by the service'],
	[1007, 2200, 1, 'twice'],
	['01007', 2200, 2, 'twice'],
];

describe.each(versions)('hours from a spreadsheet, in n8n %s', (version) => {
	const examples = useExamples(version);
	const { stage } = examples;
	const form = useFormPages(stage, exampleWorkflow('hours-from-spreadsheet.json'));
	const upload = async () => await form().upload(await toXlsx(rows), [6, 2026]);
	/** The employee, the hours, what came of it, and why. */
	const short = (table: string[][]) => table.map(([, id, , ...rest]) => [id, ...rest]);
	const inserts = async (): Promise<string[]> =>
		(await examples.sent()).filter((body) => body.startsWith('<HourComponentVar_Insert>'));

	it('are added after a preview, and not again from the same sheet', async () => {
		const refused = [
			['9999', '1', 'refused', expect.stringMatching(/^TWK exception: Employee 9999/) as string],
			['1004', '1', 'refused', expect.stringMatching(/Hour Code'.*not a whole number/) as string],
		];
		const twice = 'The sheet has this employee and hour code twice';
		const preview = short(await upload());
		expect(preview).toEqual([
			['1001', '4.25', 'to add', ''],
			['1002', '8.0', 'same', ''],
			['1002', '7.5', 'to add', ''],
			['1003', '6', 'differs', 'The service has 8 of this code'],
			...refused,
			['1006', '3', 'to add', ''],
			['1007', '1', 'refused', twice],
			['01007', '2', 'refused', twice],
		]);
		expect(await inserts()).toEqual([]);

		await form().answer('Yes');
		const results = short(await form().results());
		expect(results.map(([id, , result]) => [id, result])).toEqual(
			expect.arrayContaining([
				['1001', 'added'],
				['1002', 'same'],
				['1002', 'added'],
				['1003', 'differs'],
				['9999', 'refused'],
				['1004', 'refused'],
				['1006', 'refused'],
			]),
		);
		expect(results.find(([id]) => id === '1006')?.[3]).toMatch(/no such code/);
		succeeded((await stage.api.ended(form().workflow, 1))[0]);
		const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"';
		expect((await inserts())[0]).toBe(
			'<HourComponentVar_Insert><EmployeeId>1001</EmployeeId><Hourcomponent><Id>0</Id>' +
				`<HourCode>2200</HourCode><Hours>4.25</Hours><CostCenterId ${xsi}/><CostUnitId ${xsi}/>` +
				'</Hourcomponent><Period>6</Period><Year>2026</Year>' +
				'<UnprotectedMode>false</UnprotectedMode></HourComponentVar_Insert>',
		);
		expect(await inserts()).toHaveLength(3);

		// Only the row that the service refused is still to be added.
		const again = short(await upload());
		expect(again.filter(([, , result]) => result === 'to add')).toEqual([
			['1006', '3', 'to add', ''],
		]);
		await form().answer('No');
		expect(await inserts()).toHaveLength(3);
	});
});
