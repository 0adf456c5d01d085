import type { IDataObject } from 'n8n-workflow';
import { dataTables, type Result } from '../../../dev/engine/index.mts';
import { exampleWorkflow, withFields } from '../../../dev/package/workflow-file.mts';
import { useScriptedServer } from '../../support/setUp.mts';
import { useBench } from './bench.mts';

const bench = useBench();
const server = useScriptedServer();
beforeEach(() => dataTables.clear());
afterEach(async () => await bench.sandbox.configure({ holdUntilOpen: 0 }));

const rows = (): IDataObject[] => dataTables.get('Payroll fan-out')?.rows ?? [];

/** The rows of employees, in their order. */
function rowsOf(status: string): unknown[] {
	const found = rows().filter((row) => row.status === status);
	return found.map(({ employeeId }) => employeeId).sort();
}

/** A pair of workflows, the second started by calls of the first. */
class Pair {
	readonly parent;
	readonly chunk;
	readonly started: string[] = [];
	/** Chunks whose call is accepted, but not carried out. */
	lost = (_chunk: string): boolean => false;

	constructor(file: string, settings: IDataObject) {
		this.parent = withFields(exampleWorkflow(`${file}.json`), 'Settings', settings);
		this.chunk = exampleWorkflow(`${file}-chunk.json`);
	}

	async run(settings: IDataObject = {}): Promise<Result> {
		this.started.length = 0;
		server.play(async (response, _, { body }) => {
			const { chunk } = JSON.parse(body) as { chunk: string };
			this.started.push(chunk);
			if (!this.lost(chunk)) expect((await this.receive(chunk)).error).toBeUndefined();
			response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
		});
		return await bench.run(
			withFields(this.parent, 'Settings', { chunkUrl: `${server.url}/webhook`, ...settings }),
		);
	}

	async receive(chunk: string, draft = this.chunk): Promise<Result> {
		return await bench.receive(draft, 'Chunk Arrives', { body: { chunk } });
	}
}

const employees = (...ids: number[]): IDataObject => ({ employees: JSON.stringify(ids) });

