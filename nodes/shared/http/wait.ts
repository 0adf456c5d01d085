/** Waits: for some time, for work, or for n8n's other work. `cancel` ends a wait, by a {@link CancelledError}. */
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

/** Waits for work, but not longer than the given time. The work itself continues. @param onLate gives the result then */
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

/** Maximum time of work in one piece that waits for nothing, in milliseconds. */
const MAX_PIECE_MS = 10;

/** When the last piece of any run ended. */
let lastTurn = performance.now();

/** Yields values one by one. Everything else that is due runs between two of them, if the event loop was blocked for long. */
export async function* inTurns<T>(values: Iterable<T>): AsyncGenerator<T> {
	for (const value of values) {
		if (performance.now() - lastTurn > MAX_PIECE_MS) {
			await sleep(0);
			lastTurn = performance.now();
		}
		yield value;
	}
}
