/** The time of the test's process; `jest.restoreAllMocks` sets the clock right again. */

const systemTime = Date.now;

/** Sets the clock ahead by so many seconds. */
export function clockAhead(seconds: number): void {
	jest.spyOn(Date, 'now').mockImplementation(() => systemTime() + seconds * 1000);
}

/** Stops the clock; returns a function that sets it to so many seconds after that moment. */
export function stopClock(): (seconds: number) => void {
	const stopped = Date.now();
	const now = jest.spyOn(Date, 'now').mockReturnValue(stopped);
	return (seconds) => void now.mockReturnValue(stopped + seconds * 1000);
}

/** What a busy machine needs for a call, in milliseconds: no deadline is shortened to less. */
const SHORTEST = 250;

/** Lets waits end at a tenth of their deadline, or another part of it, until `jest.restoreAllMocks`. */
export function shortenDeadlines(factor = 10): jest.SpyInstance<AbortSignal, [number]> {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	return jest
		.spyOn(AbortSignal, 'timeout')
		.mockImplementation((milliseconds) =>
			timeout(Math.max(Math.ceil(milliseconds / factor), Math.min(milliseconds, SHORTEST))),
		);
}
