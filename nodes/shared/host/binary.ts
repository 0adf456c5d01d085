/** The files of items, n8n's binary data (1.123 and 2.41). Lines of sources are those of 2.41.1. */
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { serviceError } from '../errors/catalog';
import { messageOf } from '../errors/ServiceError';

/**
 * Has n8n store a file. Its type is that of the extension of its name, else that of its content:
 * `prepareBinaryData` in `binary-helper-functions.ts` of n8n-core, line 146.
 *
 * @param name empty for none
 * @throws {ServiceError} if n8n cannot store it
 */
export async function storeFile(
	{ helpers }: IExecuteFunctions,
	content: Buffer,
	name: string,
): Promise<IBinaryData> {
	try {
		return await helpers.prepareBinaryData(content, name || undefined);
	} catch (error) {
		throw serviceError('FILE_UNUSABLE/notStored', { reason: messageOf(error) });
	}
}

/** A file of an input item. */
export interface ItemFile {
	/** Returns its size in bytes, without reading it. */
	size(): Promise<number>;
	/** @throws {Error} if n8n no longer has it */
	read(): Promise<Buffer>;
}

/** Returns the files of an input item, by the names of their binary fields. */
export function filesOf(context: IExecuteFunctions, index: number): ReadonlyMap<string, ItemFile> {
	const { helpers } = context;
	const { binary = {} } = context.getInputData()[index] ?? {};
	const files = Object.entries(binary).map(([field, { id, data }]): [string, ItemFile] => {
		const size = async (): Promise<number> =>
			id === undefined ? (data.length * 3) / 4 : (await helpers.getBinaryMetadata(id)).fileSize;
		return [field, { size, read: async () => await helpers.getBinaryDataBuffer(index, field) }];
	});
	return new Map(files);
}
