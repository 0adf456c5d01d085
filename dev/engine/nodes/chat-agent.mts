import type {
	EngineRequest,
	EngineResponse,
	FromAIArgument,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';

import { workflow } from '../n8n.mts';
import { callTools, toolAnswers, type ToolCall } from '../tool.mts';
import { describe, parameter } from './describe.mts';

/** A chat model that can be connected; the agent below does not use it. */
export const chatModel: INodeType = {
	description: {
		...describe('lmChatOpenAi', 'OpenAI Chat Model', [
			parameter('model', 'resourceLocator', ''),
			parameter('options', 'json', {}),
		]),
		inputs: [],
		outputs: ['ai_languageModel'],
	},
};

/**
 * AI Agent that calls each of its tools once. Every number argument is the first number of the
 * question; the answer is the tools' items.
 */
export const chatAgent: INodeType = {
	description: {
		...describe('agent', 'AI Agent', [parameter('options', 'json', {})]),
		inputs: ['main', 'ai_languageModel', 'ai_tool'],
	},
	async execute(
		this: IExecuteFunctions,
		response?: EngineResponse,
	): Promise<INodeExecutionData[][] | EngineRequest> {
		const answers = toolAnswers(response);
		if (answers) {
			return [[{ json: { output: JSON.stringify(answers) }, pairedItem: { item: 0 } }]];
		}
		const question = String(this.getInputData()[0]?.json.chatInput);
		const number = Number(/\d+/.exec(question)?.[0]);
		const connectionType = 'ai_tool' as const;
		const tools = this.getParentNodes(this.getNode().name, {
			...{ connectionType, depth: 1, includeNodeParameters: true },
		});
		const calls = tools.map(({ name, parameters }): ToolCall => {
			const asked: FromAIArgument[] = [];
			workflow.traverseNodeParameters(parameters, asked);
			const numbers = asked.filter(({ type }) => type === 'number');
			return { tool: name, input: Object.fromEntries(numbers.map(({ key }) => [key, number])) };
		});
		return callTools(calls);
	},
};
