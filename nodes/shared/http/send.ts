import {
	sleep,
	type ICredentialDataDecryptedObject,
	type IHttpRequestMethods,
	type IHttpRequestOptions,
} from 'n8n-workflow';
import type { Effect } from '../contract/soapOperation';
import { CREDENTIAL, tokensOf, type AddressField } from '../credential/connection';
import { CancelledError, ServiceError } from '../errors/ServiceError';
import { derive, type RequestContext } from '../host/context';
import { wholeMilliseconds, withDeadline } from './deadline';
import { codeOf, interpret, lateError, tooLarge } from './networkErrors';

/** A request before it is signed. */
export interface ExchangeRequest<E extends Effect = Effect> {
	readonly method: IHttpRequestMethods;
	readonly url: string;
	/**
	 * Field that holds the base address. Errors use it to name the recipient and the field to check.
	 */
	readonly address: AddressField;
	readonly headers: Readonly<Record<string, string>>;
	readonly query?: Readonly<Record<string, number>>;
	readonly body?: string;
	readonly effect: E;
	/** Maximum size of the answer, if it is less than that of any answer of the run. */
	readonly maxBytes?: number;
}

/** An answer of any status; header names are in lower case. */
export interface ExchangeResponse {
	readonly status: number;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly body: Buffer;
}

/** An answer, with the access token that its request carried. */
export interface Answer {
	readonly response: ExchangeResponse;
	readonly token: string;
}

/** An answer, or the failure of an attempt that may succeed later. */
type Sent = Pick<Answer, 'response'> | ServiceError;

/** Bounds of one attempt. */
export interface Limits {
	readonly timeoutMs: number;
	readonly maxBytes: number;
}

/**
 * Larger answers, in bytes, are received and read one at a time in this process: many together would
 * take all of its memory.
 */
const LARGE_BYTES = 4 * 2 ** 20;

/** Ends when the last large answer has been read. */
let lastTurn: Promise<void> = Promise.resolve();

/** A wait for the turn of a large answer. It does not count for the timeout. */
interface Line {
	isWaiting: boolean;
	/** Whether there was a wait since the timeout began. */
	hasWaited: boolean;
}

/** Waits for the turn of a large answer; returns a function that ends the turn. */
async function takeTurn(line: Line): Promise<() => void> {
	const before = lastTurn;
	let end = (): void => {};
	lastTurn = new Promise((resolve) => (end = resolve));
	line.isWaiting = line.hasWaited = true;
	await before;
	line.isWaiting = false;
	return end;
}

async function readBody(
	body: AsyncIterable<Uint8Array>,
	address: AddressField,
	maxBytes: number,
	line: Line,
): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	let endTurn: (() => void) | undefined;
	try {
		for await (const chunk of body) {
			size += chunk.length;
			if (size > maxBytes) throw tooLarge(address, maxBytes);
			if (size > LARGE_BYTES) endTurn ??= await takeTurn(line);
			chunks.push(chunk);
		}
		return Buffer.concat(chunks, size);
	} finally {
		// The caller reads the answer at once, before any timer.
		if (endTurn !== undefined) void sleep(0).then(endTurn);
	}
}

/** Sends a request through n8n and resolves to n8n's answer; the signal aborts the request. */
type Sender = (options: IHttpRequestOptions, signal: AbortSignal) => Promise<unknown>;

/** An answer as n8n returns it. */
interface HostAnswer {
	readonly statusCode: number;
	readonly headers: Record<string, unknown>;
	readonly body: AsyncIterable<Uint8Array> & { destroy?(): void };
}

/** Waits for an answer and reads its body; the body is dropped when `over` aborts. */
async function receive(
	answering: Promise<unknown>,
	{ address }: ExchangeRequest,
	maxBytes: number,
	line: Line,
	over: AbortSignal,
): Promise<Pick<Answer, 'response'>> {
	const { statusCode, headers, body } = (await answering) as HostAnswer;
	// Read in any case: destroying a stream that was never read does not close its source.
	const reading = readBody(body, address, maxBytes, line);
	const drop = (): void => body.destroy?.();
	if (over.aborted) drop();
	over.addEventListener('abort', drop);
	return { response: { status: statusCode, headers, body: await reading } };
}

