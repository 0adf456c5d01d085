import type { IDataObject } from 'n8n-workflow';
import { wrapRequest } from '../soap/envelope';
import type { SoapTarget } from '../soap/call';
import type { Connection } from '../transport/connection';

/**
 * The item of a call that is not sent ("Dry Run"): its values, and the envelope as it would go out,
 * with the Domain left out.
 *
 * @param children the elements inside the operation's own one
 */
export function preview(
	connection: Connection,
	operation: SoapTarget,
	request: IDataObject,
	children: string,
): IDataObject {
	const envelope = wrapRequest({ ...connection, domain: '***' }, operation, children);
	return { dryRun: true, operation: operation.name, request, envelope };
}
