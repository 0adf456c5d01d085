/** The packed package in a real n8n, of each version: it is found, connects, and runs. */
import type { IDataObject } from 'n8n-workflow';
import {
	CREDENTIAL_TYPE,
	getCostCenters,
	getHourCodes,
	updateCompany,
} from '../../dev/package/payroll.mts';
import { exampleWorkflows } from '../../dev/package/workflow-file.mts';
import { lastGiven, runExample, unknownNodes } from '../../dev/n8n/examples.mts';
import { installN8n, n8nVersions } from '../../dev/n8n/install.mts';
import { openStage, type Stage } from '../../dev/n8n/stage.mts';
import { chain, itemsNode, manualTrigger, payrollNode } from '../../dev/n8n/workflow.mts';

/** Beyond installing, nothing here takes long; on a bare machine n8n is installed and compiled first. */
const installing = 30 * 60_000;

describe.each(n8nVersions)('n8n %s', (version) => {
	let stage: Stage;

	beforeAll(async () => {
		await installN8n(version);
		// A secret as services make them up, with everything that OAuth wants URL-encoded.
		stage = await openStage({ version, sandbox: { clientSecret: 'p+y/100% r:o&l=l secret' } });
	}, installing);

	afterAll(async () => await stage?.close());

	beforeEach(async () => await stage.sandbox.reset());

	const run = async (name: string, input: object[], ...nodes: ReturnType<typeof payrollNode>[]) => {
		const draft = chain(name, manualTrigger, ...itemsNode(input), ...nodes);
		return await stage.api.run(await stage.create(draft));
	};

	it('has loaded three nodes, a tool of each, and one credential', async () => {
		const own = (names: Iterable<string>) => [...names].filter((name) => /payroll/i.test(name));
		const nodes = ['payrollEmployee', 'payrollCompany', 'payrollHourCodes'];
		const names = nodes.flatMap((name) => [name, `${name}Tool`]);
		expect(own((await stage.api.types()).keys()).sort()).toEqual(
			names.map((name) => `n8n-nodes-payroll.${name}`).sort(),
		);
		expect(own((await stage.api.types('credentials')).keys())).toEqual([CREDENTIAL_TYPE]);
		expect(stage.n8n.log()).not.toMatch(/n8n-nodes-payroll|payroll.*(error|fail)/i);
	});

	it('works out the hidden fields of the credential with its own expressions', async () => {
		const url = new URL(await stage.api.authorizationUrl(stage.credential));
		expect(url.origin + url.pathname).toBe(`${stage.sandbox.url}/connect/authorize`);
		expect(url.searchParams.get('scope')?.split(' ')).toEqual(stage.sandbox.scopes);
		expect(url.searchParams.get('redirect_uri')).toBe(stage.n8n.callbackUrl);
	});

	it('has connected with a secret that has to be encoded, and shows no secret of it', async () => {
		const { data } = await stage.api.credential(stage.credential);
		expect(data.oauthTokenData).toBe(true);
		expect(data.appSecret).not.toBe(stage.sandbox.clientSecret);
		expect(data.subscriptionKey).not.toBe(stage.sandbox.subscriptionKey);
	});

	it('reads the cost centers of employees', async () => {
		const execution = await run(
			'Cost centers',
			[{ id: 1001 }, { id: 1002 }, { id: 1003 }],
			payrollNode('payrollEmployee', getCostCenters),
		);
		expect(execution.error).toBeUndefined();
		const items = execution.items('Payroll');
		expect([...new Set(items.map(({ EmployeeId }) => EmployeeId))]).toEqual([1001, 1002, 1003]);
		expect(items[0]).toMatchObject({ Period: 6, Year: 2026, Id: expect.any(Number) as number });
	});

	it('changes the address of a company', async () => {
		const execution = await run(
			'Company address',
			[{ id: 100 }],
			payrollNode('payrollCompany', updateCompany),
		);
		expect(execution.error).toBeUndefined();
		expect(execution.items('Payroll')).toEqual([{ CompanyId: 100, success: true }]);
	});

	it('reads the hour codes of companies', async () => {
		const execution = await run(
			'Hour codes',
			[{ id: 100 }, { id: 200 }],
			payrollNode('payrollHourCodes', getHourCodes),
		);
		expect(execution.error).toBeUndefined();
		expect(execution.items('Payroll')).toHaveLength(40);
	});

	it('refreshes an expired token once, whichever node meets it', async () => {
		await stage.sandbox.expireAccessTokens();
		const execution = await run(
			'After an hour',
			Array.from({ length: 20 }, (_, index): IDataObject => ({ id: 1001 + index })),
			payrollNode('payrollEmployee', getCostCenters),
			payrollNode(
				'payrollHourCodes',
				{ ...getHourCodes, companyId: '100' },
				{ name: 'Codes', executeOnce: true },
			),
		);
		expect(execution.error).toBeUndefined();
		expect(execution.items('Codes')).toHaveLength(37);
		expect(await stage.sandbox.stats()).toMatchObject({
			tokenRequests: { refresh_token: 1 },
			refreshesSucceeded: 1,
			refreshesRefused: 0,
		});
	});

	it('runs an active workflow when it is called, also after n8n was killed and started again', async () => {
		const webhook = {
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: 'smoke',
			parameters: { path: 'smoke', options: {} },
		};
		const codes = payrollNode('payrollHourCodes', { ...getHourCodes, companyId: '200' });
		const id = await stage.create(chain('Called', webhook, codes));
		const call = async () => (await fetch(`${stage.n8n.url}/webhook/smoke`)).status;
		await stage.api.activate(id);
		expect(await call()).toBe(200);
		await stage.api.ended(id, 1);
		await stage.n8n.kill();
		stage.n8n = await stage.n8n.restart();
		expect(await call()).toBe(200);
		const executions = await stage.api.ended(id, 2);
		expect(executions.map((execution) => execution.items('Payroll').length)).toEqual([3, 3]);
		await stage.api.deactivate(id);
		expect(await call()).toBe(404);
	});

	it('says what to do when the service refuses', async () => {
		const execution = await run(
			'Unknown company',
			[{ id: 999 }],
			payrollNode('payrollHourCodes', getHourCodes),
		);
		expect(execution.status).toBe('error');
		expect(execution.error).toMatchObject({ name: 'NodeApiError', httpCode: '404' });
		expect(JSON.stringify(execution.data)).not.toContain(stage.sandbox.subscriptionKey);
	});

	it.each([...exampleWorkflows()])('runs the example %s', async (file, draft) => {
		const missing = await unknownNodes(stage, draft);
		if (missing.length > 0) {
			// The README says so.
			expect([version, file]).toEqual(['1.123.81', 'nightly-hour-codes.json']);
			return;
		}
		const execution = await runExample(stage, draft);
		expect(execution.error).toBeUndefined();
		expect(execution.status).toBe('success');
		expect(lastGiven(draft, execution)[1]).toBeGreaterThan(0);
	});
});
