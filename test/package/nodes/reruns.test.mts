/** n8n runs a node again: what was written is not written a second time. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	addTool,
	agent,
	chain,
	connect,
	items,
	retryWorkflow,
	runSubWorkflow,
	runWorkflow,
	trigger,
	type NodeDraft,
	type Result,
} from '../../../dev/engine/index.mts';
import {
	callByName,
	createAddress,
	getAddresses,
	updateCostCenters,
} from '../../../dev/package/calls.mts';
import { CONTINUE, employees, UNKNOWN_EMPLOYEE, useReruns } from './reruns.mts';

const { sandbox, payroll, credential, lost, unreadable, create, options } = useReruns();

/** A cost center that no employee has. */
const fifth = {
	costCenteren: { row: [{ costCenterCode: '4900', percentage: 10 }] },
	totalMustBe100: false,
};

const WAIT = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** How often each employee's record was written at the service. */
async function written(operation: string, ...ids: number[]): Promise<number[]> {
	const requests = (await sandbox.requests()).filter(
		({ body, status }) => status === 200 && body.includes(`<${operation} `),
	);
	return ids.map(
		(id) => requests.filter(({ body }) => body.includes(`<EmployeeId>${id}</EmployeeId>`)).length,
	);
}

const inserted = async (...ids: number[]) => await written('Address_Insert', ...ids);

/** What the node keeps of its calls with the execution. */
function kept({ run }: Result, node = 'Payroll'): IDataObject {
	return run.data.executionData?.contextData[`node:${node}`] ?? {};
}

describe('Retry On Fail', () => {
	it('with Continue sends again only the item that was refused', async () => {
		const input = employees(UNKNOWN_EMPLOYEE, 1001, 1002);
		const { json } = await payroll.run(input, create({}, { ...WAIT, ...CONTINUE }));
		expect(await inserted(UNKNOWN_EMPLOYEE, 1001, 1002)).toEqual([0, 1, 1]);
		expect((await sandbox.stats()).soapCalls).toEqual({ Address_Insert: 5 });
		expect(json('Payroll')).toMatchObject([
			{ error: { outcome: 'notApplied' } },
			{ EmployeeId: 1001, Id: expect.any(Number) },
			{ EmployeeId: 1002, Id: expect.any(Number) },
		]);
	});

	it('sends nothing again that was applied, and counts it in the error', async () => {
		const { error } = await payroll.run(employees(1001, 1002, UNKNOWN_EMPLOYEE), create({}, WAIT));
		expect(await inserted(1001, 1002)).toEqual([1, 1]);
		expect(error?.description).toMatch(
			/2 of 3 items were applied: Employee ID 1001, 1002\. 1 was refused or not sent\. If row 4 is wrong, correct the sheet and run it again\. .+ Otherwise, retry this execution in n8n, not an earlier one: the retry sends only that one, and items whose values have changed\.$/,
		);
	});

	it('does not resend a call of unknown outcome, repeats its error, and goes on with the others', async () => {
		lost.add(1002);
		const { error, errorOf } = await payroll.run(employees(1001, 1002, 1003), create({}, WAIT));
		expect(await inserted(1001, 1002, 1003)).toEqual([1, 1, 1]);
		expect(errorOf('Payroll')?.message).toBe('The connection to the payroll service broke');
		expect(error?.description).toContain(
			'2 of 3 items were applied: Employee ID 1001, 1003. 1 may have been applied: Employee ID 1002. A retry of this execution in n8n sends nothing.',
		);
	});

	it.each<[string, INodeParameters]>([
		['Keep Other Cost Centers', { ...updateCostCenters, ...fifth, keepOthers: true }],
		['rows from input items', { ...updateCostCenters, specifyCostCenteren: 'items' }],
		[
			'Other Operation: Call',
			callByName(
				'CostCenter_Update',
				'={{ ({ EmployeeId: $json.EmployeeId, CostCenteren: { EmployeeCostCenter: { CostCenter: { Code: "4900" }, Percentage: 10 } }, Period: 6, Year: 2026 }) }}',
			),
		],
	])('writes nothing twice: %s', async (_, parameters) => {
		const input = [UNKNOWN_EMPLOYEE, 1001, 1002].map((id) => ({
			...{ id, EmployeeId: id, Period: 6, Year: 2026 },
			...{ CostCenter: { Code: '4900' }, Percentage: 100 },
		}));
		lost.add(1002);
		const node = credential.employee(parameters, { ...WAIT, ...CONTINUE });
		const { json } = await payroll.run(input, node);
		expect(await written('CostCenter_Update', 1001, 1002)).toEqual([1, 1]);
		expect(json('Payroll').map(({ error }) => (error as IDataObject | undefined)?.outcome)).toEqual(
			['notApplied', undefined, 'unknown'],
		);
	});

	it('sends no applied item again whose values differ in each try', async () => {
		const street = '={{ "Street " + $now.toMillis() }}';
		const node = create({ street }, { ...WAIT, ...CONTINUE, maxTries: 2 });
		await payroll.run(employees(UNKNOWN_EMPLOYEE, 1001, 1002), node);
		expect(await inserted(1001, 1002)).toEqual([1, 1]);
	});
});

