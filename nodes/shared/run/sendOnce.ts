import { InputError } from '../errors/InputError';
import { CancelledError, ServiceError } from '../errors/ServiceError';
import type { CallResult, PreparedCall } from './action';
import { presentableError } from './errors';
import type { Target } from './targets';
import { fingerprint, type WriteRecord } from './writeRecord';

/** Whether a write that failed with this error was certainly not applied. */
function certainlyNotWritten(error: unknown): boolean {
	const hasOutcome = error instanceof ServiceError || error instanceof CancelledError;
	return hasOutcome ? error.outcome === 'notApplied' : error instanceof InputError;
}

/** An error of our own for one that was not expected, so that its outcome is told. */
function named(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	return new ServiceError('notCarriedOut', error instanceof Error ? error.message : String(error));
}

/** Records what a failed call says of its write; gives the error to throw. */
function failed(
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
	// What was recorded when the call began holds for one that was cancelled.
	if (error instanceof CancelledError) return error;
	const own = named(error);
	record.failed(item, request, presentableError(own, secrets()));
	return own;
}

/**
 * Sends a writing call, unless an earlier try of the same run has: then what came of it is given
 * again, its records or its error.
 *
 * @param item the index of its first input item
 * @param secrets gives the values that nobody may read
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
		throw failed(record, item, request, error, secrets);
	}
}
