/**
 * n8n is killed while nodes write, and a user retries the crashed executions. n8n has not kept which items were written:
 * the nodes find those that the service has, and send nothing again, but for the cases in the table of
 * docs/when-something-failed.md.
 */
import { getCostCenters } from '../../../dev/package/calls.mts';
import type { Execution, WorkflowDraft } from '../../../dev/n8n/api.mts';
import { newestN8n } from '../../../dev/n8n/install.mts';
import { chain, payrollNode, type NodeDraft } from '../../../dev/n8n/workflow.mts';
import { employees, inRounds, insert, resumeUrl, waitForCall, webhook } from '../nodes.mts';
import {
	callOnceRegistered,
	killAndRestart,
	PATIENCE,
	until,
	useStage,
	versions,
} from '../setUp.mts';
import { forward } from '../../support/forward.mts';
import { useFront } from './front.mts';

jest.setTimeout(5 * 60_000);

interface Case {
	readonly ids: readonly number[];
	/** Whose call is under way when n8n is killed. */
	readonly held: number;
	/** What follows the trigger. */
	readonly draft: (trigger: NodeDraft) => WorkflowDraft;
}

/** A batch of writes for six employees; one of them is under way when n8n is killed. */
function writes(
	first: number,
	draft: (before: NodeDraft[]) => WorkflowDraft,
	held = first + 2,
): Case {
	const ids = Array.from({ length: 6 }, (_, index) => first + index);
	return { ids, held, draft: (trigger) => draft([trigger, ...employees(...ids)]) };
}

const cases: Readonly<Record<string, Case>> = {
	plain: writes(1001, (before) => chain('Plain', ...before, insert())),
	progress: writes(1011, (before) => ({
		...chain('Progress', ...before, insert()),
		settings: { saveExecutionProgress: true },
	})),
	rounds: writes(1021, (before) => inRounds('Rounds', before, 2, [insert()])),
	before: {
		ids: [1041],
		held: 1041,
		draft: (trigger) =>
			chain(
				'Before',
				trigger,
				...employees(1041),
				payrollNode('payrollEmployee', getCostCenters, { name: 'Read' }),
				insert({ executeOnce: true }, { employeeId: 1041 }),
			),
	},
	// Its second call is refused, and a retry is under way.
	retried: writes(1043, (before) => chain('Retried', ...before, insert()), 1046),
	// Its first round has waited, and the second one is under way.
	waited: writes(
		1051,
		(before) => inRounds('Waited', before, 2, [insert(), resumeUrl, waitForCall]),
		1054,
	),
};

describe.each(versions)('n8n %s, killed in the middle of a batch of writes', (version) => {
	const stage = useStage({ version });
	const front = useFront(stage);
	const workflows = new Map<string, string>();
	const workflowOf = (name: string): string => workflows.get(name) ?? '';

	beforeAll(async () => {
		const { api } = stage;
		front.locked.add(1044);
		for (const [name, { draft, held }] of Object.entries(cases)) {
			const workflow = await stage.create(draft(webhook(name)));
			workflows.set(name, workflow);
			front.held.add(held);
			await api.activate(workflow);
			await callOnceRegistered(stage.n8n, name);
		}
		const [failed] = await api.endedSummaries(workflowOf('retried'), 1);
		front.locked.clear();
		void api.retry(failed?.id ?? '', 'original').catch(() => undefined);
		const waiting = async () => {
			const [first] = await api.executions({ workflowId: workflowOf('waited') });
			return first?.status === 'waiting' ? first.id : undefined;
		};
		await until('the first round waits', async () => (await waiting()) !== undefined);
		const [item] = (await api.execution((await waiting()) ?? '')).items('Url');
		await fetch(String(item?.url));
		const held = Object.values(cases).map((one) => one.held);
		await until('all are under way', () => held.every((one) => front.holding.has(one)));
		await killAndRestart(stage);
		front.held.clear();
	});

	async function crashed(name: string, count = 1): Promise<Execution> {
		const [newest] = await stage.api.endedSummaries(workflowOf(name), count, PATIENCE);
		expect(newest?.status).toBe('crashed');
		return await stage.api.execution(newest?.id ?? '');
	}

	/** How many addresses were inserted for the employees of a case. */
	function written(name: string): number[] {
		const { ids = [] } = cases[name] ?? {};
		return ids.map((id) => front.inserted.filter(({ employee }) => employee === id).length);
	}

	it.each([
		['plain', 'n8n starts again from the trigger', '6 of 6'],
		['progress', 'with "Save execution progress" n8n starts again at the node', '6 of 6'],
		['rounds', 'in the second round of a loop', '2 of 2'],
	])('%s: %s: each retry sends nothing, and says why', async (name, _, inDoubt) => {
		expect(written(name)).toEqual([1, 1, 1, 0, 0, 0]);
		// The sandbox is reset before each test.
		for (const request of front.inserting) await forward(stage.sandbox.url, request);
		const { id } = await crashed(name);
		const saved = await stage.api.retry(id, 'saved');
		const original = await stage.api.retry(id, 'original');
		const again = await stage.api.retry(original.id, 'original');
		for (const { status, error } of [saved, original, again]) {
			expect(status).toBe('error');
			expect(error?.message).toBe('n8n stopped in the middle of this run');
			expect(error?.description).toContain('nothing is sent');
			expect(error?.description).toContain(`${inDoubt} items may have been applied`);
		}
		expect(written(name)).toEqual([1, 1, 1, 0, 0, 0]);
	});

	it('before the node has begun to write: a retry writes', async () => {
		const { id } = await crashed('before');
		expect(written('before')).toEqual([0]);
		const retried = await stage.api.retry(id, 'original');
		expect(retried.error).toBeUndefined();
		expect(written('before')).toEqual([1]);
	});

	const tells = version === newestN8n;

	it(`in a retry: a retry of that one sends ${tells ? 'nothing' : 'again what it had written'}`, async () => {
		expect(written('retried')).toEqual([1, 1, 1, 1, 0, 0]);
		const { id } = await crashed('retried', 2);
		const { error } = await stage.api.retry(id, 'original');
		expect(written('retried')).toEqual(tells ? [1, 1, 1, 1, 0, 0] : [1, 2, 2, 2, 1, 1]);
		expect(error?.message).toBe(tells ? 'n8n stopped in the middle of this run' : undefined);
	});

	it('in a round after a wait: a retry sends again what that round had written', async () => {
		expect(written('waited')).toEqual([1, 1, 1, 1, 0, 0]);
		const { id } = await crashed('waited');
		// It waits again after that round.
		void stage.api.retry(id, 'original').catch(() => undefined);
		await until('the round is over', () => written('waited')[3] === 2);
		expect(written('waited')).toEqual([1, 1, 2, 2, 0, 0]);
	});
});
