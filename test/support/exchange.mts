/** Exchanges for tests of one call, without n8n, sessions and retries. */
import type { Connection } from '../../nodes/shared/credential/connection.ts';
import type { Exchange } from '../../nodes/shared/exchange/exchange.ts';
import type { ExchangeResponse } from '../../nodes/shared/http/answer.ts';
import type { ExchangeRequest } from '../../nodes/shared/http/send.ts';

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
		return await Promise.resolve(read(response));
	};
	return { exchange, requests };
}
