import { giveTurn, isTurnDue } from '../host/eventLoop';

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

/** The outcome of a task; `undefined` in the list if the task was not begun, or its turn did not come. */
export type Outcome<T> =
	| { readonly ok: true; readonly value: T }
	| { readonly ok: false; readonly error: unknown };

interface ScheduleOptions<T> {
	readonly count: number;
	/** How many tasks run at the same time. */
	readonly concurrency: number;
	/** Whether tasks write one at a time, in their order. */
	readonly writesInOrder: boolean;
	/** Prepares one task. Called once for each index, in order. May throw. */
	readonly prepare: (index: number) => Task<T>;
	/** Whether no later task may write or begin after this error. */
	readonly stopsAt: (error: unknown) => boolean;
}

/** Maximum number of prepared tasks that wait for busy keys, per unit of concurrency. */
const LOOK_AHEAD = 10;

/** Of writes in order, so many may go out behind one whose task has not ended: it may still fail. */
const MAX_BEHIND = 4;

/** The tasks of one run of {@link schedule}. */
class Tasks<T> {
	readonly outcomes: Array<Outcome<T> | undefined>;
	/** The first task that stopped the run: only earlier ones go on. */
	stop = Number.POSITIVE_INFINITY;
	/** The last task of each busy key. It waits for those before it. */
	private readonly lastOf = new Map<string, Promise<void>>();
	/** How many tasks run or wait. */
	private begun = 0;
	private readonly written = new Set<number>();
	private readonly ended = new Set<number>();
	/** All tasks before these have written, or have ended. */
	private readonly next = { toWrite: 0, toEnd: 0 };
	private wake: Array<() => void> = [];

	constructor(private readonly options: ScheduleOptions<T>) {
		this.outcomes = new Array<Outcome<T> | undefined>(options.count);
	}

	/** Whether another task has to wait until one ends. */
	get isFull(): boolean {
		const { concurrency } = this.options;
		const running = this.lastOf.size;
		return running === concurrency || this.begun - running === LOOK_AHEAD * concurrency;
	}

	/** Runs a task, at once or after those with the same key. */
	begin(index: number, { key, run }: Task<T>): void {
		const before = this.lastOf.get(key);
		const end = async (): Promise<void> => {
			if (before !== undefined) await before;
			await this.carryOut(index, run);
			if (this.lastOf.get(key) === last) this.lastOf.delete(key);
			this.begun -= 1;
			this.leave(index);
		};
		const last = end();
		this.lastOf.set(key, last);
		this.begun += 1;
	}

	fail(index: number, error: unknown): void {
		this.outcomes[index] = { ok: false, error };
		if (this.options.stopsAt(error)) this.stop = Math.min(this.stop, index);
	}

	/** Notes that a task has ended. */
	leave(index: number): void {
		this.ended.add(index);
		this.pass(index);
	}

	/** Waits until something changes. */
	async change(): Promise<void> {
		await new Promise<void>((resolve) => this.wake.push(resolve));
	}

	async allEnd(): Promise<void> {
		while (this.begun > 0) await this.change();
	}

	private pass(index: number): void {
		if (index >= this.next.toWrite) this.written.add(index);
		while (this.written.delete(this.next.toWrite)) this.next.toWrite += 1;
		while (this.ended.delete(this.next.toEnd)) this.next.toEnd += 1;
		const wake = this.wake;
		this.wake = [];
		for (const resolve of wake) resolve();
	}

	private turnOf(index: number): Turn {
		const mayWrite = (): boolean =>
			!this.options.writesInOrder ||
			(this.next.toWrite === index && index - this.next.toEnd <= MAX_BEHIND);
		return {
			toWrite: async () => {
				while (index <= this.stop && !mayWrite()) await this.change();
				return index <= this.stop;
			},
			written: () => this.pass(index),
		};
	}

	private async carryOut(index: number, run: Task<T>['run']): Promise<void> {
		if (isTurnDue()) await giveTurn();
		if (index > this.stop) return;
		try {
			const value = await run(this.turnOf(index));
			if (value !== undefined) this.outcomes[index] = { ok: true, value };
		} catch (error) {
			this.fail(index, error);
		}
	}
}

/**
 * Runs `count` tasks in input order with bounded concurrency. A task whose key is busy waits while
 * later tasks run; when the key is free, waiting tasks come first. If a task stops the run, the
 * earlier ones still run, and of the later ones nothing further is begun or written.
 *
 * @returns the outcomes by index, once all begun tasks have ended
 */
export async function schedule<T>(
	options: ScheduleOptions<T>,
): Promise<Array<Outcome<T> | undefined>> {
	const tasks = new Tasks(options);
	for (let index = 0; index < options.count; index += 1) {
		if (isTurnDue()) await giveTurn();
		while (tasks.isFull && tasks.stop > index) await tasks.change();
		if (tasks.stop < index) break;
		try {
			tasks.begin(index, options.prepare(index));
		} catch (error) {
			tasks.fail(index, error);
			tasks.leave(index);
		}
	}
	await tasks.allEnd();
	return tasks.outcomes;
}
