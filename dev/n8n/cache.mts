/** A cache of npm installations outside the checkout; each is made once, completely or not at all. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, openSync, closeSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Receives one line at a time about what is being done. */
export type Log = (line: string) => void;

/** What a lock file says about one package. */
export interface LockedPackage {
	version?: string;
	integrity?: string;
}

/** The folder of these files, seen from the repository's root. */
export function hostFolder(): string {
	return join(process.cwd(), 'dev', 'n8n');
}

/** Where installations are kept: `$XDG_CACHE_HOME` or `~/.cache`, and there a folder of this package's. */
export function cacheFolder(): string {
	const base = process.env.XDG_CACHE_HOME ?? '';
	return join(base || join(homedir(), '.cache'), 'n8n-nodes-payroll', 'n8n-host');
}

/** The packages of a folder's package-lock.json, by their path. */
export function readLocked(folder: string): Partial<Record<string, LockedPackage>> {
	const text = readFileSync(join(folder, 'package-lock.json'), 'utf8');
	return (JSON.parse(text) as { packages: Record<string, LockedPackage> }).packages;
}

/** A short name for the given contents. */
export function hash(...contents: Array<string | undefined>): string {
	return createHash('sha256').update(JSON.stringify(contents)).digest('hex').slice(0, 12);
}

/**
 * Gives the folder `name` of the cache; when it is not there yet, `make` fills a temporary folder that
 * then takes this name. A second process that wants the same waits for the first.
 */
export async function cacheOnce(
	name: string,
	log: Log,
	make: (folder: string) => Promise<void>,
): Promise<string> {
	const folder = join(cacheFolder(), name);
	if (existsSync(folder)) return folder;
	mkdirSync(dirname(folder), { recursive: true });
	const release = await lock(`${folder}.lock`, log);
	try {
		if (existsSync(folder)) return folder;
		const temporary = `${folder}.new`;
		rmSync(temporary, { recursive: true, force: true });
		mkdirSync(temporary);
		const started = performance.now();
		await make(temporary);
		renameSync(temporary, folder);
		log(`${basename(folder)} is installed (${Math.round((performance.now() - started) / 1000)} s)`);
		return folder;
	} finally {
		release();
	}
}

/** Waits until no living process holds the lock file, and takes it; returns the function that releases it. */
async function lock(file: string, log: Log): Promise<() => void> {
	for (let waited = 0; ; waited += 1) {
		try {
			writeFileSync(file, String(process.pid), { flag: 'wx' });
			return () => rmSync(file, { force: true });
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
		}
		if (isAbandoned(file)) {
			rmSync(file, { force: true });
			continue;
		}
		if (waited === 0) log(`Waiting for another process that installs ${basename(file, '.lock')} …`);
		await sleep(500);
	}
}

/** Whether the process that made the lock file is gone, for example because it was killed. */
function isAbandoned(file: string): boolean {
	try {
		const holder = Number(readFileSync(file, 'utf8'));
		// Between its creation and its writing the file is empty.
		if (!holder) return Date.now() - statSync(file).mtimeMs > 10_000;
		process.kill(holder, 0);
		return false;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'ESRCH';
	}
}

/** `npm ci` of the package.json and lock file in `source`, into the folder `to`, without install scripts. */
export async function npmCi(source: string, to: string, log: Log): Promise<void> {
	for (const file of ['package.json', 'package-lock.json'])
		copyFileSync(join(source, file), join(to, file));
	// The peers of n8n's own packages cannot be resolved by npm.
	await npm(['ci', '--ignore-scripts', '--legacy-peer-deps'], to, log);
}

/**
 * Runs npm in a folder, with its output in `install.log` there.
 *
 * @param node the Node.js to run npm and its scripts with, if it is not this one
 * @throws Error with the end of the output when npm fails
 */
export async function npm(
	args: string[],
	folder: string,
	log: Log = () => undefined,
	node = process.execPath,
	env: NodeJS.ProcessEnv = {},
): Promise<void> {
	log(`npm ${args.join(' ')} …`);
	const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
	const path = [dirname(node), process.env.PATH].join(delimiter);
	// npm tells its scripts where it lives, for the very same npm to be used; `npm.cmd` needs a shell.
	const cli = process.env.npm_execpath;
	const [program, ...first] = cli?.endsWith('.js') ? [node, cli] : ['npm'];
	const file = join(folder, 'install.log');
	const output = openSync(file, 'a');
	try {
		const child = spawn(program, [...first, ...args, ...quiet], {
			cwd: folder,
			env: { ...withoutNpm(process.env), ...env, PATH: path },
			stdio: ['ignore', output, output],
			shell: program === 'npm' && process.platform === 'win32',
		});
		const status = await new Promise<number | null>((done, failed) => {
			child.once('error', failed);
			child.once('exit', done);
		});
		if (status === 0) return;
	} finally {
		closeSync(output);
	}
	const end = readFileSync(file, 'utf8').split('\n').slice(-40).join('\n');
	throw new Error(`npm ${args.join(' ')} failed in ${folder}:\n${end}`);
}

/** The environment without what `npm run` put there: this package's settings are not those of n8n's folder. */
function withoutNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	const own =
		/^npm_(package|lifecycle|config_(ignore_scripts|legacy_peer_deps|local_prefix|prefix))/i;
	return Object.fromEntries(Object.entries(env).filter(([name]) => !own.test(name)));
}
