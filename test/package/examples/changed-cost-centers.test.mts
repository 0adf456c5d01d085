import type { IDataObject } from 'n8n-workflow';
import { dataTables } from '../../../dev/engine/index.mts';
import {
	exampleWorkflow,
	withFields,
	withParameters,
	type WorkflowDraft,
} from '../../../dev/package/workflow-file.mts';
import { useBench } from './bench.mts';

const example = exampleWorkflow('changed-cost-centers.json');

const bench = useBench();
beforeEach(() => dataTables.clear());

const ids = [1001, 1002, 1003, 1004];

const rows = (): IDataObject[] => dataTables.get('Cost centers seen')?.rows ?? [];

/** Cost centers that an employee gets. */
const others = [{ CostCenter: { Code: '4600' }, Percentage: '100' }];

const codes = (text: unknown): string[] =>
	(JSON.parse(String(text)) as Array<{ CostCenter: { Code: string } }>).map(
		({ CostCenter }) => CostCenter.Code,
	);

const employeesOf = (items: IDataObject[]): unknown[] => items.map(({ employeeId }) => employeeId);

it('tells everybody on the first run, and nobody on the next', async () => {
	const first = await bench.run(example);
	expect(first.error).toBeUndefined();
	expect(first.json('Tell Somebody')).toEqual(
		ids.map((employeeId) => ({
			...{ employeeId, before: null },
			after: expect.stringMatching(/^\[{"Id":/) as string,
		})),
	);
	expect(employeesOf(rows())).toEqual(ids);

	const second = await bench.run(example);
	expect(second.error).toBeUndefined();
	expect(second.json('Tell Somebody')).toEqual([]);
	expect(rows()).toHaveLength(ids.length);
	expect(Object.keys(await bench.executed())).toEqual(['CostCenter_Get']);
});

it('tells who changed, with before and after, once; also who has no cost center any more', async () => {
	await bench.run(example);
	await bench.setCostCenters(1002, others);
	await bench.setCostCenters(1003, []);
	const { error, json } = await bench.run(example);
	expect(error).toBeUndefined();
	const told = json('Tell Somebody');
	expect(employeesOf(told)).toEqual([1002, 1003]);
	expect(told.map(({ before }) => codes(before))).toEqual([
		['4200', '4300'],
		['4300', '4400', '4500'],
	]);
	expect(told.map(({ after }) => codes(after))).toEqual([['4600'], []]);
	expect((await bench.run(example)).json('Tell Somebody')).toEqual([]);
});

it('tells a change again if telling it failed', async () => {
	await bench.run(example);
	await bench.setCostCenters(1002, others);
	const nodes = example.nodes.map((node) =>
		node.name === 'Tell Somebody'
			? { ...node, type: 'n8n-nodes-base.stopAndError', parameters: { errorMessage: 'No mail' } }
			: node,
	);
	const failed = await bench.run({ ...example, nodes });
	expect(failed.error?.message).toBe('No mail');
	expect(employeesOf((await bench.run(example)).json('Tell Somebody'))).toEqual([1002]);
});

/** The example for other employees. */
function withEmployees(...employees: number[]): WorkflowDraft {
	return withFields(example, 'Settings', { employees: JSON.stringify(employees) });
}

it('fails if somebody cannot be read, tells the others, and keeps what it saw of that one', async () => {
	await bench.run(example);
	const before = rows().map((row) => ({ ...row }));
	await bench.setCostCenters(1001, others);
	const unreadable = withParameters(example, 'Get Cost Centers', (parameters) => ({
		...parameters,
		period: '={{ $json.employeeId === 1002 ? "none" : 6 }}',
	}));
	const { error, status, json } = await bench.run(unreadable);
	expect(status).toBe('error');
	expect(error?.message).toMatch(/^Not read, and not compared: 1002\. ./);
	expect(employeesOf(json('Tell Somebody'))).toEqual([1001]);
	expect(rows().slice(1)).toEqual(before.slice(1));
	expect((await bench.run(example)).json('Tell Somebody')).toEqual([]);
});

it('tells nothing, and fails, if nobody can be read', async () => {
	const { error, json } = await bench.run(withEmployees(9998, 9999));
	expect(error?.message).toMatch(/^Not read, and not compared: 9998, 9999\. Employee 9998/);
	expect(json('Tell Somebody')).toEqual([]);
	expect(rows()).toEqual([]);
});

it('remembers an employee without cost centers', async () => {
	const { error, json } = await bench.run(withEmployees(1060));
	expect(error).toBeUndefined();
	expect(json('Tell Somebody')).toEqual([{ employeeId: 1060, before: null, after: '[]' }]);
	expect((await bench.run(withEmployees(1060))).json('Tell Somebody')).toEqual([]);
});

it('knows an employee whose ID is a text', async () => {
	await bench.run(example);
	const asTexts = withFields(example, 'Settings', { employees: '["1001", "1002"]' });
	expect((await bench.run(asTexts)).json('Tell Somebody')).toEqual([]);
	expect(employeesOf(rows())).toEqual(ids);
});

it('tells no change if only the period is another one', async () => {
	await bench.run(example);
	const { json } = await bench.run(withFields(example, 'Settings', { period: 7 }));
	expect(json('Get Cost Centers')[0]).toMatchObject({ Period: 7 });
	expect(json('Tell Somebody')).toEqual([]);
});
