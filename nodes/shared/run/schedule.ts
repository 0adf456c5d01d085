import { inTurns } from '../host/eventLoop';

/** When a task may write. */
export interface Turn {
	/** Waits until the task may write. @returns `false` if the run stopped at an earlier task */
	toWrite(): Promise<boolean>;
	/** Lets the next task write, while this one goes on. */
	written(): void;
}

/** A task, ready to run. Tasks with the same key run one after the other. */
export interface Task<T> {
	readonly key: string;
	/** @returns `undefined` if its turn did not come */
	readonly run: (turn: Turn) => Promise<T | undefined>;
}

export interface Failed {
	readonly status: 'failed';
	readonly error: unknown;
}

interface ScheduleOptions<T> {
	readonly count: number;
	readonly concurrency: number;
	/** Whether tasks write one at a time, in their order. */
	readonly writesInOrder: boolean;
	/** Called once for each index, in order. May throw. */
	readonly prepare: (index: number) => Task<T>;
	/** Whether no later task may write or begin after this error. */
	readonly stopsAt: (error: unknown) => boolean;
}

/** Maximum number of prepared tasks that wait for busy keys, per unit of concurrency. */
const LOOK_AHEAD = 10;

/** Of writes in order, so many may go out behind one whose task has not ended: it may still fail. */
const MAX_BEHIND = 4;

/**
 * Runs `count` tasks in input order with bounded concurrency. A task whose key is busy waits while
 * later tasks run; when the key is free, waiting tasks come first. If a task stops the run, the
 * earlier ones still run, and of the later ones nothing further is begun or written.
 *
 * @returns the outcomes by index; `undefined` for a task that was not begun, or whose turn did not come
 */
export async function schedule<T>(
	options: ScheduleOptions<T>,
): Promise<Array<T | Failed | undefined>> {
	const { count, concurrency, writesInOrder, prepare, stopsAt } = options;
	const outcomes = new Array<T | Failed | undefined>(count);
	/** The last task of each busy key. It waits for those before it. */
	const lastOf = new Map<string, Promise<void>>();
	/** How many tasks run or wait. */
	let begun = 0;
	/** The first task that stopped the run: only earlier ones go on. */
	let stop = Number.POSITIVE_INFINITY;
	/** Which tasks have written or ended, which have ended, and the first of each that has not. */
	const [written, ended]: [boolean[], boolean[]] = [[], []];
	const next = { toWrite: 0, toEnd: 0 };
	const watching: Array<() => void> = [];
	/** Waits until a task has written or ended. */
	const change = async () => await new Promise<void>((resolve) => watching.push(resolve));
	const note = (index: number, hasEnded = true): void => {
		written[index] = true;
		ended[index] ||= hasEnded;
		while (written[next.toWrite]) next.toWrite += 1;
		while (ended[next.toEnd]) next.toEnd += 1;
		for (const wake of watching.splice(0)) wake();
	};
	const fail = (index: number, error: unknown): void => {
		outcomes[index] = { status: 'failed', error };
		if (stopsAt(error)) stop = Math.min(stop, index);
	};
	const carryOut = async (index: number, { key, run }: Task<T>): Promise<void> => {
		const before = lastOf.get(key);
		if (before !== undefined) await before;
		const turn: Turn = {
			async toWrite() {
				while (writesInOrder && index <= stop) {
					if (next.toWrite === index && index - next.toEnd <= MAX_BEHIND) break;
					await change();
				}
				return index <= stop;
			},
			written: () => note(index, false),
		};
		try {
			if (index <= stop) outcomes[index] = await run(turn);
		} catch (error) {
			fail(index, error);
		}
	};
	for await (const index of inTurns(outcomes.keys())) {
		while (stop > index) {
			const waiting = begun - lastOf.size;
			if (lastOf.size < concurrency && waiting < LOOK_AHEAD * concurrency) break;
			await change();
		}
		if (stop < index) break;
		try {
			const task = prepare(index);
			begun += 1;
			const last = carryOut(index, task).then(() => {
				if (lastOf.get(task.key) === last) lastOf.delete(task.key);
				begun -= 1;
				note(index);
			});
			lastOf.set(task.key, last);
		} catch (error) {
			fail(index, error);
			note(index);
		}
	}
	while (begun > 0) await change();
	return outcomes;
}
