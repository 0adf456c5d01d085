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

/** The CPU time of a process and all its threads up to now, in milliseconds. */
export function cpuOf(pid: number): number {
	const [user = 0, system = 0] = statOf(pid).slice(11, 13).map(Number);
	return ((user + system) * 1000) / ticksPerSecond;
}

/** As {@link cpuOf}, of all running processes of the group that a process leads, such as n8n's task runners. */
export function cpuOfGroup(leader: number): number {
	let sum = 0;
	for (const pid of readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.map(Number)) {
		try {
			if (Number(statOf(pid)[2]) === leader) sum += cpuOf(pid);
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
