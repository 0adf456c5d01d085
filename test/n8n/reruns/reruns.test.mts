/**
 * A real n8n runs a sub-workflow again: what was written is not written a second time. `test/package/nodes/reruns.test.mts`
 * has more cases on n8n's engine, `test/n8n/editor/retry.test.mts` has n8n's retry.
 */
import type { WorkflowDraft } from '../../../dev/n8n/api.mts';
import { newestN8n } from '../../../dev/n8n/install.mts';
import { chain, manualTrigger, type NodeDraft } from '../../../dev/n8n/workflow.mts';
import { callWorkflow, employees, insert, subWorkflowTrigger } from '../nodes.mts';
import { useStage, versions } from '../setUp.mts';
import { useFront } from './front.mts';

/** n8n's setting *Retry On Fail*. */
const threeTries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };

describe.each(versions)('n8n %s', (version) => {
	const stage = useStage({ version });
	const front = useFront(stage);

	beforeEach(() => front.reset());

	const start = async (draft: WorkflowDraft) => {
		const id = await stage.create(draft);
		return { id, execution: await stage.api.run(id) };
	};

	/** How many addresses each of these employees got. */
	const addresses = (...ids: number[]): number[] =>
		ids.map((id) => front.inserted.filter(({ employee }) => employee === id).length);

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
});
