/** A stub of a chat model with OpenAI's API: it calls the one tool it is offered, then answers with the result. */
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { close, listen } from '../listen.mts';

/** The part of the API that the stub reads. */
interface ChatRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string; description: string; parameters: unknown } }>;
	stream?: boolean;
}

/** A running stub. */
export interface ChatModel {
	/** The base address, as a credential of n8n wants it. */
	readonly url: string;
	/** What it was asked, in order. */
	readonly requests: readonly ChatRequest[];
	stop(): Promise<void>;
}

/** Starts a stub that calls its tool with these arguments, and then answers with the tool's result. */
export async function startChatModel(toolArguments: object): Promise<ChatModel> {
	const requests: ChatRequest[] = [];
	const server = createServer((req, res) => {
		read(req).then(
			(request) => {
				requests.push(request);
				res.writeHead(200, { 'Content-Type': 'application/json' });
				res.end(JSON.stringify(completion(request, toolArguments)));
			},
			(error: unknown) => res.writeHead(400).end(String(error)),
		);
	});
	return {
		url: `http://127.0.0.1:${await listen(server)}/v1`,
		requests,
		stop: async () => await close(server),
	};
}

async function read(req: IncomingMessage): Promise<ChatRequest> {
	if (req.url !== '/v1/chat/completions') throw new Error(`The stub has no ${req.url}`);
	const request = (await json(req)) as ChatRequest;
	if (request.stream) throw new Error('The stub does not stream');
	return request;
}

function completion({ messages, tools }: ChatRequest, toolArguments: object): object {
	const result = messages.findLast(({ role }) => role === 'tool');
	const name = tools?.[0]?.function.name ?? '';
	const call = { name, arguments: JSON.stringify(toolArguments) };
	const message = result
		? { content: `The payroll says: ${JSON.stringify(result.content)}` }
		: { content: null, tool_calls: [{ id: 'call_1', type: 'function', function: call }] };
	const finish_reason = result ? 'stop' : 'tool_calls';
	return {
		id: 'chatcmpl-1',
		object: 'chat.completion',
		created: 1,
		model: 'stub',
		choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