describe("n8n's retry of a failed execution", () => {
	const ids = Array.from({ length: 20 }, (_, i) => 1001 + i);
	const input = ids.map((id, i) => ({ id: i === 10 ? UNKNOWN_EMPLOYEE : id }));

	it('sends what was not applied, and returns all items', async () => {
		const failed = await runWorkflow(options(input, create()));
		expect(failed.error?.description).toMatch(
			/10 of 20 items were applied: Employee ID 1001, 1002, 1003, 1004, 1005 and 5 more\. 10 were refused or not sent\. .+ the retry sends only those 10,/,
		);
		const employeeId = `={{ $json.id === ${UNKNOWN_EMPLOYEE} ? 1011 : $json.id }}`;
		const corrected = create({ employeeId });
		const before = (await sandbox.stats()).soapCalls.Address_Insert ?? 0;
		const { json, error } = await retryWorkflow(options(input, corrected), failed);
		expect(error).toBeUndefined();
		expect((await sandbox.stats()).soapCalls.Address_Insert).toBe(before + 10);
		expect(await inserted(...ids)).toEqual(ids.map(() => 1));
		expect(json('Payroll').map(({ EmployeeId }) => EmployeeId)).toEqual(ids);
	});

	it.each<[string, INodeParameters]>([
		['the switch is on that the error names', {}],
		['a value is a number in place of its digits', { houseNumber: 241 }],
	])('inserts no address again if %s', async (_, more) => {
		const period = `={{ $json.id === 1002 ? 1 : ${String(createAddress.period)} }}`;
		const input = employees(1001, 1002, 1003);
		const failed = await runWorkflow(options(input, create({ period })));
		expect(failed.error?.description).toContain("turn on 'Unprotected Mode'");
		const permitted = create({ period, unprotectedMode: true, ...more });
		const { error, json } = await retryWorkflow(options(input, permitted), failed);
		expect(error).toBeUndefined();
		expect(json('Payroll')).toHaveLength(3);
		expect(await inserted(1001, 1002, 1003)).toEqual([1, 1, 1]);
	});

	it('keeps neither values of requests and results nor secrets that can be read', async () => {
		lost.add(1002);
		const failed = await runWorkflow(options(employees(1001, 1002), create()));
		const call = {
			execution: expect.stringMatching(/^\d+$/),
			fingerprint: expect.stringMatching(/^[\w-]{22}$/),
			about: expect.stringMatching(/^[\w-]{22}$/),
			sealed: expect.stringMatching(/^[\w-]+$/),
		};
		expect(kept(failed)).toEqual({
			written: {
				origin: failed.id,
				execution: failed.id,
				run: 0,
				followsCrash: false,
				calls: {
					0: { ...call, items: [0], outcome: 'applied' },
					1: { ...call, items: [1], outcome: 'unknown' },
				},
			},
		});
		const token = await payroll.accessToken(credential.id);
		for (const value of ['Keizersgracht', 'records', 'broken', sandbox.domain, token]) {
			expect(JSON.stringify(kept(failed))).not.toContain(value);
		}
	});
});

