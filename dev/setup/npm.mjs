import { spawnSync } from 'node:child_process';

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
