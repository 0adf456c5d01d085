import { setTimeout as sleep } from 'node:timers/promises';
import type { Execution } from '../../../dev/n8n/api.mts';
import { openStage, type Stage } from '../../../dev/n8n/stage.mts';
import { updateCostCenters } from '../../../dev/package/payroll.mts';
import { chain, itemsNode, manualTrigger, payrollNode } from '../../../dev/n8n/workflow.mts';
import { startGateway, type Gateway } from './gateway.mts';

const version = '2.41.1';

/** On a bare machine n8n is installed and compiled first. */
const installing = 30 * 60_000;

/** How long n8n may take for something on a slow and busy machine, in milliseconds. */
const patience = 60_000;

jest.setTimeout(10 * 60_000);

const employees = Array.from({ length: 20 }, (_, index) => 1001 + index);

/** Writes for twenty employees, one after the other. */
const batch = chain(
	'Batch',
	manualTrigger,
	...itemsNode(employees.map((id) => ({ id }))),
	payrollNode('payrollEmployee', updateCostCenters),
);

describe(`n8n ${version}, killed and started again`, () => {
	let stage: Stage;
	let gateway: Gateway;
	let workflow: string;

	beforeAll(async () => {
		stage = await openStage({ version });
		gateway = await startGateway(stage.sandbox.url);
		await stage.api.updateCredential(stage.credential, { identityUrl: gateway.url });
		workflow = await stage.create(batch);
	}, installing);

	afterAll(async () => {
		await stage?.close();
		await gateway?.close();
	});

	beforeEach(async () => await stage.sandbox.reset());

	async function killAndRestart(): Promise<void> {
		await stage.n8n.kill();
		stage.n8n = await stage.n8n.restart();
	}

	/** The employees whose cost centers were written, in order, each as often as it was. */
	async function written(): Promise<number[]> {
		const requests = await stage.sandbox.requests();
		const done = requests.filter(({ body, status }) => {
			// 0 where n8n was gone before the answer: the service has acted all the same.
			return body.includes('CostCenter_Update') && (status === 200 || status === 0);
		});
		return done.map(({ body }) => Number(/EmployeeId>(\d+)</.exec(body)?.[1]));
	}

	const executed = async (): Promise<number> =>
		(await stage.sandbox.stats()).soapExecuted['CostCenter_Update'] ?? 0;

	async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
		const limit = Date.now() + patience;
		while (!(await isSo())) {
			if (Date.now() > limit) throw new Error(`Waited in vain until ${what}`);
			await sleep(50);
		}
	}

	/** What n8n says of an execution that it did not see the end of. */
	async function crashed(id: string): Promise<void> {
		await until('n8n gave up the execution', async () => {
			return (await stage.api.execution(id)).status === 'crashed';
		});
	}

	const succeeded = (execution: Execution): void => {
		expect(execution.error).toBeUndefined();
		expect(execution.items('Payroll')).toHaveLength(employees.length);
	};

	it('in the middle of a batch: nothing is sent a second time, and the credential works', async () => {
		await stage.sandbox.configure({ latencyMs: 300 });
		const id = await stage.api.start(workflow);
		await until('some items were written', async () => (await executed()) >= 5);
		await killAndRestart();
		await crashed(id);

		const before = await written();
		expect(before).toEqual(employees.slice(0, before.length));
		expect(before.length).toBeLessThan(employees.length);
		expect(await executed()).toBe(before.length);

		await stage.sandbox.configure({ latencyMs: 0 });
		succeeded(await stage.api.run(workflow, { timeout: patience }));
		expect(await written()).toEqual([...before, ...employees]);
		expect((await stage.sandbox.stats()).tokenRequests).toEqual({});
	});

	it('in the middle of a refresh that the identity server has not seen: the next run refreshes and works', async () => {
		await stage.sandbox.expireAccessTokens();
		const stopped = gateway.stopNext('request');
		const id = await stage.api.start(workflow);
		await until('n8n asked for new tokens', stopped);
		await killAndRestart();
		await crashed(id);
		expect(await executed()).toBe(0);

		succeeded(await stage.api.run(workflow, { timeout: patience }));
		expect(await written()).toEqual(employees);
		expect(await stage.sandbox.stats()).toMatchObject({
			tokenRequests: { refresh_token: 1 },
			refreshesSucceeded: 1,
			refreshesRefused: 0,
		});
	});

	it('with the new tokens on their way: the error says to reconnect, and that helps', async () => {
		await stage.sandbox.expireAccessTokens();
		const stopped = gateway.stopNext('answer');
		const id = await stage.api.start(workflow);
		await until('n8n asked for new tokens', stopped);
		await killAndRestart();
		await crashed(id);

		const { error, status } = await stage.api.run(workflow, { timeout: patience });
		expect(status).toBe('error');
		expect(error?.message).toBe('The credential needs to be reconnected');
		expect(error?.description).toMatch(/Open the credential and connect the account again/);
		expect(await executed()).toBe(0);
		expect(await stage.sandbox.stats()).toMatchObject({
			tokenRequests: { refresh_token: 2 },
			refreshesSucceeded: 1,
			refreshesRefused: 1,
		});

		await stage.api.updateCredential(stage.credential, { identityUrl: stage.sandbox.url });
		await stage.api.connect(stage.credential, stage.sandbox);
		succeeded(await stage.api.run(workflow, { timeout: patience }));
		expect(await written()).toEqual(employees);
	});
});
