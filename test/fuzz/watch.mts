/** Fuzzes the targets in a process of its own, and ends it when it hangs. */
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

/** What was found in each target, in order: none after a failure, whose input is in the file. */
export interface Watched {
	readonly findings: ReadonlyArray<Partial<Findings>>;
	readonly file: string;
}

/** Bundles the fuzzer and the sources into one program: loaded one by one, some modules would exist twice. */
async function prepare(): Promise<void> {
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

/** Takes a seed and how long to go on in all; gives what was found. */
export async function fuzz(seed: number, seconds: number): Promise<Watched> {
	await prepare();
	const folder = mkdtempSync(join(tmpdir(), 'payroll-fuzz-'));
	const file = join(folder, 'input');
	writeFileSync(file, '');
	const child = spawn(
		process.execPath,
		['--enable-source-maps', PROGRAM, String(seed), String(seconds), file],
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
	const findings: Array<Partial<Findings>> = output
		.split('\n')
		.filter((line) => line.endsWith('}'))
		.map((line) => JSON.parse(line) as Findings);
	if (hung) findings.push({ failure: 'It does not terminate' });
	else if (code !== 0) findings.push({ failure: `It crashed (${signal ?? code}): ${errors}` });
	if (findings.every(({ failure }) => failure === undefined)) rmSync(folder, { recursive: true });
	return { findings, file };
}
