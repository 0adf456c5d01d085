import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Runs npm with these arguments and the options of `spawnSync`; returns what `spawnSync` returns. Uses Node.js alone,
 * since it installs the packages.
 */
export function npm(args, options) {
	// npm passes its own path to its scripts, so use the same npm; `npm.cmd` needs a shell.
	const cli = process.env.npm_execpath;
	return cli?.endsWith('.js')
		? spawnSync(process.execPath, [cli, ...args], options)
		: spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
}

/**
 * Runs npm; returns what it printed.
 *
 * @throws Error with everything that it printed, when it fails
 */
export function npmOutput(args) {
	const { status, stdout, stderr, error } = npm(args, { encoding: 'utf8' });
	if (error) throw error;
	if (status !== 0) throw new Error(stdout + stderr);
	return stdout;
}

/** Packs this checkout, which is built, into a folder; returns the tarball, and the paths of its files. */
export function pack(folder) {
	const printed = npmOutput(['pack', '--json', '--pack-destination', folder]);
	// npm 12 lists packages by name, earlier versions in an array.
	const [{ filename, files }] = Object.values(JSON.parse(printed));
	return { tarball: join(folder, filename), files: files.map(({ path }) => path) };
}
