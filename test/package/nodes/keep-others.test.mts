import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { launchSandbox, type SandboxClient } from '../../../dev/sandbox/client.mts';
import { scriptedServer } from '../../support/scripted.mts';
import { getCostCenters, Payroll } from '../../../dev/package/payroll.mts';

let sandbox: SandboxClient;
let payroll: Payroll;
let credential: string;

beforeAll(async () => {
	[sandbox, payroll] = await Promise.all([launchSandbox(), Payroll.load()]);
	credential = await payroll.connect(sandbox);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => {
	await sandbox.reset();
	// A service that takes the list for the whole: there, what is not sent is lost.
	await sandbox.configure({ costCenterUpdate: 'replace' });
});
afterEach(async () => {
	const violations = (await sandbox.requests()).flatMap(({ violations: found }) => found);
	expect(violations).toEqual([]);
});

/** With three cost centers. */
const EMPLOYEE = 1003;

async function current(id = EMPLOYEE): Promise<IDataObject[]> {
	const node = payroll.node('payrollEmployee', credential, {
		...getCostCenters,
		options: { includeRequestKeys: false },
	});
	return (await payroll.run([{ id }], node)).json('Payroll');
}

async function keep(rows: IDataObject[], more: INodeParameters = {}, used = credential) {
	const node = payroll.node('payrollEmployee', used, {
		resource: 'costCenter',
		operation: 'update',
		employeeId: EMPLOYEE,
		specifyCostCenteren: 'json',
		costCenterenJson: JSON.stringify(rows),
		period: 6,
		year: 2026,
		...more,
	});
	return await payroll.run([{}], node);
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
	const changedThird = { ...third, Percentage: '20.50' };
	const changedSecond = { ...second, Percentage: 40 };
	const added = { CostCenter: { Code: 'NEW' }, Percentage: '6.16' };
	expect(json('Payroll')).toEqual([
		{
			EmployeeId: EMPLOYEE,
			Period: 6,
			Year: 2026,
			success: true,
			written: true,
			changed: [
				{ before: second, after: changedSecond },
				{ before: third, after: changedThird },
			],
			added: [added],
			kept: [first],
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

it('reads in the same turn as it writes: changes to one employee add up', async () => {
	const node = payroll.node('payrollEmployee', credential, {
		resource: 'costCenter',
		operation: 'update',
		employeeId: EMPLOYEE,
		costCenteren: { row: [{ costCenterCode: '={{ $json.code }}', percentage: 1 }] },
		period: 6,
		year: 2026,
		options: { concurrency: 5 },
	});
	const before = await current();
	const { error } = await payroll.run([{ code: 'A' }, { code: 'B' }, { code: 'C' }], node);
	expect(error).toBeUndefined();
	const codes = (rows: IDataObject[]) => rows.map((row) => (row.CostCenter as IDataObject).Code);
	expect(codes(await current())).toEqual([...codes(before), 'A', 'B', 'C']);
});

it('works with rows from input items', async () => {
	const before = await current();
	const node = payroll.node('payrollEmployee', credential, {
		resource: 'costCenter',
		operation: 'update',
		specifyCostCenteren: 'items',
	});
	const keys = { EmployeeId: EMPLOYEE, Period: 6, Year: 2026 };
	const [first] = before as [IDataObject];
	const input = [
		{ ...keys, Id: first.Id, Percentage: 30 },
		{ ...keys, CostCenter: { Code: 'NEW' }, Percentage: 3.34 },
	] as IDataObject[];
	const { json } = await payroll.run(input, node);
	expect(json('Payroll')).toMatchObject([
		{
			written: true,
			changed: [{ after: { Id: first.Id, Percentage: 30 } }],
			added: [{ Percentage: 3.34 }],
		},
	]);
	expect(await current()).toHaveLength(before.length + 1);
});

it('with Dry Run only reads, and shows the whole list', async () => {
	const before = await current();
	const { json } = await keep([{ Id: before[0]?.Id as number, Percentage: 1 }], {
		dryRun: true,
	});
	const [first, ...others] = before as [IDataObject, ...IDataObject[]];
	expect(json('Payroll')).toEqual([
		expect.objectContaining({
			dryRun: true,
			request: expect.objectContaining({ CostCenteren: [{ ...first, Percentage: 1 }, ...others] }),
			changed: [{ before: first, after: { ...first, Percentage: 1 } }],
			kept: others,
		}),
	]);
	// That nothing was written yet does not say that nothing would be.
	expect(json('Payroll')[0]).not.toHaveProperty('written');
	expect(Object.keys((await sandbox.stats()).soapExecuted)).toEqual(['CostCenter_Get']);
	expect(await current()).toEqual(before);
});

/** Rows that say of the current ones what they say already, in other words. */
function asTheyAre(rows: IDataObject[]): IDataObject[] {
	return rows.map(({ Id, CostCenter, Percentage, Default }) => ({
		Id: String(Id),
		CostCenter: { Code: Number((CostCenter as IDataObject).Code) },
		Percentage: `+0${String(Percentage)}.00`.replace(/(\.\d+)\.00$/, '$10'),
		Default: String(Default),
	}));
}

it('sends nothing where nothing would change, and says so', async () => {
	const before = await current();
	await sandbox.reset();
	const { json, error } = await keep(asTheyAre(before).slice(0, 2));
	expect(error).toBeUndefined();
	expect(json('Payroll')).toEqual([
		{
			...{ EmployeeId: EMPLOYEE, Period: 6, Year: 2026 },
			...{ success: true, written: false, changed: [], added: [], kept: before },
		},
	]);
	expect((await sandbox.stats()).soapExecuted).toEqual({ CostCenter_Get: 1 });
	expect(await current()).toEqual(before);
});

it('with Dry Run says the same where nothing would change, and shows no request', async () => {
	const before = await current();
	const { json } = await keep(asTheyAre(before), { dryRun: true });
	expect(json('Payroll')).toEqual([
		{
			...{ EmployeeId: EMPLOYEE, Period: 6, Year: 2026, dryRun: true },
			...{ success: true, written: false, changed: [], added: [], kept: before },
		},
	]);
});

it('does not count what would not change as applied', async () => {
	const before = await current();
	const node = payroll.node('payrollEmployee', credential, {
		resource: 'costCenter',
		operation: 'update',
		employeeId: EMPLOYEE,
		specifyCostCenteren: 'json',
		costCenterenJson: '={{ JSON.stringify($json.rows) }}',
		period: 6,
		year: 2026,
	});
	const { error } = await payroll.run([{ rows: before }, { rows: 'x' }], node);
	expect(error?.description).toMatch(/No other item of this run was applied\.$/);
});

it('has no hint of fields that it would not send where it sends nothing', async () => {
	const service = await scriptedServer();
	try {
		service.play((response) => {
			response.writeHead(200, { 'Content-Type': 'text/xml; charset=utf-8' });
			response.end(
				'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>' +
					`<CostCenter_GetResponse xmlns="${sandbox.namespace}/EmployeeService"><CostCenter_GetResult><EmployeeCostCenter>` +
					'<Id>1</Id><Percentage>90</Percentage><Color>red</Color>' +
					'</EmployeeCostCenter></CostCenter_GetResult></CostCenter_GetResponse></s:Body></s:Envelope>',
			);
		});
		const used = await payroll.connect(sandbox, { soapUrl: service.url });
		const { json, run } = await keep([{ Id: 1, Percentage: 90 }], {}, used);
		expect(json('Payroll')).toMatchObject([{ written: false }]);
		const hints = run.data.resultData.runData.Payroll?.[0]?.hints ?? [];
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^Percentage does not add up to 100: .* \(90\)\.$/),
		]);
	} finally {
		await service.close();
	}
});

it('writes nothing where a row means no single record', async () => {
	const { error } = await keep([{ Id: 4711, Percentage: 1 }]);
	expect(error).toMatchObject({
		message: expect.stringMatching(
			/^Row 1, 'Record ID' \(Id\): no current record has \d+\. The current ones are \d+/,
		),
		description: expect.stringMatching(/^Nothing was written/),
	});
	expect(Object.keys((await sandbox.stats()).soapExecuted)).toEqual(['CostCenter_Get']);
});

it('is not applied where the current records cannot be read, however that ended', async () => {
	const service = await scriptedServer();
	try {
		service.play((response) => void response.writeHead(500).end('<h1>broken</h1>'));
		const used = await payroll.connect(sandbox, { soapUrl: service.url });
		const { error } = await keep([{ CostCenter: { Code: '4100' } }], {}, used);
		expect(error).toMatchObject({
			description: expect.stringMatching(
				/^The current records could not be read\..*The change was not applied\./,
			),
			context: { data: { outcome: 'notApplied', httpStatus: 500 } },
		});
		expect(service.received.map(({ headers }) => headers.soapaction)).toEqual([
			expect.stringMatching(/CostCenter_Get"$/),
		]);
	} finally {
		await service.close();
	}
});

it('changes the given rows only, where it is off', async () => {
	const { json } = await keep([{ CostCenter: { Code: 'NEW' }, Percentage: 100 }], {
		keepOthers: false,
	});
	expect(json('Payroll')).toEqual([{ EmployeeId: EMPLOYEE, Period: 6, Year: 2026, success: true }]);
	expect(await current()).toHaveLength(1);
});
