/** The clock of the test's process; `jest.restoreAllMocks` sets it right again. */

/** Sets the clock ahead by so many seconds. */
export function clockAhead(seconds: number): void {
	jest
		.spyOn(Date, 'now')
		.mockImplementation(() => performance.timeOrigin + performance.now() + seconds * 1000);
}

/** Stops the clock; returns a function that sets it to so many seconds after that moment. */
export function stopClock(): (seconds: number) => void {
	const stopped = Date.now();
	const now = jest.spyOn(Date, 'now').mockReturnValue(stopped);
	return (seconds) => void now.mockReturnValue(stopped + seconds * 1000);
}
