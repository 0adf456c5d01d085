import { CancelledError, ServiceError } from '../errors/ServiceError';
import { InputError } from '../errors/InputError';
import type { Action, CallResult, PreparedCall } from './action';
import { presentableError } from './errors';
import type { Target } from './targets';
import { fingerprint, type WriteRecord } from './writeRecord';

/** What an error says of a write, as a ServiceError where the write may have been applied. */
function outcomeUnknown(error: unknown): ServiceError | undefined {
	if (error instanceof InputError) return undefined;
	if (error instanceof ServiceError) return error.outcome === 'unknown' ? error : undefined;
	if (error instanceof CancelledError && error.outcome === 'notApplied') return undefined;
	const message = error instanceof Error ? error.message : String(error);
	return new ServiceError('notCarriedOut', message, {
		description: 'The call was under way when it ended.',
	});
}

/**
 * Sends a writing call, unless an earlier try of the same run has: then what came of it is given
 * again, its records or its error.
 *
 * @param item the index of its first input item
 * @param change what it changes, see {@link PreparedCall.change}
 * @param secrets values that nobody may read
 * @throws {InputError | ServiceError | CancelledError}
 */
export async function sendOnce(
	record: WriteRecord,
	{ operation }: Action,
	{ connection, exchange }: Target,
	item: number,
	call: PreparedCall,
	change: string,
	secrets: () => readonly string[],
): Promise<CallResult> {
	const { soapUrl, soapNamespace, domain } = connection;
	const request = fingerprint(soapUrl, soapNamespace, domain, operation, change);
	const earlier = record.recall(item, request);
	if (earlier !== undefined) {
		if ('error' in earlier) throw earlier.error;
		return { records: earlier.records, isRecalled: true };
	}
	try {
		const result = await call.send(exchange, connection);
		if (result.nothingWritten !== true) record.applied(item, request, result.records);
		return result;
	} catch (error) {
		const unknown = outcomeUnknown(error);
		if (unknown !== undefined) record.unknown(item, request, presentableError(unknown, secrets()));
		throw error instanceof CancelledError ? error : (unknown ?? error);
	}
}
