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

/** At most this many prepared pieces wait for busy keys, for each piece that may run. */
const LOOK_AHEAD = 10;

interface Piece<T> {
	readonly index: number;
	readonly task: Task<T>;
}

/**
 * Runs `count` pieces of work in input order, a bounded number at a time. A piece whose key is busy
 * waits for its turn and leaves its place to later ones; those that wait come first when the key is
 * free. A failure that stops does so at its place: where a piece cannot be prepared, every earlier
 * one still runs; where a piece fails while it runs, nothing further is begun.
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
	/** The pieces that wait, by their key; a key is busy while it has an entry. */
	const queues = new Map<string, Array<Piece<T>>>();
	let [next, end, waiting, running] = [0, count, 0, 0];
	let stopped = false;
	let wake = (): void => undefined;

	function fail(index: number, error: unknown): boolean {
		outcomes[index] = { ok: false, error };
		return stopsAt(error);
	}

	/** The next piece in input order whose key is free. */
	function take(): Piece<T> | undefined {
		while (!stopped && next < end && waiting < LOOK_AHEAD * concurrency) {
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
				if (fail(index, error)) end = next;
			}
		}
		return undefined;
	}

	/** The piece that waited for this key, which is free otherwise. */
	function successor(key: string | undefined): Piece<T> | undefined {
		if (key === undefined || stopped) return undefined;
		const piece = queues.get(key)?.shift();
		if (piece === undefined) queues.delete(key);
		else waiting -= 1;
		return piece;
	}

	/** Runs a piece, then those that waited for its key. */
	async function run(first: Piece<T>): Promise<void> {
		let piece: Piece<T> | undefined = first;
		while (piece !== undefined) {
			const { index, task }: Piece<T> = piece;
			try {
				outcomes[index] = { ok: true, value: await task.run() };
			} catch (error) {
				stopped = fail(index, error) || stopped;
			}
			wake();
			piece = successor(task.key);
		}
		running -= 1;
	}

	/** Begins all that may begin now; gives whether anything runs. */
	function begin(): boolean {
		while (running < concurrency) {
			const piece = take();
			if (piece === undefined) break;
			running += 1;
			void run(piece);
		}
		return running > 0;
	}

	while (begin()) {
		await new Promise<void>((resolve) => {
			wake = resolve;
		});
	}
	return outcomes;
}
