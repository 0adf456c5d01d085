/** Input items as rows: of cost centers, one call for each employee, period and year; of addresses, one for each row. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { chain, editFields, runWorkflow } from '../../../dev/engine/index.mts';
import { filledIn, getCostCenters, updateCostCenters } from '../../../dev/package/calls.mts';
import { sentWrites } from '../requests.mts';
import { useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll, credential } = useSandbox();

const fromItems: INodeParameters = {
	resource: 'costCenter',
	operation: 'update',
	specifyCostCenteren: 'items',
	keepOthers: false,
};

const update = async (input: IDataObject[], parameters: INodeParameters = {}, more = {}) =>
	await payroll.run(input, credential.employee({ ...fromItems, ...parameters }, more));

const row = (EmployeeId: unknown, more: IDataObject = {}): IDataObject => ({
	EmployeeId: EmployeeId as number,
	Period: 6,
	Year: 2026,
	CostCenter: { Code: '4900' },
	Percentage: 100,
	...more,
});

beforeEach(async () => await sandbox.configure({ schemaValidation: true }));

it('reads, changes and writes back in three nodes: 20 reads, 20 writes, all paired', async () => {
	await sandbox.configure({ schemaValidation: false, employees: 20 });
	const ids = Array.from({ length: 20 }, (_, i) => ({ id: 1001 + i }));
	// Three cost centers for each, whatever the sample data holds.
	const three = ['40', '35.5', '24.50'].map((percentage, i) => ({
		costCenterCode: `49${i}0`,
		percentage,
		fields: { kostensoortCode: '400' },
	}));
	const seeded = await payroll.run(
		ids,
		credential.employee({ ...updateCostCenters, costCenteren: { row: three } }),
	);
	expect(seeded.error).toBeUndefined();
	const before = (await sandbox.stats()).soapExecuted;

	const drawing = chain(
		ids,
		credential.employee(getCostCenters, { name: 'Read' }),
		editFields(
			{ 'CostCenter.Code': '={{ $json.CostCenter.Code.replace("491", "496") }}' },
			'Change',
		),
		credential.employee(fromItems, { name: 'Write' }),
	);
	const { items, error } = await runWorkflow(payroll.workflow(drawing));
	expect(error).toBeUndefined();
	const after = (await sandbox.stats()).soapExecuted;
	const calls = Object.keys(after).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]);
	// On a slow machine, what was read a while ago is read again.
	const { CostCenter_Get, ...others } = Object.fromEntries(calls) as Record<string, number>;
	expect(CostCenter_Get).toBeGreaterThanOrEqual(60);
	expect(others).toEqual({ CostCenter_Update: 20 });
	expect(items('Read')).toHaveLength(60);
	expect(items('Write').map(({ json }) => json)).toMatchObject(
		ids.map(({ id }) => ({
			...{ EmployeeId: id, Period: 6, Year: 2026, success: true, written: true },
			...{ changes: '4910 → 4960, 35.5 %', verified: true },
		})),
	);
	expect(items('Write').map(({ pairedItem }) => pairedItem)).toEqual(
		ids.map((_, i) => [0, 1, 2].map((offset) => ({ item: 3 * i + offset }))),
	);

	const again = await payroll.run(ids, credential.employee(getCostCenters));
	const codes = again.json('Payroll').map(({ CostCenter }) => (CostCenter as IDataObject).Code);
	expect(codes).toEqual(ids.flatMap(() => ['4900', '4960', '4920']));
	// Only the code has changed; every other digit is the same.
	const plain = ({ CostCenter: _, ...rest }: IDataObject) => rest;
	expect(again.json('Payroll').map(plain)).toEqual(items('Read').map(({ json }) => plain(json)));
});

it.each([false, true])('writes items back as they were read (Simplify: %s)', async (simplify) => {
	const first = credential.employee({ ...getCostCenters, simplify }, { name: 'Read' });
	const drawing = chain([{ id: 1001 }], first, credential.employee(fromItems));
	const { json } = await runWorkflow(payroll.workflow(drawing));
	expect(json('Payroll')).toMatchObject([{ written: false, changes: 'nothing changed' }]);
	expect(await sentWrites(sandbox)).toEqual([]);
});

it('groups items by employee, period and year, without null and fields that it does not have', async () => {
	const { items, error } = await update([
		row(1002, { Percentage: 1 }),
		row(1001, { Percentage: 2, Default: null, note: 'own', Kostensoort: { Color: 'red' } }),
		row('1002', { CostCenter: { Code: '4910' }, Percentage: '99.0' }),
		row(1002, { Period: 5, Percentage: 100 }),
		row(1001, { CostCenter: { Code: '4910' }, Percentage: 98 }),
	]);
	expect(error).toBeUndefined();
	const rows = (shares: string[], firstId = '') =>
		shares.map((share, i) => {
			const id = i === 0 ? firstId : '';
			const code = `<CostCenter><Code>49${i}0</Code></CostCenter>`;
			return `<EmployeeCostCenter>${id}${code}<Percentage>${share}</Percentage></EmployeeCostCenter>`;
		});
	const written = (id: number, shares: string[], period: number, firstId?: string) =>
		`<CostCenter_Update><EmployeeId>${id}</EmployeeId><CostCenteren>${rows(shares, firstId).join('')}` +
		`</CostCenteren><Period>${period}</Period><Year>2026</Year></CostCenter_Update>`;
	const sent = await sentWrites(sandbox);
	const [firstId] = /<Id>\d+<\/Id>/.exec(sent[2] ?? '') ?? [];
	expect(firstId).toBeDefined();
	expect(sent).toEqual([
		written(1002, ['1', '99.0'], 6),
		written(1001, ['2', '98'], 6),
		// The sandbox has one list for all periods: this is the first row of the call before.
		written(1002, ['100'], 5, firstId),
	]);
	expect(items('Payroll').map(({ pairedItem }) => pairedItem)).toEqual([
		[{ item: 0 }, { item: 2 }],
		[{ item: 1 }, { item: 4 }],
		{ item: 3 },
	]);
});

it('a group with a wrong row fails as a whole, and the others go on; each item is paired with its row', async () => {
	const wrong = row(1001, { CostCenter: { Code: '4910' }, Percentage: 'half', note: 'kept' });
	const { EmployeeId: _, ...nobody } = row(1003);
	const input = [row(1001), row(1002), wrong, nobody, row(4711)];
	const { json, items } = await update(input, {}, { onError: 'continueRegularOutput' });
	const keys = { EmployeeId: 1001, Period: 6, Year: 2026 };
	const half = { code: 'VALUE_INVALID', request: keys, outcome: 'notApplied' };
	expect(json('Payroll')).toMatchObject([
		{ ...input[0], row: 2, problem: 'Not written, since row 4 cannot be used.', error: half },
		{ ...input[2], row: 4, problem: 'Is not a number.', error: half },
		{ EmployeeId: 1002, Period: 6, Year: 2026, success: true },
		{ ...input[3], row: 5, column: 'Employee ID', problem: 'Is empty.' },
		{ ...input[4], row: 6, problem: expect.stringContaining('4711 does not exist') },
	]);
	expect(items('Payroll').map(({ pairedItem }) => pairedItem)).toEqual(
		[0, 2, 1, 3, 4].map((item) => ({ item })),
	);
	expect((await sandbox.stats()).soapExecuted).toEqual({ CostCenter_Get: 3, CostCenter_Update: 1 });
});

describe('Dry Run is read from every item of a group', () => {
	/** 1002's rows agree; those of 1001 do not. */
	const input = [
		row(1001, { Percentage: 60, on: false }),
		row(1002, { on: true }),
		row(1001, { Percentage: 40, on: true }),
		...Array.from({ length: 12 }, () => row(1001, { Percentage: 0, on: 'true' })),
	];
	const dryRun = '={{ $json.on }}';

	it('items that disagree are refused, and named', async () => {
		const { json } = await update(input, { dryRun }, { onError: 'continueRegularOutput' });
		const message =
			"'Dry Run' is off for row 2, but on for rows 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and 3 more. Rows that are written in one call need the same value.";
		const refused = input.filter(({ EmployeeId }) => EmployeeId === 1001);
		expect(json('Payroll')).toMatchObject([
			...refused.map((one) => ({ ...one, error: { code: 'VALUE_CONFLICT', message } })),
			{ EmployeeId: 1002, dryRun: true },
		]);
		expect((await sandbox.stats()).soapCalls).toEqual({ CostCenter_Get: 1 });
	});
});

