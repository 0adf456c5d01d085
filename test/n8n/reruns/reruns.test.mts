/** A real n8n runs a node again: what was written is not written a second time. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { CREDENTIAL_TYPE } from '../../../dev/package/payroll.mts';
import type { Execution, WorkflowDraft } from '../../../dev/n8n/api.mts';
import { startChatModel } from '../../../dev/n8n/chat-model.mts';
import { n8nVersions } from '../../../dev/n8n/install.mts';
import { openStage, type Stage } from '../../../dev/n8n/stage.mts';
import {
	chain,
	fromModel,
	itemsNode,
	manualTrigger,
	withAgent,
} from '../../../dev/n8n/workflow.mts';
import { employees, goOn, inRounds, insert, threeTries, unknownEmployee } from './drafts.mts';
import { startFront, type Front } from './front.mts';

/** On a bare machine n8n is installed and compiled first. */
const installing = 30 * 60_000;

const [domain, otherDomain] = ['acme-salaris', 'other-salaris'];

describe.each(n8nVersions)('n8n %s', (version) => {
	let stage: Stage;
	let front: Front;

	beforeAll(async () => {
		stage = await openStage({ version, sandbox: { domain } });
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

	const start = async (draft: WorkflowDraft) => {
		const id = await stage.create(draft);
		return { id, execution: await stage.api.run(id) };
	};

	/** Runs an insert for these employees. */
	const run = async (ids: number[], node = insert()) =>
		await start(chain('Insert', manualTrigger, ...employees(...ids), node));

	/** How many addresses each of these employees got. */
	const addresses = (...ids: number[]): number[] =>
		ids.map((id) => front.inserted().filter(({ employee }) => employee === id).length);

	const employeesOf = (execution: Execution) =>
		execution.items('Payroll').map(({ EmployeeId }) => EmployeeId);

	const record = ({ data }: Execution): IDataObject =>
		data.executionData?.contextData['node:Payroll'] ?? {};

	describe('Retry On Fail', () => {
		it('with Continue: only the refused item is sent in each try', async () => {
			const node = insert({ ...threeTries, ...goOn });
			const { execution } = await run([unknownEmployee, 1001, 1002], node);
			expect(addresses(unknownEmployee, 1001, 1002)).toEqual([0, 1, 1]);
			expect(front.calls()).toBe(5);
			expect(execution.items('Payroll')).toEqual([
				expect.objectContaining({ id: unknownEmployee, error: expect.anything() as unknown }),
				expect.objectContaining({ EmployeeId: 1001, Id: expect.any(Number) as number }),
				expect.objectContaining({ EmployeeId: 1002, Id: expect.any(Number) as number }),
			]);
		});

		it('without Continue: the same, and the error counts what was applied in all tries', async () => {
			const { execution } = await run([1001, 1002, unknownEmployee], insert(threeTries));
			expect(addresses(1001, 1002, unknownEmployee)).toEqual([1, 1, 0]);
			expect(front.calls()).toBe(5);
			expect(execution.error?.description).toContain(
				'2 of 3 items were applied: Employee ID 1001, 1002.',
			);
		});

		it('succeeds with all items once the service accepts the call', async () => {
			front.locked.add(1002);
			const node = insert({ ...threeTries, waitBetweenTries: 3000 });
			const ids = [1001, 1002, 1003];
			const id = await stage.create(chain('Unlocked', manualTrigger, ...employees(...ids), node));
			const started = await stage.api.start(id);
			while (front.calls() < 2) await sleep(20);
			front.locked.clear();
			const execution = await stage.api.finished(started);
			expect(execution.error).toBeUndefined();
			expect(employeesOf(execution)).toEqual(ids);
			expect(addresses(...ids)).toEqual([1, 1, 1]);
			expect(record(execution)).toEqual({ written: {} });
		});

		it('does not send a call again whose outcome is unknown', async () => {
			front.lost.add(1001);
			const { execution } = await run([1001, 1002], insert(threeTries));
			expect(addresses(1001, 1002)).toEqual([1, 1]);
			expect(execution.error?.description).toContain('1 may have been applied: Employee ID 1001.');
		});
	});

	describe("n8n's retry of a failed execution", () => {
		const ids = Array.from({ length: 20 }, (_, index) => 1001 + index);
		const eleventh = 1011;

		it('of four items, the third unknown: what was applied is not sent', async () => {
			const { execution } = await run([1001, 1002, unknownEmployee, 1003]);
			expect(execution.error?.description).not.toMatch(/run (it|the workflow) again/i);
			for (const workflow of ['original', 'saved'] as const) {
				const retried = await stage.api.retry(execution.id, workflow);
				expect(retried.error?.description).toContain('2 of 4 items were applied');
			}
			expect(addresses(1001, 1002, unknownEmployee, 1003)).toEqual([1, 1, 0, 0]);
			expect(front.calls()).toBe(3 + 1 + 1);
		});

		it('with the original workflow: a batch of 20 whose 11th failed sends 10 more', async () => {
			front.locked.add(eleventh);
			const { execution } = await run(ids);
			expect(front.calls()).toBe(11);
			// Still refused: one more call, and a retry of the retry goes on from there.
			const refused = await stage.api.retry(execution.id, 'original');
			expect(refused.status).toBe('error');
			expect(refused.error?.description).toContain('10 of 20 items were applied');
			expect(front.calls()).toBe(12);

			front.locked.clear();
			const retried = await stage.api.retry(refused.id, 'original');
			expect(retried.error).toBeUndefined();
			expect(front.calls()).toBe(12 + 10);
			expect(employeesOf(retried)).toEqual(ids);
			expect(addresses(...ids)).toEqual(ids.map(() => 1));
			expect(record(retried)).toEqual({ written: {} });
		});

		it('with the saved workflow, its 11th item corrected: sends 10 more', async () => {
			const { id, execution } = await run(ids.with(10, unknownEmployee));
			expect(front.calls()).toBe(11);
			const employeeId = `={{ $json.id === ${unknownEmployee} ? ${eleventh} : $json.id }}`;
			await stage.api.changeNode(id, 'Payroll', { employeeId });

			const retried = await stage.api.retry(execution.id, 'saved');
			expect(retried.error).toBeUndefined();
			expect(front.calls()).toBe(11 + 10);
			expect(employeesOf(retried)).toEqual(ids);
			expect(addresses(...ids)).toEqual(ids.map(() => 1));
		});

		it('sends no call whose outcome is unknown, but those after it', async () => {
			front.lost.add(1002);
			const { execution } = await run([1001, 1002, 1003]);
			front.lost.clear();
			const retried = await stage.api.retry(execution.id, 'original');
			expect(addresses(1001, 1002, 1003)).toEqual([1, 1, 1]);
			expect(retried.error?.message).toBe(execution.error?.message);
			expect(retried.error?.description).toContain(
				'2 of 3 items were applied: Employee ID 1001, 1003. 1 may have been applied: Employee ID 1002.',
			);
		});

		it('goes on in the round of a loop that failed', async () => {
			front.locked.add(1004);
			const { execution } = await start(
				inRounds('Rounds', [manualTrigger, ...employees(...ids.slice(0, 6))], 2, [insert()]),
			);
			expect(front.calls()).toBe(4);
			front.locked.clear();
			const retried = await stage.api.retry(execution.id, 'original');
			expect(retried.error).toBeUndefined();
			expect(addresses(...ids.slice(0, 6))).toEqual([1, 1, 1, 1, 1, 1]);
			expect(retried.runs('Payroll')).toHaveLength(3);
		});

		it('runs a node that comes after the failed one for the first time', async () => {
			const { id, execution } = await start(
				chain(
					'Two nodes',
					manualTrigger,
					...employees(1001),
					insert({ name: 'First' }, { employeeId: unknownEmployee }),
					insert({}, { employeeId: 1002 }),
				),
			);
			await stage.api.changeNode(id, 'First', { employeeId: 1001 });
			const retried = await stage.api.retry(execution.id, 'saved');
			expect(retried.error).toBeUndefined();
			expect(addresses(1001, 1002)).toEqual([1, 1]);
		});
	});

	it('a round of a loop without any call to send does not hinder those after it', async () => {
		front.locked.add(1002);
		const employeeId = '={{ $runIndex === 0 ? "nobody" : 1003 }}';
		const body = [insert({ name: 'First' }), insert(goOn, { employeeId })];
		const { execution } = await start(
			inRounds('Nothing to send', [manualTrigger, ...employees(1001, 1002)], 1, body),
		);
		expect(execution.status).toBe('error');
		front.locked.clear();
		const retried = await stage.api.retry(execution.id, 'original');
		expect(retried.items('Payroll')).toEqual([expect.objectContaining({ EmployeeId: 1003 })]);
		expect(addresses(1001, 1002, 1003)).toEqual([1, 1, 1]);
	});

	it('in a sub-workflow: its own execution goes on', async () => {
		const trigger = {
			name: 'Called',
			type: 'n8n-nodes-base.executeWorkflowTrigger',
			typeVersion: 1.1,
			parameters: { inputSource: 'passthrough' },
		};
		const ids = [1001, 1002, 1003];
		const called = await stage.create(chain('Called', trigger, insert()));
		// Only n8n 2 has workflows that are saved and not published.
		if (version === '2.41.1') await stage.api.activate(called);
		const call = {
			name: 'Call',
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.2,
			parameters: {
				source: 'database',
				workflowId: { __rl: true, mode: 'id', value: called },
				mode: 'once',
				options: { waitForSubWorkflow: true },
			},
		};
		front.locked.add(1002);
		const { execution } = await start(chain('Calling', manualTrigger, ...employees(...ids), call));
		// The caller shows the same error, and its own retry calls the sub-workflow anew.
		expect(execution.error?.description).toMatch(/sub-workflow/i);
		front.locked.clear();
		const [sub] = await stage.api.endedSummaries(called, 1);
		const retried = await stage.api.retry(sub?.id ?? '', 'original');
		expect(retried.error).toBeUndefined();
		expect(addresses(...ids)).toEqual([1, 1, 1]);
	});

	it('sends each round of a loop, each of two equal items, two nodes and two executions', async () => {
		const draft = inRounds('Equal', [manualTrigger, ...employees(1001, 1001, 1001, 1001)], 2, [
			insert({ name: 'First', ...threeTries }, { employeeId: 1001 }),
			insert({ name: 'Second', ...threeTries }, { employeeId: 1001 }),
		]);
		const { id, execution } = await start(draft);
		expect(execution.error).toBeUndefined();
		expect(addresses(1001)).toEqual([8]);
		await stage.api.run(id);
		expect(addresses(1001)).toEqual([16]);
	});

	describe.each([2.2, 3])('a tool of an agent of version %s', (typeVersion) => {
		it('is sent for each call of the model, and not again in a second try', async () => {
			const model = await startChatModel({ Employee_ID: 1001 }, [2, 1]);
			try {
				const data = { apiKey: 'stub', url: model.url };
				const openAiApi = await stage.api.createCredential('openAiApi', data, 'Chat model');
				const tool = insert(threeTries, { employeeId: fromModel('Employee_ID') });
				const id = await stage.api.createWorkflow(
					withAgent('Agent', manualTrigger, tool, { typeVersion }),
					{ [CREDENTIAL_TYPE]: stage.credential, openAiApi },
				);
				const good = await stage.api.run(id);
				expect(good.error).toBeUndefined();
				expect(addresses(1001)).toEqual([3]);

				front.reset();
				front.lost.add(1001);
				let execution = await stage.api.run(id);
				const called = execution.status === 'error' ? 1 : 3;
				expect(addresses(1001)).toEqual([called]);
				if (execution.status === 'error') {
					// In n8n 1 a tool that fails ends the execution; its retry resumes the call of the tool.
					execution = await stage.api.retry(execution.id, 'original');
					expect(addresses(1001)).toEqual([called]);
				}
			} finally {
				await model.stop();
			}
		});
	});

	describe('Domain by expression', () => {
		const input = [
			{ id: 1001, dom: domain },
			{ id: 1002, dom: otherDomain },
			{ id: 1003, dom: domain },
		];
		const wanted = input.map(({ id, dom }) => ({ employee: id, domain: dom }));
		const draft = (node = insert()) => chain('Domains', manualTrigger, ...itemsNode(input), node);

		it('in the credential: each item goes to its own', async () => {
			await stage.api.updateCredential(stage.credential, { domain: '={{ $json.dom }}' });
			try {
				const { execution } = await start(draft());
				expect(execution.error).toBeUndefined();
				expect(front.inserted()).toEqual(wanted);
			} finally {
				await stage.api.updateCredential(stage.credential, { domain });
			}
		});

		it('in the option: each item goes to its own', async () => {
			const { execution } = await start(
				draft(insert({}, { options: { domain: '={{ $json.dom }}' } })),
			);
			expect(execution.error).toBeUndefined();
			expect(front.inserted()).toEqual(wanted);
		});
	});

	it('keeps hashes, outcomes, result items and error texts, and no secret', async () => {
		front.lost.add(1002);
		const { execution } = await run([1001, 1002, unknownEmployee], insert({ ...threeTries }));
		const hash = expect.stringMatching(/^[\w-]{22}$/) as string;
		expect(record(execution)).toEqual({
			written: {
				run: 0,
				followsCrash: false,
				calls: {
					0: { request: hash, records: [{ Id: expect.any(Number) as number }] },
					1: {
						request: hash,
						error: {
							kind: expect.any(String) as string,
							message: execution.error?.message,
							description: expect.any(String) as string,
						},
					},
				},
			},
		});
		const requests = await stage.sandbox.requests();
		const tokens = requests.flatMap(
			({ headers }) => headers.authorization?.replace('Bearer ', '') ?? [],
		);
		const { clientSecret, subscriptionKey } = stage.sandbox;
		const all = JSON.stringify(execution.data);
		for (const secret of [domain, clientSecret, subscriptionKey, ...tokens]) {
			expect(all).not.toContain(secret);
		}
		for (const value of ['Keizersgracht', '241', 'Amsterdam', 'HomeAddress']) {
			expect(JSON.stringify(record(execution))).not.toContain(value);
		}
	});
});
