import { sleep } from 'n8n-workflow';
import { LIMITS } from '../contract/limits';
import type { Effect } from '../contract/operation';
import {
	type AddressField,
	type Connection,
	isBelow,
	MIN_SECRET_LENGTH,
} from '../credential/connection';
import { TOKEN } from '../errors/phrases';
import { ServiceError, serviceError } from '../errors/ServiceError';
import type { RequestHost } from '../host/requests';
import { type ExchangeResponse, isWebPage } from '../http/answer';
import { asksToRetry, retryDelay, statusError } from '../http/failures';
import { send, type Answer, type ExchangeRequest, type Limits } from '../http/send';
import { pause } from '../http/wait';
import type { SessionRun } from '../session/session';
import { type CallEnd, type CredentialState, credentialStateOf, Places } from './account';

/** Returns the value of an answer. @throws {ServiceError} if it has none */
type Read<T> = (response: ExchangeResponse) => T;

/** Sends a request until there is an answer to read; see {@link createAccess}. */
export type Exchange<E extends Effect = Effect> = <T>(
	request: ExchangeRequest<E>,
	read: Read<T>,
) => Promise<T>;

/** An exchange of code that must not write. */
export type Reader = Exchange<'read'>;

interface ExchangeLimits extends Limits {
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
	readonly subjects: CredentialState['subjects'];
	readonly session: CredentialState['session'];
	readonly connection: Connection;
}

const MAX_TOKENS = 3;

/** After so many calls in a row without an answer, a run sends the next ones once: the service is down. */
const MAX_UNANSWERED = 5;

