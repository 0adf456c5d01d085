import type { IDataObject } from 'n8n-workflow';
import type { Inserting, RequestOf, SoapOperation } from '../contract/soapOperation';
import { findRecord } from '../contract/values';
import type { ServiceAccess } from '../transport/exchange';
import { readCurrent, type Decision } from './decision';

/**
 * Reads the current records and finds one that has all values of the record to insert.
 *
 * @param request values that the contract allows
 * @returns the decision to insert the record, or nothing and the record that exists
 * @throws {ServiceError} if the current records cannot be read; nothing was written then
 * @throws {TypeError} if the element is not a record: a mistake in the contract
 */
export async function skipExisting<O extends SoapOperation>(
	access: ServiceAccess,
	operation: O,
	{ record, read }: Inserting,
	request: RequestOf<O>,
): Promise<Decision<O>> {
	const field = operation.request[record];
	if (field?.kind !== 'record') throw new TypeError(`${operation.name} has no record ${record}`);
	const current = await readCurrent(access, read, request);
	const existing = findRecord(field, current, request[record] as unknown as IDataObject);
	return { request, flag: 'created', changes: {}, unknown: [], ...(existing && { existing }) };
}
