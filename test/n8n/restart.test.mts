import type { Execution } from '../../dev/n8n/api.mts';
import { newestN8n } from '../../dev/n8n/install.mts';
import { updateCostCenters } from '../../dev/package/calls.mts';
import { chain, manualTrigger, payrollNode } from '../../dev/n8n/workflow.mts';
import { employees } from './nodes.mts';
import { killAndRestart, PATIENCE, until, useStage } from './setUp.mts';
import { forward } from '../support/forward.mts';
import { useScriptedServer } from '../support/setUp.mts';

jest.setTimeout(10 * 60_000);

/** What is stopped: a token request before the identity server sees it, or its answer. */
type Stop = 'request' | 'answer';

const ids = Array.from({ length: 20 }, (_, index) => 1001 + index);

/** Writes for twenty employees, one after the other. */
const batch = chain(
	'Batch',
	manualTrigger,
	...employees(...ids),
	payrollNode('payrollEmployee', updateCostCenters),
);

describe(`n8n ${newestN8n}, killed in the middle of a token refresh`, () => {
	const stage = useStage({ version: newestN8n });
	const gateway = useScriptedServer();
	let workflow: string;

	beforeAll(async () => {
		await stage.api.updateCredential(stage.credential, { identityUrl: gateway.url });
		workflow = await stage.create(batch);
	});

	/** Lets the next token request fail: it does not arrive, or its answer gets lost. */
	function stopNext(what: Stop): { reached: boolean } {
		const stop = { reached: false };
		let isNext = true;
		gateway.play(async (response, _, request) => {
			const isStopped = isNext;
			isNext = false;
			if (isStopped && what === 'request') return void (stop.reached = true);
			const answer = await forward(stage.sandbox.url, request);
			if (isStopped) stop.reached = true;
			else response.writeHead(answer.status, answer.headers).end(answer.body);
		});
		return stop;
	}

	/** The employees whose cost centers were written, in order. */
	async function written(): Promise<number[]> {
		const requests = await stage.sandbox.requests();
		return requests
			.filter(({ body, status }) => body.includes('CostCenter_Update') && status === 200)
			.map(({ body }) => Number(/EmployeeId>(\d+)</.exec(body)?.[1]));
	}

	/** Kills n8n while it refreshes the tokens, and starts it again. */
	async function killedAt(where: Stop): Promise<void> {
		await stage.sandbox.expireAccessTokens();
		const stop = stopNext(where);
		const id = await stage.api.start(workflow);
		await until('n8n asked for new tokens', () => stop.reached);
		await killAndRestart(stage);
		await until(
			'n8n gave up the execution',
			async () => (await stage.api.execution(id)).status === 'crashed',
		);
	}

	const run = async (): Promise<Execution> => await stage.api.run(workflow, { timeout: PATIENCE });

	async function expectAllWritten(): Promise<void> {
		const execution = await run();
		expect(execution.error).toBeUndefined();
		expect(execution.items('Payroll')).toHaveLength(ids.length);
		expect(await written()).toEqual(ids);
	}

	it('refreshes in the next run if the identity server has not seen the request', async () => {
		await killedAt('request');
		expect(await written()).toEqual([]);
		await expectAllWritten();
		expect(await stage.sandbox.stats()).toMatchObject({
			tokenRequests: { refresh_token: 1 },
			refreshesSucceeded: 1,
			refreshesRefused: 0,
		});
	});

	it('asks to reconnect if the new tokens were lost, and works after that', async () => {
		await killedAt('answer');
		const { error, status } = await run();
		expect(status).toBe('error');
		expect(error?.message).toBe('The credential needs to be reconnected');
		expect(error?.description).toMatch(/Open the credential.*log in again/);
		expect(await written()).toEqual([]);
		expect(await stage.sandbox.stats()).toMatchObject({
			tokenRequests: { refresh_token: 2 },
			refreshesSucceeded: 1,
			refreshesRefused: 1,
		});

		await stage.api.updateCredential(stage.credential, { identityUrl: stage.sandbox.url });
		await stage.api.connect(stage.credential, stage.sandbox);
		await expectAllWritten();
	});
});
