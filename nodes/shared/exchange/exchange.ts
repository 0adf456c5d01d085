import type { Effect } from '../contract/operation';
import { MIN_SECRET_LENGTH, type AddressField, type Connection } from '../credential/connection';
import { TOKEN_NOT_VALID_YET } from '../errors/advice';
import { serviceError } from '../errors/catalog';
import { LIMITS } from '../contract/limits';
import { ServiceError } from '../errors/ServiceError';
import { sentences } from '../errors/words';
import type { RequestHost, Sender } from '../host/requests';
import { inReadingTurn, pause } from '../http/wait';
import { asksToRetry, retryDelay } from '../http/retry';
import {
	send,
	type Answer,
	type ExchangeRequest,
	type ExchangeResponse,
	type Limits,
} from '../http/send';
import { BoundedMap } from '../http/boundedMap';
import { isWebPage, unauthorized } from '../http/failures';
import { beginsLater, Session, type SessionRun } from '../session/session';
import { Pace } from './pace';
import { Places, type CallEnd } from './places';
import { Subjects } from './subjects';

/**
 * What an answer other than HTTP 401 says of the access token: it refuses the call for its token, so
 * nothing was carried out; or it may mean a token of the service's own, and the call may have been
 * carried out.
 */
export type TokenVerdict = 'refused' | 'suspected';

/** An answer whose error names a token, perhaps that of the request. */
interface NamedToken {
	readonly token: TokenVerdict;
	readonly error: ServiceError;
}

/** What reading an answer produced: its value, or an error that names a token. */
export type AnswerReading<T> = { readonly value: T } | NamedToken;

type Read<T> = (response: ExchangeResponse) => AnswerReading<T>;

/**
 * Sends a request until there is an answer to read; see {@link createAccess}.
 *
 * @typeParam E the effects that its requests may have
 */
export type Exchange<E extends Effect = Effect> = <T>(
	request: ExchangeRequest<E>,
	read: Read<T>,
) => Promise<T>;

/** An exchange as code sees it that must not write. */
export type Reader = Exchange<'read'>;

/** Bounds of the calls of an exchange. */
export interface ExchangeLimits extends Limits {
	/** Whether the number of calls in flight adapts to the service. */
	readonly isAdaptive: boolean;
	/** Whether the run keeps what it reads: its answers are counted then. */
	readonly keepsAnswers?: boolean;
}

/** What is needed to call the service with and without the access token. */
export interface ServiceAccess<E extends Effect = 'read'> extends SessionRun {
	readonly exchange: Exchange<E>;
	/** Returns an exchange that makes a single attempt, of at most so many milliseconds. */
	readOnce(timeoutMs: number): Reader;
	/** One change at a time of each employee and company. */
	readonly subjects: Subjects;
	readonly session: Session;
	readonly connection: Connection;
}

/** What all runs with one credential share in this process. */
class CredentialState {
	readonly pace = new Pace();
	/** How many calls are in flight at first, and at most. */
	readonly places = { read: new Places(16, 32), write: new Places(8, 8) };
	readonly session = new Session();
	readonly subjects = new Subjects();
}

/** By the id of the credential. The three nodes share this module, and so this map. */
const states = new BoundedMap<string, CredentialState>(1000);

/** Returns the state of the credential with this id. */
export function credentialStateOf(id: string): CredentialState {
	return states.getOrCreate(id, () => new CredentialState());
}

/** Maximum number of different access tokens for one request. */
const MAX_TOKENS = 3;

/** What the steps of an exchange need. */
interface Line
	extends Omit<ServiceAccess, 'exchange' | 'readOnce' | 'subjects'>,
		Pick<CredentialState, 'pace' | 'places'> {
	readonly limits: ExchangeLimits;
	/** Whether transient failures are retried. */
	readonly retries: boolean;
	/** Signs and sends. */
	readonly sender: Sender;
	readonly ofRun: AnswersOfRun;
}

/** After so many calls in a row without an answer, a run sends the next ones once: the service is down. */
const MAX_UNANSWERED = 5;

/** What a run holds of its answers. */
class AnswersOfRun {
	/** How many calls in a row were not answered, by the service or by a gateway, however often they were sent. */
	unanswered = 0;
	/** For the large ones that are not read yet: they wait here while they arrive. */
	readonly unread = new Places(4, 4);
	/** How many elements, objects and lists began in those that were read. An estimate: texts can contain these characters. */
	private parts = 0;

	/** Counts those of an answer. @throws {ServiceError} if the run has more than it can hold */
	count(body: Uint8Array = new Uint8Array()): void {
		const [tag, end, object, list] = Buffer.from('</{[');
		// An iterator would take twenty times as long.
		for (let i = 0; i < body.length; i++) {
			const byte = body[i];
			if (byte === object || byte === list || (byte === tag && body[i + 1] !== end))
				this.parts += 1;
		}
		if (this.parts <= LIMITS.partsOfRun) return;
		const limit = `${LIMITS.partsOfRun} elements and objects in all answers of the run`;
		throw serviceError('ANSWER_TOO_LARGE/parts', { limit });
	}
}

