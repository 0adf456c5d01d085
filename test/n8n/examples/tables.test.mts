/** The examples that keep rows in n8n's data tables, which n8n 1 does not have. */
import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../../../dev/n8n/api.mts';
import { createFanOut, formLogin, type FanOut } from '../../../dev/n8n/examples.mts';
import { newestN8n } from '../../../dev/n8n/install.mts';
import {
	exampleWorkflow,
	withFields,
	withParameters,
	type WorkflowDraft,
} from '../../../dev/package/workflow-file.mts';
import { succeeded, until } from '../setUp.mts';
import { useExamples } from './setUp.mts';

jest.setTimeout(5 * 60_000);

const examples = useExamples(newestN8n);
const { stage } = examples;

beforeEach(async () => {
	await stage.api.deleteTables();
	await stage.sandbox.configure({ costCenterUpdate: 'change', latencyMs: 0 });
});

const ids = [1001, 1002, 1003, 1004];

/** A workflow in which a node fails instead of what it does. */
function failing({ nodes, ...draft }: WorkflowDraft, name: string): WorkflowDraft {
	const stop = { type: 'n8n-nodes-base.stopAndError', parameters: { errorMessage: 'Failed' } };
	return {
		...draft,
		nodes: nodes.map((node) => (node.name === name ? { ...node, ...stop } : node)),
	};
}

