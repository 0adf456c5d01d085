import type { IDataObject } from 'n8n-workflow';
import type { SoapTarget } from '../soap/call';
import { wrapRequest } from '../soap/envelope';
import type { Connection } from '../transport/connection';

/**
 * The item of a call that is not sent ("Dry Run"): what it would change, its values, and the envelope
 * as it would go out, with the Domain masked.
 *
 * @param children the elements inside the operation's own one
 * @param changes the records that it would change, add and keep, where that is known
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
