import type { IExecuteFunctions, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';
import { cancelled } from '../errors/ServiceError';
import type { Effect } from '../contract/operations';
import { CREDENTIAL, type AddressField } from './connection';
import { ConnectionError, interpret, lateError, tooLarge } from './failure';

/** One request, before it is signed. */
export interface ExchangeRequest {
	readonly method: IHttpRequestMethods;
	readonly url: string;
	/** Where the address comes from: whom the request goes to, and what to look at where it fails. */
	readonly address: AddressField;
	readonly headers: Readonly<Record<string, string>>;
	readonly query?: Readonly<Record<string, number>>;
	readonly body?: string;
	readonly effect: Effect;
}

/** One answer, whatever its status; header names are lower case. */
export interface ExchangeResponse {
	readonly status: number;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly body: Buffer;
}

/** An answer, and the access token that its request carried. */
export interface Answer {
	readonly response: ExchangeResponse;
	readonly token: string;
}

/** Bounds of one attempt. */
export interface Limits {
	readonly timeoutMs: number;
	readonly maxBytes: number;
}

async function readBody(body: unknown, address: AddressField, maxBytes: number): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body as AsyncIterable<Uint8Array>) {
		size += chunk.length;
		if (size > maxBytes) throw tooLarge(address, maxBytes);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks, size);
}

/** The token that signed the request: n8n puts it into the headers of the options it was given. */
function signingToken(options: IHttpRequestOptions): string {
	const header = options.headers?.Authorization;
	return typeof header === 'string' ? header.replace(/^Bearer /, '') : '';
}

/** Has n8n send a request, and gives what n8n makes of the answer; ends it with the signal. */
type Sender = (options: IHttpRequestOptions, signal: AbortSignal) => Promise<unknown>;

/** One attempt within its limits, whoever signs it. */
async function attempt(
	context: IExecuteFunctions,
	request: ExchangeRequest,
	{ timeoutMs, maxBytes }: Limits,
	sender: Sender,
): Promise<Pick<Answer, 'response'> | ConnectionError> {
	const { address } = request;
	const cancel = context.getExecutionCancelSignal();
	const deadline = AbortSignal.timeout(timeoutMs);
	const over = new AbortController();
	const signal = AbortSignal.any([
		...(cancel === undefined ? [] : [cancel]),
		deadline,
		over.signal,
	]);
	const options: IHttpRequestOptions = {
		method: request.method,
		url: request.url,
		headers: { ...request.headers },
		qs: { ...request.query },
		...(request.body === undefined ? {} : { body: request.body }),
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: timeoutMs,
	};
	try {
		const answer = (await sender(options, signal)) as {
			statusCode: number;
			headers: Record<string, unknown>;
			body: unknown;
		};
		const body = await readBody(answer.body, address, maxBytes);
		return { response: { status: answer.statusCode, headers: answer.headers, body } };
	} catch (error) {
		// Of an answer that was too large, the rest would keep the connection until the deadline.
		over.abort();
		if (cancel?.aborted) throw cancelled(request.effect);
		if (deadline.aborted) return lateError(address, timeoutMs);
		const failure = interpret(error, address);
		if (failure instanceof ConnectionError && failure.passing) return failure;
		throw failure;
	}
}

/**
 * Sends one request, signed by n8n with the node's credential, and reads the whole answer.
 * Redirects are not followed, so that no other address ever receives the token.
 *
 * @returns the answer and the access token that the request carried, or the failure of an attempt
 * that may go through a moment later
 * @throws {ServiceError} where no answer is to be had, or it was too large
 * @throws {CancelledError} where the user cancelled the run
 */
export async function send(
	context: IExecuteFunctions,
	request: ExchangeRequest,
	limits: Limits,
): Promise<Answer | ConnectionError> {
	let token = '';
	const sent = await attempt(context, request, limits, async (options, signal) => {
		// n8n puts the cancel signal of `this` on every request; ours ends it at the deadline too,
		// since its `timeout` only counts silence and a drop a second is no silence.
		const bounded = Object.create(context, {
			getExecutionCancelSignal: { value: () => signal },
		}) as IExecuteFunctions;
		const { httpRequestWithAuthentication } = context.helpers;
		const answer: unknown = await httpRequestWithAuthentication.call(bounded, CREDENTIAL, options);
		token = signingToken(options);
		return answer;
	});
	return sent instanceof ConnectionError ? sent : { ...sent, token };
}

/**
 * Sends one request as it is, without the access token, within the same limits as {@link send}.
 *
 * @returns the answer, or the failure of an attempt that may go through a moment later
 * @throws {ServiceError} where no answer is to be had, or it was too large
 * @throws {CancelledError} where the user cancelled the run
 */
export async function sendUnsigned(
	context: IExecuteFunctions,
	request: ExchangeRequest,
	limits: Limits,
): Promise<Pick<Answer, 'response'> | ConnectionError> {
	return await attempt(context, request, limits, async (options, abortSignal) => {
		return (await context.helpers.httpRequest({ ...options, abortSignal })) as unknown;
	});
}
