/** Runs jobs with limited parallelism; rejects with the first failure. */
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
