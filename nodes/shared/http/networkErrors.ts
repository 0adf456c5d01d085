/** Errors for requests that brought no usable answer. */
import type { AddressField } from '../credential/connection';
import { failure, ServiceError, texts } from '../errors/ServiceError';

/** The recipient of a request, as errors name it. */
const PEERS: Readonly<Record<AddressField, string>> = {
	'Identity Address': 'identity server',
	'REST Address': 'payroll service',
	'SOAP Address': 'payroll service',
};

const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
const INSECURE =
	/^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/;
const BROKEN = /^(E[A-Z]+|HPE_.*|Z_.*|ERR_STREAM_PREMATURE_CLOSE|ERR_NETWORK|ERR_BAD_RESPONSE)$/;

/** Returns a failure's error code. n8n wraps the original error, so the causes are searched too. */
export function codeOf(error: unknown): string | undefined {
	let link = error;
	for (let depth = 0; depth < 5 && typeof link === 'object' && link !== null; depth += 1) {
		const { code, cause } = link as { code?: unknown; cause?: unknown };
		if (typeof code === 'string') return code;
		link = cause;
	}
	return undefined;
}

/**
 * Returns how a request failed without an answer, by the error that n8n threw; `undefined` if that
 * is not known.
 */
export function noAnswerKind(error: unknown): 'broken' | 'insecure' | 'unreached' | undefined {
	const code = codeOf(error) ?? '';
	if (UNREACHED.has(code)) return 'unreached';
	if (INSECURE.test(code)) return 'insecure';
	return BROKEN.test(code) ? 'broken' : undefined;
}

/**
 * Converts what n8n threw for a request into the error to throw. Its `isTransient` says whether a
 * retry may succeed.
 *
 * @param address field that holds the base address of the request
 */
export function interpret(error: unknown, address: AddressField): ServiceError {
	if (error instanceof ServiceError) return error;
	const values = { peer: PEERS[address], field: address };
	const code = codeOf(error) ?? '';
	switch (noAnswerKind(error)) {
		case 'unreached':
			return code === 'ECONNREFUSED'
				? failure(texts.noAnswer.refused, values, { isTransient: true })
				: failure(texts.noAnswer.notFound, values, { isTransient: true });
		case 'insecure':
			return failure(texts.noAnswer.insecure, { ...values, code });
		case 'broken':
			return failure(texts.noAnswer.broken, { ...values, code }, { isTransient: true });
		default:
			return failure(texts.noAnswer.failed, values);
	}
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