/** The fields of a connection that hold the base addresses. */
const BASE_URLS = {
	'Identity Address': 'identityUrl',
	'REST Address': 'restUrl',
	'SOAP Address': 'soapUrl',
} as const satisfies Readonly<Record<AddressField, keyof Connection>>;

/**
 * Makes one attempt: when there is a place for it, when it is its turn, with a valid token.
 *
 * @param whenLarge waits until a large answer may be received
 */
async function makeAttempt(
	line: Line,
	request: ExchangeRequest,
	whenLarge: () => Promise<void>,
): Promise<Answer | ServiceError> {
	const { host, limits, connection, session, pace } = line;
	const places = line.places[request.effect];
	if (limits.isAdaptive) await places.take(host.cancel);
	let [end, began]: [CallEnd, number] = ['aborted', 0];
	try {
		await pace.turn(host.cancel, connection.requestsPerSecond);
		await session.prepare(line);
		began = performance.now();
		const sent = await send(line.sender, request, limits, whenLarge);
		const isLost = sent instanceof ServiceError;
		end = isLost || asksToRetry(sent.response) ? 'refused' : 'answered';
		if (end === 'refused' && !isLost) pace.applyRetryAfter(sent.response);
		return sent;
	} finally {
		if (limits.isAdaptive) places.leave(end, began);
	}
}

/** Returns an answer without the secrets of its request, which must not become data. */
function withoutSecrets({ response, token }: Answer, { secrets }: Connection): Answer {
	let { body } = response;
	for (const secret of [token, ...secrets]) {
		if (secret.length < MIN_SECRET_LENGTH || !body.includes(secret)) continue;
		const found = Buffer.from(secret).toString('latin1');
		body = Buffer.from(body.toString('latin1').replaceAll(found, '***'), 'latin1');
	}
	return { response: { ...response, body }, token };
}

/**
 * Reads an answer. Without a result, it may be, or lead to, a page to log in: a service may send one to a
 * token that has expired. HTTP 403 and 498 refuse the call.
 *
 * @returns `undefined` if HTTP 401 rejects the token
 */
function readAnswer<T>(response: ExchangeResponse, read: Read<T>): AnswerReading<T> | undefined {
	const { status } = response;
	if (status === 401) return undefined;
	let reading: AnswerReading<T> | undefined;
	let error: unknown;
	try {
		reading = read(response);
		// A list takes the error of a page as its value.
		if (!('value' in reading) || !(reading.value instanceof ServiceError)) return reading;
		error = reading.value;
	} catch (thrown) {
		error = thrown;
	}
	const isPage = [200, 403].includes(status) && isWebPage(response);
	const isRefused = status === 498 || (status === 403 && isPage);
	if (error instanceof ServiceError && (isRefused || status === 302 || isPage)) {
		return { token: isRefused ? 'refused' : 'suspected', error };
	}
	if (reading === undefined) throw error;
	return reading;
}

/** Adds to the error for a rejected token that it may begin in the future. */
function withClock(error: ServiceError, { token, response }: Answer): ServiceError {
	if (!beginsLater(token, response.headers.date)) return error;
	return error.with({ description: sentences(TOKEN_NOT_VALID_YET, error.description) });
}

/** Whether a write may have been applied by its answer's own words, which count before the status. */
function isInDoubt<T>({ response }: Answer, read: Read<T>): boolean {
	try {
		const reading = read(response);
		return 'error' in reading && reading.error.outcome !== 'notApplied';
	} catch (error) {
		return error instanceof ServiceError && error.outcome !== 'notApplied';
	}
}

/** Whether an address is below another one, also for a proxy that decodes it: `/pay-evil` is not below `/pay`. */
export function isBelow(address: string, base: string): boolean {
	const [{ origin, pathname }, own] = [new URL(address), new URL(base)];
	const path = pathname.replace(/%2e/gi, '.').replace(/%(?:2f|5c)/gi, '/');
	const start = own.pathname.replace(/\/$/, '');
	const isOwn = path === start || path.startsWith(`${start}/`);
	return origin === own.origin && isOwn && !/\/\.\.?(?:[/;]|$)/.test(path);
}

/** An answer and what it says; or how long to wait before the request is sent again. */
type Attempt<T> =
	| { readonly answer: Answer; readonly reading: AnswerReading<T> | undefined }
	| { readonly answer?: undefined; readonly delay: number };