it.each(['another item', 'another execution'])(
	'the entry of %s in the record, which a person may edit, is not taken for that of this one',
	async (origin) => {
		const input = employees(1001, UNKNOWN_EMPLOYEE, 1001);
		const batch = options(input, create());
		const [other, failed] = [await runWorkflow(batch), await runWorkflow(batch)];
		const [otherCalls, calls] = [other, failed].map(
			(result) => (kept(result).written as { calls: IDataObject }).calls,
		) as [IDataObject, IDataObject];
		if (origin === 'another item') calls[2] = calls[0] ?? null;
		else calls[0] = otherCalls[0] ?? null;
		const corrected = create({ employeeId: '={{ $itemIndex === 1 ? 1002 : $json.id }}' });
		const retried = await retryWorkflow(options(input, corrected), failed);
		expect(retried.error?.context.data).toMatchObject({
			...{ code: 'CALL_INTERRUPTED', outcome: 'unknown' },
		});
		// The third item of the other one was not sent before.
		expect(await inserted(1001)).toEqual([origin === 'another item' ? 2 : 3]);
	},
);

describe('a retry after n8n was killed in the middle of the node', () => {
	/** What n8n has of such a run: that the node began, but not what it did. */
	async function killed(node: NodeDraft): Promise<Result> {
		const failed = await runWorkflow(options(employees(1001, UNKNOWN_EMPLOYEE), node));
		const { executionData } = failed.run.data;
		if (executionData) executionData.contextData = {};
		return failed;
	}

	it('sends nothing of an insert, and says that it is unknown what was applied', async () => {
		const first = await killed(create());
		unreadable.add(1001);
		const again = options([], create());
		const retried = await retryWorkflow(again, first);
		expect(retried.errorOf('Payroll')?.message).toBe('n8n stopped in the middle of this run');
		expect(retried.error?.description).toContain(
			'2 of 2 items may have been applied: Employee ID 1001, 4711. A retry of this execution in n8n sends nothing.',
		);
		await retryWorkflow(again, retried);
		expect((await sandbox.stats()).soapCalls).toMatchObject({ Address_Insert: 2 });
	});

	it('sends nothing that the killed one may have sent, if that was a retry itself', async () => {
		const input = employees(1001, UNKNOWN_EMPLOYEE, 1002, 1003);
		const failed = await runWorkflow(options(input, create()));
		const corrected = options(
			input,
			create({ employeeId: `={{ $json.id === ${UNKNOWN_EMPLOYEE} ? 1004 : $json.id }}` }),
		);
		await retryWorkflow(corrected, failed);
		// What n8n has of a retry that was killed: the data with which it began.
		const killedRetry = { id: 'killed', run: failed.run };
		for (const id of [1002, 1003, 1004]) unreadable.add(id);
		const retried = await retryWorkflow(corrected, killedRetry);
		expect(retried.errorOf('Payroll')?.message).toBe('n8n stopped in the middle of this run');
		expect(retried.error?.description).toContain(
			'1 of 4 items were applied: Employee ID 1001. 3 may have been applied: Employee ID 1004, 1002, 1003.',
		);
		await retryWorkflow(corrected, retried);
		expect(await inserted(1001, 1002, 1003, 1004)).toEqual([1, 1, 1, 1]);
	});
});

