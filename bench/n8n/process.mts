/** CPU time and memory of a process, as Linux counts them. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** The CPU time of a process and all its threads up to now, in milliseconds. */
export function cpuOf(pid: number): number {
	// The program's name, in parentheses, may contain any character.
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
		.replace(/^.*\) /s, '')
		.split(' ');
	return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
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