describe('cost centers of many employees', () => {
	const pair = new Pair('fan-out', { ...employees(1001, 1002, 1003, 1004, 1060), chunkSize: 2 });
	beforeEach(() => (pair.lost = () => false));

	/** How many employees were read since the last reset. */
	const reads = async (): Promise<number> => (await bench.executed()).CostCenter_Get ?? 0;

	it('leaves a row for each employee, with the cost centers; also for who has none', async () => {
		const { error, executionId } = await pair.run();
		expect(error).toBeUndefined();
		expect(pair.started.sort()).toEqual([1, 2, 3].map((chunk) => `${executionId}-${chunk}`));
		expect(rowsOf('done')).toEqual([1001, 1002, 1003, 1004, 1060]);
		expect(rows()).toHaveLength(5);
		const [first, none] = [1001, 1060].map((id) => rows().find((row) => row.employeeId === id));
		expect(first).toMatchObject({ run: 'Cost centers 2026-06', chunk: `${executionId}-1` });
		expect(JSON.parse(String(first?.result))).toMatchObject([{ CostCenter: { Code: '4100' } }]);
		expect(none?.result).toBe('[]');
	});

	it('does only what is missing when it is started again: lost chunks, failures, new employees', async () => {
		pair.lost = (chunk) => chunk.endsWith('-2');
		const { error } = await pair.run(employees(1001, 9999, 1003, 1004, 1002));
		expect(error).toBeUndefined();
		expect(rowsOf('done')).toEqual([1001, 1002]);
		expect(rowsOf('waiting')).toEqual([1003, 1004]);
		expect(rowsOf('failed')).toEqual([9999]);
		const failed = rows().find(({ status }) => status === 'failed');
		expect(failed?.error).toMatch(/^Employee 9999 does not exist/);
		expect(await reads()).toBe(3);

		pair.lost = () => false;
		await pair.run(employees(1001, 9999, 1003, 1004, 1002, 1005));
		expect(pair.started).toHaveLength(3);
		expect(rowsOf('done')).toEqual([1001, 1002, 1003, 1004, 1005]);
		expect(rows()).toHaveLength(6);
		expect(await reads()).toBe(7);
	});

	it('reads all again under another name', async () => {
		await pair.run();
		await pair.run({ run: 'Cost centers 2026-07' });
		expect(rows()).toHaveLength(10);
		expect(await reads()).toBe(10);
	});

	it('does a chunk once, however often it is started', async () => {
		await pair.run();
		const before = structuredClone(rows());
		for (const chunk of pair.started) expect((await pair.receive(chunk)).error).toBeUndefined();
		expect(rows()).toEqual(before);
		expect(await reads()).toBe(5);
	});

	it('saves nothing of an execution whose rows a later start has taken over', async () => {
		await bench.sandbox.configure({ holdUntilOpen: 3 });
		pair.lost = () => true;
		await pair.run(employees(1001, 1002));
		const [chunk = ''] = pair.started;
		const slow = pair.receive(chunk);
		while ((await bench.sandbox.stats()).maxInFlight < 2) expect(rowsOf('done')).toEqual([]);
		pair.lost = () => false;
		await pair.run(employees(1001, 1002));
		expect((await slow).error).toBeUndefined();
		expect((await slow).json('Results')).toEqual([]);
		expect(rowsOf('done')).toEqual([1001, 1002]);
		expect(rows()).toHaveLength(2);
	});

	it('starts no chunk if two starts at once have noted the same employees', async () => {
		pair.lost = () => true;
		await pair.run();
		rows().push(...structuredClone(rows().slice(0, 2)));
		const { error } = await pair.run();
		expect(error?.message).toMatch(/^2 employees have two rows/);
		expect(pair.started).toEqual([]);
	});

	it('does not begin without the address of the chunk workflow', async () => {
		const { error } = await pair.run({ chunkUrl: '' });
		expect(error?.message).toMatch(/^Enter the webhook's address/);
		expect(rows()).toEqual([]);
	});
});

describe('a work address for many employees', () => {
	const ids = [1001, 1002, 1003, 1004, 1005];
	const pair = new Pair('fan-out-write', { ...employees(...ids), chunkSize: 2, dryRun: false });
	beforeEach(() => (pair.lost = () => false));

	/** How many addresses were inserted since the last reset. */
	const inserts = async (): Promise<number> => (await bench.executed()).Address_Insert ?? 0;

	/** A chunk that ends as if its worker was killed after the last write. */
	const killed = {
		...pair.chunk,
		nodes: pair.chunk.nodes.map((node) =>
			node.name === 'Release the Rows'
				? { ...node, type: 'n8n-nodes-base.stopAndError', parameters: { errorMessage: 'Killed' } }
				: node,
		),
	};

	it('begins with a dry run of ten employees', async () => {
		const many = Array.from({ length: 12 }, (_, index) => 1001 + index);
		const { error, json } = await pair.run({ ...employees(...many), dryRun: true });
		expect(error).toBeUndefined();
		expect(json('Preview').map(({ dryRun }) => dryRun)).toEqual(Array(10).fill(true));
		expect([dataTables.size, pair.started.length, await inserts()]).toEqual([0, 0, 0]);
	});

	it('inserts one address for each employee, and none when it is started again', async () => {
		for (let start = 1; start <= 2; start += 1) {
			expect((await pair.run()).error).toBeUndefined();
			expect(rowsOf('done')).toEqual(ids);
			expect(rows()).toHaveLength(5);
			expect(await inserts()).toBe(5);
		}
		expect(JSON.parse(String(rows()[0]?.result))).toEqual({
			Id: expect.any(Number) as number,
			created: true,
		});
	});

	it('inserts nothing twice if a worker is killed, and asks before it starts its rows again', async () => {
		pair.lost = (chunk) => chunk.endsWith('-2');
		await pair.run();
		const chunk = pair.started.find(pair.lost) ?? '';
		expect((await pair.receive(chunk, killed)).error?.message).toBe('Killed');
		expect(rowsOf('started')).toEqual([1003, 1004]);
		expect(await inserts()).toBe(5);

		pair.lost = () => false;
		const refused = await pair.run();
		expect(refused.error?.message).toMatch(/^2 employees were started and have no result/);
		expect(pair.started).toEqual([]);

		expect((await pair.run({ startedAgain: true })).error).toBeUndefined();
		expect(pair.started).toEqual([chunk]);
		expect(rowsOf('done')).toEqual(ids);
		expect(rows()).toHaveLength(5);
		const found = rows().filter((row) => row.chunk === chunk);
		expect(found.map(({ result }) => JSON.parse(String(result)) as IDataObject)).toMatchObject([
			{ created: false },
			{ created: false },
		]);
		expect(await inserts()).toBe(5);
	});
});
