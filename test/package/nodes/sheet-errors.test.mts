/** All that is wrong with a sheet, once: by its causes in the error of a run, by its rows in the items of one that continues. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createAddress, updateCostCenters } from '../../../dev/package/calls.mts';
import type { NodeDraft } from '../../../dev/engine/index.mts';
import { costCentersOf, type Row, serverFault } from '../../support/plain-service.mts';
import { useWrites } from './writes.mts';

const { service, payroll, credential, putShares } = useWrites();

const row = (id: unknown, code: unknown, share: unknown, more: IDataObject = {}) =>
	({
		...{ Medewerker: id, Kostenplaats: code, Percentage: share, Periode: 6, Jaar: 2026 },
		...{ Naam: `Name ${String(id)}`, ...more },
	}) as IDataObject;

async function update(
	rows: IDataObject[],
	parameters: INodeParameters = {},
	more: Partial<NodeDraft> = {},
) {
	const chosen = { resource: 'costCenter', operation: 'update', specifyCostCenteren: 'items' };
	const result = await payroll.run(rows, credential.employee({ ...chosen, ...parameters }, more));
	const { error } = result;
	return {
		...{ message: error?.message, description: error?.description },
		items: result.outputs('Payroll').map((items) => items.map(({ json }) => json)),
		hints: result.hints(),
	};
}

const dry = { dryRun: true };
const continues = { onError: 'continueRegularOutput' } as const;

it('every cause of every row is told in one dry run, by cause, with counts and rows', async () => {
	for (const id of [1001, 1004, 1005, 1006, 1007]) putShares({ 4100: 100 }, id);
	const { message } = await update(
		[
			...[1001, 1002, 1003].map((id) => row(id, '4200', '33,34')),
			row(1002, '#N/A', 100),
			...['x', 'y'].map((id) => row(id, '4200', 100)),
			row(1004, '4200', 100, { Jaar: 26 }),
			...[1005, 1006].map((id) => row(id, '4200', 100)),
			...[50, 50].map((share) => row(1001, '4300', share)),
			row(1007, '4100', 100, { 'Record ID': 99999 }),
			...['n.v.t.', '4.200', '42\u200b00'].map((code, i) => row(1008 + i, code, 100)),
			row(1011, '4100', '60 %'),
			...[1002, 1003].map((id) => row(id, '4300', '33,34 %')),
			row(1012, '4100', '€ 40'),
		],
		dry,
	);
	expect(message?.split('\n• ')).toEqual([
		'18 values cannot be used:',
		"Percentage has a decimal comma: 3 rows, e.g. row 2. Turn on 'Decimal Comma'.",
		'Row 12 is for the same cost center as row 11',
		`Row 5, 'Cost Center Code': "#N/A" is what a failed formula or expression leaves, not a value.`,
		"Percentage has a decimal comma and a sign: 2 rows, e.g. row 18. Turn on 'Decimal Comma', and leave out the sign beside the number.",
		'Employee ID is not a whole number: 2 rows, e.g. row 6 ("x").',
		"Row 8, 'Year': 26 is more than one year from now (2026?). If it is meant, turn on 'Any Period'.",
		"The percentages do not add up to 100, since others are kept: 2 rows, e.g. row 9. Turn off 'Keep Other Cost Centers' to remove them, or give them 0 to end them.",
		expect.stringMatching(
			/^Row 13, 'Record ID': 99999 is unknown, since no current record has it\./,
		),
		`Row 14, 'Cost Center Code': "n.v.t." is no code.`,
		`Row 15, 'Cost Center Code': "4.200" is a number that a sheet has formatted. If the code is 4200, write that.`,
		expect.stringMatching(/^Row 16, 'Cost Center Code': .* invisible character/),
		'Percentage has a sign beside the number: 2 rows, e.g. row 17 ("60 %": write 60).',
	]);
	expect(service.writes()).toBe(0);
});

it.each([dry, { keepOthers: false }])(
	'so is a total beside another slip of its rows: %j',
	async (more) => {
		putShares({ 4100: 100 }, 1001);
		const { message } = await update(
			[row(1001, '4100', 60, { Default: 'ja' }), row(1001, '4200', 30)],
			more,
		);
		expect(message).toContain('"ja" is neither true nor false. Write true');
		expect(message).toContain('add up to 90');
	},
);

it('a failed row is an item with its number, column, value and problem, and its own columns', async () => {
	putShares({ 4100: 100 }, 1002);
	const rows = [
		// The results of the run before may be the sheet.
		row(1001, '4100', '60,5', { problem: 'Of the run before' }),
		...[row(1001, '4200', 40), row(1002, '4100', 100), row('', '', '60 %')],
	];
	const faulty = {
		...{ row: 2, column: 'Percentage', value: '60,5' },
		problem: "Has a decimal comma. Turn on 'Decimal Comma'.",
	};
	const beside = {
		...{ row: 3, column: null, value: null },
		problem: 'Not written, since row 2 cannot be used.',
	};
	const regular = await update(rows, {}, continues);
	expect(regular.items[0]).toMatchObject([
		{ ...rows[0], EmployeeId: 1001, ...faulty, error: { ...faulty, outcome: 'notApplied' } },
		{ ...beside, ...rows[1], error: beside },
		{ EmployeeId: 1002, Naam: 'Name 1002', outcome: 'unchanged' },
		{
			problem:
				"Is empty. 'Percentage': \"60 %\" has a sign beside the number. Write 60. Needs 'Record ID' or 'Cost Center Code' to identify the record.",
		},
	]);
	// What is wrong is not to be beyond the edge.
	const columns = Object.keys(regular.items[0]?.[0] ?? {});
	expect(columns.slice(0, 5)).toEqual(['EmployeeId', 'row', 'column', 'value', 'problem']);
	expect(Object.keys(regular.items[0]?.[3] ?? {})[0]).toBe('row');
	// n8n takes nothing but `error` as a failed item, and adds the input.
	const split = await update(rows, {}, { onError: 'continueErrorOutput' });
	expect(split.items).toMatchObject([
		[{ EmployeeId: 1002 }],
		[{ ...rows[0], error: faulty }, { ...rows[1], error: beside }, { error: { row: 5 } }],
	]);
});

it('what is wrong with several rows names the column to correct, if one is meant', async () => {
	putShares({ 4100: 100 }, 1002);
	const { items } = await update(
		[
			...['4100', '4200', '4200'].map((own) => row(1001, own, 50)),
			...['4300', '4400'].map((own) => row(1002, own, 40)),
		],
		{ keepOthers: false },
		continues,
	);
	const places = items[0]?.map((one) => [one.row, one.column, one.value]);
	expect(places).toEqual([
		[2, null, null],
		[3, null, null],
		[4, 'Cost Center Code', '4200'],
		...[5, 6].map((own) => [own, 'Percentage', null]),
	]);
	const rows = { costCenteren: { row: [{ costCenterCode: '4200', percentage: 100 }] } };
	const each = { ...updateCostCenters, ...rows, keepOthers: false };
	const { json } = await payroll.run(
		[{ id: 1001 }, { id: 1001 }],
		credential.employee(each, continues),
	);
	expect(json('Payroll')).toMatchObject([2, 3].map((own) => ({ row: own, column: 'Employee ID' })));
});

const byCode = 'Cost Center Code';
it.each<[IDataObject, string, unknown, RegExp]>([
	[row(1002, '', 100, { 'Record ID': 99 }), 'Record ID', 99, /^Is unknown, since no /],
	[row(1002, 41, 100), byCode, 41, /^Differs .*Enter 0041\.$/],
	[row(1002, '4100', 100), byCode, '4100', /^Is ambiguous, since 2 .*Give a /],
	[row(1003, '4200', 100, { 'Record ID': '7' }), byCode, '4200', /^Is the cost center of another/],
	[row(1003, 42, 100, { 'Record ID': '7' }), byCode, 42, /^Differs .*Enter 0042\.$/],
])('of %j, %s %j is in the item, with its problem', async (faulty, column, value, problem) => {
	const [own, other] = ['0041', '4100'].map((Code) => ({ CostCenter: { Code } }));
	service.put(costCentersOf(1002), [own, other, other] as Row[]);
	const codes = ['4100', '4200', '0042'];
	const moved = codes.map((Code, i) => ({ Id: `${i + 7}`, CostCenter: { Code } }));
	service.put(costCentersOf(1003), moved);
	const costCenterenColumns = {
		...{ mappingMode: 'autoMapInputData', value: null },
		matchingColumns: ['Record ID' in faulty ? 'Id' : 'CostCenter.Code'],
	};
	const { items } = await update([faulty], { costCenterenColumns }, continues);
	expect(items[0]).toMatchObject([{ column, value, problem: expect.stringMatching(problem) }]);
});

it.each<[string, unknown, IDataObject, string]>([
	['not the identifiers of an edited code', '4200', { Id: 7, costCenterId: 12 }, '20 → 100 %'],
	['a code with a point that is there', '10.100', {}, '20 → 100 %'],
	['all of a new one', '4300', { kostensoortCode: 4 }, 'added, 100 %, Cost Type Code 4'],
])('a preview says what is sent: %s', async (_, code, more, change) => {
	const records = ['4100', '4200', '10.100', '10.200', '4400'].map((Code, i) => {
		return { Id: `${i + 7}`, CostCenter: { Code, Id: `${i + 12}` }, Percentage: '20' };
	});
	service.put(costCentersOf(1002), records as unknown as Row[]);
	const matched = { mappingMode: 'autoMapInputData', matchingColumns: ['CostCenter.Code'] };
	const columns = { costCenterenColumns: { ...matched, value: null } };
	const all = { ...dry, keepOthers: false, ...columns };
	const { items } = await update([row(1002, code, 100, more)], all);
	const [first, ...others] = String(items[0]?.[0]?.changes).split(' · ');
	expect(first).toBe(`${String(code)}: ${change}`);
	expect(others.every((other) => other.endsWith(': removed'))).toBe(true);
});

it('of an employee whose row has no period, nothing is written', async () => {
	putShares({ 4100: 60, 4200: 40 }, 1003);
	const own = [row(1003, '4100', 50), row(1003, '4200', 50, { Periode: '' })];
	const rows = [...own, row(1002, '4100', 100)];
	const off = { keepOthers: false, totalMustBe100: false };
	const { items } = await update(rows, off, continues);
	expect(items[0]?.[0]?.problem).toBe(
		'Row 3 has the same Employee ID and no usable Period, so it may belong to this call.',
	);
	expect(items[0]?.map(({ written }) => written)).toEqual([undefined, undefined, true]);
});

it('a failed row has the columns that its fields have, and no result of another run', async () => {
	const value = { 'CostCenter.Code': '={{ $json.code }}', Percentage: '={{ $json.value }}' };
	const mapped = { EmployeeId: '={{ $json.id }}', ...value };
	const costCenterenColumns = { mappingMode: 'defineBelow', value: mapped, matchingColumns: [] };
	const sheet = [{ id: 1002, code: '#N/A', value: 60, verified: true, row: 9 }];
	const { items } = await update(sheet, { costCenterenColumns, period: 6, year: 2026 }, continues);
	expect(items[0]).toMatchObject([{ row: 2, value: 60, error: { value: '#N/A' } }]);
	expect(items[0]?.[0]).not.toHaveProperty('verified');
});

it('shares in several items of the form are to be rows', async () => {
	const row = [{ costCenterCode: '={{ $json.code }}', percentage: 50 }];
	const node = credential.employee({ ...updateCostCenters, costCenteren: { row } });
	const input = ['4200', '4300'].map((code) => ({ id: 1001, code }));
	const { error } = await payroll.run(input, node);
	expect(error?.message).toContain("If others are in other items, choose 'From Input Items'.");
});

it('a dry run in which everybody fails is a preview, too', async () => {
	const rows = [1001, 1002, 1003].map((id) => row(id, '4200', 'half'));
	const { hints } = await update(rows, dry, continues);
	expect(hints[0]).toBe('Preview of 3 employees: 0 would change, 0 unchanged, 3 cannot.');
	expect((await update(rows, {}, continues)).hints[0]).toBe('3 employees: 3 failed.');
	expect((await update([{ Medewerker: null }], dry)).hints).toEqual([
		'Rows that were skipped: 2 (blank).',
	]);
});

it.each<[IDataObject, string]>([
	[
		{ ...row(1001, '4100', 100), 'Cost Center Code': '4200', costCenterCode: '4100' },
		`Cost Center Code': "4100" in the column 'costCenterCode' contradicts "4200" in the column 'Cost Center Code'.`,
	],
	[
		row(1001, '4100', 100, { EmployeeId: 1002 }),
		"Employee ID': 1001 in the column 'Medewerker' contradicts 1002 in the column 'EmployeeId'.",
	],
])('two columns that contradict each other are told once: %j', async (both, text) => {
	expect((await update([both])).message).toBe(`Row 2, '${text}`);
});

it('a preview is summed up in employees, first, and at most three hints follow', async () => {
	for (const id of [1001, 1002]) putShares({ 4100: 100 }, id);
	const fixed = { ...dry, period: '6', year: '2026' };
	const {
		Periode: _,
		Jaar: __,
		...late
	} = row(1002, '4100', 100, {
		...{ Ingangsdatum: '2026-07-01', Mutatiereden: 'Verhuizing' },
	});
	const { hints } = await update(
		[
			...[row(1001, '4100', 60), row(1001, '4200', 40), late, row(1003, 'n.v.t.', 100)],
			...[{ Naam: 'Totaal' }, {}],
			row(1004, '4200', '3.100', { Percentage: '3.100' }),
		],
		{ ...fixed, totalMustBe100: false },
		continues,
	);
	expect(hints).toEqual([
		'Preview of 4 employees (5 rows): 2 would change, 1 unchanged, 1 cannot.',
		expect.stringContaining('this column looks like an effective date: Ingangsdatum. Percentage'),
		'Cost Center Codes that are new: 4200: 2 employees.',
		'Rows that were skipped: 6 (a total: "Totaal"); 7 (blank). Not sent, since there is no field for it: Naam; Ingangsdatum; Mutatiereden.',
	]);
});

it('a preview says what is added without a percentage', async () => {
	const { hints } = await update([row(1001, '4200', '')], { ...dry, keepOthers: false });
	expect(hints).toContain('Added without a percentage: 4200.');
});

it('an employee with a new code in two periods is one', async () => {
	const rows = [6, 7].map((Periode) => row(1001, '4200', 100, { Periode }));
	const { hints } = await update(rows, { ...dry, keepOthers: false });
	expect(hints.slice(0, 2)).toEqual([
		'Preview of 2 items: 2 would change, 0 unchanged.',
		'Cost Center Codes that are new: 4200: 1 employee.',
	]);
});

describe('after some rows were written', () => {
	const rows = [row(1001, '4100', 100), row(1002, '4200', 100), row(1003, '4100', 100)];
	beforeEach(() => putShares({ 4100: 100 }, 1002));

	it('a wrong sheet is to be corrected and run again: a retry would fail at the same row', async () => {
		const { description } = await update(rows);
		expect(description).toContain(
			'1 of 3 items were applied: Employee ID 1001. 2 were refused or not sent. To continue, correct the sheet and run it again. That is safe here, because what is as wanted already is not written again.',
		);
		expect(description).not.toContain('retry');
	});

	it('a row that the service refuses with a code is sent again by a retry, unless it is there', async () => {
		service.behaviour = (who) =>
			who === '1002' ? { applies: 'never', answer: serverFault('1205: Deadlock') } : {};
		const two = [row(1001, '4100', 60), row(1001, '4200', 40)];
		const { description } = await update([...two, row(1002, '4200', 100), row(1003, '4200', 100)], {
			...{ keepOthers: false, options: { concurrency: 1 } },
		});
		expect(description).toContain(
			'2 of 4 items were applied: Employee ID 1001. 1 failed with a code of the service, and usually nothing is written then: Employee ID 1002. 1 was refused or not sent.',
		);
		expect(description).toMatch(
			/ the retry sends only that one, and what failed with a code if reading shows that it is not there, and items whose values have changed\.$/,
		);
	});

	it('nothing was applied if the other rows changed nothing', async () => {
		service.behaviour = { applies: 'never', answer: serverFault('TWK exception: No') };
		const { description } = await update([row(1002, '4100', 100), row(1003, '4200', 100)]);
		expect(description).toMatch(/ No other item of this run was applied\.$/);
	});

	it.each([
		[false, "Turn on 'Skip If It Exists' first, or leave out the rows that were applied"],
		[true, 'That is safe here, because an address that is there already is not inserted again.'],
	])('a row that the service refuses is one of both (Skip: %s)', async (skipIfExists, how) => {
		service.behaviour = (who) =>
			who === '1002'
				? { applies: 'never', answer: serverFault('TWK exception: Employee 1002 does not exist') }
				: {};
		const { error } = await payroll.run(
			[1001, 1002, 1003].map((id) => ({ id })),
			credential.employee({ ...createAddress, skipIfExists }),
		);
		expect(error?.description).toContain(
			`If row 3 is wrong, correct the sheet and run it again. ${how}`,
		);
		expect(error?.description).toContain('Otherwise, retry this execution in n8n');
	});
});
