/** What the caller of a tool is told in a real n8n: the model of each agent, and a client of the MCP Server Trigger. */
import { join } from 'node:path';
import { addTool, sequence } from '../../dev/drawing.mts';
import { getAddresses } from '../../dev/package/calls.mts';
import { fromAi } from '../../dev/package/from-ai.mts';
import type { WorkflowDraft } from '../../dev/n8n/api.mts';
import { installN8n, newestN8n, type N8nVersion } from '../../dev/n8n/install.mts';
import { manualTrigger, payrollNode, withAgent, type NodeDraft } from '../../dev/n8n/workflow.mts';
import { insert } from './nodes.mts';
import { useFront } from './reruns/front.mts';
import { useStage, versions, withModel } from './setUp.mts';

const employeeId = fromAi('Employee_ID', 'string');

/** What an agent's input may hold. */
const item = { headers: { authorization: 'Bearer of the caller' }, chatInput: 'Hello' };

const NOT_WHOLE = `'Employee ID': "abc" is not a whole number. Nothing was sent for this item. Correct the value.`;

const path = 'payroll-tools';

/** A workflow in which n8n's MCP Server Trigger has a node of this package as a tool. */
function mcpServer(tool: NodeDraft): WorkflowDraft {
	const trigger: NodeDraft = {
		name: 'MCP Server Trigger',
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		webhookId: path,
		parameters: { authentication: 'none', path },
	};
	const drawing = addTool(sequence(trigger), trigger.name, { ...tool, type: `${tool.type}Tool` });
	return { name: 'MCP', ...drawing };
}

/** The part of the client that tests use. */
interface McpClient {
	connect(transport: object): Promise<void>;
	close(): Promise<void>;
	listTools(): Promise<{ tools: Array<{ name: string; description?: string }> }>;
	callTool(call: { name: string; arguments: object }): Promise<{
		isError?: boolean;
		content: Array<{ text: string }>;
	}>;
}

interface Sdk {
	Client: new (about: object) => McpClient;
	StreamableHTTPClientTransport: new (url: URL) => object;
}

/** Connects a client, as this n8n has it installed, to the active workflow of {@link mcpServer}. */
async function mcpClient(version: N8nVersion, url: string): Promise<McpClient> {
	const { folder } = await installN8n(version);
	const sdk = join(folder, 'node_modules', '@modelcontextprotocol', 'sdk', 'dist', 'esm', 'client');
	const { Client } = (await import(join(sdk, 'index.js'))) as Sdk;
	const { StreamableHTTPClientTransport } = (await import(join(sdk, 'streamableHttp.js'))) as Sdk;
	const client = new Client({ name: 'test', version: '1.0.0' });
	await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/${path}`)));
	return client;
}

describe.each(versions)('n8n %s', (version) => {
	const stage = useStage({ version });
	const front = useFront(stage);
	beforeEach(() => front.reset());

	/** The text that a model gets of a call. */
	const told = async (typeVersion: number, tool: NodeDraft, input: object): Promise<unknown> => {
		const draft = withAgent('Agent', manualTrigger, tool, typeVersion);
		return await withModel(stage, draft, input, async (id, model) => {
			const execution = await stage.api.run(id, { item });
			expect(execution.error).toBeUndefined();
			expect(model.requests).toHaveLength(2);
			return model.requests[1]?.messages.find(({ role }) => role === 'tool')?.content;
		});
	};

	const agents = version === newestN8n ? [2.2, 3, 3.1] : [2.2, 3];

	it.each(agents)('the model of an agent %s is told the error alone', async (agent) => {
		const setting = { onError: 'continueRegularOutput' } as const;
		const tool = payrollNode('payrollEmployee', { ...getAddresses, employeeId }, setting);
		const content = await told(agent, tool, { Employee_ID: 'abc' });
		expect(content).toBe(JSON.stringify([{ error: NOT_WHOLE }]));
		expect((await stage.sandbox.stats()).soapCalls).toEqual({});
	});

	it.each(agents)('a write whose answer is lost is sent once by an agent %s', async (agent) => {
		front.lost.add(1001);
		const setting = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
		const content = await told(agent, insert(setting, { employeeId }), { Employee_ID: '1001' });
		expect(content).toMatch(/^\[\{"error":".* The change may have been applied: look in /);
		expect(front.inserted).toHaveLength(1);
	});

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
