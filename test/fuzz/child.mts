/** Runs a program of the fuzzer in a process of its own, and ends it when it hangs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const CACHE = join('node_modules', '.cache', 'n8n-nodes-payroll', 'fuzz');

/** How long one input may take by the clock. Generous, since the machine may be busy. */
const HANG_MS = 20_000;

/** A program that was run. */
export interface Ended {
	/** Its lines of JSON. */
	readonly lines: readonly unknown[];
	/** Why it did not end well. */
	readonly failure?: string;
}

/** Bundles a program and the sources into one file: loaded one by one, some modules would exist twice. */
export async function bundle(entry: string): Promise<string> {
	const program = join(CACHE, entry.replace(/\W/g, '-')) + '.cjs';
	await build({
		entryPoints: [join('test', 'fuzz', entry)],
		outfile: program,
		bundle: true,
		platform: 'node',
		packages: 'external',
		sourcemap: true,
		logLevel: 'warning',
	});
	return program;
}

/**
 * Runs a program.
 *
 * @param file where it writes each input before it tries it: the last argument
 * @param flags those of Node.js
 * @param hangMs how long an input of this size may take; by default, in proportion to the size
 */
export async function run(
	program: string,
	args: readonly string[],
	file: string,
	flags: readonly string[] = [],
	hangMs = (size: number): number => HANG_MS * Math.max(1, size / 65_536),
): Promise<Ended> {
	writeFileSync(file, '');
	const child = spawn(
		process.execPath,
		[...flags, '--enable-source-maps', program, ...args, file],
		{ stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_OPTIONS: '' } },
	);
	let [output, errors] = ['', ''];
	child.stdout.on('data', (chunk) => (output += String(chunk)));
	child.stderr.on('data', (chunk) => (errors += String(chunk)));
	let hung = false;
	const watchdog = setInterval(() => {
		const { mtimeMs, size } = statSync(file);
		if (Date.now() - mtimeMs < hangMs(size)) return;
		hung = true;
		child.kill('SIGKILL');
	}, 250);
	const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
	clearInterval(watchdog);
	const lines = output
		.split('\n')
		.filter((line) => line.endsWith('}'))
		.map((line) => JSON.parse(line) as unknown);
	if (hung) return { lines, failure: 'It does not terminate' };
	if (code === 0) return { lines };
	return { lines, failure: `It crashed (${signal ?? code}): ${errors}` };
}
