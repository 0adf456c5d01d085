/** Input items as the rows of a clerk's sheet: their columns, numbers, blank rows and totals. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { NodeDraft } from '../../../dev/engine/index.mts';
import { useSandbox } from '../../support/setUp.mts';
import { sentOperations } from '../requests.mts';

const { sandbox, payroll, credential } = useSandbox();
beforeEach(async () => {
	await sandbox.reset();
	await sandbox.configure({ schemaValidation: true, costCenterUpdate: 'replace' });
});

/** The columns of a Dutch sheet, as a builder drags them into the fields. */
const byHand = {
	EmployeeId: '={{ $json.Medewerker }}',
	'CostCenter.Code': '={{ $json.Kostenplaats }}',
	Percentage: "={{ $json['Aandeel %'] }}",
};

/** What the editor stores of the mapper. */
const columns = (
	value: Record<string, string> | null,
	matchingColumns: string[] = ['CostCenter.Code'],
) => ({
	...{ mappingMode: value === null ? 'autoMapInputData' : 'defineBelow', value, matchingColumns },
	schema: ['EmployeeId', 'CostCenter.Code', 'Percentage', 'Default', 'Id'].map((id) => ({
		...{ id, displayName: id, type: id === 'Default' ? 'boolean' : 'string' },
		...{ required: false, display: true, defaultMatch: false },
	})),
	...{ attemptToConvertTypes: false, convertFieldsToString: false },
});

const update = async (
	input: IDataObject[],
	parameters: INodeParameters = {},
	more: Partial<NodeDraft> = {},
) => {
	const { error, json, hints } = await payroll.run(
		input,
		credential.employee(
			{
				...{ resource: 'costCenter', operation: 'update', specifyCostCenteren: 'items' },
				...{ keepOthers: false, period: '6', year: '2026' },
				...parameters,
			} as INodeParameters,
			more,
		),
	);
	return { error, json, hints: hints() };
};

/** The rows that were written, by employee: codes and shares as they were sent. */
async function written() {
	const updates = (await sentOperations(sandbox)).filter((one) =>
		one.includes('CostCenter_Update'),
	);
	return updates.map((text) => [
		/<EmployeeId>(.*?)</.exec(text)?.[1],
		...[...text.matchAll(/<Code>(.*?)<\/Code>.*?<Percentage>(.*?)</g)].map(([, code, share]) => [
			code,
			share,
		]),
		/<Period>(.*?)<\/Period><Year>(.*?)</.exec(text)?.slice(1).join('/'),
	]);
}

const dutch = (Medewerker: unknown, Kostenplaats: unknown, share: unknown, more = {}) =>
	({ Medewerker, Kostenplaats, 'Aandeel %': share, ...more }) as IDataObject;

it('a Dutch sheet is written by the form alone', async () => {
	const sheet = [
		dutch('1001', '0041', '33,34'),
		dutch('1001', '4300', '66,66'),
		dutch(null, '', ' '),
		dutch('1002', '4900', 100),
		dutch('Totaal', '', '200,00'),
	];
	const parameters = { costCenterenColumns: columns(byHand), decimalComma: true };
	const { error, hints } = await update(sheet, parameters);
	expect(error).toBeUndefined();
	expect(await written()).toEqual([
		['1001', ['0041', '33.34'], ['4300', '66.66'], '6/2026'],
		['1002', ['4900', '100'], '6/2026'],
	]);
	expect(hints).toEqual(
		expect.arrayContaining(['Rows that were skipped: 6 (a total: "Totaal"); 4 (blank).']),
	);
});

describe('the columns', () => {
	it('are mapped automatically, by several names that agree', async () => {
		const row = {
			'Employee ID': 1001,
			EmployeeId: '1001',
			CostCenter: { Code: '0041' },
			costCenterCode: '0041',
			Percentage: '100.00',
		};
		const { error } = await update([row], { costCenterenColumns: columns(null) });
		expect(error).toBeUndefined();
		expect(await written()).toEqual([['1001', ['0041', '100.00'], '6/2026']]);
	});

	it('that no row has are an error, and no blank rows', async () => {
		const { error } = await update([
			{ Wie: '1001', Waar: '4100' },
			{ Wie: '1002', Waar: '4100' },
		]);
		expect(error?.message).toBe(
			'4 values cannot be used:' +
				'\n• Employee ID is missing: 2 rows, e.g. row 2. Name a column Employee ID, EmployeeId or employeeId, or map the columns manually.' +
				"\n• A row needs 'Record ID' or 'Cost Center Code' to identify the record: 2 rows, e.g. row 2.",
		);
	});

	it.each([
		[['CostCenter.Code'], { Id: 5001, Percentage: 100 }, "Row 2, 'Cost Center Code' is empty"],
		[['Id'], { 'CostCenter.Code': '4100', Percentage: 100 }, "Row 2, 'Record ID' is empty"],
	])('include the one to match on: %j', async (match, row, message) => {
		const { error } = await update([{ EmployeeId: 1001, ...row }], {
			costCenterenColumns: columns(null, match),
		});
		expect(error?.message).toContain(
			`${message}, and rows are matched on it. No column is for it: `,
		);
		expect(await written()).toEqual([]);
	});
});

