/** The package as a user gets it: packed by npm and unpacked again. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An unpacked tarball. */
export interface Packed {
	/** Where it was unpacked; n8n-workflow can be required there, as from a folder of n8n's. */
	folder: string;
	/** Size of the tarball in bytes. */
	size: number;
	/** Everything in the tarball, as paths from its root with forward slashes. */
	files: string[];
	/** The text of one of its files. */
	read(file: string): string;
	/** Deletes it. */
	remove(): void;
}

/** Runs npm in a folder; gives what it printed. */
export function runNpm(
	args: readonly string[],
	cwd = process.cwd(),
	env: NodeJS.ProcessEnv = process.env,
): string {
	// npm tells its scripts where it lives, for the very same npm to be used; `npm.cmd` needs a shell.
	const npm = process.env.npm_execpath;
	const options = { cwd, env, encoding: 'utf8' } as const;
	if (npm?.endsWith('.js')) return execFileSync(process.execPath, [npm, ...args], options);
	return execFileSync('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** Packs the built checkout into an empty folder; gives the tarball. */
export function npmPack(destination: string): string {
	runNpm(['pack', '--silent', '--pack-destination', destination]);
	const [tarball = ''] = readdirSync(destination);
	return join(destination, tarball);
}

/** Packs the built checkout and unpacks the tarball into a temporary folder. */
export function packAndUnpack(): Packed {
	const temporary = mkdtempSync(join(tmpdir(), 'n8n-nodes-payroll-'));
	const tarball = npmPack(temporary);
	execFileSync('tar', ['-xzf', tarball, '-C', temporary]);
	const folder = join(temporary, 'package');
	const files = readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
		.map((file) => file.replaceAll('\\', '/'))
		.sort();
	// n8n offers its n8n-workflow to the packages it loads; a link does the same here.
	symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'), 'junction');
	return {
		folder,
		size: statSync(tarball).size,
		files,
		read: (file) => readFileSync(join(folder, file), 'utf8'),
		remove: () => rmSync(temporary, { recursive: true, force: true }),
	};
}
