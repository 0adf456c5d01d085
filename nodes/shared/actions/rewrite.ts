import type { IDataObject } from 'n8n-workflow';
import type { RequestOf, Rewriting, SoapOperation } from '../contract/soapOperation';
import { at } from '../errors/InputError';
import { mergeRows, type MergedRows } from '../form/merge';
import { requestList } from '../form/requestForm';
import type { ServiceAccess } from '../transport/exchange';
import { readCurrent, type Decision } from './decision';

/**
 * Reads the list that a request writes and merges the request's rows into it, so that rows and
 * fields that are not given stay unchanged.
 *
 * @returns the decision to write the whole list, or nothing if no row changes
 * @throws {InputError} if a row cannot be matched, see {@link mergeRows}
 * @throws {ServiceError} if the current records cannot be read; nothing was written then
 * @throws {TypeError} if the list is not the only list of the request: a mistake in the contract
 */
export async function rewrite<O extends SoapOperation>(
	access: ServiceAccess,
	operation: O,
	rewriting: Rewriting,
	request: RequestOf<O>,
): Promise<Decision<O>> {
	const target = requestList(operation.request);
	if (target?.name !== rewriting.list) {
		throw new TypeError(`${operation.name} has no list ${rewriting.list}`);
	}
	const { name, list } = target;
	const current = await readCurrent(access, rewriting.read, request);
	const given = request[name] as unknown as IDataObject[];
	const { rows, changed, added, kept, unknown }: MergedRows = at(name, () =>
		mergeRows(list, rewriting, current, given),
	);
	return {
		request: { ...request, [name]: rows },
		flag: 'written',
		changes: { changed, added, kept } as unknown as IDataObject,
		unknown,
		...(changed.length === 0 && added.length === 0 && { existing: { success: true } }),
	};
}
