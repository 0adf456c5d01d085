/**
 * The package's nodes as tools of an AI agent: each operation, and what n8n passes to the model.
 */
import type {
	IDataObject,
	INode,
	INodeProperties,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import {
	addTool,
	agent,
	chain,
	collect,
	functionCalling,
	runWorkflow,
	workflow,
	type NodeDraft,
	type Result,
} from '../engine/index.mts';
import { describe } from '../engine/describe.mts';
import { letModelFill, type Argument } from './from-ai.mts';
import { startAsNode } from './node-context.mts';
import { CREDENTIAL_TYPE, type Payroll } from './payroll.mts';

/** An operation as a tool, in which the model fills in everything but what stays with the builder. */
export interface OfferedTool {
	/** For people, for example `Payroll Employee, Address, Create, Using JSON`. */
	title: string;
	/** The node's type, resource and operation. */
	choice: readonly [node: string, resource: string, operation: string];
	/** The node, without credentials. */
	draft: NodeDraft;
	arguments: Argument[];
}

/** A tool as n8n hands it to an agent. */
type AgentTool = Parameters<typeof functionCalling.convertToOpenAITool>[0] & {
	invoke(input: IDataObject): Promise<string>;
};

/** What the API of a chat model is sent of a tool. */
export interface GivenTool {
	name: string;
	description: string;
	parameters: { properties: Record<string, IDataObject>; required: string[] };
}

const choices = (property: INodeProperties | undefined): INodePropertyOptions[] =>
	((property?.options ?? []) as INodePropertyOptions[]).filter(
		({ displayOptions }) => displayOptions?.hide?.['@tool'] === undefined,
	);

/** The builder's choice of an operation by its name: the one of the placeholder. */
function namedOperation(properties: readonly INodeProperties[]): IDataObject {
	const modes = properties.find(({ name }) => name === 'operationName')?.modes ?? [];
	const { name: mode, placeholder = '' } = modes.find((one) => one.type === 'string') ?? {};
	if (mode === undefined) return {};
	return { operationName: { __rl: true, mode, value: placeholder.replace('e.g. ', '') } };
}

/**
 * Every operation of every node, once for each way to give its records; of those of a service's
 * description, only the call by name.
 */
export function everyTool({ host }: Payroll): OfferedTool[] {
	const { displayParameter, getNodeParameters, makeNodeName } = workflow.NodeHelpers;
	return host.loaded.nodes.flatMap((node) => {
		const type = `${host.packageName}.${node}Tool`;
		const { description } = host.nodeTypes.getByNameAndVersion(type);
		const { properties } = description;
		const bare = { type, typeVersion: 1 } as INode;
		const shown = (chosen: IDataObject): INodeProperties[] => {
			const given = chosen as INode['parameters'];
			const values = getNodeParameters(properties, given, true, false, bare, description) ?? {};
			return properties.filter((one) => displayParameter(values, one, bare, description));
		};
		const choose = (chosen: IDataObject, name: string): INodePropertyOptions[] =>
			choices(shown(chosen).find((property) => property.name === name));
		return choose({}, 'resource').flatMap((resource) =>
			choose({ resource: resource.value }, 'operation').flatMap((operation) => {
				const bareChoice = { resource: resource.value, operation: operation.value };
				const chosen = { ...bareChoice, ...namedOperation(shown(bareChoice)) };
				const way = shown(chosen).find(({ name }) => name.startsWith('specify'));
				const ways = way === undefined ? [undefined] : choices(way);
				return ways.map((option): OfferedTool => {
					const all = { ...chosen, ...(way && option && { [way.name]: option.value }) };
					const kept = [
						'resource',
						'operation',
						'service',
						'operationName',
						'dryRun',
						'skipIfExists',
						'options',
						'toolDescription',
					];
					const filled = letModelFill(shown(all).filter(({ name }) => !kept.includes(name)));
					const parameters = { ...filled.parameters, ...all } as INode['parameters'];
					const names = [description.defaults.name, resource.name, operation.name, option?.name];
					return {
						title: names.filter(Boolean).join(', '),
						choice: [node, String(resource.value), String(operation.value)],
						draft: { name: makeNodeName(parameters, description), type, parameters },
						arguments: filled.arguments,
					};
				});
			}),
		);
	});
}

const connected = (tool: NodeDraft, credential: string): NodeDraft => ({
	...tool,
	credentials: { [CREDENTIAL_TYPE]: { id: credential, name: 'Payroll' } },
});

const NAME = 'test.model';
const MCP_TRIGGER = '@n8n/n8n-nodes-langchain.mcpTrigger';

/** A node that calls its tools itself. */
interface Caller {
	readonly type: string;
	/** Whether it does so in an execution. */
	readonly isInExecution: boolean;
}

/** As agents of version 2, the MCP Server Trigger, and a worker in its place call their tools. */
export const callers = {
	agent: { type: NAME, isInExecution: true },
	mcp: { type: MCP_TRIGGER, isInExecution: false },
	mcpWorker: { type: MCP_TRIGGER, isInExecution: true },
} as const satisfies Record<string, Caller>;

/** Runs a function on a tool as n8n gives it to the node that calls it. */
export async function withTool<T>(
	payroll: Payroll,
	credential: string,
	tool: NodeDraft,
	work: (tool: AgentTool) => Promise<T> | T,
	{ type, isInExecution }: Caller = callers.agent,
): Promise<T> {
	const inputs: INodeTypeDescription['inputs'] = ['main', 'ai_tool'];
	const drawing = chain([{}], { name: 'Model', type });
	return await startAsNode(
		payroll,
		type,
		{ ...describe(type, 'Model', []), inputs },
		addTool(drawing, 'Model', connected(tool, credential)),
		async (context) => {
			const { additionalData } = context as unknown as { additionalData: IDataObject };
			if (!isInExecution) delete additionalData.executionId;
			const [given] = (await context.getInputConnectionData('ai_tool', 0)) as [AgentTool];
			return await work(given);
		},
	).done;
}

/** What the API of a chat model is sent of a tool. */
export async function givenToModel(
	payroll: Payroll,
	credential: string,
	tool: NodeDraft,
): Promise<GivenTool> {
	return await withTool(payroll, credential, tool, (one) => {
		return functionCalling.convertToOpenAITool(one).function as unknown as GivenTool;
	});
}

/**
 * Runs an agent whose model makes one call of a tool.
 *
 * @param item the agent's own input
 */
export async function callTool(
	payroll: Payroll,
	credential: string,
	tool: NodeDraft,
	input: IDataObject,
	item: IDataObject = {},
): Promise<Result> {
	const drawing = chain([item], agent([{ tool: tool.name, input }]), collect());
	const result = await runWorkflow(
		payroll.workflow(addTool(drawing, 'Agent', connected(tool, credential))),
	);
	if (result.error) throw result.error;
	return result;
}

/** What an agent of n8n 2 passes to its model: the tool's items, as one JSON text. */
export const answerToModel = (result: Result): string =>
	JSON.stringify(result.json('Collect')[0]?.items);
