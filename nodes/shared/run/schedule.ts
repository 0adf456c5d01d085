import { giveTurn, isTurnDue } from '../host/eventLoop';

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

/** The tasks of one run of {@link schedule}. */
class Tasks<T> {
	readonly outcomes: Array<Outcome<T> | undefined>;
	/** Whether a failed task stopped the run. */
	isStopped = false;
	/** The last task of each busy key. It waits for those before it. */
	private readonly lastOf = new Map<string, Promise<void>>();
	/** How many tasks run or wait. */
	private begun = 0;
	private wake = (): void => undefined;

	constructor(private readonly options: ScheduleOptions<T>) {
		this.outcomes = new Array<Outcome<T> | undefined>(options.count);
	}

	/** Whether another task has to wait until one ends. */
	get isFull(): boolean {
		const { concurrency } = this.options;
		const running = this.lastOf.size;
		const isBusy = running === concurrency || this.begun - running === LOOK_AHEAD * concurrency;
		return isBusy && !this.isStopped;
	}

	/** Runs a task, at once or after those with the same key. */
	begin(index: number, { key, run }: Task<T>): void {
		const before = this.lastOf.get(key);
		const end = async (): Promise<void> => {
			if (before !== undefined) await before;
			await this.carryOut(index, run);
			if (this.lastOf.get(key) === last) this.lastOf.delete(key);
			this.begun -= 1;
			this.wake();
		};
		const last = end();
		this.lastOf.set(key, last);
		this.begun += 1;
	}

	async oneEnds(): Promise<void> {
		await new Promise<void>((resolve) => {
			this.wake = resolve;
		});
	}

	async allEnd(): Promise<void> {
		while (this.begun > 0) await this.oneEnds();
	}

	private async carryOut(index: number, run: Task<T>['run']): Promise<void> {
		if (isTurnDue()) await giveTurn();
		if (this.isStopped) return;
		try {
			this.outcomes[index] = { ok: true, value: await run() };
		} catch (error) {
			this.outcomes[index] = { ok: false, error };
			this.isStopped ||= this.options.stopsAt(error);
		}
	}
}

/**
 * Runs `count` tasks in input order with bounded concurrency. A task whose key is busy waits while
 * later tasks run; when the key is free, waiting tasks come first. If a task that cannot be
 * prepared stops the run, all earlier tasks still run; if a task that fails while it runs stops it,
 * no further task is begun.
 *
 * @returns the outcomes by index, once all begun tasks have ended
 */
export async function schedule<T>(
	options: ScheduleOptions<T>,
): Promise<Array<Outcome<T> | undefined>> {
	const tasks = new Tasks(options);
	for (let index = 0; index < options.count; index += 1) {
		if (isTurnDue()) await giveTurn();
		while (tasks.isFull) await tasks.oneEnds();
		if (tasks.isStopped) break;
		try {
			tasks.begin(index, options.prepare(index));
		} catch (error) {
			tasks.outcomes[index] = { ok: false, error };
			if (options.stopsAt(error)) break;
		}
	}
	await tasks.allEnd();
	return tasks.outcomes;
}
