/** A stub of a chat model behind the API that OpenAI's has: it asks for the one tool it is offered, then tells. */
import { createServer, type IncomingMessage } from 'node:http';
import { close, listen } from '../listen.mts';

/** The few words of the API that the stub reads. */
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

/**
 * Starts a stub that calls its tool with these arguments, and then answers with what the tool gave.
 *
 * @param turns how often it calls the tool, in each turn before the answer
 */
export async function startChatModel(
	toolArguments: object,
	turns: readonly number[] = [1],
): Promise<ChatModel> {
	const requests: ChatRequest[] = [];
	const server = createServer((req, res) => {
		read(req).then(
			(request) => {
				requests.push(request);
				res.writeHead(200, { 'Content-Type': 'application/json' });
				res.end(JSON.stringify(completion(request, toolArguments, turns)));
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
	let text = '';
	for await (const chunk of req) text += String(chunk);
	const request = JSON.parse(text) as ChatRequest;
	if (request.stream) throw new Error('The stub does not stream');
	return request;
}

function completion(
	{ messages, tools }: ChatRequest,
	toolArguments: object,
	turns: readonly number[],
): object {
	const results = messages.filter(({ role }) => role === 'tool');
	const calls = callsAfter(turns, results.length);
	const name = tools?.[0]?.function.name ?? '';
	const call = { name, arguments: JSON.stringify(toolArguments) };
	const message =
		calls === undefined
			? {
					role: 'assistant',
					content: `The payroll says: ${JSON.stringify(results.at(-1)?.content)}`,
				}
			: {
					role: 'assistant',
					content: null,
					tool_calls: Array.from({ length: calls }, (_, index) => ({
						id: `call_${results.length + index + 1}`,
						type: 'function',
						function: call,
					})),
				};
	return {
		id: 'chatcmpl-1',
		object: 'chat.completion',
		created: 1,
		model: 'stub',
		choices: [{ index: 0, message, finish_reason: calls === undefined ? 'stop' : 'tool_calls' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

/** How many calls are due once so many have been answered; `undefined` at the end. */
function callsAfter([first, ...rest]: readonly number[], answered: number): number | undefined {
	if (first === undefined || answered <= 0) return first;
	return callsAfter(rest, answered - first);
}
