import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { getCostCenters } from '../../../dev/package/calls.mts';
import { dataTables, type Result } from '../../../dev/engine/index.mts';
import {
	exampleWorkflow,
	withFields,
	withParameters,
	type WorkflowDraft,
} from '../../../dev/package/workflow-file.mts';
import { useBench } from './bench.mts';

const example = exampleWorkflow('cost-center-changes-with-audit.json');

const bench = useBench();
beforeEach(() => dataTables.clear());
afterEach(async () => await bench.sandbox.configure({ costCenterUpdate: 'change', latencyMs: 0 }));

/** The example with its dry run off. */
function wet(settings: Record<string, unknown> = {}): WorkflowDraft {
	return withFields(example, 'Settings', { dryRun: false, changedBy: 'A. Clerk', ...settings });
}

/** The employees of the example who have the cost center 4100. */
const moved = [1001, 1004];

/** Cost centers of an employee, as the service has them now. */
async function costCenters(id: number): Promise<IDataObject[]> {
	const result = await bench.payroll.run([{ id }], bench.credential.employee(getCostCenters));
	return result
		.json('Payroll')
		.map(({ EmployeeId: _, Period: __, Year: ___, ...record }) => record);
}

const all = async (): Promise<IDataObject[][]> => await Promise.all(moved.map(costCenters));

const rows = (): IDataObject[] => dataTables.get('Cost center changes')?.rows ?? [];
const rowsOf = ({ executionId }: Result): IDataObject[] =>
	rows().filter(({ execution }) => execution === executionId);
const parsed = (name: string) => (row: IDataObject) => JSON.parse(String(row[name])) as unknown;

it('begins with a dry run, which writes neither changes nor rows', async () => {
	const { error, json } = await bench.run(example);
	expect(error).toBeUndefined();
	expect(json('Preview').map(({ EmployeeId, dryRun }) => [EmployeeId, dryRun])).toEqual(
		moved.map((id) => [id, true]),
	);
	expect(rows()).toEqual([]);
	expect(Object.keys(await bench.executed())).toEqual(['CostCenter_Get']);
});

it('writes nothing for nobody: the run needs a name', async () => {
	const { error } = await bench.run(wet({ changedBy: '' }));
	expect(error?.message).toMatch(/Enter your name as 'changedBy' in 'Settings'/);
	expect(rows()).toEqual([]);
	expect(Object.keys(await bench.executed())).toEqual(['CostCenter_Get']);
});

it.each(['change', 'replace'] as const)(
	'keeps a row for each employee: before, after, who, when, execution; the service takes rows to %s',
	async (costCenterUpdate) => {
		await bench.sandbox.configure({ costCenterUpdate });
		const before = await all();
		const result = await bench.run(wet());
		expect(result.error).toBeUndefined();
		const after = await all();
		expect(after).toEqual(
			before.map((records) =>
				records.map((record) =>
					(record.CostCenter as IDataObject).Code === '4100'
						? { ...record, CostCenter: expect.objectContaining({ Code: '4200' }) as object }
						: record,
				),
			),
		);
		expect(rows()).toMatchObject(
			moved.map((employeeId) => ({
				...{ employeeId, period: 6, year: 2026, action: 'change', status: 'changed', error: null },
				...{ changedBy: 'A. Clerk', execution: result.executionId },
				createdAt: expect.stringMatching(/^20..-..-..T/) as string,
			})),
		);
		expect(rows().map(parsed('before'))).toEqual(before);
		expect(rows().map(parsed('after'))).toEqual(after);
	},
);

it('does not change an employee twice', async () => {
	await bench.run(wet());
	const again = await bench.run(wet());
	expect(rowsOf(again)).toEqual([]);
	expect((await bench.executed()).CostCenter_Update).toBe(2);
});

it.each(['change', 'replace'] as const)(
	'writes exactly what was before back; the service takes rows to %s',
	async (costCenterUpdate) => {
		await bench.sandbox.configure({ costCenterUpdate });
		const before = await all();
		const changed = await bench.run(wet());
		const after = await all();
		const undoExecution = changed.executionId;

		const dry = await bench.run(withFields(example, 'Settings', { undoExecution }));
		expect(dry.error).toBeUndefined();
		expect(dry.json('Preview').map(({ request }) => (request as IDataObject).CostCenteren)).toEqual(
			before,
		);
		expect(await all()).toEqual(after);

		const undone = await bench.run(wet({ undoExecution, changedBy: 'B. Clerk' }));
		expect(undone.error).toBeUndefined();
		expect(await all()).toEqual(before);
		expect(rowsOf(undone)).toMatchObject(
			moved.map((employeeId) => ({
				...{ employeeId, period: 6, year: 2026, status: 'changed', changedBy: 'B. Clerk' },
				action: `undo of execution ${undoExecution}`,
			})),
		);
		expect(rowsOf(undone).map(parsed('before'))).toEqual(after);
		expect(rowsOf(undone).map(parsed('after'))).toEqual(before);
		expect(rowsOf(changed)).toHaveLength(2);
	},
);

