import { sleep } from 'n8n-workflow';

/** A task, ready to run. Tasks with the same key run one after the other. */
export interface Task<T> {
	readonly key: string | undefined;
	readonly run: () => Promise<T>;
}

/** The outcome of a task; `undefined` in the list if the task was never begun. */
export type Outcome<T> =
	| { readonly ok: true; readonly value: T }
	| { readonly ok: false; readonly error: unknown };

export interface ScheduleOptions<T> {
	readonly count: number;
	/** How many tasks run at the same time. */
	readonly concurrency: number;
	/** Prepares one task. Called once for each index, in order. May throw. */
	readonly prepare: (index: number) => Task<T>;
	/** Whether to begin no further task after this error. */
	readonly stopsAt: (error: unknown) => boolean;
}

/** Maximum number of prepared tasks that wait for busy keys, per unit of concurrency. */
const LOOK_AHEAD = 10;

/**
 * How many failed items are processed without a pause. They need no waiting, so that many of them
 * would block everything else in n8n's process.
 */
export const MAX_WITHOUT_PAUSE = 100;

interface IndexedTask<T> {
	readonly index: number;
	readonly task: Task<T>;
}

/**
 * Runs `count` tasks in input order with bounded concurrency. A task whose key is busy waits while
 * later tasks run; when the key is free, waiting tasks come first. If a task that cannot be
 * prepared stops the run, all earlier tasks still run; if a task that fails while it runs stops it,
 * no further task is begun.
 *
 * @returns the outcomes by index, once all begun tasks have ended
 */
export async function schedule<T>({
	count,
	concurrency,
	prepare,
	stopsAt,
}: ScheduleOptions<T>): Promise<Array<Outcome<T> | undefined>> {
	const outcomes = new Array<Outcome<T> | undefined>(count).fill(undefined);
	/** Waiting tasks by key. A key is busy while it has an entry. */
	const queues = new Map<string, Array<IndexedTask<T>>>();
	let [next, end, waiting, running] = [0, count, 0, 0];
	/** How many tasks could not be prepared since the last pause. */
	let refused = 0;
	let stopped = false;
	let wake = (): void => undefined;

	function fail(index: number, error: unknown): boolean {
		outcomes[index] = { ok: false, error };
		return stopsAt(error);
	}

	/** Prepares and returns the next task in input order whose key is free. */
	function nextReady(): IndexedTask<T> | undefined {
		while (
			!stopped &&
			next < end &&
			waiting < LOOK_AHEAD * concurrency &&
			refused < MAX_WITHOUT_PAUSE
		) {
			const index = next;
			next += 1;
			try {
				const task = prepare(index);
				const queue = task.key === undefined ? undefined : queues.get(task.key);
				if (queue === undefined) {
					if (task.key !== undefined) queues.set(task.key, []);
					return { index, task };
				}
				queue.push({ index, task });
				waiting += 1;
			} catch (error) {
				refused += 1;
				if (fail(index, error)) end = next;
			}
		}
		return undefined;
	}

	/** Returns the next task that waits for this key; without one, marks the key as free. */
	function nextForKey(key: string | undefined): IndexedTask<T> | undefined {
		if (key === undefined || stopped) return undefined;
		const indexed = queues.get(key)?.shift();
		if (indexed === undefined) queues.delete(key);
		else waiting -= 1;
		return indexed;
	}

	/** Runs a task, then the tasks that wait for its key. */
	async function run(first: IndexedTask<T>): Promise<void> {
		let indexed: IndexedTask<T> | undefined = first;
		while (indexed !== undefined) {
			const { index, task }: IndexedTask<T> = indexed;
			try {
				outcomes[index] = { ok: true, value: await task.run() };
			} catch (error) {
				stopped = fail(index, error) || stopped;
			}
			wake();
			indexed = nextForKey(task.key);
		}
		running -= 1;
	}

	/** Begins all tasks that can begin now. Returns whether any task is running. */
	function begin(): boolean {
		while (running < concurrency) {
			const indexed = nextReady();
			if (indexed === undefined) break;
			running += 1;
			void run(indexed);
		}
		return running > 0;
	}

	for (;;) {
		const isRunning = begin();
		if (refused >= MAX_WITHOUT_PAUSE) {
			await sleep(0);
			refused = 0;
		} else if (isRunning) {
			await new Promise<void>((resolve) => {
				wake = resolve;
			});
		} else return outcomes;
	}
}