/** Makes an attempt, and reads its answer. */
async function attempt<T>(
	line: Line,
	request: ExchangeRequest,
	read: Read<T>,
	number: number,
): Promise<Attempt<T>> {
	const { host, ofRun, connection, retries } = line;
	const isRead = request.effect === 'read';
	const isKept = isRead && line.limits.keepsAnswers === true;
	if (isKept) ofRun.count();
	let isLarge = false;
	const whenLarge = async (): Promise<void> => {
		await ofRun.unread.take(host.cancel);
		isLarge = true;
	};
	try {
		const sent = await makeAttempt(line, request, whenLarge);
		const isRetried = retries && ofRun.unanswered < MAX_UNANSWERED;
		const delay = isRetried ? retryDelay(sent, request.effect, number) : undefined;
		const isLost = sent instanceof ServiceError || [502, 503, 504].includes(sent.response.status);
		if (!isLost) ofRun.unanswered = 0;
		else if (retries && delay === undefined) ofRun.unanswered += 1;
		if (sent instanceof ServiceError) {
			if (delay === undefined) throw sent;
			return { delay };
		}
		return await inReadingTurn(sent.response.body, () => {
			if (isKept) ofRun.count();
			const answer = withoutSecrets(sent, connection);
			if (delay !== undefined && (isRead || !isInDoubt(answer, read))) return { delay };
			const reading = readAnswer(answer.response, read);
			if (isKept) ofRun.count(answer.response.body);
			return { answer, reading };
		});
	} finally {
		if (isLarge) ofRun.unread.leave('aborted', 0);
	}
}

/** Makes attempts until there is an answer to read, also with other tokens if one is rejected. */
async function exchange<T>(line: Line, request: ExchangeRequest, read: Read<T>): Promise<T> {
	const { connection, session, host } = line;
	const { url, address, effect } = request;
	// The token is sent to no other address than below that of the credential.
	if (!isBelow(url, connection[BASE_URLS[address]])) {
		throw new TypeError(`A request to an address that is not below '${address}'`);
	}
	const tried = new Set<string>();
	let [wasRefused, retries] = [false, 0];
	for (;;) {
		const made = await attempt(line, request, read, retries + 1);
		if (made.answer === undefined) {
			retries += 1;
			await pause(host.cancel, made.delay);
			continue;
		}
		const { answer, reading } = made;
		const { response, token } = answer;
		if (reading !== undefined && 'value' in reading) {
			session.markAccepted(token, wasRefused);
			return reading.value;
		}
		// Never send the same token twice, and stop after MAX_TOKENS tokens.
		const error = withClock(reading?.error ?? unauthorized(false, response), answer);
		if (tried.has(token) || tried.size + 1 >= MAX_TOKENS) throw error;
		tried.add(token);
		wasRefused = reading?.token === 'refused';
		const isUndone = reading?.token !== 'suspected' || effect === 'read';
		const renewal =
			reading === undefined
				? session.renew(line, token, true).then(() => true)
				: session.renewInDoubt(line, token);
		const isOther = await renewal.catch((failure: unknown) => {
			if (!(failure instanceof ServiceError)) throw isUndone ? failure : error;
			const { httpStatus, message, description } = failure;
			if (reading === undefined) {
				// The token was just renewed. The answer may say why it is rejected.
				throw httpStatus === 401 ? withClock(unauthorized(true, response), answer) : failure;
			}
			throw error.with({ description: sentences(error.description, `${message}.`, description) });
		});
		if (!isOther || !isUndone) throw error;
	}
}

/**
 * Creates the access of a node run with one connection. Its exchange signs and sends requests,
 * renews the access token when it is rejected or about to expire, and retries what is safe to retry
 * (docs/dev/interface.md, section 5.3).
 *
 * The exchange resolves to what `read` made of the answer. `read` never receives an answer with
 * HTTP 401. For a write that is retried, it also reads the answers before the last.
 *
 * @throws {ServiceError} by the exchange, if there is no answer or the token is not accepted
 * @throws {CancelledError} by the exchange, if the user cancelled the run
 */
export function createAccess(
	host: RequestHost,
	connection: Connection,
	limits: ExchangeLimits,
): ServiceAccess<Effect> {
	const { pace, places, session, subjects } = credentialStateOf(host.credentialId);
	session.begin(connection);
	const access = { host, limits, connection, session, subjects };
	const ofRun = new AnswersOfRun();
	const sender = host.signed(() => session.token);
	const line = { ...access, pace, places, retries: true, sender, ofRun };
	return {
		...access,
		exchange: async (request, read) => await exchange(line, request, read),
		readOnce: (timeoutMs) => {
			const brief = { ...limits, timeoutMs: Math.min(limits.timeoutMs, timeoutMs) };
			const once = { ...line, limits: brief, retries: false };
			return async (request, read) => await exchange(once, request, read);
		},
	};
}
