import type { Effect } from '../contract/soapOperation';
import type { AddressField, Connection } from '../credential/connection';
import type { RequestHost } from '../credential/requestHost';
import { ServiceError } from '../errors/ServiceError';
import { askedPause, asksToRetry, retrying } from '../http/retry';
import {
	send,
	type Answer,
	type ExchangeRequest,
	type ExchangeResponse,
	type Limits,
} from '../http/send';
import { unauthorized } from '../http/statusErrors';
import type { Session, SessionRun } from '../session/session';
import type { Tally } from '../session/tally';
import { hasExpired } from '../session/token';
import type { CallEnd } from './adaptiveLimit';
import { credentialStateOf } from './credentialState';

/** What reading an answer produced. */
export interface AnswerReading<T> {
	readonly value: T;
	/** Whether the answer rejects the access token in another way than HTTP 401. */
	readonly tokenRejected: boolean;
}

/**
 * Sends a request until there is an answer to read; see {@link createAccess}.
 *
 * @typeParam E the effects that its requests may have
 */
export type Exchange<E extends Effect = Effect> = <T>(
	request: ExchangeRequest<E>,
	read: (response: ExchangeResponse, hasTokenExpired: boolean) => AnswerReading<T>,
) => Promise<T>;

/** An exchange as code sees it that must not write. */
export type Reader = Exchange<'read'>;

/** Bounds of the calls of an exchange. */
export interface ExchangeLimits extends Limits {
	/** Whether there are only as many calls in flight as the service bears. */
	readonly isAdaptive: boolean;
}

/** What is needed to call the service with and without the access token. */
export interface ServiceAccess<E extends Effect = 'read'> extends SessionRun {
	readonly exchange: Exchange<E>;
	/** The session of the account. */
	readonly session: Session;
	readonly connection: Connection;
}

/** Maximum number of different access tokens for one request. */
const MAX_TOKENS = 3;

/** Returns what an attempt tells about the service's load. */
function endOf(sent: Answer | ServiceError): CallEnd {
	if (sent instanceof ServiceError) return 'dropped';
	const { response } = sent;
	if (asksToRetry(response.status)) {
		return askedPause(response) === undefined ? 'dropped' : 'throttled';
	}
	// A fault or a rejected token takes another time than a success.
	return response.status < 300 ? 'answered' : 'ignored';
}

/** Shorter secrets may be a part of data. */
const MIN_MASKED_LENGTH = 8;

/**
 * Masks the secrets of a request in its answer, as they are: they have no business in data. The
 * Domain may be part of data.
 */
function withoutSecrets(
	{ response, token }: Answer,
	{ subscriptionKey, clientSecret, refreshToken = '' }: Connection,
): Answer {
	const secrets = [token, subscriptionKey, clientSecret, refreshToken].filter(
		(secret) => secret.length >= MIN_MASKED_LENGTH && response.body.includes(secret),
	);
	if (secrets.length === 0) return { response, token };
	const masked = secrets.reduce(
		(text, secret) => text.replaceAll(Buffer.from(secret).toString('latin1'), '***'),
		response.body.toString('latin1'),
	);
	return { response: { ...response, body: Buffer.from(masked, 'latin1') }, token };
}

/** The error for a failed renewal. If a renewed token was rejected, the answer may say why. */
function renewalFailure(error: unknown, response: ExchangeResponse): unknown {
	const isRefusal = error instanceof ServiceError && error.httpStatus === 401;
	return isRefusal && response.status === 401 ? unauthorized(true, response) : error;
}

/**
 * Creates the access of a node run with one connection. Its exchange signs and sends requests,
 * renews the access token when it is rejected or about to expire, and retries what is safe to retry
 * (docs/dev/interface.md, section 5.3).
 *
 * The exchange resolves to what `read` made of the answer. `read` never receives an answer with
 * HTTP 401, and one with 429, 502, 503 or 504 only after the last attempt.
 *
 * @param limits bounds of each attempt, and whether the number of calls in flight adapts
 * @param tally counts the requests, retries and renewals of the run
 * @throws {ServiceError} by the exchange, if there is no answer or the token is not accepted
 * @throws {CancelledError} by the exchange, if the user cancelled the run
 */
export function createAccess(
	host: RequestHost,
	connection: Connection,
	limits: ExchangeLimits,
	tally: Tally,
): ServiceAccess<Effect> {
	const { pace, slots, sessions } = credentialStateOf(host.credentialId);
	const session = sessions.of(connection);
	session.begin(connection.accessToken);
	const signed = host.signed(() => session.token);
	const run: SessionRun = { host, limits, tally };

	/** Makes one attempt, once there is a place for it and it is its turn. */
	async function attempt(request: ExchangeRequest): Promise<Answer | ServiceError> {
		if (limits.isAdaptive) await slots.take(host.cancel);
		let start = 0;
		let end: CallEnd = 'ignored';
		try {
			const turn = pace.turn(host.cancel, connection.requestsPerSecond);
			if (turn !== undefined) await turn;
			const renewal = session.prepare(run);
			if (renewal !== undefined) await renewal;
			start = performance.now();
			const sent = await send(signed, request, limits);
			if (!(sent instanceof ServiceError)) pace.applyRetryAfter(sent.response);
			end = endOf(sent);
			return sent instanceof ServiceError ? sent : withoutSecrets(sent, connection);
		} finally {
			if (limits.isAdaptive) pace.pauseFor(slots.end(end, start));
		}
	}

	const origins: Readonly<Record<AddressField, string>> = {
		'Identity Address': new URL(connection.identityUrl).origin,
		'REST Address': new URL(connection.restUrl).origin,
		'SOAP Address': new URL(connection.soapUrl).origin,
	};

	const exchange: Exchange = async (request, read) => {
		if (new URL(request.url).origin !== origins[request.address]) {
			throw new TypeError(`A request to another host than that of '${request.address}'`);
		}
		const rejected = new Set<string>();
		const sendUntilRead = retrying(
			host.cancel,
			request.effect,
			async () => await attempt(request),
			() => (tally.retried += 1),
		);
		for (;;) {
			const { response, token } = await sendUntilRead();
			const reading = response.status === 401 ? undefined : read(response, hasExpired(token));
			if (reading !== undefined && !reading.tokenRejected) {
				session.markAccepted(token);
				return reading.value;
			}
			// Never send the same token twice, and stop after MAX_TOKENS tokens.
			if (rejected.has(token) || rejected.size + 1 >= MAX_TOKENS) {
				if (reading === undefined) throw unauthorized(false, response);
				return reading.value;
			}
			rejected.add(token);
			try {
				await session.renew(run, token, true);
			} catch (error) {
				throw renewalFailure(error, response);
			}
		}
	};
	return { ...run, connection, exchange, session };
}
