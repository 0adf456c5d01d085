import type { IDataObject } from 'n8n-workflow';
import type { Operation } from '../../contract/operation';
import { ServiceError } from '../../errors/ServiceError';
import { sentences } from '../../errors/words';
import type { ServiceAccess } from '../../exchange/exchange';
import type { Values } from '../../values/values';
import { readRecords } from '../soapCall';

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
	access: ServiceAccess,
	read: Operation<'read'>,
	request: Readonly<Values>,
): Promise<IDataObject[]> {
	const names = Object.keys(read.request.fields);
	const keys = Object.fromEntries(names.map((name) => [name, request[name]]));
	try {
		return await readRecords(access, read, keys);
	} catch (error) {
		throw readFailure(error);
	}
}
