import type { IDataObject } from 'n8n-workflow';
import type { RequestOf, SoapOperation } from '../contract/soapOperation';
import { ServiceError } from '../errors/ServiceError';
import { callSoap } from '../soap/call';
import type { Connection } from '../transport/connection';
import type { Exchange } from '../transport/exchange';

/** What a writing call comes down to, once the current records are known. */
export interface Plan<O extends SoapOperation> {
	readonly request: RequestOf<O>;
	/** The output item where the service has it all already: then nothing is sent. */
	readonly existing?: IDataObject;
	/** Added to the output item of the call that was carried out. */
	readonly doneFields?: IDataObject;
	/** Added to the output item of its preview. */
	readonly previewFields?: IDataObject;
	/** Paths of fields at the service that are no part of the request. */
	readonly unknown?: readonly string[];
}

/** The same error, of a write that was not begun. */
function notRead(error: unknown): unknown {
	if (!(error instanceof ServiceError)) return error;
	return new ServiceError('notBegun', error.message, {
		...error,
		description: ['The current records could not be read.', error.description]
			.filter(Boolean)
			.join(' '),
	});
}

/**
 * Reads the records that a write is about to change or add to.
 *
 * @param read the operation that reads them; its request elements are taken from the write's
 * @throws {ServiceError} where they cannot be read: nothing was written then
 */
export async function readCurrent(
	exchange: Exchange,
	connection: Connection,
	read: SoapOperation,
	request: RequestOf<SoapOperation>,
): Promise<IDataObject[]> {
	const names = Object.keys(read.request);
	const keys = Object.fromEntries(names.map((name) => [name, request[name]]));
	try {
		return (await callSoap(exchange, connection, read, keys)) as unknown as IDataObject[];
	} catch (error) {
		throw notRead(error);
	}
}
