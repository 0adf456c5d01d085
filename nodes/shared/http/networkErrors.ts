/** Errors for requests that brought no usable answer. */
import type { AddressField } from '../credential/connection';
import { failure, ServiceError, texts } from '../errors/ServiceError';
import { codeOf } from '../host/workarounds';

/** The recipient of a request, as errors name it. */
const PEERS: Readonly<Record<AddressField, string>> = {
	'Identity Address': 'identity server',
	'REST Address': 'payroll service',
	'SOAP Address': 'payroll service',
};

/** The case of each error code. */
const CASES = [
	[/^ECONNREFUSED$/, texts.noAnswer.refused],
	[/^(ENOTFOUND|EAI_AGAIN)$/, texts.noAnswer.notFound],
	[
		/^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/,
		texts.noAnswer.insecure,
	],
	[
		/^(E[A-Z]+|HPE_.*|Z_.*|ERR_STREAM_PREMATURE_CLOSE|ERR_NETWORK|ERR_BAD_RESPONSE)$/,
		texts.noAnswer.broken,
	],
] as const;

/** Returns the case of the catalogue for what n8n threw for a request. */
export function noAnswerCase(
	error: unknown,
): (typeof CASES)[number][1] | typeof texts.noAnswer.failed {
	const code = codeOf(error) ?? '';
	return CASES.find(([codes]) => codes.test(code))?.[1] ?? texts.noAnswer.failed;
}

/**
 * Converts what n8n threw for a request into the error to throw. Its `isTransient` says whether a
 * retry may succeed.
 *
 * @param address field that holds the base address of the request
 */
export function interpret(error: unknown, address: AddressField): ServiceError {
	if (error instanceof ServiceError) return error;
	const found = noAnswerCase(error);
	const values = { peer: PEERS[address], field: address, code: codeOf(error) ?? '' };
	const isTransient = found.kinds[0] === 'unreached' || found.kinds[0] === 'broken';
	return failure(found, values, { isTransient });
}

/** The error for an answer that was incomplete when the timeout expired. */
export function lateError(address: AddressField, timeoutMs: number): ServiceError {
	const values = { peer: PEERS[address], seconds: timeoutMs / 1000 };
	return failure(texts.noAnswer.late, values, { isTransient: true });
}

/** The error for an answer of more than `maxBytes` bytes. */
export function tooLarge(address: AddressField, maxBytes: number): ServiceError {
	return failure(texts.noAnswer.tooLarge, { peer: PEERS[address], bytes: maxBytes });
}