describe('a sheet of addresses: each row is one call', () => {
	const row = (id: unknown, number: unknown, more: IDataObject = {}) =>
		({
			...{ 'Employee ID': id, Street: 'Nieuwe Gracht', 'House Number': number },
			...{ Postcode: '3512 LC', City: 'Utrecht', Type: 'PostAddress', Name: 'Jansen', ...more },
		}) as IDataObject;

	const create = async (sheet: IDataObject[], parameters: INodeParameters = {}) => {
		const node = credential.employee({
			...{ resource: 'address', operation: 'create', specifyAddress: 'items' },
			...{ period: '6', year: '2026', verify: false, ...parameters },
		} as INodeParameters);
		const { error, json, hints } = await payroll.run(sheet, node);
		return { message: error?.message, items: json('Payroll'), hints: hints().join('\n') };
	};

	it('two addresses of one employee are two calls, with the columns of the sheet in the items', async () => {
		const sheet = [
			row(1001, 1, { 'Huisnummer toev.': 'a', Adres: 'Nieuwe Gracht 1a' }),
			row('1001', 2, { Type: '' }),
			{},
			row('Totaal', ''),
		];
		const { message, items, hints } = await create(sheet);
		expect(message).toBeUndefined();
		const address = (number: string, type: string) =>
			`<Address><Street>Nieuwe Gracht</Street><HouseNumber>${number}` +
			`<PostalCode>3512 LC</PostalCode><City>Utrecht</City>${type}</Address>`;
		const insert = (inner: string) =>
			`<Address_Insert><EmployeeId>1001</EmployeeId>${inner}<Period>6</Period><Year>2026</Year>` +
			'<UnprotectedMode>false</UnprotectedMode></Address_Insert>';
		expect(await sentWrites(sandbox)).toEqual([
			insert(
				address(
					'1</HouseNumber><HouseNumberAddition>a</HouseNumberAddition>',
					'<Type>PostAddress</Type>',
				),
			),
			insert(address('2</HouseNumber>', '')),
		]);
		const Id = expect.any(Number) as number;
		const item = { EmployeeId: 1001, Period: 6, Year: 2026, Id, Name: 'Jansen' };
		const text = 'Street Nieuwe Gracht · House Number';
		const place = '· Postal Code 3512 LC · City Utrecht';
		// Both are of one employee.
		expect(items).toMatchObject([
			{ ...item, changes: `${text} 1 · House Number Addition a ${place} · Type PostAddress` },
			{ ...item, changes: `${text} 2 ${place}` },
		]);
		expect(hints).toContain('4 (blank)');
		expect(hints).toContain('5 (a total: "Totaal")');
	});

	it('a preview says what would be sent, in the words and the order of the form', async () => {
		const columns = Object.entries(row(1001, 1)).reverse();
		const { items } = await create([Object.fromEntries(columns) as IDataObject], { dryRun: true });
		expect(Object.entries(items[0] ?? {}).slice(0, 3)).toEqual([
			['EmployeeId', 1001],
			['Name', 'Jansen'],
			[
				'changes',
				'Street Nieuwe Gracht · House Number 1 · Postal Code 3512 LC · City Utrecht · Type PostAddress',
			],
		]);
	});

	const { Type: _, ...untyped } = row(1001, 1);

	it.each<[string, IDataObject[], string]>([
		['a street', [row(1001, 1), row(1002, 2, { Street: '' })], "Row 3, 'Street' is empty."],
		[
			'a column of each field',
			[row(1001, 1, { Street: undefined })],
			"Row 2, 'Street' is empty. No column is for it: name one Street or street, or map the columns manually.",
		],
		[
			'a street in its column, which an Excel file leaves out of a row',
			[row(1001, 1), row(1002, 2, { Street: undefined })],
			"Row 3, 'Street' is empty. Fill it in, or turn on",
		],
		[
			'an employee in its column',
			[row(1001, 1), row(undefined, 1)],
			"Row 3, 'Employee ID' is empty.",
		],
		['a number, whatever else is wrong', [row('x', '')], "Row 2, 'House Number' is empty."],
		['a known type, by any name', [{ ...untyped, Soort: 'Thuis' }], `Row 2, 'Type': "Thuis"`],
		['a known type, by this name', [{ ...untyped, 'Soort adres': 'x' }], `Row 2, 'Type': "x"`],
		['a type', [row(1001, 1, { Type: 'Home' })], 'Row 2, \'Type\': "Home"'],
		['an employee', [row('', 1)], "Row 2, 'Employee ID' is empty"],
		['one period', [row(1001, 1, { Period: 7 })], "Row 2, 'Period': 7 in the row contradicts"],
	])('each row needs %s', async (_, sheet, expected) => {
		expect((await create(sheet)).message).toContain(expected);
		expect(await sentWrites(sandbox)).toEqual([]);
	});

	it('columns are mapped by hand', async () => {
		const addressColumns = filledIn({
			...{ EmployeeId: '={{ $json.Nr }}', Street: '={{ $json.Straat }}', HouseNumber: '1' },
			...{ PostalCode: '3512 LC', City: 'Utrecht', Type: 'HomeAddress' },
		});
		const { items } = await create([{ Nr: 1001, Straat: 'Gracht' }], { addressColumns });
		expect(items).toMatchObject([{ EmployeeId: 1001 }]);
		expect(await sentWrites(sandbox)).toEqual([expect.stringContaining('<Street>Gracht<')]);
	});
});
