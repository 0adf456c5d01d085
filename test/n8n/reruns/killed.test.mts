/**
 * n8n is killed while nodes write, and its user retries the crashed executions. n8n has not kept which items were
 * written, so nothing is sent again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { getCostCenters } from '../../../dev/package/payroll.mts';
import { ApiError, type Execution, type WorkflowDraft } from '../../../dev/n8n/api.mts';
import { n8nVersions } from '../../../dev/n8n/install.mts';
import { openStage, type Stage } from '../../../dev/n8n/stage.mts';
import { webhook } from '../unattended/workflows.mts';
import { chain, manualTrigger, payrollNode, type NodeDraft } from '../../../dev/n8n/workflow.mts';
import { employees, inRounds, insert } from './drafts.mts';
import { startFront, type Front } from './front.mts';

/** On a bare machine n8n is installed and compiled first. */
const installing = 30 * 60_000;

/** How long n8n may take for something on a slow and busy machine, in milliseconds. */
const patience = 120_000;

jest.setTimeout(5 * 60_000);

/** Six employees; the call of the third is under way when n8n is killed. */
function six(first: number): number[] {
	return Array.from({ length: 6 }, (_, index) => first + index);
}

/** n8n's workflow setting *Save execution progress*. */
const settings = { saveExecutionProgress: true };

interface Case {
	readonly ids: readonly number[];
	/** Whose call is held when n8n is killed. */
	readonly held: number;
	draft(trigger: NodeDraft): WorkflowDraft;
}

function writes(name: string, ids: number[], draft: Case['draft']): [string, Case] {
	return [name, { ids, held: ids[2] ?? 0, draft }];
}

const [plain, progress, rounds, byHand] = [1001, 1011, 1021, 1031].map(six) as [
	number[],
	number[],
	number[],
	number[],
];

const cases = new Map<string, Case>([
	writes('plain', plain, (trigger) => chain('Plain', trigger, ...employees(...plain), insert())),
	writes('progress', progress, (trigger) => ({
		...chain('Progress', trigger, ...employees(...progress), insert()),
		settings,
	})),
	writes('rounds', rounds, (trigger) =>
		inRounds('Rounds', [trigger, ...employees(...rounds)], 2, [insert()]),
	),
	writes('by hand', byHand, () =>
		chain('By hand', manualTrigger, ...employees(...byHand), insert()),
	),
	[
		'before',
		{
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
	],
]);

describe.each(n8nVersions)('n8n %s, killed in the middle of a batch of writes', (version) => {
	let stage: Stage;
	let front: Front;
	const workflows = new Map<string, string>();

	beforeAll(async () => {
		stage = await openStage({ version });
		front = await startFront(stage.sandbox);
		await stage.api.updateCredential(stage.credential, { soapUrl: front.url });
		for (const [name, { draft, held }] of cases) {
			const workflow = await stage.create(draft(webhook(name)));
			workflows.set(name, workflow);
			front.held.add(held);
			if (name !== 'by hand') await stage.api.activate(workflow);
		}
		await startAll();
		await until('all are under way', () =>
			front.isHolding(...[...cases.values()].map(({ held }) => held)),
		);
		await stage.n8n.kill();
		front.held.clear();
		stage.n8n = await stage.n8n.restart();
	}, installing);

	afterAll(async () => {
		await stage?.close();
		await front?.close();
	});

	async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
		const limit = Date.now() + patience;
		while (!(await isSo())) {
			if (Date.now() > limit) throw new Error(`Waited in vain until ${what}`);
			await sleep(20);
		}
	}

	/** Starts one by hand, the others by their webhooks. */
	async function startAll(): Promise<void> {
		for (const [name, workflow] of workflows) {
			if (name === 'by hand') await stage.api.start(workflow);
			else {
				const address = `${stage.n8n.url}/webhook/${encodeURIComponent(name)}`;
				await until('the webhook answered', async () => (await fetch(address)).ok);
			}
		}
	}

	async function crashed(name: string): Promise<Execution> {
		const all = await stage.api.endedSummaries(workflows.get(name) ?? '', 1, patience);
		const summary = all.at(-1);
		expect(summary?.status).toBe('crashed');
		return await stage.api.execution(summary?.id ?? '');
	}

	/** Those of a case to whom an address was inserted, in order. */
	function written(name: string): number[] {
		const { ids = [] } = cases.get(name) ?? {};
		return front.inserted().flatMap(({ employee }) => (ids.includes(employee) ? [employee] : []));
	}

	describe.each([
		['plain', 'n8n starts anew from the trigger', 6],
		['progress', 'with "Save execution progress" n8n goes on at the node', 6],
		['rounds', 'in the second round of a loop', 2],
	])('%s: %s', (name, _, items) => {
		it('a retry with either workflow sends nothing and says why, and so does its own retry', async () => {
			const before = written(name);
			expect(before).toEqual(cases.get(name)?.ids.slice(0, 3));
			const calls = front.calls();
			const { id } = await crashed(name);
			const saved = await stage.api.retry(id, 'saved');
			const original = await stage.api.retry(id, 'original');
			const again = await stage.api.retry(original.id, 'original');
			for (const { status, error } of [saved, original, again]) {
				expect(status).toBe('error');
				expect(error?.message).toBe('n8n stopped in the middle of this run');
				expect(error?.description).toContain('nothing is sent');
				expect(error?.description).toContain(`of ${items} items may have been applied`);
			}
			expect(front.calls()).toBe(calls);
			expect(written(name)).toEqual(before);
		});
	});

	it('by hand: n8n offers no retry', async () => {
		const { id } = await crashed('by hand');
		await expect(stage.api.retry(id, 'original')).rejects.toThrow(ApiError);
		expect(written('by hand')).toEqual(byHand.slice(0, 3));
	});

	it('before a node had begun to write: a retry writes', async () => {
		const { id } = await crashed('before');
		expect(written('before')).toEqual([]);
		const retried = await stage.api.retry(id, 'original');
		expect(retried.error).toBeUndefined();
		expect(written('before')).toEqual([1041]);
	});
});
