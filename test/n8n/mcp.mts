/** A workflow that serves a tool by the Model Context Protocol, and the official client of that. */
import { join } from 'node:path';
import { addTool, sequence } from '../../dev/drawing.mts';
import type { WorkflowDraft } from '../../dev/n8n/api.mts';
import { installN8n, type N8nVersion } from '../../dev/n8n/install.mts';
import type { NodeDraft } from '../../dev/n8n/workflow.mts';

const path = 'payroll-tools';

/** A workflow in which n8n's MCP Server Trigger has a node of this package as a tool. */
export function mcpServer(tool: NodeDraft): WorkflowDraft {
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
export async function mcpClient(version: N8nVersion, url: string): Promise<McpClient> {
	const { folder } = await installN8n(version);
	const sdk = join(folder, 'node_modules', '@modelcontextprotocol', 'sdk', 'dist', 'esm', 'client');
	const { Client } = (await import(join(sdk, 'index.js'))) as Sdk;
	const { StreamableHTTPClientTransport } = (await import(join(sdk, 'streamableHttp.js'))) as Sdk;
	const client = new Client({ name: 'test', version: '1.0.0' });
	await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/${path}`)));
	return client;
}