describe('the period', () => {
	const row = { 'Employee ID': 1001, costCenterCode: '4900', percentage: 100 };

	it.each<[string, INodeParameters, IDataObject, string]>([
		['from the field', {}, {}, '6/2026'],
		['from an expression', { period: '={{ $json.p }}' }, { p: '7' }, '7/2026'],
		['from the columns', { period: '', year: '' }, { Period: 7, Year: '2025' }, '7/2025'],
		['from both, if they agree', { year: '' }, { Period: '06', Year: '2025' }, '6/2025'],
	])('is taken %s', async (_, parameters, cells, expected) => {
		const { error } = await update([{ ...row, ...cells }], parameters);
		expect(error).toBeUndefined();
		expect((await written())[0]?.at(-1)).toBe(expected);
	});

	it('of a row that contradicts the field is an error', async () => {
		const { error } = await update([row, { ...row, Period: 7 }]);
		expect(error?.message).toBe(
			"Row 3, 'Period': 7 in the row contradicts \"6\" in the field 'Period'.",
		);
		expect(await written()).toEqual([]);
	});

	it('that is nowhere is an error that names both ways', async () => {
		const { error } = await update([row], { year: '' });
		expect(error?.message).toBe(
			"Row 2, 'Year' is missing. Enter it in the field 'Year', or name a column Year or year, or map the columns manually.",
		);
	});
});

describe('numbers of cells', () => {
	const share = async (cell: unknown, decimalComma: boolean) => {
		const row = { 'Employee ID': 1001, costCenterCode: '4900', percentage: cell } as IDataObject;
		const { error } = await update([row], { decimalComma, totalMustBe100: false });
		return error?.message ?? (await written())[0]?.[1]?.[1];
	};

	it.each<[unknown, string]>([
		['33,34', '33.34'],
		['1.234,56', '1234.56'],
		['-1.234.567,8', '-1234567.8'],
		[' 12,3400 ', '12.3400'],
		[',5', '.5'],
		['50', '50'],
		[33.34, '33.34'],
	])('with a decimal comma: %j', async (cell, sent) => {
		expect(await share(cell, true)).toBe(sent);
	});

	it.each<[string, boolean, string]>([
		[
			'33.34',
			true,
			'"33.34" has a decimal point, but \'Decimal Comma\' is on. Write 33,34, or turn it off.',
		],
		['1.234', true, "point, but 'Decimal Comma' is on. Write 1,234 or 1234, or turn it off."],
		['1,234.5', true, 'Write 1234,5, or turn it off.'],
		['€ 33,34', true, 'has a sign beside the number. Write 33,34.'],
		['€ 33,34', false, "Turn on 'Decimal Comma', and leave out the sign beside the number."],
		['12.34,5', true, '"12.34,5" is not a number'],
		['33,34', false, '"33,34" has a decimal comma. Turn on \'Decimal Comma\'.'],
		['1.234,56', false, "Turn on 'Decimal Comma'."],
	])('%j is refused if the switch is %s', async (cell, isOn, message) => {
		expect(await share(cell, isOn)).toContain(message);
		expect(await written()).toEqual([]);
	});
});

describe('rows that are no data', () => {
	const row = { 'Employee ID': '1001', costCenterCode: '4900', percentage: 100, Naam: '' };
	const blank = { 'Employee ID': '', costCenterCode: '', percentage: '' };

	it.each<[string, IDataObject, string]>([
		['blank', blank, '3 (blank)'],
		['without any cell', {}, '3 (blank)'],
		['blank in all mapped columns', { ...blank, Naam: 'let op' }, '3 (blank)'],
		['with a number of its own', { ...blank, row_number: 9 }, '9 (blank)'],
		['with it as a text', { ...blank, row_number: '9' }, '9 (blank)'],
		['a total in its first column', { ...blank, 'Employee ID': 'Totaal:' }, '3 (a total: '],
		['a total in another', { ...blank, Naam: 'SUBTOTAAL', percentage: 1 }, '3 (a total: '],
	])('are skipped and named: %s', async (_, other, hint) => {
		const { error, hints } = await update([row, other]);
		expect(error).toBeUndefined();
		expect(hints.join()).toContain(`Rows that were skipped: ${hint}`);
		expect(await written()).toEqual([['1001', ['4900', '100'], '6/2026']]);
	});

	it.each<[string, IDataObject]>([
		['without an employee', { ...row, 'Employee ID': '' }],
		[
			'without an employee, that says total beside a code',
			{ ...row, 'Employee ID': '', Naam: 'Total' },
		],
		['of the employee Totaal with a code', { ...row, 'Employee ID': 'Totaal' }],
		['with a word that only begins like a total', { ...blank, percentage: 1, Naam: 'Total Gas' }],
	])('are no rows %s', async (_, other) => {
		const { error } = await update([row, other]);
		expect(error?.message).toContain("Row 3, 'Employee ID'");
		expect(await written()).toEqual([]);
	});
});

describe('before the first employee is written, the rows of the others are checked for', () => {
	const row = (id: number, code: string, percentage: unknown, more: IDataObject = {}) =>
		({ 'Employee ID': id, costCenterCode: code, percentage, ...more }) as IDataObject;
	const first = row(1001, '4900', 100);

	it.each<[string, IDataObject[], string]>([
		[
			'records that are none',
			[{ 'Employee ID': 1002, CostCenter: ['4100'], percentage: 100 }],
			'Row 3, \'Cost Center\': ["4100"] is not an object',
		],
		[
			'their total, if the others are not kept',
			[row(1002, '4900', 45), row(1002, '4910', 45), row(1003, '4900', 10)],
			"The percentages do not add up to 100: 3 rows, e.g. rows 3 and 4. To write them anyway, turn off 'Total Must Be 100 %'.",
		],
	])('%s', async (_, others, message) => {
		const inYear = [first, ...others].map((one) => ({ Year: 2026, ...one }));
		const { error } = await update(inYear, { year: '' });
		expect(error?.message).toContain(message);
		expect(error?.description).toMatch(/^Nothing was written for /);
		// The editor adds "[item 1]" to the title of an error with an index.
		expect(error?.context.itemIndex).toBeUndefined();
		expect((await sandbox.stats()).soapCalls).toEqual({});
	});
});
