/**
 * n8n is killed while nodes write, and a user retries the crashed executions. n8n has not kept which
 * items were written: the nodes find those that the service has, and send nothing again.
 */
import { getCostCenters } from '../../../dev/package/calls.mts';
import type { Execution, WorkflowDraft } from '../../../dev/n8n/api.mts';
import { chain, payrollNode, type NodeDraft } from '../../../dev/n8n/workflow.mts';
import { employees, inRounds, insert, webhook } from '../nodes.mts';
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

/** A batch of writes for six employees; the third is under way when n8n is killed. */
function writes(first: number, draft: (before: NodeDraft[]) => WorkflowDraft): Case {
	const ids = Array.from({ length: 6 }, (_, index) => first + index);
	return { ids, held: first + 2, draft: (trigger) => draft([trigger, ...employees(...ids)]) };
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
};

describe.each(versions)('n8n %s, killed in the middle of a batch of writes', (version) => {
	const stage = useStage({ version });
	const front = useFront(stage);
	const workflows = new Map<string, string>();

	beforeAll(async () => {
		for (const [name, { draft, held }] of Object.entries(cases)) {
			const workflow = await stage.create(draft(webhook(name)));
			workflows.set(name, workflow);
			front.held.add(held);
			await stage.api.activate(workflow);
			await callOnceRegistered(stage.n8n, name);
		}
		const held = Object.values(cases).map((one) => one.held);
		await until('all are under way', () => held.every((one) => front.holding.has(one)));
		await killAndRestart(stage);
		front.held.clear();
	});

	async function crashed(name: string): Promise<Execution> {
		const all = await stage.api.endedSummaries(workflows.get(name) ?? '', 1, PATIENCE);
		const summary = all.at(-1);
		expect(summary?.status).toBe('crashed');
		return await stage.api.execution(summary?.id ?? '');
	}

	/** The employees of a case for whom an address was inserted, in order. */
	function written(name: string): number[] {
		const employeesOf = front.inserted.map(({ employee }) => employee);
		return employeesOf.filter((employee) => cases[name]?.ids.includes(employee));
	}

	it.each([
		['plain', 'n8n starts again from the trigger', '6 of 6'],
		['progress', 'with "Save execution progress" n8n starts again at the node', '6 of 6'],
		['rounds', 'in the second round of a loop', '2 of 2'],
	])('%s: %s: each retry sends nothing, and says why', async (name, _, inDoubt) => {
		const before = written(name);
		expect(before).toEqual(cases[name]?.ids.slice(0, 3));
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
		expect(written(name)).toEqual(before);
	});

	it('before the node has begun to write: a retry writes', async () => {
		const { id } = await crashed('before');
		expect(written('before')).toEqual([]);
		const retried = await stage.api.retry(id, 'original');
		expect(retried.error).toBeUndefined();
		expect(written('before')).toEqual([1041]);
	});
});
