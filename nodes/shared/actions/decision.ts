import type { IDataObject } from 'n8n-workflow';
import type { RequestOf, SoapOperation } from '../contract/soapOperation';
import { joined, texts } from '../errors/catalogue';
import { ServiceError } from '../errors/ServiceError';
import { callSoap } from '../soap/call';
import type { ServiceAccess } from '../transport/exchange';

/** What is decided about a write after the current records were read. */
export interface Decision<O extends SoapOperation> {
	/** What is written, or stands there already. */
	readonly request: RequestOf<O>;
	/** The output item if nothing is to be written. */
	readonly existing?: IDataObject;
	/** Name of the property of the output item that says whether anything was written. */
	readonly flag?: 'written' | 'created';
	/** Added to the output item, also to that of a dry run. */
	readonly changes: IDataObject;
	/** Paths of fields that the current records have and the request does not. */
	readonly unknown: readonly string[];
}

/**
 * Reads the current records before a write changes or adds to them.
 *
 * @param read the operation that reads the records
 * @param request the write's request, from which the elements of the read are taken
 * @throws {ServiceError} if the records cannot be read; nothing was written then
 */
export async function readCurrent(
	{ exchange, connection }: ServiceAccess,
	read: SoapOperation<'read'>,
	request: RequestOf<SoapOperation>,
): Promise<IDataObject[]> {
	const names = Object.keys(read.request);
	const keys = Object.fromEntries(names.map((name) => [name, request[name]]));
	try {
		return (await callSoap(exchange, connection, read, keys)) as unknown as IDataObject[];
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
		const description = joined(texts.invalid.currentRecords.advice, error.description);
		throw new ServiceError('notBegun', error.message, { ...error, description });
	}
}