describe('cost center changes with an audit trail', () => {
	const example = exampleWorkflow('cost-center-changes-with-audit.json');
	const moved = [1001, 1004];

	const wet = (settings: IDataObject = {}, draft = example): WorkflowDraft =>
		withFields(draft, 'Settings', { dryRun: false, changedBy: 'A. Clerk', ...settings });

	/** The undo of an execution, with its number confirmed. */
	const confirmed = ({ id }: Execution, settings: IDataObject = {}): WorkflowDraft =>
		wet({ undoExecution: id, undoConfirmed: id, ...settings });

	/** The rows of an execution. */
	const rowsOf = async ({ id }: Execution): Promise<IDataObject[]> =>
		(await stage.api.tableRows('Cost center changes')).filter(({ execution }) => execution === id);

	/** Cost centers as an undo of each row sends them. */
	const undoOf = (rows: IDataObject[]): unknown[] =>
		rows.map(({ undo }) => JSON.parse(String(undo)) as unknown);

	/** The codes and percentages that a person reads in a row. */
	const read = (text: unknown): Array<[string, number]> =>
		[...String(text).matchAll(/(\w+) ([\d.]+) %/g)].map(([, code = '', percentage]) => [
			code,
			Number(percentage),
		]);
	const readable = (records: IDataObject[][]): unknown[] =>
		records.map((all) =>
			all.map(({ CostCenter, Percentage }) => [(CostCenter as IDataObject).Code, Percentage]),
		);

	/** What the service has now. */
	const current = async (): Promise<IDataObject[][]> => {
		const all = await examples.costCenters(...moved);
		return moved.map((id) =>
			all
				.filter(({ EmployeeId }) => EmployeeId === id)
				.map(({ EmployeeId: _, Period: __, Year: ___, ...record }) => record),
		);
	};

	it.each([
		['change', 'stays'],
		['replace', 'is gone'],
	] as const)(
		'has before and after, and writes before back; the service takes rows to %s, and what was added since %s',
		async (costCenterUpdate, outcome) => {
			await stage.sandbox.configure({ costCenterUpdate });
			const before = await current();
			const dry = succeeded(await examples.run(example));
			expect(dry.items('Preview')).toMatchObject(moved.map((EmployeeId) => ({ EmployeeId })));
			expect(await rowsOf(dry)).toEqual([]);
			expect(Object.keys(await examples.executed())).toEqual(['CostCenter_Get']);

			const changed = succeeded(await examples.run(wet()));
			const rows = await rowsOf(changed);
			expect(rows).toMatchObject(
				moved.map((employeeId) => ({
					...{ employeeId: `${employeeId}`, period: '6', year: '2026' },
					...{ action: 'change', status: 'changed' },
					...{ changedBy: 'A. Clerk', error: null },
					createdAt: expect.stringMatching(/^20..-..-..T/) as string,
				})),
			);
			const after = await current();
			expect(after).not.toEqual(before);
			expect(undoOf(rows)).toEqual(before);
			expect(rows.map((row) => read(row.before))).toEqual(readable(before));
			expect(rows.map((row) => read(row.after))).toEqual(readable(after));
			expect(rows[0]?.before).toBe('4100 100 % (cost type 400, default)');
			const started = changed.items('Write the Row First');
			expect(started).toMatchObject(moved.map(() => ({ status: 'started', after: null })));
			// Nobody has the old cost center any more.
			expect(await rowsOf(succeeded(await examples.run(wet())))).toEqual([]);

			const added = { CostCenter: { Code: '4600' }, Percentage: 50 };
			await examples.setCostCenters(1001, [...(after[0] ?? []), added]);
			await stage.sandbox.configure({ costCenterUpdate });
			const undo = { undoExecution: changed.id, changedBy: 'B. Clerk' };
			// The switch is still off from the change: an undo is a dry run until its number is confirmed.
			const preview = succeeded(await examples.run(wet({ ...undo, undoConfirmed: '1' })));
			expect(await rowsOf(preview)).toEqual([]);
			expect(await current()).not.toEqual(before);
			const requests = preview.items('Preview').map(({ request }) => request as IDataObject);
			expect(requests.map(({ CostCenteren }) => CostCenteren)).toEqual(before);
			const undone = await rowsOf(succeeded(await examples.run(confirmed(changed, undo))));
			expect(undone).toMatchObject(
				moved.map((employeeId) => ({
					...{ employeeId: `${employeeId}`, status: 'changed', changedBy: 'B. Clerk' },
					action: `undo of execution ${changed.id}`,
				})),
			);
			const now = await current();
			const kept = outcome === 'stays' ? [expect.objectContaining({ Percentage: 50 })] : [];
			expect(now).toEqual([[...(before[0] ?? []), ...kept], before[1]]);
			expect(undone.map((row) => read(row.after))).toEqual(readable(now));
		},
	);

	it('marks the row of a change that the service refuses, and completes and undoes the others', async () => {
		const mixed = withParameters(wet(), 'Update Cost Centers', (parameters) => ({
			...parameters,
			costCenterenJson:
				'={{ $json.employeeId === "1001" ? \'[{"Id":1,"Percentage":1}]\' : $json.requested }}',
		}));
		const failed = await examples.run(mixed);
		expect(failed.error?.message).toMatch(/^1 of 2 changes failed/);
		expect(await rowsOf(failed)).toMatchObject([
			{
				...{ employeeId: '1001', status: 'not changed', after: null },
				error: expect.stringMatching(/does not exist.* The change was not applied/) as string,
			},
			{ employeeId: '1004', status: 'changed', error: null },
		]);
		const undone = succeeded(await examples.run(confirmed(failed)));
		expect(await rowsOf(undone)).toMatchObject([{ employeeId: '1004', status: 'changed' }]);
	});

	it('marks a change as unknown if its outcome is, and can undo it', async () => {
		const before = await current();
		await stage.sandbox.configure({ latencyMs: 1500 });
		const impatient = withParameters(wet(), 'Update Cost Centers', (parameters) => ({
			...{ ...parameters, options: { timeout: 1 } },
		}));
		const unknown = await examples.run(impatient);
		await stage.sandbox.configure({ latencyMs: 0 });
		expect(unknown.error?.message).toMatch(/^2 of 2 changes failed: see the column error/);
		const rows = await rowsOf(unknown);
		expect(rows).toMatchObject(
			moved.map((employeeId) => ({
				...{ employeeId: `${employeeId}`, status: 'unknown', after: null },
				error: expect.stringMatching(/The change may have been applied/) as string,
			})),
		);
		expect(undoOf(rows)).toEqual(before);
		// The calls are carried out after all, after n8n has given up.
		await until(
			'both are changed',
			async () => (await examples.executed()).CostCenter_Update === 2,
		);
		expect(await current()).not.toEqual(before);
		succeeded(await examples.run(confirmed(unknown)));
		expect(await current()).toEqual(before);
	});
});

