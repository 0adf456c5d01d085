/** CPU time and memory of a process, as Linux counts them. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** The fields of /proc/<pid>/stat from the third on. */
function statOf(pid: number): string[] {
	// The program's name, in parentheses, may contain any character.
	return readFileSync(`/proc/${pid}/stat`, 'utf8')
		.replace(/^.*\) /s, '')
		.split(' ');
}

/** Milliseconds of the given fields, which count clock ticks. */
function timeOf(fields: readonly string[]): number {
	return (fields.reduce((sum, field) => sum + Number(field), 0) * 1000) / ticksPerSecond;
}

/** The CPU time of a process and all its threads up to now, in milliseconds. */
export function cpuOf(pid: number): number {
	return timeOf(statOf(pid).slice(11, 13));
}

/** As {@link cpuOf}, of all processes of the group that a process leads: n8n and its task runners, ended ones included. */
export function cpuOfGroup(leader: number): number {
	let sum = 0;
	const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
	for (const pid of pids.map(Number)) {
		try {
			const fields = statOf(pid);
			// The fields after those of the process itself count its children that have ended.
			if (Number(fields[2]) === leader) sum += timeOf(fields.slice(11, 15));
		} catch (error) {
			// It has just ended.
			if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
		}
	}
	return sum;
}

/** How long the cores of the machine have been busy up to now, in milliseconds, added up. */
export function busyTime(): number {
	return cpus().reduce(
		(sum, { times }) => sum + times.user + times.nice + times.sys + times.irq,
		0,
	);
}

/** Resets the peak of a process's memory. */
export function forgetPeak(pid: number): void {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The peak of a process's memory, in bytes. */
export function peakOf(pid: number): number {
	const [, kibibytes] =
		/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
	if (kibibytes === undefined) throw new Error(`Process ${pid} tells no peak of its memory`);
	return Number(kibibytes) * 1024;
}
