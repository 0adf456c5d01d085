import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { SoapOperation } from '../../contract/soapOperation';
import { joined, texts } from '../../errors/catalogue';
import { ServiceError } from '../../errors/ServiceError';
import type { ServiceAccess } from '../../exchange/exchange';
import type { InputItem } from '../../form/inputItem';
import type { SwitchNote } from '../../form/toolDescription';
import type { ListSearch } from '../../run/action';
import { callSoap } from '../../soap/call';
import type { Values } from '../../values/values';

/** What a write does after it has read the current records; the builder can turn it off. */
export interface ReadingFirst {
	/** Its switch in the form, or among the options. */
	readonly form: readonly INodeProperties[];
	readonly options: readonly INodeProperties[];
	/** Note in the tool description about the switch. */
	readonly switchNote?: SwitchNote;
	/** List search methods of the form, by the list's name. */
	readonly lists?: Readonly<Record<string, ListSearch>>;
	/** @throws {InputError} naming the switch, if its value is not a boolean */
	isOn(item: InputItem): boolean;
	/**
	 * @param request the values that the builder asks to write
	 * @throws {InputError} if they do not fit the current records
	 * @throws {ServiceError} if the current records cannot be read; nothing was written then
	 */
	decide(access: ServiceAccess, request: Readonly<Values>): Promise<Decision>;
}

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

/**
 * Reads the current records. The elements of that request are taken from the write's.
 *
 * @throws {ServiceError} if they cannot be read
 */
export async function readCurrent(
	{ exchange, connection }: ServiceAccess,
	read: SoapOperation<'read'>,
	request: Readonly<Values>,
): Promise<IDataObject[]> {
	const keys = Object.fromEntries(Object.keys(read.request).map((name) => [name, request[name]]));
	try {
		return (await callSoap(exchange, connection, read, keys)) as IDataObject[];
	} catch (error) {
		throw readFailure(error);
	}
}