it.each([
	['replace', 'is gone'],
	['change', 'stays'],
] as const)(
	'shows in the new row what became of a cost center that was added since: %s, it %s',
	async (costCenterUpdate, outcome) => {
		const before = await costCenters(1001);
		const { executionId } = await bench.run(wet());
		const added = { CostCenter: { Code: '4600' }, Percentage: 50 };
		await bench.setCostCenters(1001, [...(await costCenters(1001)), added]);
		await bench.sandbox.configure({ costCenterUpdate });
		const undone = await bench.run(wet({ undoExecution: executionId }));
		expect(undone.error).toBeUndefined();
		const now = await costCenters(1001);
		expect(now.slice(0, before.length)).toEqual(before);
		expect(now.slice(before.length)).toMatchObject(
			outcome === 'stays' ? [{ CostCenter: { Code: '4600' } }] : [],
		);
		const [row = {}] = rowsOf(undone);
		expect(parsed('after')(row)).toEqual(now);
	},
);

it('gives an employee the cost centers back who has none by now', async () => {
	const before = await all();
	const { executionId } = await bench.run(wet());
	for (const id of moved) await bench.setCostCenters(id, []);
	await bench.sandbox.configure({ costCenterUpdate: 'replace' });
	expect(await all()).toEqual([[], []]);
	const undone = await bench.run(wet({ undoExecution: executionId }));
	expect(undone.error).toBeUndefined();
	expect(await all()).toEqual(before);
	expect(rowsOf(undone).map(parsed('before'))).toEqual([[], []]);
});

it('fails, and writes nothing, if there is no such execution to undo', async () => {
	const { status } = await bench.run(wet({ undoExecution: '999999' }));
	expect(status).toBe('error');
	expect(rows()).toEqual([]);
	expect(await bench.sent()).toEqual([]);
});

/** The update with a time limit of a second. */
function impatient(draft: WorkflowDraft): WorkflowDraft {
	return withParameters(draft, 'Update Cost Centers', (parameters) => ({
		...parameters,
		options: { timeout: 1 },
	}));
}

it('marks a change as unknown if its outcome is, and can undo it', async () => {
	const before = await all();
	await bench.sandbox.configure({ latencyMs: 1500 });
	const unknown = await bench.run(impatient(wet()));
	await bench.sandbox.configure({ latencyMs: 0 });
	expect(unknown.status).toBe('error');
	expect(unknown.error?.message).toMatch(/^2 of 2 changes failed: see the column error/);
	expect(rows()).toMatchObject(
		moved.map((employeeId) => ({
			...{ employeeId, status: 'unknown', after: null },
			error: expect.stringMatching(/The change may have been applied/) as string,
		})),
	);
	expect(rows().map(parsed('before'))).toEqual(before);

	// The calls are carried out after all, up to half a second after n8n has given up.
	while ((await bench.executed()).CostCenter_Update !== moved.length) await sleep(50);
	expect(await all()).not.toEqual(before);
	const undone = await bench.run(wet({ undoExecution: unknown.executionId }));
	expect(undone.error).toBeUndefined();
	expect(await all()).toEqual(before);
});

it('completes the rows of those it changed if the service refuses another one', async () => {
	const mixed = withParameters(wet(), 'Update Cost Centers', (parameters) => ({
		...parameters,
		costCenterenJson:
			'={{ $json.employeeId === 1001 ? \'[{"Id":1,"Percentage":1}]\' : $json.requested }}',
	}));
	const result = await bench.run(mixed);
	expect(result.error?.message).toMatch(/^1 of 2 changes failed/);
	expect(rows()).toMatchObject([
		{
			...{ employeeId: 1001, status: 'not changed', after: null },
			error: expect.stringMatching(/does not exist.* The change was not applied/) as string,
		},
		{ employeeId: 1004, status: 'changed', after: expect.any(String) as string, error: null },
	]);

	// What was not changed is not undone either.
	const undone = await bench.run(wet({ undoExecution: result.executionId }));
	expect(rowsOf(undone)).toMatchObject([{ employeeId: 1004, status: 'changed' }]);
});

it('has the row even if the run fails after the change', async () => {
	const failing = withParameters(wet(), 'Get Them Again', (parameters) => ({
		...parameters,
		employeeId: '9999',
	}));
	const before = await all();
	const { status } = await bench.run(failing);
	expect(status).toBe('error');
	expect(rows()).toMatchObject(moved.map((employeeId) => ({ employeeId, status: 'started' })));
	expect(rows().map(parsed('before'))).toEqual(before);
});
