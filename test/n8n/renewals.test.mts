/** Many calls over many expiries, with a certified identity provider that revokes what is used again. */
import { chain, manualTrigger, payrollNode } from '../../dev/n8n/workflow.mts';
import { getCostCenters } from '../../dev/package/calls.mts';
import { employees, insert } from './nodes.mts';
import { PATIENCE, succeeded, useStage, versions } from './setUp.mts';
import { forwarding, replying, type Received, type Script } from '../support/scripted.mts';
import { useScriptedServer } from '../support/setUp.mts';

jest.setTimeout(10 * 60_000);

const CALLS = 250;
const ids = Array.from({ length: CALLS }, (_, index) => 1001 + index);

/** How the token endpoint answers some of its requests, by their index. */
const busy: Readonly<Record<number, Script>> = {
	2: replying(429, 'text/html', '<h1>Too many requests</h1>'),
	5: replying(503, 'text/plain', '', { 'Retry-After': '1' }),
};

describe.each(versions)('n8n %s, with tokens of three seconds', (version) => {
	const stage = useStage({ version });
	const identity = useScriptedServer();
	const elsewhere = useScriptedServer();

	it('makes every call once, and spends every refresh token once', async () => {
		const { api, credential, sandbox } = stage;
		await sandbox.configure({
			...{ accessTokenSeconds: 3, reuse: 'revoke', employees: CALLS, latencyMs: 450 },
		});
		const renew = forwarding(sandbox.url);
		identity.play((...received) => (busy[received[1]] ?? renew)(...received));
		await api.updateCredential(credential, { identityUrl: identity.url });
		await sandbox.expireAccessTokens();

		const node = insert({}, { options: { concurrency: 4 } });
		const workflow = await stage.create(chain('Batch', manualTrigger, ...employees(...ids), node));
		const execution = succeeded(await api.run(workflow, { timeout: PATIENCE }));
		expect(execution.items('Payroll')).toHaveLength(CALLS);

		const inserted = (await sandbox.requests())
			.filter(({ body, status }) => body.includes('Address_Insert') && status === 200)
			.map(({ body }) => Number(/EmployeeId>(\d+)</.exec(body)?.[1]));
		expect(inserted.sort((a, b) => a - b)).toEqual(ids);

		const spent = identity.received.map(({ body }: Received) =>
			new URLSearchParams(body).get('refresh_token'),
		);
		const { refreshesSucceeded, refreshesRefused } = await sandbox.stats();
		expect(refreshesSucceeded).toBeGreaterThanOrEqual(11);
		expect(refreshesRefused).toBe(0);
		// Only what was answered by HTTP 429 and 503 was sent again.
		expect(new Set(spent).size).toBe(refreshesSucceeded);
		expect(spent).toHaveLength(refreshesSucceeded + Object.keys(busy).length);
	});

	it.each<[number, object]>([
		[307, { grant_type: 'refresh_token', refresh_token: expect.any(String) as unknown }],
		[308, { grant_type: 'refresh_token', refresh_token: expect.any(String) as unknown }],
		[302, {}],
	])(
		'follows a redirect of the token endpoint (HTTP %d), without the client secret if it leads to another host',
		async (status, form) => {
			const { api, credential, sandbox } = stage;
			const Location = `${elsewhere.url}/connect/token`;
			identity.play(replying(status, 'text/plain', '', { Location }));
			elsewhere.play(replying(400, 'application/json', { error: 'invalid_request' }));
			// An error of OAuth is final for an address and a refresh token: each row has an address of its own.
			await api.updateCredential(credential, { identityUrl: `${identity.url}/${status}` });
			await sandbox.expireAccessTokens();
			const read = payrollNode('payrollEmployee', getCostCenters);
			await api.run(await stage.create(chain('Redirect', manualTrigger, ...employees(1001), read)));
			const [asked, redirected] = [identity.received[0], elsewhere.received[0]];
			expect(asked?.headers.authorization).toMatch(/^Basic /);
			expect(Object.fromEntries(new URLSearchParams(redirected?.body))).toEqual(form);
			expect(redirected?.headers).not.toHaveProperty('authorization');
		},
	);
});
