/** Errors for requests that brought no usable answer. */
import type { AddressField } from '../credential/connection';
import { fill, texts, type Text, type Values } from '../errors/catalogue';
import type { FailureKind } from '../errors/outcomes';
import { failure, ServiceError, type Failure } from '../errors/ServiceError';

/** The recipient of a request, as errors name it. */
const PEERS: Readonly<Record<AddressField, string>> = {
	'Identity Address': 'identity server',
	'REST Address': 'payroll service',
	'SOAP Address': 'payroll service',
};

/** How an attempt without an answer failed. */
type NoAnswer = Extract<FailureKind, 'unreached' | 'insecure' | 'broken'>;

/** An attempt without an answer. */
export class ConnectionError extends ServiceError {
	constructor(
		override readonly kind: NoAnswer,
		message: Text,
		description: Text,
	) {
		super(kind, message, { description, isTransient: kind !== 'insecure' });
	}

	/** Whether the service may have received the request. */
	get reached(): boolean {
		return this.kind === 'broken';
	}
}

function noConnection<T extends string, A extends string>(
	{ kinds: [kind], title, advice }: Failure<NoAnswer, T, A>,
	...values: Values<A | T>
): ConnectionError {
	return new ConnectionError(kind, fill(title, ...values), fill(advice, ...values));
}

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

/** Whether an error code means that the server was not reached. */
export function isUnreached(code: string): boolean {
	return UNREACHED.has(code);
}

/** Whether an error code means that no secure connection was established. */
export function isInsecure(code: string): boolean {
	return INSECURE.test(code);
}

/**
 * Converts what n8n threw for a request into the error to throw.
 *
 * @param address field that holds the base address of the request
 * @returns a {@link ConnectionError} if there was no answer; its `isTransient` says whether a retry
 * may succeed
 */
export function interpret(error: unknown, address: AddressField): ServiceError {
	if (error instanceof ServiceError) return error;
	const values = { peer: PEERS[address], field: address };
	const code = codeOf(error) ?? '';
	if (isUnreached(code)) {
		return code === 'ECONNREFUSED'
			? noConnection(texts.noAnswer.refused, values)
			: noConnection(texts.noAnswer.notFound, values);
	}
	if (isInsecure(code)) return noConnection(texts.noAnswer.insecure, { ...values, code });
	if (BROKEN.test(code)) return noConnection(texts.noAnswer.broken, { ...values, code });
	return failure(texts.noAnswer.failed, values);
}

/** The error for an answer that was incomplete when the timeout expired. */
export function lateError(address: AddressField, timeoutMs: number): ConnectionError {
	const values = { peer: PEERS[address], seconds: timeoutMs / 1000 };
	return noConnection(texts.noAnswer.late, values);
}

/** The error for an answer of more than `maxBytes` bytes. */
export function tooLarge(address: AddressField, maxBytes: number): ServiceError {
	return failure(texts.noAnswer.tooLarge, { peer: PEERS[address], bytes: maxBytes });
}
