import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';
import { interpret } from '../../../nodes/shared/http/send.ts';

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
