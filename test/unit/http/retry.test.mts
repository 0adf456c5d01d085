import { interpret, retryDelay } from '../../../nodes/shared/http/failures.ts';
import type { ExchangeResponse } from '../../../nodes/shared/http/answer.ts';
import { withDeadline } from '../../../nodes/shared/http/wait.ts';
import { atNight } from '../../support/runs.mts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';

const failedWith = (code: string) => interpret({ code }, 'SOAP Address');
const broken = failedWith('ECONNRESET');
const answered = (status: number, retryAfter?: unknown): ExchangeResponse => ({
	status,
	headers: { 'retry-after': typeof retryAfter === 'number' ? String(retryAfter) : retryAfter },
	body: Buffer.alloc(0),
});

it('a read is retried after HTTP 429, 502, 503 and 504', () => {
	const all = [200, 301, 400, 401, 403, 404, 408, 429, 500, 501, 502, 503, 504, 505];
	const retried = all.filter((status) => retryDelay(answered(status), 'read', 1) !== undefined);
	expect(retried).toEqual([429, 502, 503, 504]);
});

describe('the wait before the next attempt', () => {
	it.each([
		[1, 500, 1000],
		[2, 1000, 2000],
		[3, 2000, 4000],
	])('after attempt %d is a random time from %d to %d ms', (attempt, shortest, longest) => {
		expect(retryDelay(broken, 'read', attempt, 0)).toBe(shortest);
		expect(retryDelay(broken, 'read', attempt, 0.5)).toBe((shortest + longest) / 2);
		expect(retryDelay(broken, 'read', attempt, 1)).toBe(longest);
	});
});

describe('Retry-After', () => {
	afterEach(() => jest.restoreAllMocks());

	it.each<[unknown, number | undefined]>([
		['0', 0],
		['1', 1000],
		[' 7 ', 7000],
		['Mon, 01 Jun 2026 12:00:30 GMT', 30_000],
		['MON, 01 JUN 2026 12:01:00 GMT', 60_000],
		// It is too long to wait for.
		['61', undefined],
		['Mon, 01 Jun 2026 12:01:01 GMT', undefined],
	])('%j, of seconds or a date, is so many milliseconds: %j', (header, milliseconds) => {
		jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-06-01T12:00:00Z'));
		expect(retryDelay(answered(503, header), 'read', 1, 0)).toBe(milliseconds);
	});

	it.each([...[undefined, ['1'], '', ' ', '-5', '1.5', '5s', 's5', '2026-06-01', 'soon']])(
		'%j asks for no pause',
		(header) => {
			const usual = retryDelay(answered(503), 'read', 1, 0);
			expect(retryDelay(answered(503, header), 'read', 1, 0)).toBe(usual);
		},
	);
});

setFlagsFromString('--expose-gc');

const collectGarbage = runInNewContext('gc') as () => void;

afterEach(() => jest.restoreAllMocks());

const never = async () => await new Promise<void>(() => {});
/** Waits for work at most so many milliseconds. */
const within = async (cancel: AbortSignal | undefined, milliseconds: number, work: Promise<void>) =>
	await withDeadline(cancel, milliseconds, work, () => {
		throw new Error('late');
	});

describe('a wait with a deadline', () => {
	it('ends if its run is cancelled, before or while it waits', async () => {
		const ended = AbortSignal.abort();
		await expect(within(ended, 60_000, never())).rejects.toThrow(/cancel/);
		const run = new AbortController();
		const waiting = within(run.signal, 60_000, never());
		run.abort();
		await expect(waiting).rejects.toThrow(/cancel/);
	});

	atNight(
		'ends at its deadline, even if garbage is collected meanwhile',
		async () => {
			const cancel = new AbortController().signal;
			// Optimised code releases what it no longer needs: a timeout was once lost that way.
			for (let call = 0; call < 3000; call += 1) {
				await within(cancel, 60_000, Promise.resolve());
			}
			const waiting = Array.from({ length: 20 }, async () => {
				await within(cancel, 300, never());
			});
			const collecting = setInterval(collectGarbage, 50);
			const given = new Promise((resolve) => setTimeout(resolve, 10_000, 'never').unref());
			const ends = Promise.allSettled(waiting);
			const outcome = await Promise.race([ends, given]);
			clearInterval(collecting);
			expect(outcome).toEqual(
				Array.from({ length: 20 }, () => ({
					status: 'rejected',
					reason: expect.objectContaining({ message: 'late' }),
				})),
			);
		},
		30_000,
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
});

it.each(['ECONNRESET', 'HPE_INVALID_CHUNK_SIZE', 'Z_DATA_ERROR'])(
	'%s is a connection that was lost',
	(code) => expect(failedWith(code).code).toBe('CONNECTION_LOST'),
);

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
