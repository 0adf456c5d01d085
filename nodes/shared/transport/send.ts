import type { IExecuteFunctions, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';
import { cancelled, ServiceError } from '../errors/ServiceError';
import type { Effect } from '../contract/operations';
import { CREDENTIAL } from './connection';

/** One request, before it is signed. */
export interface ExchangeRequest {
	readonly method: IHttpRequestMethods;
	readonly url: string;
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

/** An attempt that brought no answer; `reached` tells whether the service may have received it. */
export class ConnectionError extends ServiceError {
	constructor(
		message: string,
		description: string,
		readonly reached: boolean,
		/** Whether the same request may go through a moment later. */
		readonly passing: boolean,
	) {
		super(message, { description, outcome: reached ? 'unknown' : 'notApplied' });
	}
}

const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
const TLS = /^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/;
const BROKEN = /^(E[A-Z]+|HPE_.*|Z_.*|ERR_STREAM_PREMATURE_CLOSE|ERR_NETWORK|ERR_BAD_RESPONSE)$/;

/** The system's code of a failure; n8n wraps the error it met, so the causes are looked at too. */
function codeOf(error: unknown): string | undefined {
	let link = error;
	for (let depth = 0; depth < 5 && typeof link === 'object' && link !== null; depth += 1) {
		const { code, cause } = link as { code?: unknown; cause?: unknown };
		if (typeof code === 'string') return code;
		link = cause;
	}
	return undefined;
}

/** What a failed request means: an error to throw, or an attempt that may be repeated. */
function interpret(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	const code = codeOf(error) ?? '';
	if (UNREACHED.has(code)) {
		const what = code === 'ECONNREFUSED' ? 'refused the connection' : 'was not found';
		return new ConnectionError(
			`The payroll service ${what}`,
			'Check the addresses in the credential, and whether the service is available.',
			false,
			true,
		);
	}
	if (TLS.test(code)) {
		return new ConnectionError(
			'No secure connection to the payroll service could be made',
			`Its certificate or encryption was not accepted (${code}). Check the addresses in the credential.`,
			false,
			false,
		);
	}
	if (BROKEN.test(code)) {
		return new ConnectionError(
			'The connection to the payroll service broke',
			`It ended before the answer was complete (${code}).`,
			true,
			true,
		);
	}
	return new ServiceError('The request to the payroll service failed', {
		description: 'n8n could not carry it out. Check the addresses in the credential.',
		outcome: 'unknown',
	});
}

function lateError(timeoutMs: number): ConnectionError {
	return new ConnectionError(
		'The payroll service did not answer in time',
		`The answer was not complete after ${timeoutMs / 1000} seconds. Raise "Timeout" in the node's options if that is expected.`,
		true,
		true,
	);
}

async function readBody(body: unknown, maxBytes: number): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body as AsyncIterable<Uint8Array>) {
		size += chunk.length;
		if (size > maxBytes) {
			throw new ServiceError('The answer of the payroll service is too large', {
				description: `It is larger than ${maxBytes} bytes. Raise "Response Size Limit" in the node's options if that is expected.`,
				outcome: 'unknown',
			});
		}
		chunks.push(chunk);
	}
	return Buffer.concat(chunks, size);
}

/** The token that signed the request: n8n puts it into the headers of the options it was given. */
function signingToken(options: IHttpRequestOptions): string {
	const header = options.headers?.Authorization;
	return typeof header === 'string' ? header.replace(/^Bearer /, '') : '';
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
	const cancel = context.getExecutionCancelSignal();
	const deadline = AbortSignal.timeout(limits.timeoutMs);
	const over = new AbortController();
	const signal = AbortSignal.any([
		...(cancel === undefined ? [] : [cancel]),
		deadline,
		over.signal,
	]);
	// n8n puts the cancel signal of `this` on every request; ours ends it at the deadline too,
	// since its `timeout` only counts silence and a drop a second is no silence.
	const bounded = Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IExecuteFunctions;
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
		timeout: limits.timeoutMs,
	};
	try {
		const answer = (await context.helpers.httpRequestWithAuthentication.call(
			bounded,
			CREDENTIAL,
			options,
		)) as { statusCode: number; headers: Record<string, unknown>; body: unknown };
		const body = await readBody(answer.body, limits.maxBytes);
		return {
			response: { status: answer.statusCode, headers: answer.headers, body },
			token: signingToken(options),
		};
	} catch (error) {
		if (cancel?.aborted) throw cancelled();
		if (deadline.aborted) return lateError(limits.timeoutMs);
		const failure = interpret(error);
		if (failure instanceof ConnectionError && failure.passing) return failure;
		throw failure;
	} finally {
		// Of an answer that was too large, the rest would keep the connection until the deadline.
		over.abort();
	}
}
