import type { IDataObject } from 'n8n-workflow';
import type { RequestOf, Rewriting, SoapOperation } from '../contract/operations';
import { ServiceError } from '../errors/ServiceError';
import { mergeRows, type MergedRows } from '../form/merge';
import { requestList } from '../form/properties';
import { callSoap } from '../soap/call';
import type { Connection } from '../transport/connection';
import type { Exchange } from '../transport/exchange';

/** A request that writes a whole list, and what it changes of it. */
export interface Rewritten<O extends SoapOperation> {
	readonly request: RequestOf<O>;
	/** For the output item: `changed` (before and after), `added` and `kept`. */
	readonly changes: IDataObject;
	/** Paths of fields at the service that are no part of the request. */
	readonly unknown: readonly string[];
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

async function readCurrent(
	exchange: Exchange,
	connection: Connection,
	{ read }: Rewriting,
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

/**
 * Reads the list that a request writes, and lays the request's rows over it, so that what is not
 * given stays as it is.
 *
 * @throws {InputError} where a row means no single record of the current ones
 * @throws {ServiceError} where they cannot be read; nothing was written then
 */
export async function rewrite<O extends SoapOperation>(
	exchange: Exchange,
	connection: Connection,
	operation: O,
	rewriting: Rewriting,
	request: RequestOf<O>,
): Promise<Rewritten<O>> {
	const target = requestList(operation.request);
	if (target?.name !== rewriting.list) {
		throw new TypeError(`${operation.name} has no list ${rewriting.list}`);
	}
	const { name, list } = target;
	const current = await readCurrent(exchange, connection, rewriting, request);
	const given = request[name] as unknown as IDataObject[];
	const merged: MergedRows = mergeRows(list, rewriting, current, given, name);
	return {
		request: { ...request, [name]: merged.rows },
		changes: { changed: merged.changed, added: merged.added, kept: merged.kept } as IDataObject,
		unknown: merged.unknown,
	};
}
