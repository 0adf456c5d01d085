import type { IExecuteFunctions } from 'n8n-workflow';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { CancelledError, ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import { ConnectionError } from '../../../nodes/shared/transport/networkErrors.ts';
import {
	send,
	sendUnsigned,
	type Answer,
	type ExchangeRequest,
	type Limits,
} from '../../../nodes/shared/transport/send.ts';
import { inNode, startInNode } from '../../../dev/package/node-context.mts';
import { credentialData, Payroll } from '../../../dev/package/payroll.mts';
import { closedPort, scriptedServer, type ScriptedServer } from '../../support/scripted.mts';

const TOKEN = 'stored-access-token';
const generous: Limits = { timeoutMs: 10_000, maxBytes: 1000 };
/** For tests that would end by the time-out of the request, if not before: theirs is shorter. */
const patient: Limits = { ...generous, timeoutMs: 60_000 };

let payroll: Payroll;
let server: ScriptedServer;
let credential: string;

beforeAll(async () => {
	[payroll, server] = await Promise.all([Payroll.load(), scriptedServer()]);
	const account = { oauthTokenData: { access_token: TOKEN, token_type: 'Bearer' } };
	credential = await payroll.store({ ...credentialData(service(server.url)), ...account });
});
afterAll(async () => await server.close());

/** A service of which nothing but its address matters. */
function service(url: string) {
	const user = { user: '', password: '', redirectUris: [], scopes: [] };
	const client = { clientId: 'id', clientSecret: 'secret', subscriptionKey: 'key', domain: 'demo' };
	return { url, namespace: url, ...client, ...user };
}

const get = (url: string): ExchangeRequest => ({
	method: 'GET',
	url,
	address: 'REST Address',
	headers: {},
	effect: 'read',
});

/** Sends; gives the answer, or the failure of an attempt that may go through a moment later. */
async function sent(request: ExchangeRequest, limits: Partial<Limits> = {}) {
	return await inNode(payroll, credential, async (context) => {
		return await send(context, request, { ...generous, ...limits });
	});
}

async function answered(request: ExchangeRequest, limits: Partial<Limits> = {}): Promise<Answer> {
	const result = await sent(request, limits);
	if (result instanceof ConnectionError) throw result;
	return result;
}

async function thrown(request: ExchangeRequest, limits: Partial<Limits> = {}): Promise<unknown> {
	return await sent(request, limits).then(
		() => undefined,
		(error: unknown) => error,
	);
}

describe('a request', () => {
	it('goes out as it is, signed with the stored token, which is told with the answer', async () => {
		server.play((response) => void response.writeHead(200, { 'X-Kind': 'good' }).end('answer'));
		const { response, token } = await answered({
			method: 'POST',
			url: `${server.url}/path`,
			address: 'SOAP Address',
			headers: { 'Content-Type': 'text/xml; charset=utf-8', 'X-Subscription-Key': 'key' },
			query: { pageNumber: 2, pageSize: 50 },
			body: '<a>é</a>',
			effect: 'write',
		});
		expect(response).toMatchObject({ status: 200, headers: { 'x-kind': 'good' } });
		expect(response.body.toString()).toBe('answer');
		expect(token).toBe(TOKEN);
		expect(server.received).toMatchObject([
			{
				method: 'POST',
				path: '/path?pageNumber=2&pageSize=50',
				body: '<a>é</a>',
				headers: {
					authorization: `Bearer ${TOKEN}`,
					'content-type': 'text/xml; charset=utf-8',
					'x-subscription-key': 'key',
				},
			},
		]);
	});

	it('without query and body has neither', async () => {
		server.play((response) => void response.end());
		await answered(get(`${server.url}/list`));
		expect(server.received).toMatchObject([{ method: 'GET', path: '/list', body: '' }]);
		expect(server.received[0]?.headers).not.toHaveProperty('content-length');
	});

	it('leaves the headers it was given alone, so that they can be signed again', async () => {
		server.play((response) => void response.end());
		const request = { ...get(server.url), headers: { Accept: 'application/json' } };
		await answered(request);
		expect(request.headers).toEqual({ Accept: 'application/json' });
	});
});

describe('an answer', () => {
	it.each([204, 400, 401, 404, 429, 500, 503])('with HTTP %d is one to read', async (status) => {
		server.play((response) => void response.writeHead(status).end(status === 204 ? '' : 'why'));
		const { response } = await answered(get(server.url));
		expect([response.status, response.body.toString()]).toEqual([
			status,
			status === 204 ? '' : 'why',
		]);
		expect(server.received).toHaveLength(1);
	});

	it('that is a redirect is not followed', async () => {
		server.play((response) => void response.writeHead(302, { Location: server.url }).end());
		expect((await answered(get(server.url))).response.status).toBe(302);
		expect(server.received).toHaveLength(1);
	});

	it('in pieces is put together, up to the last byte that is allowed', async () => {
		server.play((response) => {
			response.write('a'.repeat(600));
			setTimeout(() => response.end('b'.repeat(400)), 20);
		});
		const { response } = await answered(get(server.url));
		expect(response.body.toString()).toBe('a'.repeat(600) + 'b'.repeat(400));
	});

	it('is bytes, whatever its type', async () => {
		const bytes = Buffer.from([0xff, 0x00, 0x80]);
		server.play(
			(response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).end(bytes),
		);
		expect((await answered(get(server.url))).response.body).toEqual(bytes);
	});

	it('with a byte more than allowed is an error, and cut', async () => {
		const cut = new Promise<void>((resolve) => {
			server.play((response) => {
				response.on('close', () => resolve());
				response.write('a'.repeat(1001));
			});
		});
		const error = await thrown(get(server.url), patient);
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).not.toBeInstanceOf(ConnectionError);
		expect(error).toMatchObject({
			message: 'The answer of the payroll service is too large',
			description: expect.stringMatching(/larger than 1000 bytes.*'Response Size Limit \(MiB\)'/),
			outcome: 'unknown',
		});
		await cut;
	}, 20_000);
});

