/**
 * A real n8n runs a node again: what was written is not written a second time. `test/package/nodes/reruns.test.mts`
 * has more cases on n8n's engine.
 */
import type { IDataObject } from 'n8n-workflow';
import type { Execution, WorkflowDraft } from '../../../dev/n8n/api.mts';
import { newestN8n } from '../../../dev/n8n/install.mts';
import {
	chain,
	fromModel,
	manualTrigger,
	withAgent,
	type NodeDraft,
} from '../../../dev/n8n/workflow.mts';
import { callWorkflow, employees, insert, subWorkflowTrigger } from '../nodes.mts';
import { useStage, versions, withModel } from '../setUp.mts';
import { useFront } from './front.mts';

/** An employee that the service does not know. */
const unknownEmployee = 4711;

/** n8n's setting *Retry On Fail*. */
const threeTries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };

/** n8n's setting *On Error → Continue*. */
const continueOnError = { onError: 'continueRegularOutput' } as const;

describe.each(versions)('n8n %s', (version) => {
	const stage = useStage({ version });
	const front = useFront(stage);

	beforeEach(() => front.reset());

	const start = async (draft: WorkflowDraft) => {
		const id = await stage.create(draft);
		return { id, execution: await stage.api.run(id) };
	};

	/** Runs an insert for these employees. */
	const run = async (ids: number[], node = insert()) =>
		await start(chain('Insert', manualTrigger, ...employees(...ids), node));

	/** How many addresses each of these employees got. */
	const addresses = (...ids: number[]): number[] =>
		ids.map((id) => front.inserted.filter(({ employee }) => employee === id).length);

	const employeesOf = (execution: Execution) =>
		execution.items('Payroll').map(({ EmployeeId }) => EmployeeId);

	const record = ({ data }: Execution): IDataObject =>
		data.executionData?.contextData['node:Payroll'] ?? {};

	it('Retry On Fail with Continue sends only the refused item in each try', async () => {
		const node = insert({ ...threeTries, ...continueOnError });
		const { execution } = await run([unknownEmployee, 1001, 1002], node);
		expect(addresses(unknownEmployee, 1001, 1002)).toEqual([0, 1, 1]);
		expect(front.calls).toBe(5);
		expect(execution.items('Payroll')).toEqual([
			expect.objectContaining({ id: unknownEmployee, error: expect.anything() as unknown }),
			expect.objectContaining({ EmployeeId: 1001, Id: expect.any(Number) as number }),
			expect.objectContaining({ EmployeeId: 1002, Id: expect.any(Number) as number }),
		]);
	});

	describe("n8n's retry of a failed execution", () => {
		const ids = Array.from({ length: 20 }, (_, index) => 1001 + index);
		const eleventh = 1011;

		it('with the original workflow sends the other 10 of 20 items after the 11th failed', async () => {
			front.locked.add(eleventh);
			const { execution } = await run(ids);
			expect(front.calls).toBe(11);
			expect(execution.error?.description).not.toMatch(/run the workflow again/i);
			// Still refused: one more call, and a retry of the retry continues from there.
			const refused = await stage.api.retry(execution.id, 'original');
			expect(refused.status).toBe('error');
			expect(refused.error?.description).toContain('10 of 20 items were applied');
			expect(front.calls).toBe(12);

			front.locked.clear();
			const retried = await stage.api.retry(refused.id, 'original');
			expect(retried.error).toBeUndefined();
			expect(front.calls).toBe(12 + 10);
			expect(employeesOf(retried)).toEqual(ids);
			expect(addresses(...ids)).toEqual(ids.map(() => 1));
			expect(record(retried)).toEqual({ written: {} });
		});

		it('with the saved workflow, in which the 11th of 20 items is corrected, sends 10 more', async () => {
			const { id, execution } = await run(ids.with(10, unknownEmployee));
			expect(front.calls).toBe(11);
			const employeeId = `={{ $json.id === ${unknownEmployee} ? ${eleventh} : $json.id }}`;
			await stage.api.changeNode(id, 'Payroll', { employeeId });

			const retried = await stage.api.retry(execution.id, 'saved');
			expect(retried.error).toBeUndefined();
			expect(front.calls).toBe(11 + 10);
			expect(employeesOf(retried)).toEqual(ids);
			expect(addresses(...ids)).toEqual(ids.map(() => 1));
		});
	});

	describe('a sub-workflow', () => {
		const ids = [1001, 1002, 1003];

		/** Creates a workflow that another one calls. */
		const called = async (name: string, ...nodes: NodeDraft[]): Promise<string> => {
			const id = await stage.create(chain(name, subWorkflowTrigger, ...nodes));
			// Only n8n 2 has workflows that are saved and not published.
			if (version === newestN8n) await stage.api.activate(id);
			return id;
		};
		const calling = async (call: NodeDraft) =>
			await start(chain('Calling', manualTrigger, ...employees(...ids), call));

		it('that two others call names its own execution, whose retry continues it', async () => {
			const inner = await called('Inner', insert());
			const middle = await called('Middle', callWorkflow(inner, 'once'));
			front.locked.add(1002);
			await stage.sandbox.expireAccessTokens();
			const { execution } = await calling(callWorkflow(middle, 'once'));
			front.locked.clear();
			const [sub] = await stage.api.endedSummaries(inner, 1);
			expect(sub?.mode).toBe('integrated');
			// The error is also that of both callers, whose own retries would start it again.
			expect(execution.error?.description).toContain(
				`retry execution ${sub?.id} of the workflow 'Inner'`,
			);
			expect(await stage.sandbox.stats()).toMatchObject({ refreshesSucceeded: 1 });
			const retried = await stage.api.retry(sub?.id ?? '', 'original');
			expect(retried.error).toBeUndefined();
			expect(addresses(...ids)).toEqual([1, 1, 1]);
		});

		it.each(['once', 'each'] as const)(
			'sends nothing twice if the node that calls it is tried again (%s)',
			async (mode) => {
				const inner = await called('Inner', insert());
				front.locked.add(1002);
				await calling({ ...callWorkflow(inner, mode), ...threeTries });
				expect(addresses(...ids)).toEqual([1, 0, 0]);
				expect(front.calls).toBe(4);
			},
		);
	});

	describe.each([2.2, 3])('a tool of an agent of version %s', (typeVersion) => {
		it('is executed for each call of the model, and not again in a second try', async () => {
			const tool = insert(threeTries, { employeeId: fromModel('Employee_ID') });
			const draft = withAgent('Agent', manualTrigger, tool, { typeVersion });
			const runs = async (id: string): Promise<void> => {
				const good = await stage.api.run(id);
				expect(good.error).toBeUndefined();
				expect(addresses(1001)).toEqual([3]);

				front.reset();
				front.lost.add(1001);
				const execution = await stage.api.run(id);
				expect(execution.error).toBeUndefined();
				expect(addresses(1001)).toEqual([3]);
			};
			await withModel(stage, draft, { Employee_ID: 1001 }, runs, [2, 1]);
		});
	});
});