describe('cost centers that changed since the last run', () => {
	const example = exampleWorkflow('changed-cost-centers.json');
	const withSettings = (settings: IDataObject) => withFields(example, 'Settings', settings);

	/** What is told. */
	const items = (execution: Execution): IDataObject[] =>
		execution.runs('Tell Somebody').length === 0 ? [] : execution.items('Tell Somebody');
	const told = (execution: Execution): unknown[] =>
		items(execution).map(({ employeeId }) => employeeId);
	const run = async (draft = example): Promise<unknown[]> =>
		told(succeeded(await examples.run(draft)));

	it('tells each change of this month once, on schedule; not another period, and not an ID as text', async () => {
		const first = succeeded(await examples.run(example));
		expect(items(first)).toEqual(
			ids.map((employeeId) => ({
				...{ employeeId, before: null },
				after: expect.stringMatching(/^\[{"Id":/) as string,
			})),
		);
		const now = new Date();
		expect(first.items('Get Cost Centers')[0]).toMatchObject({
			...{ Period: now.getMonth() + 1, Year: now.getFullYear() },
		});
		expect(told(await examples.onSchedule(example, 'Every Morning'))).toEqual([]);
		expect(await run(withSettings({ period: 7, year: 2026 }))).toEqual([]);
		expect(await run(withSettings({ employees: '["1001", "1002"]' }))).toEqual([]);
		expect(Object.keys(await examples.executed())).toEqual(['CostCenter_Get']);
		expect(await stage.api.tableRows('Cost centers seen')).toHaveLength(ids.length);
	});

	it('tells who has no cost center any more, and tells it again if that failed', async () => {
		await run();
		await examples.setCostCenters(1003, []);
		const failed = await examples.run(failing(example, 'Tell Somebody'));
		expect(failed.error?.message).toBe('Failed');
		const [change, ...others] = items(succeeded(await examples.run(example)));
		expect(change).toMatchObject({ employeeId: 1003, after: '[]' });
		expect(change?.before).toMatch(/4300.*4400.*4500/);
		expect(others).toEqual([]);
		expect(await run()).toEqual([]);
	});

	it('fails if somebody cannot be read, tells the others, and keeps what it saw of that one', async () => {
		await run();
		for (const id of [1001, 1004])
			await examples.setCostCenters(id, [{ CostCenter: { Code: '4600' }, Percentage: 100 }]);
		const unreadable = withParameters(example, 'Get Cost Centers', (parameters) => ({
			...{ ...parameters, period: '={{ $json.employeeId === 1004 ? 0.5 : 6 }}' },
		}));
		const failed = await examples.run(unreadable);
		expect(failed.error?.message).toMatch(/^Not read, and not compared: 1004\./);
		expect(told(failed)).toEqual([1001]);
		const none = await examples.run(withSettings({ employees: '[9998, 9999]' }));
		expect(none.error?.message).toMatch(/^Not read, and not compared: 9998, 9999\. .*Employee 9998/);
		expect(told(none)).toEqual([]);
		expect(await run()).toEqual([1004]);
	});
});

describe('cost centers of many employees', () => {
	const TABLE = 'Payroll fan-out';
	let fanOut: FanOut;
	beforeAll(async () => (fanOut = await createFanOut(stage, 'fan-out')));
	afterAll(async () => await stage.api.deactivate(fanOut.chunk));

	const chunksOf = async () => await stage.api.executions({ workflowId: fanOut.chunk });

	/** Starts chunks of two employees, and waits for their ends; gives how many there were. */
	async function start(list: readonly number[], settings: IDataObject = {}): Promise<number> {
		const before = (await chunksOf()).length;
		const chunks = { employees: JSON.stringify(list), chunkSize: 2, ...settings };
		const parent = succeeded(await stage.api.run(await fanOut.create(chunks)));
		const started = parent.runs('Start a Chunk').length === 0 ? [] : parent.items('Start a Chunk');
		const all = await stage.api.ended(fanOut.chunk, before + started.length);
		for (const chunk of all) expect(succeeded(chunk).mode).toBe('webhook');
		return started.length;
	}

	/** The employees of rows. */
	async function rows(status: string): Promise<unknown[]> {
		const all = await stage.api.tableRows(TABLE);
		return all
			.filter((row) => row.status === status)
			.map(({ employeeId }) => employeeId)
			.sort();
	}

	const reads = async (): Promise<number> => (await examples.executed()).CostCenter_Get ?? 0;

	it('leaves a row for each, and reads only who is missing when it is started again', async () => {
		expect(await start([1001, 9999, 1060])).toBe(2);
		expect([await rows('done'), await rows('failed')]).toEqual([[1001, 1060], [9999]]);
		const all = await stage.api.tableRows(TABLE);
		const [first, none, failed] = [1001, 1060, 9999].map((id) =>
			all.find(({ employeeId }) => employeeId === id),
		);
		expect(JSON.parse(String(first?.result))).toMatchObject([{ CostCenter: { Code: '4100' } }]);
		expect(failed?.error).toMatch(/^TWK exception: Employee 9999 does not exist/);
		// Has no cost center.
		expect(none?.result).toBe('[]');

		// The failed one keeps its chunk, the new one has another.
		expect(await start([1001, 9999, 1060, 1002])).toBe(2);
		expect([await rows('done'), await rows('failed')]).toEqual([[1001, 1002, 1060], [9999]]);
		// The failed one is read each time.
		expect(await reads()).toBe(5);
		// Another name begins anew.
		expect(await start([1001], { run: 'Another' })).toBe(1);
		expect(await reads()).toBe(6);
	});

	it('does a chunk once, however often it is started', async () => {
		await start([1001, 1002]);
		const [row] = await stage.api.tableRows(TABLE);
		const Authorization = `Basic ${Buffer.from(Object.values(formLogin).join(':')).toString('base64')}`;
		const again = await fetch(fanOut.chunkUrl, {
			method: 'POST',
			headers: { Authorization, 'Content-Type': 'application/json' },
			body: JSON.stringify({ chunk: row?.chunk }),
		});
		expect(again.ok).toBe(true);
		const count = (await chunksOf()).length;
		succeeded((await stage.api.ended(fanOut.chunk, count))[0]);
		expect(await reads()).toBe(2);
		expect(await rows('done')).toEqual([1001, 1002]);
	});

	it('starts no chunk without the login', async () => {
		const before = await chunksOf();
		expect((await fetch(fanOut.chunkUrl, { method: 'POST' })).status).toBe(401);
		expect(await chunksOf()).toEqual(before);
	});

	it('saves nothing of an execution whose rows a later start has taken over', async () => {
		const settings = { employees: '[1001, 1002]', chunkSize: 2 };
		const parent = await fanOut.create(settings);
		const before = (await chunksOf()).length;
		await stage.sandbox.configure({ latencyMs: 5000 });
		succeeded(await stage.api.run(parent));
		await until('the chunk reads', async () => (await stage.sandbox.stats()).maxInFlight > 0);
		await stage.sandbox.configure({ latencyMs: 0 });
		succeeded(await stage.api.run(parent));
		const [fast, slow] = await stage.api.ended(fanOut.chunk, before + 2);
		expect(succeeded(fast).items('Save the Results')).toMatchObject([{ insertedRows: 2 }]);
		expect(succeeded(slow).runs('Save the Results')).toEqual([]);
		expect(await rows('done')).toEqual([1001, 1002]);
	});

	it('starts no chunk if two starts at once have noted the same employees, or without its address', async () => {
		await start([1001]);
		const [{ id: _, createdAt: __, updatedAt: ___, ...row } = {}] =
			await stage.api.tableRows(TABLE);
		const noted = { ...row, employeeId: 1002, status: 'waiting' };
		await stage.api.addRows(TABLE, [noted, noted]);
		const twice = await stage.api.run(await fanOut.create({ employees: '[1001, 1002]' }));
		expect(twice.error?.message).toMatch(/^1 employees have two rows/);
		expect(twice.runs('Start a Chunk')).toEqual([]);
		const nowhere = await stage.api.run(await fanOut.create({ chunkUrl: '' }));
		expect(nowhere.error?.message).toMatch(/^Enter the production URL of fan-out-chunk\.json/);
	});
});

it('inserts an address for employees in chunks, none twice, after a dry run of ten', async () => {
	const { chunk, create } = await createFanOut(stage, 'fan-out-write');
	const list = Array.from({ length: 12 }, (_, index) => 1001 + index);
	const employees = JSON.stringify(list);
	const dry = succeeded(await stage.api.run(await create({ employees })));
	expect(dry.items('Preview').map(({ dryRun }) => dryRun)).toEqual(Array(10).fill(true));
	expect(await stage.api.tableRows('Payroll fan-out')).toEqual([]);

	const parent = await create({ employees, chunkSize: 6, dryRun: false });
	succeeded(await stage.api.run(parent));
	for (const one of await stage.api.ended(chunk, 2)) succeeded(one);
	succeeded(await stage.api.run(parent));
	await stage.api.deactivate(chunk);
	const rows = await stage.api.tableRows('Payroll fan-out');
	expect(rows.map(({ employeeId }) => employeeId).sort()).toEqual(list);
	const Id = expect.any(Number) as number;
	for (const { result, status } of rows) {
		expect([status, JSON.parse(String(result))]).toEqual(['done', { Id, created: true }]);
	}
	expect((await examples.executed()).Address_Insert).toBe(list.length);
});

it('copies hour codes to a table on schedule, in place of the earlier ones, though the access token has expired', async () => {
	const example = exampleWorkflow('nightly-hour-codes.json');
	const rows = async () => await stage.api.tableRows('Hour codes');
	await stage.sandbox.expireAccessTokens();
	const first = await examples.onSchedule(example, 'Every Night');
	expect(await stage.sandbox.stats()).toMatchObject({ refreshesSucceeded: 1, refreshesRefused: 0 });
	expect(first.items('Add Rows')).toHaveLength(40);
	succeeded(await examples.run(example));
	const all = await rows();
	expect(all.map(({ companyId }) => companyId)).toEqual([
		...Array<number>(37).fill(100),
		...Array<number>(3).fill(200),
	]);
	const code = JSON.parse(String(all[0]?.hourCode)) as IDataObject;
	expect(code).toEqual({ id: 301, code: 'U001', description: 'Normale uren 1' });

	// The table stays as it was if a company cannot be read.
	const unknown = await examples.run(withFields(example, 'Companies', { companies: '[100, 999]' }));
	expect(unknown.status).toBe('error');
	expect(await rows()).toEqual(all);
	succeeded(await examples.run(withFields(example, 'Companies', { companies: '[200]' })));
	expect((await rows()).map(({ companyId }) => companyId)).toEqual([200, 200, 200]);
});