describe('no answer in time', () => {
	it.each([
		['silence', undefined],
		['a byte now and then', 50],
	])('(%s) is a failure that may pass, its outcome not known', async (_, every) => {
		server.play((response) => {
			if (every === undefined) return;
			const drip = setInterval(() => response.write(' '), every);
			response.on('close', () => clearInterval(drip));
		});
		const result = await sent(get(server.url), { timeoutMs: 300 });
		expect(result).toBeInstanceOf(ConnectionError);
		expect(result).toMatchObject({
			message: 'The payroll service did not answer in time',
			description: expect.stringMatching(/after 0\.3 seconds.*'Timeout \(Seconds\)'/),
			reached: true,
			outcome: 'unknown',
		});
	});
});

describe('a service that is not reached', () => {
	it.each([
		['refuses the connection', 'refused the connection', closedPort],
		['has no such name', 'was not found', async () => undefined],
	])('(%s) is a failure that may pass, certainly not applied', async (_, what, findPort) => {
		const port = await findPort();
		const url = port === undefined ? 'http://payroll.invalid' : `http://127.0.0.1:${port}`;
		expect(await sent(get(url))).toMatchObject({
			message: `The payroll service ${what}`,
			description: expect.stringContaining("Check 'REST Address' in the credential"),
			reached: false,
			outcome: 'notApplied',
		});
	});

	it('by a connection that is not secure is told so, and is no failure that may pass', async () => {
		const error = await thrown(get(server.url.replace('http:', 'https:')));
		expect(error).toBeInstanceOf(ConnectionError);
		expect(error).toMatchObject({
			message: 'No secure connection to the payroll service could be made',
			description: expect.stringMatching(/\(EPROTO\).*Check 'REST Address'/),
			reached: false,
			outcome: 'notApplied',
		});
	});
});

describe('a connection that breaks', () => {
	/** Answers every connection with the given bytes, and ends it. */
	async function answering(bytes: string) {
		const raw = createServer((socket) => {
			socket.on('error', () => undefined);
			socket.once('data', () => socket.end(bytes));
		});
		await new Promise<void>((ready) => raw.listen(0, '127.0.0.1', ready));
		const url = `http://127.0.0.1:${(raw.address() as AddressInfo).port}`;
		return { url, close: async () => await new Promise((closed) => raw.close(closed)) };
	}

	it.each([
		['before an answer', '', 'ECONNRESET'],
		['within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf', 'E[A-Z_]+'],
		['with an answer that is no HTTP', 'SSH-2.0-OpenSSH\r\n', 'HPE_\\w+'],
		[
			'with a body that is not compressed as it says',
			'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nhalf',
			'Z_\\w+',
		],
	])('%s is a failure that may pass, its outcome not known', async (_, bytes, code) => {
		const { url, close } = await answering(bytes);
		try {
			expect(await sent(get(url))).toMatchObject({
				message: 'The connection to the payroll service broke',
				description: expect.stringMatching(
					new RegExp(`ended before the answer was complete \\(${code}\\)`),
				),
				reached: true,
				outcome: 'unknown',
			});
		} finally {
			await close();
		}
	});
});

