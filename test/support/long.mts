/** Inputs of some hundred kilobytes, and the processor time that they may take. */

/** The size of a long input, in characters. */
export const LONG = 512 * 1024;

/** A text of about {@link LONG} characters: a unit again and again, or one made for each number. */
export function long(unit: string | ((i: number) => string)): string {
	if (typeof unit === 'string') return unit.repeat(Math.ceil(LONG / unit.length));
	return Array.from({ length: Math.ceil(LONG / unit(1).length) }, (_, i) => unit(i)).join('');
}

/**
 * Runs a function that works on a long input. Time in proportion to the size leaves the limit of
 * one second for each 64 kB far away; time that grows with its square is far beyond it.
 *
 * @throws {Error} naming the processor time where it was more
 */
export function inTime<T>(work: () => T): T {
	const before = process.cpuUsage();
	const result = work();
	const { user, system } = process.cpuUsage(before);
	const seconds = (user + system) / 1e6;
	if (seconds > LONG / 65_536) throw new Error(`It took ${seconds} s of processor time`);
	return result;
}
