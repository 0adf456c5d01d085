/** The examples that keep rows in n8n's data tables, which n8n 1 does not have. */
import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../../../dev/n8n/api.mts';
import { newestN8n } from '../../../dev/n8n/install.mts';
import {
	exampleWorkflow,
	withFields,
	withParameters,
	type WorkflowDraft,
} from '../../../dev/package/workflow-file.mts';
import { succeeded } from '../setUp.mts';
import { useExamples } from './setUp.mts';

jest.setTimeout(5 * 60_000);

const examples = useExamples(newestN8n);
const { stage } = examples;

beforeEach(async () => {
	await stage.api.deleteTables();
	await stage.sandbox.configure({ costCenterUpdate: 'change' });
});

describe('cost center changes with an audit trail', () => {
	const example = exampleWorkflow('cost-center-changes-with-audit.json');
	const moved = [1001, 1004];

	const wet = (settings: IDataObject = {}, draft = example): WorkflowDraft =>
		withFields(draft, 'Settings', { dryRun: false, changedBy: 'A. Clerk', ...settings });

	/** The undo of an execution, with its number confirmed. */
	const confirmed = ({ id }: Execution, settings: IDataObject = {}): WorkflowDraft =>
		wet({ undoExecution: id, undoConfirmed: id, ...settings });

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
			const text = expect.stringContaining('4200') as string;
			expect(preview.items('Preview')).toMatchObject(moved.map(() => ({ changes: text })));
			const undoing = await examples.run(confirmed(changed, undo));
			const undone = await rowsOf(undoing);
			expect(undone).toMatchObject(
				moved.map((employeeId) => ({
					...{ employeeId: `${employeeId}`, status: 'changed', changedBy: 'B. Clerk' },
					action: `undo of execution ${changed.id}`,
				})),
			);
			const now = await current();
			if (outcome === 'is gone') {
				succeeded(undoing);
				expect(now).toEqual(before);
				expect(undone.map((row) => read(row.after))).toEqual(readable(now));
				return;
			}
			// The service has more than was written: Verify tells it.
			expect(now).toEqual([
				[...(before[0] ?? []), expect.objectContaining({ Percentage: 50 })],
				before[1],
			]);
			expect(undoing.error?.message).toMatch(/^1 of 2 changes failed/);
			expect(undone[0]?.error).toMatch(
				/^The payroll service has other values than were written.*4600/,
			);
			expect(read(undone[1]?.after)).toEqual(readable(now)[1]);
		},
	);

	it('marks the row of a change that is refused, and completes and undoes the others', async () => {
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
				error: expect.stringMatching(
					/1 is unknown, since no current record has it\..* Nothing was written/,
				) as string,
			},
			{ employeeId: '1004', status: 'changed', error: null },
		]);
		const undone = succeeded(await examples.run(confirmed(failed)));
		expect(await rowsOf(undone)).toMatchObject([{ employeeId: '1004', status: 'changed' }]);
	});
});