/** What a run holds of its answers. */
class AnswersOfRun {
	/** How many calls in a row were not answered, by the service or by a gateway, however often they were sent. */
	unanswered = 0;
	/** For the large ones that are not read yet: they wait here while they arrive. */
	readonly unread = new Places(4);
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

/** What the attempts of an exchange need. */
interface Line extends CredentialState, Pick<ServiceAccess, 'connection' | 'host'> {
	readonly limits: ExchangeLimits;
	readonly retries: boolean;
	readonly ofRun: AnswersOfRun;
}

const BASE_URLS = {
	'Identity Address': 'identityUrl',
	'REST Address': 'restUrl',
	'SOAP Address': 'soapUrl',
} as const satisfies Readonly<Record<AddressField, keyof Connection>>;

/** Bytes of an answer that is read within a few milliseconds, and within a tenth of a second. */
const [LARGE, HUGE] = [2 ** 16, 2 ** 20];

/** Time for n8n's other work, which takes several turns of the event loop, in milliseconds. */
const BREATH_MS = 25;

const turnsOfLargeAnswers = new Places(1);

/** Reads an answer. Large ones are read one by one, with time for other work between them: many may arrive at once. */
export async function inReadingTurn<T>({ length }: Uint8Array, read: () => T): Promise<T> {
	if (length <= LARGE) return read();
	await turnsOfLargeAnswers.take(undefined);
	try {
		await sleep(length > HUGE ? BREATH_MS : 0);
		return read();
	} finally {
		turnsOfLargeAnswers.leave();
	}
}

type Said<T> = { readonly value: T } | { readonly error: unknown };

/**
 * Reads an answer, and adds to its error what it says of the token. Without a result, it may be, or lead to, a
 * page to log in: a service may send one to a token that has expired. With HTTP 403 that names the token, or 498, it
 * refuses the call.
 */
export function judgeAnswer<T>(
	response: ExchangeResponse,
	address: AddressField,
	read: Read<T>,
): Said<T> {
	const { status } = response;
	let said: Said<T>;
	try {
		said = { value: read(response) };
	} catch (error) {
		said = { error };
	}
	// A list takes the error of a page as its value.
	const error: unknown = 'value' in said ? said.value : said.error;
	if (status === 401) {
		const { mentions, ...facts } = statusError(response, address).facts;
		const known = { ...facts, httpStatus: status, token: 'rejected' } as const;
		const own = mentions
			? serviceError('ACCESS_REFUSED/401', { ...known, mentions })
			: serviceError('TOKEN_REJECTED', known);
		// What the answer was read as may have words of the service.
		const worded = error instanceof ServiceError && error.quote ? error : own;
		const { details, serviceCode } = worded.facts;
		return { error: own.with({ said: worded.quote, details, serviceCode }) };
	}
	if (!(error instanceof ServiceError) || error.facts.token !== undefined) return said;
	const isPage = [200, 403].includes(status) && isWebPage(response);
	const { details = '', fault, mentions } = error.facts;
	// A fault has been judged without its trace. A new token has no other scopes.
	const namesToken = fault === undefined && mentions !== 'scopes' && TOKEN.test(details);
	const isRefused = status === 498 || (error.code === 'ACCESS_REFUSED' && (isPage || namesToken));
	if (isRefused) return { error: error.with({ token: 'refused' }) };
	return status === 302 || isPage ? { error: error.with({ token: 'suspected' }) } : said;
}

/** Sends a request once, in its turn and with a valid token. @returns what the answer says, or how long to wait */
async function attempt<T>(line: Line, request: ExchangeRequest, read: Read<T>, number: number) {
	const { connection, host, limits, ofRun, pace, places, retries, session } = line;
	const isRead = request.effect === 'read';
	const isKept = isRead && limits.keepsAnswers === true;
	if (isKept) ofRun.count();
	const own = limits.isAdaptive ? places[request.effect] : undefined;
	await own?.take(host.cancel);
	let [end, began]: [CallEnd, number] = ['aborted', 0];
	let isLarge = false;
	try {
		let sent: Answer | ServiceError;
		try {
			const ready = async () => await session.prepare({ host, limits });
			await pace.turn(host.cancel, connection.requestsPerSecond, ready);
			began = performance.now();
			const currentToken = () => session.token;
			sent = await send(host, request, limits, currentToken, async () => {
				await ofRun.unread.take(host.cancel);
				isLarge = true;
			});
			end = sent instanceof ServiceError || asksToRetry(sent) ? 'refused' : 'answered';
		} finally {
			own?.leave(end, began);
		}
		if (!(sent instanceof ServiceError)) pace.applyRetryAfter(sent);
		const isLost = sent instanceof ServiceError || [502, 503, 504].includes(sent.status);
		const isRetried = retries && (!isLost || ofRun.unanswered < MAX_UNANSWERED);
		const delay = isRetried ? retryDelay(sent, request.effect, number) : undefined;
		if (!isLost) ofRun.unanswered = 0;
		else if (retries && delay === undefined) ofRun.unanswered += 1;
		if (delay !== undefined && (isRead || sent instanceof ServiceError)) return { delay };
		if (sent instanceof ServiceError) throw sent;
		const { token, ...response } = sent;
		return await inReadingTurn(response.body, () => {
			if (isKept) ofRun.count();
			let { body } = response;
			// The secrets of the request must not become data.
			for (const secret of [token, ...connection.secrets]) {
				if (secret.length < MIN_SECRET_LENGTH || !body.includes(secret)) continue;
				const found = Buffer.from(secret).toString('latin1');
				body = Buffer.from(body.toString('latin1').replaceAll(found, '***'), 'latin1');
			}
			const answer = { ...response, body };
			const said = judgeAnswer(answer, request.address, read);
			if (isKept) ofRun.count(body);
			// The answer's own words count before its status.
			const error = 'error' in said ? said.error : undefined;
			const isInDoubt = error instanceof ServiceError && error.outcome !== 'notApplied';
			return delay !== undefined && !isInDoubt ? { delay } : { answer, token, said };
		});
	} finally {
		if (isLarge) ofRun.unread.leave();
	}
}

/** Returns an exchange: attempts until there is an answer to read, also with other tokens if one is rejected. */
function exchangeOn(line: Line): Exchange {
	const { connection, session, host } = line;
	return async (request, read) => {
		const { url, address, effect } = request;
		// The token is sent to no other address than below that of the credential.
		if (!isBelow(url, connection[BASE_URLS[address]])) {
			throw new TypeError(`A request to an address that is not below '${address}'`);
		}
		const tried = new Set<string>();
		let wasRefused = false;
		for (let number = 1; ; ) {
			const made = await attempt(line, request, read, number);
			if ('delay' in made) {
				number += 1;
				await pause(host.cancel, made.delay);
				continue;
			}
			const { answer, token, said } = made;
			if ('value' in said) {
				session.markAccepted(token, wasRefused);
				return said.value;
			}
			if (!(said.error instanceof ServiceError && said.error.facts.token)) throw said.error;
			const error = said.error.with({
				isTooEarly: session.beginsLater(token, answer.headers.date),
			});
			const verdict = error.facts.token;
			// Never send the same token twice, and stop after MAX_TOKENS tokens.
			if (tried.has(token) || tried.size + 1 >= MAX_TOKENS) throw error;
			tried.add(token);
			wasRefused = verdict === 'refused';
			const isRejected = verdict === 'rejected';
			const isUndone = verdict !== 'suspected' || effect === 'read';
			const renewal = session.renewAfter(line, token, isRejected);
			const isOther = await renewal.catch((failure: unknown) => {
				if (!(failure instanceof ServiceError)) throw isUndone ? failure : error;
				// The answer may say why it is rejected.
				const { isFresh } = failure.facts;
				if (isRejected) throw isFresh ? error.with({ isFresh }) : failure;
				throw error.with({ renewal: failure });
			});
			if (!isOther || !isUndone) throw error;
		}
	};
}

/**
 * Creates the access of a node run with one connection. Its exchange signs and sends requests, renews the access
 * token when it is rejected or about to expire, and retries what is safe to retry (docs/dev/interface.md, section 5.3).
 *
 * @throws {ServiceError} by the exchange, if there is no answer or the token is not accepted
 * @throws {CancelledError} by the exchange, if the user cancelled the run
 */
export function createAccess(
	host: RequestHost,
	connection: Connection,
	limits: ExchangeLimits,
): ServiceAccess<Effect> {
	const state = credentialStateOf(host.credentialId);
	const { session, subjects } = state;
	session.begin(connection);
	const ofRun = new AnswersOfRun();
	const line: Line = { ...state, host, connection, limits, retries: true, ofRun };
	return {
		...{ host, limits, connection, session, subjects },
		exchange: exchangeOn(line),
		readOnce(timeoutMs) {
			const brief = { ...limits, timeoutMs: Math.min(limits.timeoutMs, timeoutMs) };
			return exchangeOn({ ...line, limits: brief, retries: false });
		},
	};
}
