/**
 * Fuzzes all targets in a process of its own: `main.mts <seed> <seconds> <file>`.
 *
 * Each input is written to the file before it is tried, so that it is known if this process has to be
 * killed. Each target's {@link Findings} are a line of JSON on stdout.
 */
import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Outcome, Target } from './target.mts';
import { targets } from './targets.mts';

/** The unit of the time limit: a smaller input counts as one block. */
const BLOCK = 64 * 1024;

/** Processor time for each block of an input, in milliseconds. */
const LIMIT_MS = 1000;

/** How often an input that took too long is repeated: the shortest time counts. */
const REPEATS = 2;

/** How often the time of a target is repeated, at most, until every expected outcome has come. */
const ROUNDS = 8;

/** What fuzzing a target found. */
export interface Findings {
	runs: number;
	bytes: number;
	/** How often each kind of outcome came. */
	outcomes: Record<string, number>;
	/** The input with the most processor time for each 64 kB. */
	slowest: { msPerBlock: number; bytes: number };
	/** What went wrong, with the smallest input found for it in the file. */
	failure?: string;
}

const [seed, seconds, file = ''] = process.argv.slice(2);

/** Runs the target once; returns the outcome, and the processor time in milliseconds. */
async function timed(target: Target, input: unknown): Promise<[Outcome, number]> {
	const before = process.cpuUsage();
	const outcome = await target.run(input);
	const { user, system } = process.cpuUsage(before);
	return [outcome, (user + system) / 1000];
}

async function tryInput(target: Target, findings: Findings, input: unknown): Promise<void> {
	const shown = target.show(input);
	writeFileSync(file, shown);
	const blocks = Math.max(1, shown.length / BLOCK);
	let [outcome, time] = await timed(target, input);
	// A major garbage collection may have fallen into that run.
	for (let i = 0; i < REPEATS && time / blocks > LIMIT_MS; i += 1) {
		const [again, other] = await timed(target, input);
		[outcome, time] = [again, Math.min(time, other)];
	}
	const msPerBlock = Math.round(time / blocks);
	if (msPerBlock > LIMIT_MS) {
		throw new Error(`${msPerBlock} ms of processor time for each 64 kB (${shown.length} bytes)`);
	}
	outcome.check();
	findings.runs += 1;
	findings.bytes += shown.length;
	findings.outcomes[outcome.kind] = (findings.outcomes[outcome.kind] ?? 0) + 1;
	if (msPerBlock > findings.slowest.msPerBlock)
		findings.slowest = { msPerBlock, bytes: shown.length };
}

async function fuzz(target: Target, ms: number): Promise<Findings> {
	const slowest = { msPerBlock: 0, bytes: 0 };
	const findings: Findings = { runs: 0, bytes: 0, outcomes: {}, slowest };
	const property = fc.asyncProperty(target.inputs, async (input) => {
		await tryInput(target, findings, input);
	});
	for (let round = 0; round < ROUNDS; round += 1) {
		const { counterexample, errorInstance } = await fc.check(property, {
			seed: Number(seed) + round,
			numRuns: Number.MAX_SAFE_INTEGER,
			interruptAfterTimeLimit: ms,
			markInterruptAsFailure: false,
		});
		if (counterexample !== null) {
			writeFileSync(file, target.show(counterexample[0]));
			const isError = errorInstance instanceof Error;
			const failure = isError ? (errorInstance.stack ?? errorInstance.message) : errorInstance;
			return { ...findings, failure: String(failure) };
		}
		if (target.expected.every((kind) => kind in findings.outcomes)) break;
	}
	return findings;
}

async function main(): Promise<void> {
	for (const { target, share } of Object.values(targets)) {
		const findings = await fuzz(target, Number(seconds) * share * 1000);
		process.stdout.write(`${JSON.stringify(findings)}\n`);
		// The file holds its input.
		if (findings.failure !== undefined) return;
	}
}

void main();
