/** Fuzzes a target in a process of its own, and ends it when it hangs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Findings } from './main.mts';

const PROGRAM = join('node_modules', '.cache', 'n8n-nodes-payroll', 'fuzz', 'main.cjs');

/** How long one input may take by the clock, for each 64 kB. Generous, since the machine may be busy. */
const HANG_MS = 20_000;

/** What a run found; after a failure, the file holds the input. */
export type Watched = Partial<Findings> & { readonly failure?: string; readonly file?: string };

/** Bundles the fuzzer and the sources into one program: loaded one by one, some modules would exist twice. */
export async function prepare(): Promise<void> {
	await build({
		entryPoints: [join('test', 'fuzz', 'main.mts')],
		outfile: PROGRAM,
		bundle: true,
		platform: 'node',
		packages: 'external',
		sourcemap: true,
		logLevel: 'warning',
	});
}

/** Takes a target's name, a seed and how long to go on; gives what was found. */
export async function fuzz(name: string, seed: number, seconds: number): Promise<Watched> {
	const folder = mkdtempSync(join(tmpdir(), 'payroll-fuzz-'));
	const file = join(folder, 'input');
	writeFileSync(file, '');
	const child = spawn(
		process.execPath,
		['--enable-source-maps', PROGRAM, name, String(seed), String(seconds), file],
		{ stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_OPTIONS: '' } },
	);
	let [output, errors] = ['', ''];
	child.stdout.on('data', (chunk) => (output += String(chunk)));
	child.stderr.on('data', (chunk) => (errors += String(chunk)));
	let hung = false;
	const watchdog = setInterval(() => {
		const { mtimeMs, size } = statSync(file);
		if (Date.now() - mtimeMs < HANG_MS * Math.max(1, size / 65_536)) return;
		hung = true;
		child.kill('SIGKILL');
	}, 250);
	const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
	clearInterval(watchdog);
	if (hung) return { failure: 'It does not terminate', file };
	if (code !== 0) return { failure: `It crashed (${signal ?? code}): ${errors}`, file };
	const findings = JSON.parse(output) as Findings;
	if (findings.failure !== undefined) return { ...findings, file };
	rmSync(folder, { recursive: true });
	return findings;
}
