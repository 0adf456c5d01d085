/** In queue mode, a worker calls tools: what their callers are told, and that no write is sent twice. */
import { fromAi } from '../../../dev/package/from-ai.mts';
import { newestN8n } from '../../../dev/n8n/install.mts';
import { manualTrigger, withAgent } from '../../../dev/n8n/workflow.mts';
import { CREDENTIAL_TYPE } from '../../../dev/package/payroll.mts';
import { mcpClient, mcpServer } from '../mcp.mts';
import { insert } from '../nodes.mts';
import { useFront } from '../reruns/front.mts';
import { succeeded, versions, withModel } from '../setUp.mts';
import { useCluster } from './setUp.mts';

jest.setTimeout(5 * 60_000);

describe.each(versions)('n8n %s in queue mode', (version) => {
	const cluster = useCluster(version, {}, 1);
	const front = useFront(cluster);
	beforeEach(() => front.reset());

	const tool = insert(
		{ retryOnFail: true, maxTries: 3, waitBetweenTries: 100 },
		{ employeeId: fromAi('Employee_ID', 'string') },
	);
	const agents = version === newestN8n ? [2.2, 3, 3.1] : [2.2, 3];

	it.each(agents)(
		'a write whose answer is lost is sent once by an agent %s',
		async (typeVersion) => {
			front.lost.add(1001);
			const draft = withAgent('Agent', manualTrigger, tool, { typeVersion });
			await withModel(cluster, draft, { Employee_ID: '1001' }, async (id, model) => {
				succeeded(await cluster.api.run(id));
				const answer = model.requests.at(-1)?.messages.find(({ role }) => role === 'tool')?.content;
				expect(answer).toMatch(/^\[\{"error":".* The change may have been applied: look in /);
			});
			expect(front.inserted).toHaveLength(1);
		},
	);

	it('a client of the MCP Server Trigger gets an error of the protocol, and can write', async () => {
		const ids = { [CREDENTIAL_TYPE]: cluster.credential };
		const id = await cluster.api.createWorkflow(mcpServer(tool), ids);
		await cluster.api.activate(id);
		const client = await mcpClient(version, cluster.main.url);
		try {
			const [{ name = '' } = {}] = (await client.listTools()).tools;
			const call = async (Employee_ID: string) =>
				await client.callTool({ name, arguments: { Employee_ID } });
			const refused = await call('abc');
			expect(refused.content[0]?.text).toContain('is not a whole number. Nothing was written');
			expect(refused.isError).toBe(true);
			const written = await call('1002');
			expect(written.isError ?? false).toBe(false);
			expect(front.inserted).toMatchObject([{ employee: 1002 }]);
		} finally {
			await client.close();
			await cluster.api.deactivate(id);
		}
	});
});
