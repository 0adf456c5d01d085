/** Errors for requests that brought no usable answer. */
import type { AddressField } from '../credential/connection';
import {
	connectionLost,
	connectionRefused,
	hostNotFound,
	insecureConnection,
	requestFailed,
} from '../errors/requestErrors';
import { ServiceError } from '../errors/ServiceError';
import { codeOf } from '../host/errors';

type NetworkError = (field: AddressField, code: string) => ServiceError;

/** The error of each code of Node.js. */
const BY_CODE: ReadonlyArray<readonly [codes: RegExp, error: NetworkError]> = [
	[/^ECONNREFUSED$/, connectionRefused],
	[/^(ENOTFOUND|EAI_AGAIN)$/, hostNotFound],
	[
		/^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/,
		insecureConnection,
	],
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
