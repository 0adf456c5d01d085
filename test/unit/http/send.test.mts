import { type IExecuteFunctions, type INode, type JsonObject, NodeApiError } from 'n8n-workflow';
import { CancelledError, ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import {
	type Answer,
	type ExchangeRequest,
	interpret,
	type Limits,
	send,
} from '../../../nodes/shared/http/send.ts';
import { inNode, startInNode, type Work } from '../../../dev/package/node-context.mts';
import { connectedTo } from '../../support/credential.mts';
import { requestTo } from '../../support/exchange.mts';
import { signedSender, withHelpers, withoutCancel } from '../../support/host.mts';
import { closedPort, scriptedServer } from '../../support/scripted.mts';
import { usePackage, useScriptedServer } from '../../support/setUp.mts';

const generous: Limits = { timeoutMs: 10_000, maxBytes: 1000 };
/** Longer than the limit of the test, so that the test fails if only this timeout ends the request. */
const patient: Limits = { ...generous, timeoutMs: 600_000 };

const server = useScriptedServer();
const payroll = usePackage();
let credential: string;
beforeAll(async () => (credential = await payroll.store(connectedTo(server.url))));

/** Sends in a node; a failure that may pass is a result, any other one is thrown. */
async function sent(
	request: ExchangeRequest,
	limits: Partial<Limits> = {},
	change = (context: IExecuteFunctions) => context,
): Promise<Answer | ServiceError> {
	return await inNode(payroll, credential, async (context) => {
		return await send(signedSender(change(context)), request, { ...generous, ...limits });
	});
}

async function answered(request: ExchangeRequest): Promise<Answer> {
	const result = await sent(request);
	if (result instanceof ServiceError) throw result;
	return result;
}

const thrown = async (request: ExchangeRequest, limits: Partial<Limits> = {}) =>
	await sent(request, limits).then(
		() => undefined,
		(error: unknown) => error,
	);

describe('a request', () => {
	it('is sent as it is, signed with the stored token, which the answer names', async () => {
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
		expect(token).toBe('token');
		expect(server.received).toMatchObject([
			{
				method: 'POST',
				path: '/path?pageNumber=2&pageSize=50',
				body: '<a>é</a>',
				headers: {
					authorization: 'Bearer token',
					'content-type': 'text/xml; charset=utf-8',
					'x-subscription-key': 'key',
				},
			},
		]);
	});

	it('keeps its headers, so that it can be signed again', async () => {
		server.play((response) => void response.end());
		const request = { ...requestTo(server.url), headers: { Accept: 'application/json' } };
		await answered(request);
		expect(request.headers).toEqual({ Accept: 'application/json' });
	});
});

describe('an answer', () => {
	it.each([302, 307])('with the redirect %d is not followed', async (status) => {
		const other = await scriptedServer();
		server.play((response) => void response.writeHead(status, { Location: other.url }).end());
		expect((await answered(requestTo(server.url))).response.status).toBe(status);
		await other.close();
		expect([server.received.length, other.received.length]).toEqual([1, 0]);
	});

	it('in pieces is put together as bytes, up to the size limit', async () => {
		const bytes = Buffer.alloc(1000, Buffer.from([0xff, 0x00, 0x80]));
		server.play((response) => {
			response.writeHead(200, { 'Content-Type': 'application/json' }).write(bytes.subarray(0, 600));
			setTimeout(() => response.end(bytes.subarray(600)), 20);
		});
		expect((await answered(requestTo(server.url))).response.body).toEqual(bytes);
	});

	it('one byte above the size limit is an error, and its connection is closed', async () => {
		const closed = new Promise<void>((resolve) => {
			server.play((response) => {
				response.on('close', () => resolve());
				response.write('a'.repeat(1001));
			});
		});
		const error = await thrown(requestTo(server.url), patient);
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toMatchObject({
			message: 'The answer of the payroll service is too large',
			isTransient: false,
			description: expect.stringMatching(/larger than 1000 bytes.*'Response Size Limit \(MiB\)'/),
			outcome: 'unknown',
		});
		await closed;
	});
});

describe('a failure that may pass', () => {
	it.each([
		['silence', undefined],
		['a byte now and then', 50],
	])('is %s until the timeout; the outcome is unknown', async (_, every) => {
		server.play((response) => {
			if (every === undefined) return;
			const drip = setInterval(() => response.write(' '), every);
			response.on('close', () => clearInterval(drip));
		});
		const result = await sent(requestTo(server.url), { timeoutMs: 300 });
		expect(result).toBeInstanceOf(ServiceError);
		expect(result).toMatchObject({
			message: 'The payroll service did not answer in time',
			description: expect.stringMatching(/after 0\.3 seconds.*'Timeout \(Seconds\)'/),
			kind: 'broken',
			isTransient: true,
			outcome: 'unknown',
		});
	});

	it.each([
		['refused connection', 'refused the connection', closedPort],
		['host name that is not found', 'was not found', undefined],
	])('is a %s; nothing was applied', async (_, what, findPort) => {
		const url = findPort ? `http://127.0.0.1:${await findPort()}` : 'http://payroll.invalid';
		expect(await sent(requestTo(url))).toMatchObject({
			message: `The payroll service ${what}`,
			description: expect.stringContaining("Check 'REST Address' in the credential"),
			kind: 'unreached',
			isTransient: true,
			outcome: 'notApplied',
		});
	});

	it.each([
		['ends before an answer', '', 'ECONNRESET'],
		['ends within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf', 'E[A-Z_]+'],
		['answers in another protocol', 'SSH-2.0-OpenSSH\r\n', 'HPE_\\w+'],
		[
			'sends a body that is not compressed as it says',
			'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nhalf',
			'Z_\\w+',
		],
	])('is a connection that %s; the outcome is unknown', async (_, bytes, code) => {
		server.play((response) => void response.socket?.end(bytes));
		expect(await sent(requestTo(server.url))).toMatchObject({
			message: 'The connection to the payroll service broke',
			description: expect.stringMatching(
				new RegExp(`ended before the answer was complete \\(${code}\\)`),
			),
			kind: 'broken',
			isTransient: true,
			outcome: 'unknown',
		});
	});
});

it('a server without TLS at an https address is an error with an unknown outcome', async () => {
	expect(await sent(requestTo(server.url.replace('http:', 'https:')))).toMatchObject({
		message: 'The secure connection to the payroll service failed',
		description: expect.stringMatching(/\(EPROTO\).*Check 'REST Address'/),
		outcome: 'unknown',
	});
});

it.each<[string, () => ExchangeRequest]>([
	['a malformed address', () => requestTo('http://[not an address')],
	['a malformed header name', () => ({ ...requestTo(server.url), headers: { 'X Key': 'a' } })],
])('%s, which n8n cannot send, is an error that will not pass', async (_, request) => {
	const error = await thrown(request());
	expect(error).toBeInstanceOf(ServiceError);
	expect(error).toMatchObject({
		message: 'The request to the payroll service failed',
		isTransient: false,
		description: expect.stringContaining("Check 'REST Address' in the credential"),
		outcome: 'unknown',
	});
});

/** Starts a request, and cancels its run once the server has it; waits until both have ended. */
async function cancelUnderWay(start: (context: IExecuteFunctions) => Promise<unknown>) {
	let work: Work<unknown>;
	const cut = new Promise<void>((resolve) => {
		server.play((response) => {
			response.on('close', resolve);
			work.cancel();
		});
	});
	work = startInNode(payroll, credential, start);
	await expect(work.done).rejects.toBeInstanceOf(CancelledError);
	await cut;
}

describe('a cancelled run', () => {
	it('sends nothing further', async () => {
		server.play((response) => void response.end());
		const work = startInNode(payroll, credential, async (context) => {
			work.cancel();
			return await send(signedSender(context), requestTo(server.url), patient);
		});
		await expect(work.done).rejects.toBeInstanceOf(CancelledError);
		expect(server.received).toEqual([]);
	});

	it('aborts the request under way', async () => {
		await cancelUnderWay(
			async (context) => await send(signedSender(context), requestTo(server.url), patient),
		);
	});
});

describe('another host', () => {
	type Helper = IExecuteFunctions['helpers']['httpRequestWithAuthentication'];

	/** A host whose helper does something with a request before n8n's own helper gets it. */
	const changed = (change: (helper: Helper) => Helper) => (context: IExecuteFunctions) =>
		withHelpers(context, {
			httpRequestWithAuthentication: change(context.helpers.httpRequestWithAuthentication),
		});

	/** Ignores the signal and the timeout. */
	const deaf = changed(
		(helper) =>
			async function (type, { timeout: _, ...options }) {
				return (await helper.call(withoutCancel(this as never), type, options)) as unknown;
			},
	);

	it.each([
		['without an answer', false],
		['with an answer that does not end', true],
	])(
		'that ignores the deadline (%s) is not waited for, and what comes late is dropped',
		async (_, answersInTime) => {
			let dropped: Promise<void> | undefined;
			const asked = new Promise<() => void>((resolve) => {
				server.play((response) => {
					dropped = new Promise((closed) => response.on('close', closed));
					resolve(() => void response.write('a'));
					if (answersInTime) response.write('a');
				});
			});
			const late = await sent(requestTo(server.url), { timeoutMs: 400 }, deaf);
			expect(late).toMatchObject({ message: 'The payroll service did not answer in time' });
			(await asked)();
			await dropped;
		},
		20_000,
	);
});

const outcomeOf = (code: string) => interpret(wrapped({ code }), 'SOAP Address').outcome;

/** An error as n8n 1.123 throws it: without the original error. */
const wrapped = (fields: JsonObject) =>
	new NodeApiError({} as INode, { message: 'failed', ...fields });

describe('the code of an error', () => {
	it.each([
		['of the error itself', { code: 'ECONNREFUSED' }],
		[
			'of its cause, as n8n 2.41 keeps it',
			new Error('failed', { cause: { code: 'ECONNREFUSED' } }),
		],
		['in `httpCode`, as n8n 1.123 keeps it', wrapped({ code: 'ECONNREFUSED' })],
		['of the cause, beside an HTTP status', { httpCode: '502', cause: { code: 'ECONNREFUSED' } }],
	])('is that %s', (_, error) => {
		expect(interpret(error, 'SOAP Address').code).toBe('NOT_REACHED');
	});

	it.each([wrapped({ status: 404 }), { httpCode: '404' }, { httpCode: null }, { code: 5 }, null])(
		'is not known from %j',
		(error) => {
			expect(interpret(error, 'SOAP Address').code).toBe('REQUEST_FAILED');
		},
	);
});

/* Codes by which OpenSSL refuses a certificate, as Node.js spells them (tls.md of its manual). */
const REFUSED_CERTIFICATES = `
	UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_CRL UNABLE_TO_DECRYPT_CERT_SIGNATURE
	UNABLE_TO_DECRYPT_CRL_SIGNATURE UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY CERT_SIGNATURE_FAILURE
	CRL_SIGNATURE_FAILURE CERT_NOT_YET_VALID CERT_HAS_EXPIRED CRL_NOT_YET_VALID CRL_HAS_EXPIRED
	ERROR_IN_CERT_NOT_BEFORE_FIELD ERROR_IN_CERT_NOT_AFTER_FIELD ERROR_IN_CRL_LAST_UPDATE_FIELD
	ERROR_IN_CRL_NEXT_UPDATE_FIELD DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE CERT_CHAIN_TOO_LONG CERT_REVOKED
	INVALID_CA PATH_LENGTH_EXCEEDED INVALID_PURPOSE CERT_UNTRUSTED CERT_REJECTED HOSTNAME_MISMATCH
	ERR_TLS_CERT_ALTNAME_INVALID ERR_TLS_CERT_ALTNAME_FORMAT
`;

describe('a write was not applied after', () => {
	it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', ...REFUSED_CERTIFICATES.trim().split(/\s+/)])(
		'%s',
		(code) => expect(outcomeOf(code)).toBe('notApplied'),
	);
});

describe('the outcome of a write is unknown after', () => {
	it.each([
		...['EPROTO', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ECONNABORTED'],
		...['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC'],
		...['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
		...['ERR_TLS_HANDSHAKE_TIMEOUT', 'ERR_TLS_RENEGOTIATION_DISABLED', 'HPE_INVALID_CONSTANT'],
		...['UNSPECIFIED', 'OUT_OF_MEM', 'XCERT_', 'INVALID_CAR', 'HOSTNAME_MISMATCHED', ''],
	])('%j', (code) => expect(outcomeOf(code)).toBe('unknown'));
});
