import type { IBinaryData } from 'n8n-workflow';

import { container, core } from './n8n.mts';

/** Where n8n keeps files: in the items (`default`), or in the file system. */
export type FileMode = 'default' | 'filesystem';

/** Has the engine keep files as a server does that is set to this mode. */
export async function keepFilesIn(mode: FileMode): Promise<void> {
	container.get(core.BinaryDataConfig).mode = mode;
	await container.get(core.BinaryDataService).init();
}

/** Has the engine fail to keep files, as with a full disk, until it is told to keep them. */
export async function keepNoFiles(reason: string): Promise<void> {
	await keepFilesIn('filesystem');
	const store = async (): Promise<never> => await Promise.reject(new Error(reason));
	container.get(core.BinaryDataService).setManager('filesystem-v2', { store } as never);
}

/** Reads a file of an item. */
export async function readFile(file: IBinaryData | undefined): Promise<Buffer> {
	if (file === undefined) throw new Error('The item has no such file');
	return await container.get(core.BinaryDataService).getAsBuffer(file);
}
