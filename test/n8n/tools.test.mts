/** What the caller of a tool is told in a real n8n: the model of each agent, and a client of the MCP Server Trigger. */
import type { INode } from 'n8n-workflow';
import { getAddresses } from '../../dev/package/calls.mts';
import { fromAi } from '../../dev/package/from-ai.mts';
import { newestN8n } from '../../dev/n8n/install.mts';
import { manualTrigger, payrollNode, withAgent, type NodeDraft } from '../../dev/n8n/workflow.mts';
import { mcpClient, mcpServer } from './mcp.mts';
import { insert } from './nodes.mts';
import { useStage, versions, withModel } from './setUp.mts';

const employeeId = fromAi('Employee_ID', 'string');

/** What an agent's input may hold. */
const item = { headers: { authorization: 'Bearer of the caller' }, chatInput: 'Hello' };

const NOT_WHOLE = `'Employee ID': "abc" is not a whole number. Nothing was sent for this item. Correct the value.`;

describe.each(versions)('n8n %s', (version) => {
	const stage = useStage({ version });

	/** The text that a model gets of a call. */
	const told = async (typeVersion: number, tool: NodeDraft, input: object): Promise<unknown> => {
		const draft = withAgent('Agent', manualTrigger, tool, { typeVersion });
		return await withModel(stage, draft, input, async (id, model) => {
			const execution = await stage.api.run(id, { item });
			expect(execution.error).toBeUndefined();
			expect(model.requests).toHaveLength(2);
			return model.requests[1]?.messages.find(({ role }) => role === 'tool')?.content;
		});
	};

	const agents = version === newestN8n ? [2.2, 3, 3.1] : [2.2, 3];
	const settings: Array<Partial<INode>> = [{}, { onError: 'continueRegularOutput' }];
	const cases = agents.flatMap((agent) => settings.map((setting) => [agent, setting] as const));

	it.each(cases)('the model of an agent %s is told the error alone: %j', async (agent, setting) => {
		const tool = payrollNode('payrollEmployee', { ...getAddresses, employeeId }, setting);
		const content = await told(agent, tool, { Employee_ID: 'abc' });
		expect(content).toBe(JSON.stringify([{ error: NOT_WHOLE }]));
		expect((await stage.sandbox.stats()).soapCalls).toEqual({});
	});

	it.each(agents)(
		'the model of an agent %s is told of a write whether it was applied',
		async (agent) => {
			const tool = insert({}, { employeeId, period: 1, year: 2025 });
			const content = await told(agent, tool, { Employee_ID: '1001' });
			expect(content).toMatch(
				/^\[\{"error":"The call failed\. .*ask the user whether to turn on 'Unp/,
			);
			expect(content).toMatch(
				/ not applied\. .* The service says: \\"TWK exception: .*\.\\""\}\]$/,
			);
		},
	);

	it('a client of the MCP Server Trigger gets an error of the protocol, and can write', async () => {
		const id = await stage.create(mcpServer(insert({}, { employeeId })));
		await stage.api.activate(id);
		const client = await mcpClient(version, stage.n8n.url);
		try {
			const { tools } = await client.listTools();
			const [{ name = '', description = '' } = {}] = tools;
			expect(description).toMatch(/^Insert an address for an employee .* Changes data\. /);
			const call = async (Employee_ID: string) =>
				await client.callTool({ name, arguments: { Employee_ID } });
			const refused = await call('abc');
			expect(refused.isError).toBe(true);
			expect(refused.content[0]?.text).toContain(
				`'Employee ID': "abc" is not a whole number. Nothing was written for this item. Correct the value.`,
			);
			const written = await call('1001');
			expect(written.isError ?? false).toBe(false);
			expect(JSON.parse(written.content[0]?.text ?? '')).toMatchObject([{ EmployeeId: 1001 }]);
			expect((await stage.sandbox.stats()).soapExecuted).toEqual({ Address_Insert: 1 });
		} finally {
			await client.close();
			await stage.api.deactivate(id);
		}
	});
});
