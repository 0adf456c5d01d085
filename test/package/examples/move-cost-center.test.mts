import type { IDataObject } from 'n8n-workflow';
import { getCostCenters } from '../../../dev/package/calls.mts';
import { exampleWorkflow, withFields } from '../../../dev/package/workflow-file.mts';
import { useBench } from './bench.mts';

const example = exampleWorkflow('move-cost-center.json');

const bench = useBench();
afterEach(async () => await bench.sandbox.configure({ costCenterUpdate: 'change' }));

/** The employees of the example who have the cost center 4100, with how many records each has. */
const moved = [
	[1001, 1],
	[1004, 4],
] as const;

/** The cost centers of the example's employees, as the service has them now. */
async function costCenters(): Promise<IDataObject[]> {
	const input = [1001, 1002, 1003, 1004].map((id) => ({ id }));
	const node = bench.credential.employee(getCostCenters);
	return (await bench.payroll.run(input, node)).json('Payroll');
}

const codeOf = ({ CostCenter }: IDataObject): unknown => (CostCenter as IDataObject).Code;

it('begins with a dry run, which shows what would be written', async () => {
	const before = await costCenters();
	await bench.sandbox.reset();
	const { error, json } = await bench.run(example);
	expect(error).toBeUndefined();
	// The workflow reads every employee, the dry run those with the old cost center again.
	expect(await bench.executed()).toEqual({ CostCenter_Get: 6 });
	const previews = json('Update Cost Centers');
	expect(previews).toHaveLength(2);
	for (const [index, [EmployeeId, count]] of moved.entries()) {
		const { request, changed, kept, ...preview } = previews[index] ?? {};
		expect(preview).toMatchObject({ EmployeeId, Period: 6, Year: 2026, dryRun: true });
		const { CostCenteren } = request as { CostCenteren: IDataObject[] };
		expect(CostCenteren).toHaveLength(count);
		expect(
			(changed as Array<Record<string, IDataObject>>).map(({ after = {} }) => codeOf(after)),
		).toEqual(['4200']);
		expect(kept).toHaveLength(count - 1);
	}
	expect(await costCenters()).toEqual(before);
});

it.each(['change', 'replace'] as const)(
	'moves those who have the old cost center; the service takes the rows to %s',
	async (costCenterUpdate) => {
		await bench.sandbox.configure({ costCenterUpdate });
		const before = await costCenters();
		await bench.sandbox.reset();
		const { error, items } = await bench.run(withFields(example, 'Settings', { dryRun: false }));
		expect(error).toBeUndefined();
		expect(await bench.executed()).toEqual({ CostCenter_Get: 6, CostCenter_Update: 2 });
		expect(items('Update Cost Centers').map(({ json }) => [json.EmployeeId, json.success])).toEqual(
			moved.map(([id]) => [id, true]),
		);

		const writes = (await bench.sent()).filter((body) => body.startsWith('<CostCenter_Update>'));
		for (const [index, [id, count]] of moved.entries()) {
			expect(writes[index]).toMatch(
				new RegExp(`^<CostCenter_Update><EmployeeId>${id}</EmployeeId>`),
			);
			expect(writes[index]).toMatch(/<Period>6<\/Period><Year>2026<\/Year><\/CostCenter_Update>$/);
			expect(writes[index]?.match(/<EmployeeCostCenter>/g)).toHaveLength(count);
			// The code only: the other fields of the old cost center are not those of the new one.
			expect(writes[index]).toContain('<CostCenter><Code>4200</Code></CostCenter>');
			expect(writes[index]).not.toContain('<Code>4100</Code>');
		}

		const after = await costCenters();
		expect(after.map(codeOf)).toEqual(
			before.map((row) => (codeOf(row) === '4100' ? '4200' : codeOf(row))),
		);
		const others = ({ CostCenter: _, ...rest }: IDataObject): IDataObject => rest;
		expect(after.map(others)).toEqual(before.map(others));
	},
);

it('pairs what it wrote with the records that it read, and these with their employees', async () => {
	const { items } = await bench.run(withFields(example, 'Settings', { dryRun: false }));
	expect(items('Update Cost Centers').map(({ pairedItem }) => pairedItem)).toEqual([
		{ item: 0 },
		{ item: 1 },
	]);
	const records = items('Only the Old Cost Center');
	expect(records.map(({ json }) => json.EmployeeId)).toEqual(moved.map(([id]) => id));
	const read = items('Get Cost Centers');
	const sources = records.map(({ pairedItem }) => read[(pairedItem as { item: number }).item]);
	expect(sources.map((source) => source?.json.EmployeeId)).toEqual(moved.map(([id]) => id));
});

it('reads once and ends if nobody has the old cost center', async () => {
	const settings = { dryRun: false, oldCostCenter: '9999' };
	const { error, items } = await bench.run(withFields(example, 'Settings', settings));
	expect(error).toBeUndefined();
	expect(await bench.executed()).toEqual({ CostCenter_Get: 4 });
	expect(items('Update Cost Centers')).toEqual([]);
});
