/** One piece of work, ready to run; pieces with the same key run one after the other. */
export interface Task<T> {
	readonly key: string | undefined;
	readonly run: () => Promise<T>;
}

/** How a piece of work ended; `undefined` in the list where it was never begun. */
export type Outcome<T> =
	| { readonly ok: true; readonly value: T }
	| { readonly ok: false; readonly error: unknown };

export interface ScheduleOptions<T> {
	readonly count: number;
	/** How many pieces run at the same time. */
	readonly concurrency: number;
	/** Prepares one piece; called once for each index, in order; may throw. */
	readonly prepare: (index: number) => Task<T>;
	/** Whether nothing further is begun after this failure. */
	readonly stopsAt: (error: unknown) => boolean;
}

/**
 * Runs `count` pieces of work in input order, a bounded number at a time. A piece whose key is busy
 * waits for its turn without keeping a place from others; those that wait come first when it ends.
 *
 * @returns the outcomes by index, once all that was begun has ended
 */
export async function schedule<T>({
	count,
	concurrency,
	prepare,
	stopsAt,
}: ScheduleOptions<T>): Promise<Array<Outcome<T> | undefined>> {
	const outcomes = new Array<Outcome<T> | undefined>(count).fill(undefined);
	const waiting = new Map<string, Array<readonly [number, Task<T>]>>();
	let next = 0;
	let stopped = false;

	function fail(index: number, error: unknown): void {
		outcomes[index] = { ok: false, error };
		stopped ||= stopsAt(error);
	}

	/** The next piece in input order whose key is free. */
	function take(): readonly [number, Task<T>] | undefined {
		while (!stopped && next < count) {
			const index = next;
			next += 1;
			try {
				const task = prepare(index);
				const queue = task.key === undefined ? undefined : waiting.get(task.key);
				if (queue === undefined) {
					if (task.key !== undefined) waiting.set(task.key, []);
					return [index, task];
				}
				queue.push([index, task]);
			} catch (error) {
				fail(index, error);
			}
		}
		return undefined;
	}

	/** The piece that waited for this key; it stands before everything not yet taken. */
	function successor(key: string | undefined): readonly [number, Task<T>] | undefined {
		if (key === undefined) return undefined;
		const waiter = stopped ? undefined : waiting.get(key)?.shift();
		if (waiter === undefined) waiting.delete(key);
		return waiter;
	}

	async function work(): Promise<void> {
		let current = take();
		while (current !== undefined) {
			const [index, task] = current;
			try {
				outcomes[index] = { ok: true, value: await task.run() };
			} catch (error) {
				fail(index, error);
			}
			current = successor(task.key) ?? take();
		}
	}

	await Promise.all(Array.from({ length: Math.min(concurrency, count) }, work));
	return outcomes;
}
