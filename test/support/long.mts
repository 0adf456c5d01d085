/** Inputs of several hundred kilobytes, and a limit for the processor time to handle them. */

/** The size of a long input, in characters. */
export const LONG = 512 * 1024;

/** A text of about {@link LONG} characters: a repeated unit, or one unit per number. */
export function long(unit: string | ((i: number) => string)): string {
	if (typeof unit === 'string') return unit.repeat(Math.ceil(LONG / unit.length));
	return Array.from({ length: Math.ceil(LONG / unit(1).length) }, (_, i) => unit(i)).join('');
}

/**
 * Runs a function on a long input. Linear time stays far below the limit of one second per 64 kB;
 * quadratic time far exceeds it.
 *
 * @throws {Error} naming the processor time if it exceeds the limit
 */
export function inTime<T>(work: () => T): T {
	const before = process.cpuUsage();
	const result = work();
	const { user, system } = process.cpuUsage(before);
	const seconds = (user + system) / 1e6;
	if (seconds > LONG / 65_536) throw new Error(`It took ${seconds} s of processor time`);
	return result;
}
