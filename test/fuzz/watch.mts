/** Fuzzes the targets in a process of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle, run } from './child.mts';
import type { Findings } from './main.mts';

/** What was found in each target, in order: none after a failure, whose input is in the file. */
export interface Watched {
	readonly findings: ReadonlyArray<Partial<Findings>>;
	readonly file: string;
}

/** Takes a seed and how long to go on in all; gives what was found. */
export async function fuzz(seed: number, seconds: number): Promise<Watched> {
	const folder = mkdtempSync(join(tmpdir(), 'payroll-fuzz-'));
	const file = join(folder, 'input');
	const program = await bundle('main.mts');
	const { lines, failure } = await run(program, [String(seed), String(seconds)], file);
	const found = lines as Findings[];
	const findings = failure === undefined ? found : [...found, { failure }];
	if (findings.every((one) => one.failure === undefined)) rmSync(folder, { recursive: true });
	return { findings, file };
}
