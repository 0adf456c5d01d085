/** Keep Other Cost Centers: the current ones are read, and the whole list is written. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { getCostCenters } from '../../../dev/package/calls.mts';
import { expectValidRequests } from '../requests.mts';
import { useCredential, useSandbox } from '../../support/setUp.mts';

const { sandbox, payroll } = useSandbox({ schemaValidation: true });
const credential = useCredential(payroll, sandbox);
// A service that replaces the whole list: there, what is not sent is lost.
beforeAll(async () => await sandbox.configure({ costCenterUpdate: 'replace' }));
afterEach(async () => await expectValidRequests(sandbox));

/** With three cost centers. */
const EMPLOYEE = 1003;

async function current(id = EMPLOYEE): Promise<IDataObject[]> {
	const node = credential.employee({
		...getCostCenters,
		options: { includeRequestKeys: false },
	});
	return (await payroll.run([{ id }], node)).json('Payroll');
}

const update: INodeParameters = {
	resource: 'costCenter',
	operation: 'update',
	employeeId: EMPLOYEE,
	period: 6,
	year: 2026,
	verify: false,
};

const codeOf = ({ CostCenter }: IDataObject) => String((CostCenter as IDataObject).Code);

async function keep(rows: IDataObject[], more: INodeParameters = {}, used = credential) {
	const json = { specifyCostCenteren: 'json', costCenterenJson: JSON.stringify(rows) };
	const parameters = { ...update, ...json, ...more };
	return await payroll.run([{}], used.employee(parameters));
}

it('changes what is given by Id or by code, adds what is new, and keeps everything else', async () => {
	const before = await current();
	const [first, second, third] = before as [IDataObject, IDataObject, IDataObject];
	const { Code } = second.CostCenter as IDataObject;
	const { json, error } = await keep([
		{ Id: third.Id as number, Percentage: '20.50' },
		{ CostCenter: { Code: Code as string }, Percentage: 40, Default: null },
		{ CostCenter: { Code: 'NEW' }, Percentage: '6.16' },
	]);
	expect(error).toBeUndefined();
	const changedSecond = { ...second, Percentage: 40 };
	const added = { CostCenter: { Code: 'NEW' }, Percentage: '6.16' };
	expect(json('Payroll')).toEqual([
		{
			EmployeeId: EMPLOYEE,
			Period: 6,
			Year: 2026,
			success: true,
			written: true,
			changes: [
				`${Code as string}: ${String(second.Percentage)} → 40 %`,
				`${codeOf(third)}: ${String(third.Percentage)} → 20.5 %`,
				'NEW: added, 6.16 %',
			].join(' · '),
			percentageTotal: 100,
		},
	]);
	expect(await current()).toEqual([
		first,
		changedSecond,
		{ ...third, Percentage: 20.5 },
		{ ...added, Id: expect.any(Number), Percentage: 6.16 },
	]);
	expect((await sandbox.stats()).soapExecuted).toMatchObject({ CostCenter_Update: 1 });
});

it('reads and writes in one turn: changes to the same employee add up', async () => {
	const node = credential.employee({
		...update,
		costCenteren: { row: [{ costCenterCode: '={{ $json.code }}', percentage: 0 }] },
		options: { concurrency: 5 },
	});
	const before = await current();
	const { error } = await payroll.run([{ code: 'A' }, { code: 'B' }, { code: 'C' }], node);
	expect(error).toBeUndefined();
	const codes = (rows: IDataObject[]) => rows.map((row) => (row.CostCenter as IDataObject).Code);
	expect(codes(await current())).toEqual([...codes(before), 'A', 'B', 'C']);
});

it.each([
	['', {}, { success: true, written: false, changes: 'nothing changed', outcome: 'unchanged' }],
	[
		' with Dry Run',
		{ dryRun: true, options: { showEnvelope: true } },
		{ dryRun: true, written: false, envelope: null, changes: 'nothing would change' },
	],
])('sends nothing%s if nothing would change, and says so', async (_, dryRun, more) => {
	const before = await current();
	await sandbox.reset();
	const { json, error } = await keep(before.slice(0, 2), dryRun);
	expect(error).toBeUndefined();
	expect(json('Payroll')).toEqual([
		{
			...{ EmployeeId: EMPLOYEE, Period: 6, Year: 2026, ...more, percentageTotal: 100 },
		},
	]);
	expect((await sandbox.stats()).soapExecuted).toEqual({ CostCenter_Get: 1 });
	expect(await current()).toEqual(before);
});

describe('Total Must Be 100 %', () => {
	const tooMuch = [{ CostCenter: { Code: 'NEW' }, Percentage: 70 }];

	it('refuses another total before anything is sent', async () => {
		const before = await current();
		const { error } = await keep(tooMuch);
		expect(error).toMatchObject({
			message: expect.stringContaining(
				"the percentages add up to 170 (4300: 33.34, 4400: 33.33, 4500: 33.33 and NEW: 70), not to 100: 70 is too much. Your rows alone add up to 70. Make it 100 and turn off 'Keep Other Cost Centers'.",
			),
			description: expect.stringMatching(/^Nothing was written for this item\./),
		});
		expect((await sandbox.stats()).soapExecuted).not.toHaveProperty('CostCenter_Update');
		expect(await current()).toEqual(before);
	});
});
