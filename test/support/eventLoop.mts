/** How long a piece of work holds the event loop, while n8n answers nobody. */
import { setInterval } from 'node:timers';

/** The longest that a piece of work may hold it, in milliseconds. */
export const MAX_HELD_MS = 200;

const SAMPLE_MS = 5;

const realTime = process.hrtime.bigint.bind(process.hrtime);

/**
 * Begins to watch the event loop.
 *
 * @returns a function that ends it, and returns how long the loop was held without a break, in
 * milliseconds. Of that time, the process was at work as long: a machine that is busy with something
 * else holds nothing.
 */
export function watchLoop(): () => number {
	let longest = 0;
	let [time, cpu] = [realTime(), process.cpuUsage()];
	const look = (): void => {
		const passed = Number(realTime() - time) / 1e6;
		longest = Math.max(longest, Math.min(passed, workedMs(cpu)));
		[time, cpu] = [realTime(), process.cpuUsage()];
	};
	const timer = setInterval(look, SAMPLE_MS).unref();
	return () => {
		clearInterval(timer);
		look();
		return Math.round(longest);
	};
}

/** Processor time of this process since then, in milliseconds. */
function workedMs(since?: NodeJS.CpuUsage): number {
	const { user, system } = process.cpuUsage(since);
	return (user + system) / 1000;
}

/** Holds the event loop, to test who notices. */
export function hold(milliseconds: number): void {
	const start = process.cpuUsage();
	while (workedMs(start) < milliseconds);
}

let allowedMs = MAX_HELD_MS;

/**
 * Allows the current test to hold the event loop: one about a huge document, for example, which is
 * parsed in one piece.
 */
export function allowBlock(seconds: number, _why: string): void {
	allowedMs = Math.max(allowedMs, seconds * 1000);
}

/** Fails each test that holds the event loop for longer than {@link MAX_HELD_MS}, or than it allowed. */
export function failOnBlock(): void {
	let end: (() => number) | undefined;
	beforeEach(() => {
		allowedMs = MAX_HELD_MS;
		end = watchLoop();
	});
	afterEach(() => {
		const held = end?.() ?? 0;
		if (held <= allowedMs) return;
		const { currentTestName } = expect.getState();
		throw new Error(`It held the event loop for ${held} ms: ${currentTestName}`);
	});
}
