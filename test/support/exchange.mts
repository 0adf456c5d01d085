/** Exchanges for tests of one call, without n8n, sessions and retries. */
import type { Connection } from '../../nodes/shared/credential/connection.ts';
import type { Effect } from '../../nodes/shared/contract/operation.ts';
import type {
	AnswerReading,
	Exchange,
	ServiceAccess,
} from '../../nodes/shared/exchange/exchange.ts';
import { Subjects } from '../../nodes/shared/exchange/subjects.ts';
import type { ExchangeRequest, ExchangeResponse } from '../../nodes/shared/http/send.ts';

/** A connection with a value for every setting that a call uses. */
export function connectionTo(url: string, changes: Partial<Connection> = {}): Connection {
	return {
		identityUrl: url,
		restUrl: url,
		soapUrl: url,
		soapNamespace: 'http://payroll.example/soap/v3',
		soapVersion: '1.1',
		domain: 'demo',
		subscriptionKey: 'key',
		clientSecret: 'secret',
		readOnly: false,
		requestsPerSecond: undefined,
		clientId: 'client',
		accessToken: 'token',
		refreshToken: undefined,
		expiresAt: undefined,
		asked: '',
		secrets: ['key', 'token'],
		...changes,
	};
}

/** A read without parameters. */
export function requestTo(url: string, changes: Partial<ExchangeRequest> = {}): ExchangeRequest {
	return { method: 'GET', url, address: 'REST Address', headers: {}, effect: 'read', ...changes };
}

/** What a call needs, for one that uses nothing of its node. */
export function accessOf(
	exchange: Exchange,
	changes: Partial<ServiceAccess<Effect>> = {},
): ServiceAccess<Effect> {
	return {
		host: {} as ServiceAccess['host'],
		session: {} as ServiceAccess['session'],
		exchange,
		readOnce: () => exchange,
		subjects: new Subjects(),
		connection: connectionTo('http://localhost'),
		limits: { timeoutMs: 1000, maxBytes: 1_000_000 },
		...changes,
	};
}

/** The value that was read; throws the error of an answer that names the access token. */
function valueOf<T>(reading: AnswerReading<T>): T {
	if ('error' in reading) throw reading.error;
	return reading.value;
}

/** Sends a request by real HTTP, once and unsigned. */
export const plainExchange: Exchange = async (request, read) => {
	const url = new URL(request.url);
	for (const [name, value] of Object.entries(request.query ?? {})) {
		url.searchParams.append(name, String(value));
	}
	const response = await fetch(url, {
		method: request.method,
		headers: request.headers,
		...(request.body === undefined ? {} : { body: Buffer.from(request.body) }),
	});
	const { status } = response;
	const headers = Object.fromEntries(response.headers);
	return valueOf(read({ status, headers, body: Buffer.from(await response.arrayBuffer()) }));
};

/** An answer of a test; a body that is neither a text nor bytes is sent as JSON. */
export interface Canned {
	readonly status?: number;
	readonly type?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body: unknown;
}

function bytesOf(body: unknown): Buffer {
	if (Buffer.isBuffer(body)) return body;
	return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Answers each request by a function, and records the requests. */
export function answering(answer: (request: ExchangeRequest, index: number) => Canned): {
	readonly exchange: Exchange;
	readonly requests: readonly ExchangeRequest[];
} {
	const requests: ExchangeRequest[] = [];
	const exchange: Exchange = async (request, read) => {
		requests.push(request);
		const {
			status = 200,
			type = 'application/json',
			headers,
			body,
		} = answer(request, requests.length - 1);
		const response: ExchangeResponse = {
			status,
			headers: { 'content-type': type, ...headers },
			body: bytesOf(body),
		};
		return await Promise.resolve(valueOf(read(response)));
	};
	return { exchange, requests };
}
