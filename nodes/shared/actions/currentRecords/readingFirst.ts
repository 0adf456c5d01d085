/** Writes that read the current records first. */
import type { IDataObject } from 'n8n-workflow';
import type { RecordField } from '../../contract/fields';
import type { Inserting, Rewriting, SoapOperation } from '../../contract/soapOperation';
import { findRecord, type Values } from '../../values/values';
import { joined, texts } from '../../errors/catalogue';
import { at } from '../../errors/InputError';
import { ServiceError } from '../../errors/ServiceError';
import { mergeRows } from './merge';
import type { RequestList } from '../../form/requestForm';
import { callSoap } from '../../soap/call';
import type { ServiceAccess } from '../../exchange/exchange';

/** What is decided about a write after the current records were read. */
export interface Decision {
	/** What is written, or stands there already. */
	readonly request: Readonly<Values>;
	/** The output item if nothing is to be written. */
	readonly existing?: IDataObject;
	/** Name of the property of the output item that says whether anything was written. */
	readonly flag?: 'written' | 'created';
	/** Added to the output item, also to that of a dry run. */
	readonly changes: IDataObject;
	/** Paths of fields that the current records have and the request does not. */
	readonly unknown: readonly string[];
}

/** Converts a failed read to the error of a write that was not begun. */
function readFailure(error: unknown): unknown {
	if (!(error instanceof ServiceError)) return error;
	const description = joined(texts.invalid.currentRecords.advice, error.description);
	return new ServiceError('notBegun', error.message, { ...error, description });
}

/** Reads the current records. The elements of that request are taken from the write's. */
async function readCurrent(
	{ exchange, connection }: ServiceAccess,
	read: SoapOperation<'read'>,
	request: Readonly<Values>,
): Promise<IDataObject[]> {
	const names = Object.keys(read.request);
	const keys = Object.fromEntries(names.map((name) => [name, request[name]]));
	try {
		return (await callSoap(exchange, connection, read, keys)) as IDataObject[];
	} catch (error) {
		throw readFailure(error);
	}
}

/**
 * Merges the rows of a request into the current ones, so that rows and fields that are not given
 * stay unchanged.
 *
 * @returns the decision to write the whole list, or nothing if no row changes
 * @throws {InputError} if a row cannot be matched, see {@link mergeRows}
 * @throws {ServiceError} if the current records cannot be read; nothing was written then
 */
export async function keepOthers(
	access: ServiceAccess,
	rewriting: Rewriting,
	{ name, list }: RequestList,
	request: Readonly<Values>,
): Promise<Decision> {
	const current = await readCurrent(access, rewriting.read, request);
	const given = request[name] as Values[];
	const merged = at(name, () => mergeRows(list, rewriting, current, given));
	const { rows, changed, added, kept, unknown } = merged;
	return {
		request: { ...request, [name]: rows },
		flag: 'written',
		changes: { changed, added, kept } as unknown as IDataObject,
		unknown,
		...(changed.length === 0 && added.length === 0 && { existing: { success: true } }),
	};
}

/**
 * Looks for a current record that has all values of the one to insert.
 *
 * @returns the decision to insert the record, or nothing and the record that exists
 * @throws {ServiceError} if the current records cannot be read; nothing was written then
 */
export async function skipExisting(
	access: ServiceAccess,
	{ record: name, read }: Inserting,
	record: RecordField,
	request: Readonly<Values>,
): Promise<Decision> {
	const current = await readCurrent(access, read, request);
	const existing = findRecord(record, current, request[name] as Values);
	return { request, flag: 'created', changes: {}, unknown: [], ...(existing && { existing }) };
}
