import type {
	ICredentialDataDecryptedObject,
	IHttpRequestMethods,
	IHttpRequestOptions,
} from 'n8n-workflow';
import type { Effect } from '../contract/soapOperation';
import { CancelledError } from '../errors/ServiceError';
import { accessTokenOf, CREDENTIAL, type AddressField } from './connection';
import { derive, type TransportContext } from './context';
import { startDeadline, wholeMilliseconds } from './deadline';
import { codeOf, ConnectionError, interpret, lateError, tooLarge } from './networkErrors';

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

async function readBody(
	body: AsyncIterable<Uint8Array>,
	address: AddressField,
	maxBytes: number,
): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body) {
		size += chunk.length;
		if (size > maxBytes) throw tooLarge(address, maxBytes);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks, size);
}

/** Has n8n send a request, and gives what n8n makes of the answer; ends it with the signal. */
type Sender = (options: IHttpRequestOptions, signal: AbortSignal) => Promise<unknown>;

/** An answer as n8n gives it. */
interface HostAnswer {
	readonly statusCode: number;
	readonly headers: Record<string, unknown>;
	readonly body: AsyncIterable<Uint8Array> & { destroy?(): void };
}

/** Waits for an answer and reads it; one that nobody waits for any longer is dropped. */
async function receive(
	answering: Promise<unknown>,
	{ address }: ExchangeRequest,
	maxBytes: number,
	over: AbortSignal,
): Promise<Pick<Answer, 'response'>> {
	const { statusCode, headers, body } = (await answering) as HostAnswer;
	// Begun in any case: the source of a stream that was never read is not closed with it.
	const reading = readBody(body, address, maxBytes);
	const drop = (): void => body.destroy?.();
	if (over.aborted) drop();
	over.addEventListener('abort', drop);
	return { response: { status: statusCode, headers, body: await reading } };
}

/**
 * The answer in an error, if there is one. n8n 2 answers the requests of a workflow that its AI builder
 * evaluates itself, and throws an answer with an error status, whatever the request asked for.
 */
function answerIn(error: unknown): ExchangeResponse | undefined {
	// A request that was really sent fails with a code.
	if (codeOf(error) !== undefined) return undefined;
	const { response } = Object(error) as { response?: unknown };
	const { status, headers, data } = Object(response) as Record<string, unknown>;
	if (typeof status !== 'number') return undefined;
	const body =
		typeof data === 'string' || Buffer.isBuffer(data) ? data : JSON.stringify(data ?? '');
	return {
		status,
		headers: Object(headers) as ExchangeResponse['headers'],
		body: Buffer.from(body),
	};
}

/** The error of a run that was cancelled while a call was under way. */
function cancelledDuring(effect: Effect): CancelledError {
	return new CancelledError(effect === 'write' ? 'unknown' : 'notApplied');
}

/** One attempt within its limits, whoever signs it. */
async function attempt(
	context: TransportContext,
	request: ExchangeRequest,
	{ timeoutMs, maxBytes }: Limits,
	sender: Sender,
): Promise<Pick<Answer, 'response'> | ConnectionError> {
	const { address } = request;
	const timeout = wholeMilliseconds(timeoutMs);
	const cancel = context.getExecutionCancelSignal();
	const deadline = startDeadline(context, timeout, () => lateError(address, timeout));
	const over = new AbortController();
	const signal = AbortSignal.any([
		...(cancel === undefined ? [] : [cancel]),
		deadline.signal,
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
		timeout,
	};
	try {
		const answer = receive(sender(options, signal), request, maxBytes, over.signal);
		// A host may take no notice of the signal.
		return await Promise.race([answer, deadline.ended]);
	} catch (error) {
		// The rest of an answer that was too large, or of one that is late, would keep the connection.
		over.abort();
		if (cancel?.aborted) throw cancelledDuring(request.effect);
		if (deadline.signal.aborted) return lateError(address, timeout);
		const response = answerIn(error);
		if (response !== undefined) return { response };
		const failure = interpret(error, address);
		if (failure instanceof ConnectionError && failure.passing) return failure;
		throw failure;
	} finally {
		deadline.release();
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
	context: TransportContext,
	request: ExchangeRequest,
	limits: Limits,
): Promise<Answer | ConnectionError> {
	let token = '';
	const getCredentials: TransportContext['getCredentials'] = async (...args) => {
		const data = await context.getCredentials<ICredentialDataDecryptedObject>(...args);
		token = accessTokenOf(data) ?? '';
		return data as never;
	};
	const sent = await attempt(context, request, limits, async (options, signal) => {
		// n8n puts the cancel signal of `this` on every request; ours ends it at the deadline too,
		// since its `timeout` counts silence only, and a byte now and then is no silence. The token
		// that signs the request is that of the credential given to n8n for it.
		const bounded = derive(context, { getExecutionCancelSignal: () => signal, getCredentials });
		const { httpRequestWithAuthentication } = context.helpers;
		return (await httpRequestWithAuthentication.call(bounded, CREDENTIAL, options)) as unknown;
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
	context: TransportContext,
	request: ExchangeRequest,
	limits: Limits,
): Promise<Pick<Answer, 'response'> | ConnectionError> {
	return await attempt(context, request, limits, async (options, abortSignal) => {
		return (await context.helpers.httpRequest({ ...options, abortSignal })) as unknown;
	});
}
