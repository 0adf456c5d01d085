import type { IDataObject } from 'n8n-workflow';
import type { Connection } from '../credential/connection';
import type { SoapCall } from '../soap/call';
import { wrapRequest } from '../soap/envelope';

/**
 * Returns what a dry run shows of a request: the values, and the envelope as it would be sent, with
 * the Domain masked.
 *
 * @param request the request values by element name
 * @param children XML of the elements inside the operation's element
 */
export function preview(
	connection: Connection,
	operation: Pick<SoapCall, 'service' | 'name'>,
	request: IDataObject,
	children: string,
): IDataObject {
	const envelope = wrapRequest({ ...connection, domain: '***' }, operation, children);
	return { operation: operation.name, request, envelope };
}
