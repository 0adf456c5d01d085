/**
 * `npm run check`: what every change must pass before it lands. `npm run check:all`: that, and what takes long or is
 * random, as each night. Every step prints its name and time and has a limit of its own. The last line is
 * "N passed, N failed": the tests of every suite, and one for every other step.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gate, gateInN8n, installation, night, nightInN8n, type Step } from './steps.mts';

interface Result {
	readonly name: string;
	readonly passed: number;
	readonly failed: number;
	readonly seconds: number;
}

const all = process.argv.includes('--all');
const temporary = mkdtempSync(join(tmpdir(), 'check-'));
const results: Result[] = [];

const installLog = join(temporary, 'n8n-install.log');
const installing = run(installation, openSync(installLog, 'w'));
for (const step of all ? [...gate, ...night] : gate) await announced(step);
console.log(`\n=== ${installation.name}, since the start`);
const installed = await installing;
process.stdout.write(readFileSync(installLog));
conclude(installed);
// Without an n8n, what needs it would only fail once more.
if (installed.failed === 0) {
	for (const step of all ? [...gateInN8n, ...nightInN8n] : gateInN8n) await announced(step);
}
rmSync(temporary, { recursive: true });

const sum = (key: 'passed' | 'failed'): number =>
	results.reduce((total, result) => total + result[key], 0);
console.log('\n=== Seconds');
for (const { name, seconds, failed } of results) {
	console.log(`${String(seconds).padStart(5)}  ${name}${failed > 0 ? ', FAILED' : ''}`);
}
process.exitCode = sum('failed') === 0 ? 0 : 1;
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);

/** Runs a step, with its name before it and its time after it. */
async function announced(step: Step): Promise<void> {
	const variables = Object.entries(step.env ?? {}).map((entry) => ` ${entry.join('=')}`);
	console.log(`\n=== ${step.name}${variables.join('')}`);
	conclude(await run(step, 'inherit'));
}

function conclude(result: Result): void {
	results.push(result);
	const { name, passed, failed, seconds } = result;
	console.log(`=== ${name}: ${passed} passed, ${failed} failed, ${seconds} s`);
}

/** Runs a step to its end or its limit; returns its counts and its seconds. */
async function run(
	{ name, command, minutes, env }: Step,
	output: number | 'inherit',
): Promise<Result> {
	const started = performance.now();
	const report = join(temporary, `${results.length}.json`);
	const child = spawn(command, {
		shell: true,
		// The leader of a group of processes, which can be ended together.
		detached: true,
		stdio: ['ignore', output, output],
		env: { ...process.env, ...env, REPORT: report },
	});
	const limit = setTimeout(() => {
		console.error(`=== ${name} has taken ${minutes} minutes, and is ended`);
		if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
	}, minutes * 60_000);
	const isGood = await new Promise<boolean>((done) =>
		child.once('exit', (status) => done(status === 0)),
	);
	clearTimeout(limit);
	const [passed, failed] = command.includes('$REPORT') ? counts(report) : [isGood ? 1 : 0, 0];
	return {
		name,
		passed,
		failed: isGood ? failed : Math.max(failed, 1),
		seconds: Math.round((performance.now() - started) / 1000),
	};
}

/** The passed and failed tests of a jest report; a test file that could not start is a failed test. */
function counts(report: string): [passed: number, failed: number] {
	try {
		const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
			readFileSync(report, 'utf8'),
		) as Record<'numPassedTests' | 'numFailedTests' | 'numRuntimeErrorTestSuites', number>;
		return [numPassedTests, numFailedTests + numRuntimeErrorTestSuites];
	} catch {
		return [0, 1];
	}
}
