import type { IDataObject } from 'n8n-workflow';
import type { SoapTarget } from '../soap/call';
import { wrapRequest } from '../soap/envelope';
import type { Connection } from '../transport/connection';

/**
 * Returns the output item of a dry run: the changes, the request values, and the envelope as it
 * would be sent, with the Domain masked.
 *
 * @param request the request values by element name
 * @param children XML of the elements inside the operation's element
 * @param changes the records that the call would change, add and keep, if known
 */
export function preview(
	connection: Connection,
	operation: SoapTarget,
	request: IDataObject,
	children: string,
	changes: IDataObject = {},
): IDataObject {
	const envelope = wrapRequest({ ...connection, domain: '***' }, operation, children);
	return { dryRun: true, ...changes, operation: operation.name, request, envelope };
}
