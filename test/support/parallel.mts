/** Works off jobs, so many at a time; ends with the first that fails. */
export async function inParallel<T>(
	jobs: readonly T[],
	count: number,
	work: (job: T) => Promise<void>,
): Promise<void> {
	const waiting = [...jobs];
	const worker = async (): Promise<void> => {
		for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await work(job);
	};
	await Promise.all(Array.from({ length: count }, worker));
}
