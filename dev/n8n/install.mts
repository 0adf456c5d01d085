/** Installs a real n8n, exactly as its lock file says, once for all checkouts of this package. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, cacheOnce, hash, hostFolder, npm, npmCi, type Log } from './cache.mts';
import { findRuntime, type Runtime } from './runtime.mts';

/** The versions of n8n this package is tested with, the newest first. */
export const n8nVersions = ['2.41.1', '1.123.81'] as const;

/** The newest of them. */
export const newestN8n = n8nVersions[0];

/** A version of n8n this package is tested with. */
export type N8nVersion = (typeof n8nVersions)[number];

/** An installed n8n. */
export interface Installation {
	readonly version: N8nVersion;
	/** Where its node_modules are. */
	readonly folder: string;
	/** The command line program, to be started with `runtime.node`. */
	readonly program: string;
	readonly runtime: Runtime;
}

/** The modules that are compiled on the machine; no other install script is run. */
const nativeModules = ['isolated-vm', 'sqlite3'];

/**
 * Gives an n8n of this version and the Node.js to run it with; installs both when they are missing, which
 * takes a few minutes and about 2.5 GB. At once when they are there.
 *
 * @throws Error when a tool for compiling is missing, or when npm fails
 */
export async function installN8n(version: N8nVersion): Promise<Installation> {
	const log = afterNotice(version);
	const source = join(hostFolder(), version);
	const runtime = await findRuntime(version.startsWith('2.'), log);
	const [major] = runtime.version.split('.');
	const locked = readFileSync(join(source, 'package-lock.json'), 'utf8');
	const name = `${version}-${hash(locked, major, process.platform, process.arch)}`;
	const folder = await cacheOnce(name, log, async (to) => {
		log(`Installing n8n ${version} …`);
		assertCompiler();
		await npmCi(source, to, log);
		await npm(['rebuild', ...nativeModules, '--foreground-scripts'], to, log, runtime.node, {
			...(runtime.nodedir && { npm_config_nodedir: runtime.nodedir }),
			// A ready-made binary would come from outside the registry, and not be what the lock file says.
			npm_config_build_from_source: 'true',
			npm_config_ignore_scripts: 'false',
		});
		assertNative(to, runtime);
	});
	return { version, folder, program: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'), runtime };
}

/** Returns a log that first says what an installation takes: nothing is logged if there is nothing to install. */
function afterNotice(version: N8nVersion): Log {
	let isGiven = false;
	return (line) => {
		if (!isGiven) {
			console.error(
				`n8n ${version} is installed once, into ${cacheFolder()}. This takes about 2.5 GB of disk, some minutes, ` +
					'and a C++ compiler, make and Python.',
			);
		}
		isGiven = true;
		console.error(line);
	};
}

function assertCompiler(): void {
	if (process.platform === 'win32') return;
	const missing = ['python3', 'make', process.env.CXX ?? 'g++'].filter(
		(tool) => spawnSync(tool, ['--version'], { stdio: 'ignore' }).status !== 0,
	);
	if (missing.length === 0) return;
	throw new Error(
		`n8n has two modules that are compiled on the machine; missing for that: ${missing.join(', ')}. ` +
			'On Debian or Ubuntu: apt-get install python3 make g++',
	);
}

/** n8n reports a module that was compiled for another Node.js late and unclearly, so it is tried here. */
function assertNative(folder: string, { node }: Runtime): void {
	for (const name of nativeModules) {
		const { status, stderr } = spawnSync(node, ['-e', `require('${name}')`], {
			cwd: folder,
			encoding: 'utf8',
			env: { ...process.env, NODE_OPTIONS: '--no-node-snapshot' },
		});
		if (status !== 0) throw new Error(`${name} does not load under ${node}:\n${stderr}`);
	}
}
