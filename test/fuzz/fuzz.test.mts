/** Fuzzes the targets in a process of its own, which is ended when it hangs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import type { Findings } from './main.mts';
import { targets } from './targets.mts';

// The seed decides the inputs; the seconds are how long it takes in all.
const seed = Number(process.env.FUZZ_SEED ?? 1);
const seconds = Number(process.env.FUZZ_SECONDS ?? 15);

const PROGRAM = join('node_modules', '.cache', 'n8n-nodes-payroll', 'fuzz', 'main.cjs');

/** How long one input of 64 kB may take by the clock. Generous, since the machine may be busy. */
const HANG_MS = 20_000;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Holds the input of a failure: each input, before it is tried. */
const file = join(mkdtempSync(join(tmpdir(), 'payroll-fuzz-')), 'input');
/** What was found in each target, in order; none after a failure. */
let findings: ReadonlyArray<Partial<Findings>>;

/** Runs the fuzzer; returns its lines of JSON, and why it did not end well. */
async function fuzz(): Promise<Array<Partial<Findings>>> {
	// In one file: loaded one by one, some modules would exist twice.
	await build({
		entryPoints: [join('test', 'fuzz', 'main.mts')],
		outfile: PROGRAM,
		bundle: true,
		platform: 'node',
		packages: 'external',
		sourcemap: true,
		logLevel: 'warning',
	});
	writeFileSync(file, '');
	const args = ['--enable-source-maps', PROGRAM, String(seed), String(seconds), file];
	const env = { ...process.env, NODE_OPTIONS: '' };
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
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
	const lines = output.split('\n').filter((line) => line.endsWith('}'));
	const found = lines.map((line) => JSON.parse(line) as Findings);
	if (hung) return [...found, { failure: 'It does not terminate' }];
	return code === 0 ? found : [...found, { failure: `It crashed (${signal ?? code}): ${errors}` }];
}

beforeAll(async () => {
	print(`FUZZ_SEED=${seed} FUZZ_SECONDS=${seconds}`);
	findings = await fuzz();
});
afterAll(() => {
	if (findings.some(({ failure }) => failure !== undefined)) return;
	rmSync(dirname(file), { recursive: true });
});

it.each(Object.entries(targets).map(([name, { target }], i) => [name, target, i] as const))(
	'%s',
	(name, target, i) => {
		const found = findings[i];
		if (found === undefined) throw new Error('An earlier failure ended the fuzzer');
		const { failure, runs = 0, bytes = 0, outcomes = {}, slowest } = found;
		const counts = Object.entries(outcomes).map(([kind, count]) => `${count} ${kind}`);
		print(
			`${name}: ${runs} runs, ${(bytes / 2 ** 20).toFixed(1)} MiB; ${counts.join(', ')}; ` +
				`slowest ${slowest?.msPerBlock} ms for each 64 kB (${slowest?.bytes} bytes)`,
		);
		if (failure !== undefined) {
			throw new Error(`${failure}\nThe input is in ${file}; FUZZ_SEED=${seed} finds it again.`);
		}
		expect(Object.keys(outcomes).sort()).toEqual([...target.expected].sort());
	},
);
