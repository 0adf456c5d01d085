/** The Node.js that n8n runs under: this one where it is new enough, else a package of the npm registry. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheOnce, hash, hostFolder, npmCi, readLocked } from './cache.mts';
import type { Log } from './cache.mts';

/** A Node.js to run n8n with. */
export interface Runtime {
	/** The program. */
	readonly node: string;
	/** For example `24.21.0`. */
	readonly version: string;
	/** What native modules are compiled against; undefined where node-gyp has to find its headers itself. */
	readonly nodedir?: string;
}

/** The folder of a Node.js with `include/node` in it, for a program in its `bin` folder. */
function headersOf(node: string): string | undefined {
	const folder = dirname(dirname(node));
	return existsSync(join(folder, 'include', 'node', 'node_version.h')) ? folder : undefined;
}

/**
 * Takes whether a later major than 24 will do; gives a Node.js for n8n, from the npm registry if this
 * process's own is too old. n8n 2.x needs 24 or later, n8n 1.x ends at 24.
 *
 * @throws Error when this platform's package is not known and the own Node.js does not fit
 */
export async function findRuntime(laterWillDo: boolean, log: Log): Promise<Runtime> {
	const [major = 0] = process.versions.node.split('.').map(Number);
	if (major === 24 || (laterWillDo && major > 24)) {
		const nodedir = headersOf(process.execPath);
		return { node: process.execPath, version: process.versions.node, ...(nodedir && { nodedir }) };
	}
	const platform = process.platform === 'win32' ? 'win' : process.platform;
	const name = `node-${platform}-${process.arch}`;
	const source = join(hostFolder(), 'node');
	const { version, integrity } = readLocked(source)[`node_modules/${name}`] ?? {};
	if (!version) {
		const own = `${process.platform} ${process.arch}, Node.js ${process.versions.node}`;
		throw new Error(`n8n needs Node.js 24: install it and start again (this is ${own}).`);
	}
	const folder = await cacheOnce(`node-${version}-${hash(name, integrity)}`, log, async (to) => {
		await npmCi(source, to, log);
	});
	const nodedir = join(folder, 'node_modules', name);
	return { node: join(nodedir, 'bin', platform === 'win' ? 'node.exe' : 'node'), version, nodedir };
}
