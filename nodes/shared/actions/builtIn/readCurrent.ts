import type { IDataObject } from 'n8n-workflow';
import type { Operation } from '../../contract/operation';
import { ServiceError } from '../../errors/ServiceError';
import { sentences } from '../../errors/words';
import type { ServiceAccess } from '../../exchange/exchange';
import { callSoap } from '../../soap/call';
import type { Values } from '../../values/values';
import { answerRecords } from '../soapCall';

/** Converts a failed read to the error of a write that was not begun. */
function readFailure(error: unknown): unknown {
	if (!(error instanceof ServiceError)) return error;
	const description = sentences('The current records could not be read.', error.description);
	return error.with({ kind: 'notBegun', description });
}

/**
 * Reads the current records. The elements of that request are taken from the write's.
 *
 * @throws {ServiceError} if they cannot be read
 */
export async function readCurrent(
	{ exchange, connection }: ServiceAccess,
	read: Operation<'read'>,
	request: Readonly<Values>,
): Promise<IDataObject[]> {
	const keys = Object.fromEntries(
		Object.keys(read.request.fields).map((name) => [name, request[name]]),
	);
	try {
		return answerRecords(read, await callSoap(exchange, connection, read, keys));
	} catch (error) {
		throw readFailure(error);
	}
}
