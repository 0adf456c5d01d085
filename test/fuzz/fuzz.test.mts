/** Fuzzes the targets in a process of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundle, run } from './child.mts';
import type { Findings } from './main.mts';
import { targets } from './targets.mts';

// The seed decides the inputs; the seconds are how long it takes in all.
const seed = Number(process.env.FUZZ_SEED ?? 1);
const seconds = Number(process.env.FUZZ_SECONDS ?? 15);

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Holds the input of a failure. */
const file = join(mkdtempSync(join(tmpdir(), 'payroll-fuzz-')), 'input');
/** What was found in each target, in order; none after a failure. */
let findings: ReadonlyArray<Partial<Findings>>;

beforeAll(async () => {
	print(`FUZZ_SEED=${seed} FUZZ_SECONDS=${seconds}`);
	const program = await bundle('main.mts');
	const { lines, failure } = await run(program, [String(seed), String(seconds)], file);
	const found = lines as Findings[];
	findings = failure === undefined ? found : [...found, { failure }];
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
