import type { IDataObject } from 'n8n-workflow';
import type { SoapOperation } from '../../contract/soapOperation';
import { ServiceError } from '../../errors/ServiceError';
import { sentences } from '../../errors/words';
import type { ServiceAccess } from '../../exchange/exchange';
import { callSoap } from '../../soap/call';
import type { Values } from '../../values/values';

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
	read: SoapOperation<'read'>,
	request: Readonly<Values>,
): Promise<IDataObject[]> {
	const keys = Object.fromEntries(Object.keys(read.request).map((name) => [name, request[name]]));
	try {
		return (await callSoap(exchange, connection, read, keys)) as IDataObject[];
	} catch (error) {
		throw readFailure(error);
	}
}
