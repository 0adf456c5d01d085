import fc from 'fast-check';
import { identifiedRows, mergeRows } from '../../../nodes/shared/actions/costCenters/rows.ts';
import type { Values } from '../../../nodes/shared/values/values.ts';

const merge = (current: Values[], given: Values[]) =>
	mergeRows(current, identifiedRows(given).results, true);

const warehouse = {
	Id: 1,
	CostCenter: { Code: '4100', Description: 'Warehouse', Id: 11 },
	Kostensoort: { Code: '400', Description: 'Salaries' },
	Percentage: 60,
	Default: true,
};
const kitchen = { Id: 2, CostCenter: { Code: '4300' }, Percentage: '40.0', Default: false };

describe('a given row', () => {
	it.each([
		['Id', { Id: 12 }, { Id: 12 }],
		['code', { ...warehouse.CostCenter, Code: '4960' }, { Code: '4960' }],
	])('replaces a nested record as a whole if its %s changes', (_, given, CostCenter) => {
		const { rows } = merge([warehouse], [{ Id: 1, CostCenter: given }]);
		expect(rows).toEqual([{ ...warehouse, CostCenter }]);
	});

	it('keeps its code beside another identifier of the cost center, if the code says which it is', () => {
		const given = { CostCenter: { Code: '4100', Id: 18 } };
		expect(merge([warehouse], [given]).rows).toEqual([{ ...warehouse, ...given }]);
	});

	it.each([
		['a decimal in another spelling', { Percentage: '+40.00' }],
		['an empty text where there is none', { CostCenter: { Code: 4300, Description: '' } }],
	])('with %s changes nothing: the record is kept as it is', (_, given) => {
		const { rows, changes } = merge([warehouse, kitchen], [{ Id: 2, ...given }]);
		expect({ rows, changes }).toEqual({ rows: [warehouse, kitchen], changes: '' });
	});

	it.each(['4300', '4300 '])('keeps the spelling of the code of its record: %j', (Code) => {
		const before = { ...kitchen, CostCenter: { Code } };
		const given = { CostCenter: { Code: ' 4300 ' }, Percentage: 5 };
		const { rows, changes } = merge([warehouse, before], [given]);
		expect({ rows, changes }).toEqual({
			rows: [warehouse, { ...before, Percentage: 5 }],
			changes: '4300: 40 → 5 %',
		});
	});
});

describe('a move to a cost center that is there already', () => {
	const store = { Id: 3, CostCenter: { Code: '4500', Id: 15 }, Percentage: 0 };
	const all = [warehouse, kitchen, store];

	it.each<[string, Values[], string]>([
		['current', [{ Id: 2, CostCenter: { Code: ' 4100' } }], '[0].CostCenter.Code: "4100" is the'],
		['kept', [{ Id: 3 }, { Id: 2, CostCenter: { Id: 15 } }], '[1].CostCenter.Id: 15 is the'],
		[
			'changed',
			[
				{ Id: 1, Percentage: 20 },
				{ Id: 2, CostCenter: { Code: 4100 } },
			],
			'[1].CostCenter.Code: 4100 is the cost center of another record (Record ID 1), and there would be two. Give that record the sum of both percentages, and this one (Record ID 2) the percentage 0, without another cost center.',
		],
		[
			'new',
			[{ CostCenter: { Code: '4600' } }, { Id: 2, CostCenter: { Code: '4600' } }],
			'[1].CostCenter.Code: "4600" is the cost center of another record, and there would be two.',
		],
		[
			'moved',
			[
				{ Id: 1, CostCenter: { Code: '4600' } },
				{ Id: 2, CostCenter: { Code: '4600' } },
			],
			'2 values cannot be used:',
		],
	])('is refused if that one is %s', (_, given, message) => {
		expect(() => merge(all, given)).toThrow(message);
	});

	it('is none if the records had one cost center before, or that one moves away', () => {
		const twice = [warehouse, { ...warehouse, Id: 5 }];
		expect(merge(twice, [{ Id: 5, Percentage: 1 }]).changes).toBe('4100 Record ID 5: 60 → 1 %');
		const chain = [
			{ Id: 2, CostCenter: { Code: '4100' } },
			{ Id: 1, CostCenter: { Code: '4600' } },
		];
		expect(merge(all, chain).changes).toBe('4100 → 4600, 60 % · 4300 → 4100, 40 %');
	});
});

it('reports all rows at once that do not match one record each', () => {
	const three = [warehouse, { ...warehouse, Id: 3 }, { ...warehouse, Id: undefined }];
	const four = { Id: 4, CostCenter: { Code: '4600' } };
	const rows = [
		{ Id: 9 },
		{ CostCenter: { Code: '4100' } },
		{ Id: 4 },
		{ CostCenter: { Code: '4600' } },
	];
	expect(() => merge([...three, four], rows)).toThrow(
		new Error(
			'3 values cannot be used:\n' +
				'• [0].Id: 9 is unknown, since no current record has it. The current ones are 1, 3 and 4.\n' +
				'• [1].CostCenter.Code: "4100" is ambiguous, since 3 current records have it (Record IDs 1 and 3). Give a Record ID, and match the rows of a sheet on it.\n' +
				'• [3] is for the same cost center as [2]',
		),
	);
	expect(() =>
		merge([], [{ CostCenter: { Code: 'KP02' } }, { CostCenter: { Code: 'kp02' } }]),
	).toThrow('[1] is for the same cost center as [0]');
	expect(() => merge([kitchen, kitchen], [{ Id: 2 }])).toThrow(
		'[0].Id: 2 is ambiguous, since 2 current records have it (Record IDs 2 and 2). Give a Record ID, and match the rows of a sheet on it.',
	);
	expect(() => merge([], [{ Id: 9 }])).toThrow(
		'[0].Id: 9 is unknown, since no current record has it. There are no current records.',
	);
});

it('drops unknown fields of the current rows, and names them', () => {
	const current = { ...warehouse, Color: 'red', CostCenter: { ...warehouse.CostCenter, Size: 3 } };
	expect(merge([current], [])).toMatchObject({
		rows: [warehouse],
		unknown: expect.arrayContaining(['Color', 'CostCenter.Size']),
	});
});

it('never loses a row, and changes no row that is not given', () => {
	const row = fc.record({ code: fc.nat(9).map(String), share: fc.nat(100) });
	const rows = fc.uniqueArray(row, { selector: ({ code }) => code, maxLength: 8 });
	const record = ({ code, share }: { code: string; share: number }): Values => ({
		CostCenter: { Code: code },
		Percentage: share,
	});
	fc.assert(
		fc.property(rows, rows, (before, given) => {
			const current = before.map((entry, i) => ({ Id: i + 1, Default: false, ...record(entry) }));
			const merged = merge(current, given.map(record));
			const wanted = new Map(given.map(({ code, share }) => [code, share]));
			const isNew = ({ code }: { code: string }) => !before.some((entry) => entry.code === code);
			expect(merged.rows).toEqual([
				...current.map((entry, i) => ({
					...entry,
					Percentage: wanted.get(before[i]?.code ?? '') ?? before[i]?.share,
				})),
				...given.filter(isNew).map(record),
			]);
		}),
	);
});
