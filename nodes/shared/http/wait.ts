/** Waits: for some time, for work, or for a turn. `cancel` ends a wait, by a {@link CancelledError}. */
import { sleep } from 'n8n-workflow';
import { CancelledError } from '../errors/ServiceError';

export async function pause(cancel: AbortSignal | undefined, milliseconds: number): Promise<void> {
	if (milliseconds > 0) await untilCancelled(cancel, sleep(milliseconds));
}

/**
 * The waits of each run, by its cancel signal. They share one listener: Node 20 warns about many
 * listeners on one signal, and a signal derived for each wait would be kept until the run ends.
 */
const waitsOfRuns = new WeakMap<AbortSignal, Set<() => void>>();

/** Waits for shared work. If this run is cancelled, the work continues for other callers. */
export async function untilCancelled<T>(
	cancel: AbortSignal | undefined,
	work: Promise<T>,
): Promise<T> {
	if (cancel === undefined) return await work;
	let end = (): void => {};
	const cancelled = new Promise<never>((_, reject) => {
		end = () => reject(new CancelledError());
	});
	const waits = waitsOfRuns.get(cancel) ?? new Set<() => void>();
	if (!waitsOfRuns.has(cancel)) {
		waitsOfRuns.set(cancel, waits);
		cancel.addEventListener('abort', () => {
			for (const endOther of waits) endOther();
		});
	}
	waits.add(end);
	if (cancel.aborted) end();
	try {
		return await Promise.race([work, cancelled]);
	} finally {
		waits.delete(end);
	}
}

/**
 * Waits for work, but not longer than the given time. The work itself continues.
 *
 * @param milliseconds may be a fraction; it is rounded, since Node's timers take whole milliseconds
 * @param onLate returns the result if the time is up, or throws
 */
export async function withDeadline<T>(
	cancel: AbortSignal | undefined,
	milliseconds: number,
	work: Promise<T>,
	onLate: () => T,
): Promise<T> {
	const timeout = AbortSignal.timeout(Math.max(1, Math.round(milliseconds)));
	let onTimeout = (): void => {};
	const late = new Promise<void>((resolve) => (onTimeout = resolve)).then(onLate);
	// A timeout that is only part of another signal may be garbage-collected before it fires. Its own
	// listener keeps it alive.
	timeout.addEventListener('abort', onTimeout);
	try {
		return await untilCancelled(cancel, Promise.race([work, late]));
	} finally {
		timeout.removeEventListener('abort', onTimeout);
	}
}

/** Lets callers take turns, in the order in which they ask. */
export class Turns {
	/** Ends with the last turn that was asked for. */
	private last: Promise<void> = Promise.resolve();

	/** Does work in a turn of its own. */
	async do<T>(work: () => Promise<T>): Promise<T> {
		const turn = this.last.then(work);
		const end = (): void => undefined;
		this.last = turn.then(end, end);
		return await turn;
	}
}

/** Bytes of an answer that is read within a few milliseconds, and within a tenth of a second. */
const [LARGE, HUGE] = [2 ** 16, 2 ** 20];

/** Time for n8n's other work, which takes several turns of the event loop, in milliseconds. */
const BREATH_MS = 25;

const ofLargeAnswers = new Turns();

/** Reads an answer. Large ones are read one by one, with time for other work between them: many may arrive at once. */
export async function inReadingTurn<T>({ length }: Uint8Array, read: () => T): Promise<T> {
	if (length <= LARGE) return read();
	return await ofLargeAnswers.do(async () => {
		await sleep(length > HUGE ? BREATH_MS : 0);
		return read();
	});
}
