/** What slips into a sheet: it is refused before anything is sent, or never reaches the service. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createAddress, filledIn, updateCostCenters } from '../../../dev/package/calls.mts';
import { soapRequests } from '../requests.mts';
import { useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll, credential } = useSandbox();

const fromItems = { ...updateCostCenters, specifyCostCenteren: 'items', keepOthers: false };

async function update(row: IDataObject, more: INodeParameters = {}) {
	const input = [{ EmployeeId: 1001, Period: 6, Year: 2026, Percentage: 100, ...row }];
	const parameters = { ...fromItems, period: '', year: '', ...more };
	return await payroll.run(input, credential.employee(parameters));
}

it.each([
	...['#N/A', '#N/B', ' #REF! ', '#VERW!', '#VALUE!', '#DIV/0!', '#NAAM?', '#BEZUG!'],
	...['#VALEUR!', '#¡DIV/0!', '#¿NOMBRE?', '#N/D', '#OVERLOOP!', '#ref!', '#####'],
	...['#GEGEVENS_OPHALEN', '#HIÁNYZIK', '#NENÍ_K_DISPOZICI', '#Н/Д', '#ÜBERLAUF!', '#Δ/Υ'],
	...['[object Object]', 'undefined', 'NaN', 'null'],
])('%j as a code is no value', async (code) => {
	const { error } = await update({ 'Cost Center Code': code });
	expect(error?.message).toMatch(/is what a failed formula or expression leaves, not a value\.$/);
	expect(await soapRequests(sandbox)).toEqual([]);
});

it.each([
	...['n.v.t.', 'N/A', 'n.a.', '-', '–', '?', '="0041"', 'Kundefined'].map((code) => [
		code,
		'is no code.',
	]),
	['4200,00', 'is a number that a sheet has formatted. If the code is 4200, write that.'],
	['4.200', 'is a number that a sheet has formatted. If the code is 4200, write that.'],
	['42\u200b00', 'contains an invisible character (U+200B).'],
])('%j is asked back as a code', async (code, text) => {
	const { error } = await update({ 'Cost Center Code': code });
	expect(error?.message).toContain(text);
	expect(error?.message).toContain('Row 2');
	expect((await sandbox.stats()).soapCalls).not.toHaveProperty('CostCenter_Update');
});

it('invisible characters around a code are not sent', async () => {
	const { json, error } = await update({ 'Cost Center Code': '\ufeff\u200b4200\u00ad\u00a0' });
	expect(error).toBeUndefined();
	expect(json('Payroll')[0]?.changes).toContain('4200: ');
});

it('a row of the form is not taken for the row of its item', async () => {
	const row = [{ costCenterCode: '4100' }, { costCenterCode: '={{ $json.code }}' }];
	const node = credential.employee({ ...updateCostCenters, costCenteren: { row } });
	const input = [
		{ id: 1001, code: '4200' },
		{ id: 1002, code: '#REF!' },
	];
	const { error } = await payroll.run(input, node);
	expect(error?.message).toContain(`Row 3, 'Cost Centers' row 2, 'Cost Center Code': "#REF!" is`);
});

describe('percentages', () => {
	const shares = async (share: unknown, more: INodeParameters) => {
		const row = { Percentage: share, 'Cost Center Code': '4200' } as IDataObject;
		const { error, json } = await update(row, { dryRun: true, ...more });
		return error?.message ?? String(json('Payroll')[0]?.changes);
	};
	const off = { totalMustBe100: false };
	const fractions = { percentagesAreFractions: true };

	it.each<[unknown, INodeParameters, string]>([
		[0.6, {}, "These look like fractions: turn on 'Percentages Are Fractions'."],
		[0.6, { ...fractions, ...off }, '60 %'],
		['0,075', { ...fractions, ...off, decimalComma: true }, '7.5 %'],
		[1, fractions, '100 %'],
		[100.00000000000001, {}, '100.00000000000001 %'],
		[60, fractions, "60 is more than 1, but 'Percentages Are Fractions' is on."],
		['60\u00a0%', off, 'has a sign beside the number. Write 60'],
		['60 %', fractions, "has a sign beside the number, but 'Percentages Are Fractions' is on."],
		['60,5%', { ...fractions, decimalComma: true }, "but 'Percentages Are Fractions' is on."],
		['#DIV/0!', {}, 'is what a failed formula or expression leaves, not a value.'],
		[
			'60%',
			{ ...fractions, decimalComma: true },
			'such as 0,6 for 60 %, or leave out the sign and',
		],
	])('%j with %j', async (share, more, text) => {
		expect(await shares(share, more)).toContain(text);
	});

	it('no advice names a switch that the form lacks', async () => {
		const costCenteren = { row: [{ costCenterCode: '4200', percentage: '33,34' }] };
		const node = credential.employee({ ...updateCostCenters, costCenteren });
		const { error } = await payroll.run([{ id: 1001 }], node);
		expect(error?.message).toMatch(/is not a number\. Write 33\.34$/);
	});
});

describe('an employee', () => {
	it.each([
		['10\u200b01', 'contains an invisible character (U+200B).'],
		['1.001', 'is not a whole number. Write 1001'],
		['#VERW!', 'is what a failed formula or expression leaves'],
	])('%j is asked back', async (EmployeeId, text) => {
		const { error } = await update({ 'Cost Center Code': '4200', EmployeeId });
		expect(error?.message).toContain(`Row 2, 'Employee ID': ${JSON.stringify(EmployeeId)} ${text}`);
		expect(await soapRequests(sandbox)).toEqual([]);
	});

	it('may have invisible characters around it', async () => {
		const { error } = await update({ 'Cost Center Code': '4200', EmployeeId: '\u200b1001\u00a0' });
		expect(error).toBeUndefined();
	});

	it('in a blank cell is empty, whether or not its column is mapped by hand', async () => {
		const { error } = await update({ 'Cost Center Code': '4200', EmployeeId: ' ' });
		expect(error?.message).toBe("Row 2, 'Employee ID' is empty.");
		const value = { EmployeeId: '={{ $json.Nr }}', 'CostCenter.Code': '={{ $json.KP }}' };
		const node = credential.employee({ ...fromItems, costCenterenColumns: filledIn(value) });
		const mapped = await payroll.run([{ Nr: '', KP: '4200' }], node);
		expect(mapped.error?.message).toBe("Row 2, 'Employee ID' is empty.");
	});
});

it.each<[string, IDataObject]>([
	['Dutch', { Medewerker: 1001, Kostenplaats: '4200', Percentage: 100, Periode: 6, Jaar: 2026 }],
	[
		'other Dutch words',
		{ 'Werknemer ID': 1001, Kostenplaatscode: '4200', Aandeel: 100, Tijdvak: 6, Boekjaar: 2026 },
	],
	['English', { Employee: 1001, 'Cost Centre': '4200', Share: 100, period: 6, YEAR: 2026 }],
	[
		'names beside numbers, and what is something else',
		{
			...{
				'Medewerker ID': 1001,
				Medewerker: 'Ann',
				Kostenplaatscode: '4200',
				Kostenplaats: 'Hal',
			},
			...{ Kostendrager: 'P1', Percentage: 100, Periode: 6, Jaar: 2026 },
		},
	],
])('automatic mapping knows what sheets call columns: %s', async (_, row) => {
	const node = credential.employee({ ...fromItems, period: '', year: '' });
	const { error, json } = await payroll.run([row], node);
	expect(error).toBeUndefined();
	expect(json('Payroll')).toMatchObject([
		{ EmployeeId: 1001, changes: expect.stringContaining('4200') as string },
	]);
});

it.each([
	['Employee ID', { Personeelsnummer: 1001, 'Naam medewerker': 'Ann' }],
	['Period', { Medewerker: 1001, 'Periode t/m': 12 }],
])('%s is not in %j', async (label, row) => {
	const node = credential.employee({ ...fromItems, period: '' });
	const { error } = await payroll.run([{ ...row, Kostenplaats: '4200' }], node);
	expect(error?.message).toContain(`'${label}' is missing.`);
});

it('a country is written by its code, and a type by its name: a hint says so once', async () => {
	const countries = ['Nederland', 'nl', 'NLD'].map((Land, i) => ({ id: 1001 + i, Land }));
	const given = { countryISOCode: '={{ $json.Land }}', type: "={{ 'home address' }}" };
	const node = credential.employee({ ...createAddress, ...given });
	const { error, hints } = await payroll.run(countries, node);
	expect(error).toBeUndefined();
	const sent = (await soapRequests(sandbox)).map(({ body }) => body).join();
	expect(sent.match(/<CountryISOCode>NL</g)).toHaveLength(3);
	expect(sent).toContain('<Type>HomeAddress<');
	expect(hints()).toContain(
		'Written with the name or code that the service has: "Nederland" as NL; "home address" as HomeAddress; "nl" as NL; "NLD" as NL.',
	);
});

it.each<[INodeParameters, string]>([
	[
		{ street: '#N/B' },
		`'Street': "#N/B" is what a failed formula or expression leaves, not a value.`,
	],
	[
		{ countryISOCode: "={{ 'UK' }}" },
		`'Country ISO Code': "UK" is not a country or its code of two letters. Write GB`,
	],
])('%j is no value of an address', async (given, text) => {
	const node = credential.employee({ ...createAddress, ...given });
	const { error } = await payroll.run([{ id: 1001 }], node);
	expect(error?.message).toBe(text);
	expect(await soapRequests(sandbox)).toEqual([]);
});

describe('columns that are not mapped', () => {
	const named = { 'Cost Center Code': '4200', Name: 'Ann', Note: 'x' };

	it('are in the items, also where another mapping is by hand', async () => {
		const [item] = (await update({ ...named, error: 'Of the run before' })).json('Payroll');
		expect(item).not.toHaveProperty('error');
		expect(item).toMatchObject({ EmployeeId: 1001, Name: 'Ann', Note: 'x', written: true });
		// The period is that of all rows: it must not push what changes out of sight.
		const columns = Object.keys(item ?? {});
		expect(columns.slice(0, 4)).toEqual(['EmployeeId', 'Name', 'Note', 'changes']);
		expect(columns.slice(-2)).toEqual(['Period', 'Year']);
		const mapped = { EmployeeId: '={{ $json.ID }}', 'CostCenter.Code': '={{ $json.Code }}' };
		const costCenterenColumns = filledIn({ ...mapped, Percentage: 100 });
		const { json } = await payroll.run(
			[{ ID: 1001, Code: '4200', Name: 'Ann', EmployeeId: 'Of another system' }],
			credential.employee({ ...fromItems, costCenterenColumns }),
		);
		expect(json('Payroll')).toMatchObject([{ EmployeeId: 1001, Name: 'Ann' }]);
		expect(json('Payroll')[0]).not.toHaveProperty('Code');
	});

	it('are dragged into a field: the name of one is no value', async () => {
		const mapped = { EmployeeId: '={{ $json.Nr }}', 'CostCenter.Code': 'Code', Percentage: 100 };
		const node = credential.employee({ ...fromItems, costCenterenColumns: filledIn(mapped) });
		const { error } = await payroll.run([{ Nr: 1001, Code: '4200' }], node);
		expect(error?.message).toBe(
			`Row 2, 'Cost Center Code': "Code" is the name of a column. Drag the column into the field.`,
		);
		const pivot = { ...mapped, 'CostCenter.Code': '4200', Percentage: "={{ $json['4200'] }}" };
		const all = { ...fromItems, costCenterenColumns: filledIn(pivot) };
		const { json } = await payroll.run([{ Nr: 1001, 4200: 100 }], credential.employee(all));
		expect(json('Payroll')).toMatchObject([{ changes: expect.stringContaining('4200: ') }]);
	});

	it('are joined where rows differ: a blank cell is none, and a name that begins another is its own', async () => {
		const mapped = { EmployeeId: '={{ $json.StaffID }}', 'CostCenter.Code': '={{ $json.Code }}' };
		const costCenterenColumns = filledIn({ ...mapped, Percentage: 50 });
		const rows = [
			{ StaffID: 1001, Code: '4200', Staff: 'Ann', Tags: ['a'], Note: 'x' },
			{ StaffID: 1001, Code: '4300', Staff: '', Tags: ['a'], Note: 'y' },
		];
		const node = credential.employee({ ...fromItems, costCenterenColumns });
		const { json } = await payroll.run(rows, node);
		expect(json('Payroll')).toMatchObject([{ Staff: 'Ann', Tags: ['a'], Note: 'x, y' }]);
	});

	it('say of a write nothing that was said of another one', async () => {
		const said = { error: { code: 'NOT_FOUND' }, problem: 'HTTP 404', dryRun: true };
		const proof = { verified: true, outcome: 'applied' };
		const { json } = await update({ ...named, ...said, ...proof }, { verify: false });
		const names = Object.keys(json('Payroll')[0] ?? {});
		expect(names).toContain('written');
		expect(names.filter((name) => name in said || name in proof)).toEqual([]);
	});

	it('are left out, if the option is off', async () => {
		const { json } = await update(named, { options: { includeOtherFields: false } });
		expect(json('Payroll')[0]).not.toHaveProperty('Name');
	});
});
