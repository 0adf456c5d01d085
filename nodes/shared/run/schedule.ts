import { sleep } from 'n8n-workflow';

/** A task, ready to run. Tasks with the same key run one after the other. */
export interface Task<T> {
	readonly key: string;
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
	/** The tasks that wait for each busy key. */
	const queues = new Map<string, Array<() => Promise<void>>>();
	let [running, waiting, refused] = [0, 0, 0];
	let isStopped = false;
	let wake = (): void => undefined;

	/** Waits until a task has ended. */
	async function oneEnds(): Promise<void> {
		await new Promise<void>((resolve) => {
			wake = resolve;
		});
	}

	/** Runs a task, then the tasks that wait for its key. */
	async function runAll(key: string, first: () => Promise<void>): Promise<void> {
		const queue: Array<() => Promise<void>> = [];
		queues.set(key, queue);
		running += 1;
		for (let task: typeof first | undefined = first; task && !isStopped; task = queue.shift()) {
			await task();
			wake();
			if (queue.length > 0) waiting -= 1;
		}
		queues.delete(key);
		running -= 1;
	}

	for (let index = 0; index < count; index += 1) {
		while (!isStopped && (running === concurrency || waiting === LOOK_AHEAD * concurrency)) {
			await oneEnds();
		}
		if (isStopped) break;
		try {
			const { key, run } = prepare(index);
			const task = async (): Promise<void> => {
				try {
					outcomes[index] = { ok: true, value: await run() };
				} catch (error) {
					outcomes[index] = { ok: false, error };
					isStopped ||= stopsAt(error);
				}
			};
			const queue = queues.get(key);
			if (queue === undefined) void runAll(key, task);
			else {
				queue.push(task);
				waiting += 1;
			}
		} catch (error) {
			outcomes[index] = { ok: false, error };
			if (stopsAt(error)) break;
			refused += 1;
			if (refused % MAX_WITHOUT_PAUSE === 0) await sleep(0);
		}
	}
	while (running > 0) await oneEnds();
	return outcomes;
}
