import { InputError } from '../errors/InputError';
import { CancelledError, ServiceError, unexpected } from '../errors/ServiceError';
import type { CallResult, PreparedCall } from './action';
import { presentableError } from './errors';
import type { Target } from './targets';
import { fingerprint, type WriteRecord } from './writeRecord';

/** Whether a write that failed with this error was certainly not applied. */
function certainlyNotWritten(error: unknown): boolean {
	const hasOutcome = error instanceof ServiceError || error instanceof CancelledError;
	return hasOutcome ? error.outcome === 'notApplied' : error instanceof InputError;
}

/** Records the outcome of a failed call and returns the error to throw. */
function recordFailure(
	record: WriteRecord,
	item: number,
	request: string,
	error: unknown,
	secrets: () => readonly string[],
): unknown {
	if (certainlyNotWritten(error)) {
		record.notApplied(item);
		return error;
	}
	// For a cancelled call, the entry recorded at its start still applies.
	if (error instanceof CancelledError) return error;
	// Its outcome is reported, even if the error is unexpected.
	const own = error instanceof ServiceError ? error : unexpected('notCarriedOut', error);
	record.failed(item, request, presentableError(own, secrets()));
	return own;
}

/**
 * Sends a writing call, unless an earlier try of the same run already sent it. The recorded result
 * of that try is then returned, or its error thrown.
 *
 * @param item index of the call's first input item
 * @param secrets returns the values to mask in a recorded error
 * @throws {InputError | ServiceError | CancelledError}
 */
export async function sendOnce(
	record: WriteRecord,
	{ connection, exchange }: Target,
	item: number,
	call: PreparedCall & { readonly change: string },
	secrets: () => readonly string[],
): Promise<CallResult> {
	const { soapUrl, soapNamespace, domain } = connection;
	const request = fingerprint(soapUrl, soapNamespace, domain, call.change);
	const earlier = record.recall(item, request, call.readsFirst === true);
	if (earlier !== undefined) {
		if ('error' in earlier) throw earlier.error;
		return { records: earlier.records, isRecalled: true };
	}
	record.begin(item, request);
	try {
		const result = await call.send(exchange, connection);
		if (result.nothingWritten === true) record.notApplied(item);
		else record.applied(item, request, result.records);
		return result;
	} catch (error) {
		throw recordFailure(record, item, request, error, secrets);
	}
}
