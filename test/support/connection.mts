import type { IExecuteFunctions } from 'n8n-workflow';
import {
	CREDENTIAL,
	toConnection,
	type Connection,
} from '../../nodes/shared/transport/connection.ts';

/** The connection of the node's credential. */
export async function readConnection(context: IExecuteFunctions): Promise<Connection> {
	return toConnection(await context.getCredentials(CREDENTIAL));
}