describe('a sub-workflow', () => {
	let calls = 0;
	/** What calls it: executions of another workflow. */
	const caller = () => `caller-${++calls}`;
	const called = () => options(employees(1001, 1002, UNKNOWN_EMPLOYEE, 1003), create());

	it('names its execution, to be retried in place of those that called it', async () => {
		const failed = await runSubWorkflow(called(), caller());
		expect(failed.error?.description).toContain(
			`Otherwise, retry execution ${failed.id} of the workflow '`,
		);
		expect(failed.error?.description).toMatch(
			/: the retry sends only those 2, .*A retry of a workflow that called it, and a new execution, send all items again/,
		);
		const single = await runSubWorkflow(options(employees(UNKNOWN_EMPLOYEE), create()), caller());
		expect(single.error?.description).toContain(`retry execution ${single.id} of the workflow '`);
		lost.add(1001);
		const done = await runSubWorkflow(options(employees(1001), create()), caller());
		expect(done.error?.description).toMatch(
			/ A retry of execution \d+ of the workflow '.+' sends nothing\. A retry of a workflow that called it/,
		);
	});

	it('finds what an earlier try of the node that calls it sent, also in a retry of its own', async () => {
		const one = caller();
		await runSubWorkflow(called(), one);
		const failed = await runSubWorkflow(called(), one);
		expect(await inserted(1001, 1002)).toEqual([1, 1]);
		expect(failed.error?.description).toContain('2 of 4 items were applied');
		await retryWorkflow(called(), failed);
		expect(await inserted(1001, 1002)).toEqual([1, 1]);
		await runSubWorkflow(called(), caller());
		expect(await inserted(1001, 1002)).toEqual([2, 2]);
	});

	it('sends equal items of one caller each, as long as none failed', async () => {
		const one = caller();
		const good = options(employees(1001), create());
		await runSubWorkflow(good, one);
		await runSubWorkflow(good, one);
		expect(await inserted(1001)).toEqual([2]);
	});
});

describe('a call of its own is sent', () => {
	it('for each run of a node, as in a loop', async () => {
		const input = employees(UNKNOWN_EMPLOYEE, 1001);
		let drawing = chain(trigger(), items(input), create({}, { ...WAIT, ...CONTINUE }));
		drawing = connect(drawing, 'Start', items(input, 'More'));
		drawing.connections.More = { main: [[{ node: 'Payroll', type: 'main', index: 0 }]] };
		await runWorkflow(payroll.workflow(drawing));
		expect(await inserted(1001)).toEqual([2]);
	});

	it('for each of two equal items, two nodes, and two executions', async () => {
		const second = create({ employeeId: 1001 }, { name: 'Second' });
		const drawing = chain(trigger(), items(employees(1001, 1001)), create(), second);
		const run = payroll.workflow(drawing);
		await runWorkflow(run);
		await runWorkflow(run);
		expect(await inserted(1001)).toEqual([8]);
	});

	const tool = () =>
		create(
			{ employeeId: "={{ $fromAI('employee', 'Employee', 'number') }}" },
			{ type: `${payroll.host.packageName}.payrollEmployeeTool`, ...WAIT },
		);

	it('for each time a model calls a tool, in one turn or after an error', async () => {
		lost.add(1002);
		const call = { tool: 'Payroll', input: { employee: 1002 } };
		const drawing = addTool(chain(trigger(), agent([call, call])), 'Agent', tool());
		const { run } = await runWorkflow(payroll.workflow(drawing));
		expect(await inserted(1002)).toEqual([2]);
		// n8n has tried each call three times, since its answer is an error.
		const answers = run.data.resultData.runData.Payroll?.map(({ data }) => data?.ai_tool?.[0]);
		const error = expect.stringContaining('may have been applied');
		expect(answers).toMatchObject([[{ json: { error } }], [{ json: { error } }]]);
	});
});

it('neither a dry run nor a read leaves a record', async () => {
	const dry = create({ dryRun: true });
	const read = credential.employee(getAddresses);
	const refused = employees(1001, UNKNOWN_EMPLOYEE);
	expect(kept(await payroll.run(employees(1001, 1002), { ...dry, ...CONTINUE, ...WAIT }))).toEqual(
		{},
	);
	expect(kept(await payroll.run(refused, { ...read, ...CONTINUE, ...WAIT }))).toEqual({});
});
