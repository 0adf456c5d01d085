/** n8n is killed in the middle of a renewal of the tokens, so that the new ones are lost. */
import { newestN8n } from '../../dev/n8n/install.mts';
import { updateCostCenters } from '../../dev/package/calls.mts';
import { chain, manualTrigger, payrollNode } from '../../dev/n8n/workflow.mts';
import { employees } from './nodes.mts';
import { killAndRestart, PATIENCE, succeeded, until, useStage } from './setUp.mts';
import { forward } from '../support/forward.mts';
import { useScriptedServer } from '../support/setUp.mts';

jest.setTimeout(10 * 60_000);

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

	/** The employees whose cost centers were written, in order. */
	async function written(): Promise<number[]> {
		const requests = await stage.sandbox.requests();
		return requests
			.filter(({ body, status }) => body.includes('CostCenter_Update') && status === 200)
			.map(({ body }) => Number(/EmployeeId>(\d+)</.exec(body)?.[1]));
	}

	it('asks to reconnect, and works after that', async () => {
		const { api, credential, sandbox } = stage;
		await api.updateCredential(credential, { identityUrl: gateway.url });
		const workflow = await stage.create(batch);
		// The answer to the first token request gets lost.
		gateway.play(async (response, index, request) => {
			const answer = await forward(sandbox.url, request);
			if (index > 0) response.writeHead(answer.status, answer.headers).end(answer.body);
		});
		await sandbox.expireAccessTokens();
		const id = await api.start(workflow);
		const spent = async () => (await sandbox.stats()).refreshesSucceeded === 1;
		await until('n8n asked for new tokens', spent);
		await killAndRestart(stage);
		const isCrashed = async () => (await api.execution(id)).status === 'crashed';
		await until('n8n gave up the execution', isCrashed);

		const { error, status } = await api.run(workflow, { timeout: PATIENCE });
		expect(status).toBe('error');
		expect(error?.message).toBe('The credential needs to be reconnected');
		expect(error?.description).toMatch(/Open the credential.*log in again/);
		expect(await written()).toEqual([]);
		expect(await sandbox.stats()).toMatchObject({
			tokenRequests: { refresh_token: 2 },
			refreshesSucceeded: 1,
			refreshesRefused: 1,
		});

		await api.updateCredential(credential, { identityUrl: sandbox.url });
		await api.connect(credential, sandbox);
		const again = succeeded(await api.run(workflow, { timeout: PATIENCE }));
		expect(again.items('Payroll')).toHaveLength(ids.length);
		expect(await written()).toEqual(ids);
	});
});