it.each<[string, () => ExchangeRequest]>([
	['an address that is none', () => get('http://[not an address')],
	['a header name that is none', () => ({ ...get(server.url), headers: { 'X Key': 'a' } })],
])('%s, with which n8n cannot send, is an error and not tried again', async (_, request) => {
	const error = await thrown(request());
	expect(error).toBeInstanceOf(ServiceError);
	expect(error).not.toBeInstanceOf(ConnectionError);
	expect(error).toMatchObject({
		message: 'The request to the payroll service failed',
		description: expect.stringContaining("Check 'REST Address' in the credential"),
		outcome: 'unknown',
	});
});

describe('a run that is cancelled', () => {
	it('sends nothing further', async () => {
		server.play((response) => void response.end());
		const work = startInNode(payroll, credential, async (context) => {
			work.cancel();
			return await send(context, get(server.url), patient);
		});
		await expect(work.done).rejects.toBeInstanceOf(CancelledError);
		expect(server.received).toEqual([]);
	});

	it('cuts the request that is under way', async () => {
		const cut = new Promise<void>((resolve) => {
			server.play((response) => {
				response.on('close', resolve);
				work.cancel();
			});
		});
		const work = startInNode(payroll, credential, async (context) => {
			return await send(context, get(server.url), patient);
		});
		await expect(work.done).rejects.toBeInstanceOf(CancelledError);
		await cut;
	}, 20_000);
});

describe('a request that is not signed', () => {
	const ofIdentity = (url: string): ExchangeRequest => ({
		...get(url),
		address: 'Identity Address',
	});

	/** Sends to the identity server; gives the answer, or what it fails with. */
	async function unsigned(request: ExchangeRequest, limits: Partial<Limits> = {}) {
		return await inNode(payroll, credential, async (context) => {
			return await sendUnsigned(context, request, { ...generous, ...limits });
		}).catch((error: unknown) => error);
	}

	it('goes out as it is, without the token', async () => {
		server.play((response) => void response.writeHead(200, { 'X-Kind': 'good' }).end('answer'));
		const answer = await unsigned({
			method: 'POST',
			url: `${server.url}/path`,
			address: 'Identity Address',
			headers: {
				Authorization: 'Basic abc',
				'Content-Type': 'application/x-www-form-urlencoded',
			},
			body: 'token=a%2Bb+c&x=%26',
			effect: 'write',
		});
		expect(answer).toMatchObject({ response: { status: 200, headers: { 'x-kind': 'good' } } });
		expect(server.received).toMatchObject([
			{
				method: 'POST',
				path: '/path',
				body: 'token=a%2Bb+c&x=%26',
				headers: { authorization: 'Basic abc' },
			},
		]);
		await unsigned(ofIdentity(server.url));
		expect(server.received[1]?.headers).not.toHaveProperty('authorization');
	});

	it('is not led elsewhere', async () => {
		server.play((response) => void response.writeHead(302, { Location: server.url }).end());
		expect(await unsigned(ofIdentity(server.url))).toMatchObject({ response: { status: 302 } });
		expect(server.received).toHaveLength(1);
	});

	it('has the same limits, and errors that name whom it went to', async () => {
		server.play((response) => void response.end('a'.repeat(1001)));
		expect(await unsigned(ofIdentity(server.url))).toMatchObject({
			message: 'The answer of the identity server is too large',
		});
		server.play((response) => void setInterval(() => response.write(' '), 50).unref());
		expect(await unsigned(ofIdentity(server.url), { timeoutMs: 300 })).toMatchObject({
			message: 'The identity server did not answer in time',
			reached: true,
		});
		server.play((response) => void response.destroy());
		expect(await unsigned(ofIdentity(server.url))).toMatchObject({
			message: 'The connection to the identity server broke',
		});
		expect(await unsigned(ofIdentity(server.url.replace('http:', 'https:')))).toMatchObject({
			message: 'No secure connection to the identity server could be made',
			description: expect.stringContaining("Check 'Identity Address' in the credential"),
		});
		expect(await unsigned(ofIdentity('http://identity.invalid'))).toMatchObject({
			message: 'The identity server was not found',
			description: expect.stringContaining("Check 'Identity Address' in the credential"),
			reached: false,
		});
		expect(await unsigned(ofIdentity('http://[none'))).toMatchObject({
			message: 'The request to the identity server failed',
		});
	});

	it('is cut by a run that is cancelled', async () => {
		const cut = new Promise<void>((resolve) => {
			server.play((response) => {
				response.on('close', resolve);
				work.cancel();
			});
		});
		const work = startInNode(payroll, credential, async (context) => {
			return await sendUnsigned(context, ofIdentity(server.url), patient);
		});
		await expect(work.done).rejects.toBeInstanceOf(CancelledError);
		await cut;
	}, 20_000);
});

