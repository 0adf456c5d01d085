import type { IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';
import type { Effect } from '../contract/operation';
import type { AddressField } from '../credential/connection';
import { CancelledError, ServiceError, serviceError } from '../errors/ServiceError';
import type { RequestHost } from '../host/requests';
import type { ExchangeResponse } from './answer';
import { interpret, retryDelay } from './failures';
import { pause, withDeadline } from './wait';

/** A request before it is signed. */
export interface ExchangeRequest<E extends Effect = Effect> {
	readonly method: IHttpRequestMethods;
	readonly url: string;
	/** Field that holds the base address. Errors use it to name the recipient and the field to check. */
	readonly address: AddressField;
	readonly headers: Readonly<Record<string, string>>;
	readonly query?: Readonly<Record<string, number>>;
	readonly body?: string;
	readonly effect: E;
	/** Maximum size of the answer, if it is less than that of any answer of the run. */
	readonly maxBytes?: number;
}

/** An answer, with the access token that its request carried; empty if it carried none. */
export interface Answer extends ExchangeResponse {
	readonly token: string;
}

export interface Limits {
	readonly timeoutMs: number;
	readonly maxBytes: number;
}

/** Bytes of an answer of which a run holds few at once. */
const LARGE = 2 ** 20;

/**
 * Sends one request, and reads the whole answer. Does not follow redirects, so that no other address
 * receives the token.
 *
 * @param currentToken returns the session's access token; without it, the request carries none
 * @param whenLarge waits until the rest of a large answer may be received; its time is not that of the service
 * @returns the answer, or the failure of an attempt that may succeed later
 * @throws {ServiceError} if there is no answer and a retry is useless, or the answer is too large
 */
export async function send(
	host: RequestHost,
	request: ExchangeRequest,
	limits: Limits,
	currentToken?: () => string | undefined,
	whenLarge?: () => Promise<void>,
): Promise<Answer | ServiceError> {
	const { address } = request;
	// 16.1 s are 16100.000000000002 ms, and n8n takes whole ones.
	const timeout = Math.max(1, Math.round(limits.timeoutMs));
	const maxBytes = Math.min(limits.maxBytes, request.maxBytes ?? Infinity);
	const { cancel } = host;
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
	let [waited, waitingSince] = [0, Infinity];
	const receive = async (): Promise<Answer> => {
		const { answer, token } = await host.send(options, over.signal, currentToken);
		const { statusCode: status, headers, body } = answer;
		const drop = (): void => body.destroy?.();
		// Read in any case: destroying a stream that was never read does not close its source.
		if (over.signal.aborted) queueMicrotask(drop);
		over.signal.addEventListener('abort', drop);
		const chunks: Uint8Array[] = [];
		let size = 0;
		for await (const chunk of body) {
			const before = size;
			size += chunk.length;
			if (size > maxBytes) {
				throw serviceError('ANSWER_TOO_LARGE', { field: address, bytes: maxBytes });
			}
			chunks.push(chunk);
			if (before > LARGE || size <= LARGE) continue;
			waitingSince = performance.now();
			await whenLarge?.();
			waited += performance.now() - waitingSince;
			waitingSince = Infinity;
		}
		return { status, headers, body: Buffer.concat(chunks, size), token };
	};
	try {
		const received = receive();
		for (let [left, given] = [timeout, 0]; left > 0; given += left) {
			const sent = await withDeadline(cancel, left, received, () => undefined);
			if (sent !== undefined) return sent;
			left = Math.round(waited + Math.max(0, performance.now() - waitingSince)) - given;
		}
		over.abort();
		return serviceError('ANSWER_TIMEOUT', { field: address, seconds: timeout / 1000 });
	} catch (error) {
		// The rest of an answer that is too large would keep the connection open.
		over.abort();
		const failure = cancel?.aborted
			? new CancelledError(request.effect === 'write' ? 'unknown' : 'notApplied')
			: interpret(error, address);
		if (failure instanceof ServiceError && failure.isTransient) return failure;
		throw failure;
	}
}

/** Sends a request without the access token, and retries it if that is safe. @throws {ServiceError} if there is no answer */
export async function exchangeUnsigned(
	host: RequestHost,
	request: ExchangeRequest,
	limits: Limits,
): Promise<ExchangeResponse> {
	for (let attempt = 1; ; attempt += 1) {
		const sent = await send(host, request, limits);
		const delay = retryDelay(sent, request.effect, attempt);
		if (delay !== undefined) await pause(host.cancel, delay);
		else if (sent instanceof ServiceError) throw sent;
		else return sent;
	}
}
