import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import type { Effect } from '../contract/operations';
import { cancelled, ServiceError } from '../errors/ServiceError';
import type { Connection } from './connection';
import { asksToRetry, parseRetryAfter, retryDelay, type Failure } from './retry';
import {
	ConnectionError,
	send,
	type ExchangeRequest,
	type ExchangeResponse,
	type Limits,
} from './send';
import { sessionOf } from './session';

/** What a reader makes of an answer. */
export interface Reading<T> {
	readonly value: T;
	/** Whether the answer says, by other means than HTTP 401, that the access token is not accepted. */
	readonly tokenRejected: boolean;
}

/** Sends a request until there is an answer to read; see {@link createExchange}. */
export type Exchange = <T>(
	request: ExchangeRequest,
	read: (response: ExchangeResponse) => Reading<T>,
) => Promise<T>;

/** How many different access tokens one request is tried with. */
const MAX_TOKENS = 3;

/** How soon a waiting call notices that its run was cancelled, in milliseconds. */
const PAUSE_STEP_MS = 200;

function unauthorized(): ServiceError {
	return new ServiceError('The payroll service does not accept the access token', {
		description: 'Check the subscription key and the scopes in the credential, then reconnect it.',
		httpStatus: 401,
	});
}

function slowIdentityServer(): ServiceError {
	return new ServiceError('The identity server did not answer in time', {
		description: 'The access token could not be renewed. Run again later.',
	});
}

function failureOf(response: ExchangeResponse): Failure {
	return {
		kind: 'status',
		status: response.status,
		retryAfterMs: parseRetryAfter(response.headers['retry-after'], Date.now()),
	};
}

/**
 * The exchange of one node run: signs and sends requests, renews the access token when it is
 * rejected or about to end, and repeats what may be repeated (design.md section 4).
 *
 * The returned function gives what `read` made of the answer; an answer with HTTP 401 is never
 * read, and one with 429, 502, 503 or 504 only after the last attempt.
 *
 * @throws {ServiceError} where there is no answer, or the token is not accepted
 * @throws {CancelledError} where the user cancelled the run
 */
export function createExchange(
	context: IExecuteFunctions,
	connection: Connection,
	limits: Limits,
): Exchange {
	const session = sessionOf(context);
	session.begin(connection.accessToken);

	/** Waits in short steps, since n8n's `sleep` cannot be ended by a cancelled run. */
	async function pause(milliseconds: number): Promise<void> {
		const end = Date.now() + milliseconds;
		for (let left = milliseconds; left > 0; left = end - Date.now()) {
			await sleep(Math.min(left, PAUSE_STEP_MS));
			if (context.getExecutionCancelSignal()?.aborted) throw cancelled();
		}
	}

	/** Waits for a renewal, no longer than for an answer; the renewal itself goes on for others. */
	async function within(renewal: Promise<void>): Promise<void> {
		const cancel = context.getExecutionCancelSignal();
		const deadline = AbortSignal.timeout(limits.timeoutMs);
		const signal = cancel === undefined ? deadline : AbortSignal.any([cancel, deadline]);
		let stop = (): void => {};
		const stopped = new Promise<void>((_, reject) => {
			stop = () => reject(cancel?.aborted ? cancelled() : slowIdentityServer());
			if (signal.aborted) stop();
			else signal.addEventListener('abort', stop);
		});
		try {
			await Promise.race([renewal, stopped]);
		} finally {
			signal.removeEventListener('abort', stop);
		}
	}

	/** Waits for the next attempt; gives `false` where there is none. */
	async function again(failure: Failure, effect: Effect, attempt: number): Promise<boolean> {
		const delay = retryDelay(failure, effect, attempt, Math.random());
		if (delay === undefined) return false;
		await pause(delay);
		return true;
	}

	return async (request, read) => {
		const rejected = new Set<string>();
		let attempt = 1;
		for (;;) {
			await within(session.prepare(context));
			const sent = await send(context, request, limits);
			if (sent instanceof ConnectionError) {
				const failure: Failure = { kind: sent.reached ? 'broken' : 'unreached' };
				if (!(await again(failure, request.effect, attempt))) throw sent;
				attempt += 1;
				continue;
			}
			const { response, token } = sent;
			if (asksToRetry(response.status)) {
				if (await again(failureOf(response), request.effect, attempt)) {
					attempt += 1;
					continue;
				}
			}
			const reading = response.status === 401 ? undefined : read(response);
			if (reading !== undefined && !reading.tokenRejected) {
				session.accepted(token);
				return reading.value;
			}
			// Never the same token twice, and never without end.
			if (rejected.has(token) || rejected.size + 1 >= MAX_TOKENS) {
				if (reading === undefined) throw unauthorized();
				return reading.value;
			}
			rejected.add(token);
			await within(session.renew(context, token));
		}
	};
}