it('a host that cancels nothing gets its answer, and its failure', async () => {
	server.play((response, index) => void (index === 0 ? response.end('good') : response.destroy()));
	await inNode(payroll, credential, async (context) => {
		const host = Object.create(context, { getExecutionCancelSignal: { value: () => undefined } });
		expect(await send(host, get(server.url), generous)).toMatchObject({ token: TOKEN });
		expect(await send(host, get(server.url), generous)).toBeInstanceOf(ConnectionError);
	});
});

describe('a host of another kind', () => {
	type Helper = IExecuteFunctions['helpers']['httpRequestWithAuthentication'];

	/** Sends in a host whose helper does something with the request before n8n's own gets it. */
	async function sentBy(
		change: (helper: Helper) => Helper,
		request: ExchangeRequest,
		limits: Limits,
	): Promise<Answer | ConnectionError> {
		return await inNode(payroll, credential, async (context) => {
			const httpRequestWithAuthentication = change(context.helpers.httpRequestWithAuthentication);
			const helpers = { ...context.helpers, httpRequestWithAuthentication };
			const host = Object.create(context, { helpers: { value: helpers } }) as IExecuteFunctions;
			return await send(host, request, limits);
		});
	}

	it('that signs a copy of the request: the token is known all the same', async () => {
		server.play((response) => void response.end('good'));
		const copying = (helper: Helper): Helper =>
			async function (type, options) {
				return (await helper.call(this, type, {
					...options,
					headers: { ...options.headers },
				})) as unknown;
			};
		expect(await sentBy(copying, get(server.url), generous)).toMatchObject({ token: TOKEN });
		expect(server.received[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
	});

	/** Takes no notice of the signal, nor of the time-out. */
	const deaf = (helper: Helper): Helper =>
		async function (type, { timeout: _, ...options }) {
			const host = Object.create(this, { getExecutionCancelSignal: { value: () => undefined } });
			return (await helper.call(host, type, options)) as unknown;
		};

	it.each<[string, boolean]>([
		['no answer', false],
		['an answer without an end', true],
	])(
		'that ends no request at its deadline (%s) is not waited for, and what comes late is dropped',
		async (_, answersInTime) => {
			let dropped: Promise<void> | undefined;
			const asked = new Promise<() => void>((resolve) => {
				server.play((response) => {
					dropped = new Promise((closed) => response.on('close', closed));
					resolve(() => void response.write('a'));
					if (answersInTime) response.write('a');
				});
			});
			const late = await sentBy(deaf, get(server.url), { ...generous, timeoutMs: 400 });
			expect(late).toMatchObject({ message: 'The payroll service did not answer in time' });
			(await asked)();
			await dropped;
		},
		20_000,
	);

	it('that ends no request of a cancelled run is not waited for', async () => {
		const work = startInNode(payroll, credential, async (context) => {
			const httpRequestWithAuthentication = deaf(context.helpers.httpRequestWithAuthentication);
			const helpers = { ...context.helpers, httpRequestWithAuthentication };
			return await send(
				Object.create(context, { helpers: { value: helpers } }),
				get(server.url),
				patient,
			);
		});
		server.play(() => work.cancel());
		await expect(work.done).rejects.toBeInstanceOf(CancelledError);
	}, 20_000);
});

describe('a time-out of so many seconds', () => {
	// In milliseconds, each is a fraction by the rules of floating point.
	it.each([2.01, 16.1, 32.3])('%d is as good as any other', async (seconds) => {
		server.play((response) => void response.end('good'));
		const limits = { ...generous, timeoutMs: seconds * 1000 };
		const timeouts: unknown[] = [];
		await inNode(payroll, credential, async (context) => {
			const helper = context.helpers.httpRequestWithAuthentication;
			const helpers = {
				...context.helpers,
				async httpRequestWithAuthentication(
					this: IExecuteFunctions,
					...args: Parameters<typeof helper>
				) {
					timeouts.push(args[1].timeout);
					return (await helper.apply(this, args)) as unknown;
				},
			};
			const host = Object.create(context, { helpers: { value: helpers } });
			expect(await send(host, get(server.url), limits)).toMatchObject({ token: TOKEN });
		});
		expect(timeouts).toEqual([Math.round(seconds * 1000)]);
	});

	it('0.0001 is the shortest there is', async () => {
		server.play(() => undefined);
		expect(await sent(get(server.url), { timeoutMs: 0.1 })).toMatchObject({
			message: 'The payroll service did not answer in time',
		});
	});
});
