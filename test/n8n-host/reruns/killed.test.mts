/**
 * n8n is killed while a node writes, and its user retries the crashed execution: which items were written, n8n has
 * not kept. Nothing is written a second time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { getCostCenters } from '../../support/payroll.mts';
import { ApiError, type Execution, type WorkflowDraft } from '../api.mts';
import { n8nVersions } from '../install.mts';
import { openStage, type Stage } from '../stage.mts';
import { webhook } from '../unattended/workflows.mts';
import { chain, manualTrigger, payrollNode } from '../workflow.mts';
import { employees, inRounds, insert } from './drafts.mts';
import { startFront, type Front } from './front.mts';

/** On a bare machine n8n is installed and compiled first. */
const installing = 30 * 60_000;

/** How long n8n may take for something on a slow and busy machine, in milliseconds. */
const patience = 120_000;

jest.setTimeout(10 * 60_000);

const ids = [1001, 1002, 1003, 1004, 1005, 1006];

/** n8n's workflow setting *Save execution progress*. */
const savesProgress = { saveExecutionProgress: true, saveManualExecutions: true };

describe.each(n8nVersions)('n8n %s, killed in the middle of a batch of writes', (version) => {
	let stage: Stage;
	let front: Front;

	beforeAll(async () => {
		stage = await openStage({ version });
		front = await startFront(stage.sandbox);
		await stage.api.updateCredential(stage.credential, { soapUrl: front.url });
	}, installing);

	afterAll(async () => {
		await stage?.close();
		await front?.close();
	});

	beforeEach(async () => {
		front.reset();
		await stage.sandbox.reset();
	});

	async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
		const limit = Date.now() + patience;
		while (!(await isSo())) {
			if (Date.now() > limit) throw new Error(`Waited in vain until ${what}`);
			await sleep(20);
		}
	}

	/**
	 * Starts a workflow, by its webhook or by hand, kills n8n at the given moment, and starts it again.
	 *
	 * @param path of the webhook
	 * @returns the crashed execution
	 */
	async function crash(
		draft: WorkflowDraft,
		isTime: () => boolean,
		path?: string,
	): Promise<Execution> {
		const workflow = await stage.create(draft);
		await stage.sandbox.configure({ latencyMs: 300 });
		if (path === undefined) await stage.api.start(workflow);
		else {
			await stage.api.activate(workflow);
			await until('the webhook answered', async () => {
				return (await fetch(`${stage.n8n.url}/webhook/${path}`)).ok;
			});
		}
		await until('it is time', isTime);
		await stage.n8n.kill();
		await stage.sandbox.configure({ latencyMs: 0 });
		stage.n8n = await stage.n8n.restart();
		const [summary] = await stage.api.endedSummaries(workflow, 1, patience);
		expect(summary?.status).toBe('crashed');
		return await stage.api.execution(summary?.id ?? '');
	}

	const written = (): number[] => front.inserted().map(({ employee }) => employee);

	/** Retries a crashed execution with both choices; each is to say what happened, and to send nothing. */
	async function sendsNothing(crashed: Execution, items: number): Promise<void> {
		const [before, calls] = [written(), front.calls()];
		expect(before.length).toBeGreaterThanOrEqual(2);
		expect(before).toEqual(ids.slice(0, before.length));
		for (const workflow of ['original', 'saved'] as const) {
			const { error } = await stage.api.retry(crashed.id, workflow);
			expect(error?.message).toMatch(/n8n (was )?stopped/i);
			expect(error?.description).toMatch(/start (the workflow|a new execution)/i);
			expect(error?.description).toContain(String(items));
		}
		expect(front.calls()).toBe(calls);
		expect(written()).toEqual(before);
	}

	const twoWritten = () => front.inserted().length >= 2;

	it('as it is set up by default: n8n starts anew from the trigger', async () => {
		const path = 'crash-plain';
		const draft = chain('Plain', webhook(path), ...employees(...ids), insert());
		await sendsNothing(await crash(draft, twoWritten, path), ids.length);
	});

	it('with "Save execution progress": n8n goes on at the node', async () => {
		const path = 'crash-progress';
		const draft = chain('Progress', webhook(path), ...employees(...ids), insert());
		const crashed = await crash({ ...draft, settings: savesProgress }, twoWritten, path);
		await sendsNothing(crashed, ids.length);
	});

	it('in a later round of a loop', async () => {
		const path = 'crash-loop';
		const draft = inRounds('Loop', [webhook(path), ...employees(...ids)], 2, [insert()]);
		const crashed = await crash(draft, () => front.inserted().length >= 3, path);
		await sendsNothing(crashed, 2);
	});

	it('started by hand: n8n offers no retry', async () => {
		const draft = chain('By hand', manualTrigger, ...employees(...ids), insert());
		const { id } = await crash(draft, twoWritten);
		const [before, calls] = [written(), front.calls()];
		await expect(stage.api.retry(id, 'original')).rejects.toThrow(ApiError);
		expect(front.calls()).toBe(calls);
		expect(written()).toEqual(before);
	});

	it('before anything was to be written: a retry writes', async () => {
		const path = 'crash-before';
		const read = payrollNode('payrollEmployee', getCostCenters, { name: 'Read' });
		const employeeId = "={{ $('Items').itemMatching($itemIndex).json.id }}";
		const one = employees(1001);
		const draft = chain(
			'Before',
			webhook(path),
			...one,
			read,
			insert({ executeOnce: true }, { employeeId }),
		);
		const crashed = await crash(draft, () => front.calls() > 0, path);
		expect(written()).toEqual([]);
		const retried = await stage.api.retry(crashed.id, 'original');
		expect(retried.error).toBeUndefined();
		expect(written()).toEqual([1001]);
	});
});