/**
 * Returns the answer that an error holds, if any. When n8n 2's AI builder evaluates a workflow, n8n
 * answers the requests itself, and throws answers with an error status despite
 * `ignoreHttpStatusErrors`.
 */
function answerIn(error: unknown): ExchangeResponse | undefined {
	// The error of a request that was really sent has a code.
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

/** The error for a run that was cancelled during a call. */
function cancelledDuring(effect: Effect): CancelledError {
	return new CancelledError(effect === 'write' ? 'unknown' : 'notApplied');
}

/** Makes one attempt within its limits; `sender` signs the request or leaves it unsigned. */
async function attempt(
	context: RequestContext,
	request: ExchangeRequest,
	limits: Limits,
	sender: Sender,
): Promise<Sent> {
	const { address } = request;
	const timeout = wholeMilliseconds(limits.timeoutMs);
	const maxBytes = Math.min(limits.maxBytes, request.maxBytes ?? Infinity);
	const cancel = context.getExecutionCancelSignal();
	if (cancel?.aborted) throw new CancelledError();
	const over = new AbortController();
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
		const line: Line = { isWaiting: false, hasWaited: false };
		const answer = receive(sender(options, over.signal), request, maxBytes, line, over.signal);
		do {
			line.hasWaited = line.isWaiting;
			const sent = await withDeadline(cancel, timeout, answer, () => undefined);
			if (sent !== undefined) return sent;
		} while (line.hasWaited);
		over.abort();
		return lateError(address, timeout);
	} catch (error) {
		// The rest of an answer that is too large would keep the connection open.
		over.abort();
		if (cancel?.aborted) throw cancelledDuring(request.effect);
		const response = answerIn(error);
		if (response !== undefined) return { response };
		const failure = interpret(error, address);
		if (failure.isTransient) return failure;
		throw failure;
	}
}

/**
 * Sends one request, signed by n8n with the node's credential, and reads the whole answer. Does not
 * follow redirects, so that no other address receives the token.
 *
 * @returns the answer and the access token that the request carried, or the failure of an attempt
 * that may succeed later
 * @throws {ServiceError} if there is no answer and a retry is useless, or the answer is too large
 * @throws {CancelledError} if the user cancelled the run
 */
export async function send(
	context: RequestContext,
	request: ExchangeRequest,
	limits: Limits,
): Promise<Answer | ServiceError> {
	let token = '';
	const getCredentials: RequestContext['getCredentials'] = async (...args) => {
		const data = await context.getCredentials<ICredentialDataDecryptedObject>(...args);
		token = tokensOf(data).accessToken ?? '';
		return data as never;
	};
	const sent = await attempt(context, request, limits, async (options, signal) => {
		// n8n puts the cancel signal of `this` on every request. The signal of this attempt also aborts
		// at the deadline, since n8n's `timeout` measures silence only, and an occasional byte ends a
		// silence. The token that signs the request is the one in the credential that n8n receives for
		// it.
		const bounded = derive(context, { getExecutionCancelSignal: () => signal, getCredentials });
		const { httpRequestWithAuthentication } = context.helpers;
		return (await httpRequestWithAuthentication.call(bounded, CREDENTIAL, options)) as unknown;
	});
	return sent instanceof ServiceError ? sent : { ...sent, token };
}

/**
 * Sends one request unsigned, without the access token, within the same limits as {@link send}.
 *
 * @returns the answer, or the failure of an attempt that may succeed later
 * @throws {ServiceError} if there is no answer and a retry is useless, or the answer is too large
 * @throws {CancelledError} if the user cancelled the run
 */
export async function sendUnsigned(
	context: RequestContext,
	request: ExchangeRequest,
	limits: Limits,
): Promise<Sent> {
	return await attempt(context, request, limits, async (options, abortSignal) => {
		return (await context.helpers.httpRequest({ ...options, abortSignal })) as unknown;
	});
}
