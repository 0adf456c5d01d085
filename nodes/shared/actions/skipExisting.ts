import type { IDataObject } from 'n8n-workflow';
import type { Inserting, RequestOf, SoapOperation } from '../contract/soapOperation';
import { findRecord } from '../contract/values';
import type { Connection } from '../transport/connection';
import type { Exchange } from '../transport/exchange';
import { readCurrent, type Plan } from './plan';

/**
 * Reads the current records and finds one that has all values of the record to insert.
 *
 * @param request values that the contract allows
 * @returns a plan that inserts the record, or one with the existing record that sends nothing
 * @throws {ServiceError} if the current records cannot be read; nothing was written then
 * @throws {TypeError} if the element is not a record: a mistake in the contract
 */
export async function skipExisting<O extends SoapOperation>(
	exchange: Exchange,
	connection: Connection,
	operation: O,
	{ record, read }: Inserting,
	request: RequestOf<O>,
): Promise<Plan<O>> {
	const field = operation.request[record];
	if (field?.kind !== 'record') throw new TypeError(`${operation.name} has no record ${record}`);
	const current = await readCurrent(exchange, connection, read, request);
	const found = findRecord(field, current, request[record] as unknown as IDataObject);
	return found === undefined
		? { request, doneFields: { created: true } }
		: { request, existing: { ...found, created: false } };
}
