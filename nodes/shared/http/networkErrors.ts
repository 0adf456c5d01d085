/** Errors for requests that brought no usable answer. */
import type { AddressField } from '../credential/connection';
import {
	certificateRefused,
	connectionLost,
	connectionRefused,
	encryptionFailed,
	hostNotFound,
	requestFailed,
} from '../errors/requestErrors';
import { ServiceError } from '../errors/ServiceError';
import { codeOf } from '../host/errors';

type NetworkError = (field: AddressField, code: string) => ServiceError;

/**
 * The error of each code of Node.js. A certificate that is not accepted ends the connection before the
 * request is written. Any other error of TLS may come after that: the record of an answer can be
 * corrupt, and a server can end the connection with an alert (RFC 8446, section 6.2).
 */
const BY_CODE: ReadonlyArray<readonly [codes: RegExp, error: NetworkError]> = [
	[/^ECONNREFUSED$/, connectionRefused],
	[/^(ENOTFOUND|EAI_AGAIN)$/, hostNotFound],
	[
		/^(CERT_|CRL_|ERR_TLS_CERT_|ERROR_IN_C|DEPTH_ZERO_|SELF_SIGNED_CERT_|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$)/,
		certificateRefused,
	],
	[/^(EPROTO$|ERR_SSL_|ERR_TLS_)/, encryptionFailed],
	[
		/^(E[A-Z]+|HPE_.*|Z_.*|ERR_STREAM_PREMATURE_CLOSE|ERR_NETWORK|ERR_BAD_RESPONSE)$/,
		connectionLost,
	],
];

/**
 * Converts what n8n threw for a request into the error to throw. Its `isTransient` says whether a
 * retry may succeed.
 *
 * @param address field that holds the base address of the request
 */
export function interpret(error: unknown, address: AddressField): ServiceError {
	if (error instanceof ServiceError) return error;
	const code = codeOf(error) ?? '';
	const make = BY_CODE.find(([codes]) => codes.test(code))?.[1] ?? requestFailed;
	return make(address, code);
}
