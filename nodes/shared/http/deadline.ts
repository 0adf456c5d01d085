import { CancelledError } from '../errors/ServiceError';
import type { TransportContext } from '../host/context';

/** Ends a wait early: when the user cancels the run, or when the time is up. */
export interface Deadline {
	/** Aborts when the time is up. */
	readonly signal: AbortSignal;
	/** Rejects when the run is cancelled or the time is up; otherwise never settles. */
	readonly ended: Promise<never>;
	/** Removes the listeners; to be called at the end of the wait. */
	release(): void;
}

/**
 * Starts a deadline for one wait of a run.
 *
 * @param milliseconds may be a fraction; it is rounded, since Node's timers take whole milliseconds
 * @param lateError creates the error for a wait whose time is up
 */
export function startDeadline(
	context: TransportContext,
	milliseconds: number,
	lateError: () => Error,
): Deadline {
	const signal = AbortSignal.timeout(wholeMilliseconds(milliseconds));
	let release = (): void => {};
	const ended = new Promise<never>((_, reject) => {
		const forget = onCancel(context, reject);
		const onTimeout = (): void => reject(lateError());
		// A timeout that is only part of another signal may be garbage-collected before it fires. Its
		// own listener keeps it alive.
		signal.addEventListener('abort', onTimeout);
		release = () => {
			forget();
			signal.removeEventListener('abort', onTimeout);
		};
	});
	return { signal, ended, release };
}

/**
 * Waits for shared work. If this run is cancelled, the work continues for other callers.
 *
 * @returns the result of the work
 * @throws {CancelledError} if the user cancels the run meanwhile
 */
export async function untilCancelled<T>(context: TransportContext, work: Promise<T>): Promise<T> {
	let forget = (): void => {};
	const ended = new Promise<never>((_, reject) => (forget = onCancel(context, reject)));
	try {
		return await Promise.race([work, ended]);
	} finally {
		forget();
	}
}

/**
 * The waits of each run, by its cancel signal. They share one listener: Node 20 warns about many
 * listeners on one signal, and a signal derived for each wait would be kept until the run ends.
 */
const waitsOfRuns = new WeakMap<AbortSignal, Set<() => void>>();

function waitsOf(cancel: AbortSignal): Set<() => void> {
	const known = waitsOfRuns.get(cancel);
	if (known !== undefined) return known;
	const waits = new Set<() => void>();
	waitsOfRuns.set(cancel, waits);
	cancel.addEventListener('abort', () => {
		for (const end of waits) end();
	});
	return waits;
}

/** Rejects a wait when the run is cancelled. Returns a function that ends the wait. */
function onCancel(context: TransportContext, reject: (error: Error) => void): () => void {
	const cancel = context.getExecutionCancelSignal();
	if (cancel === undefined) return () => {};
	const end = (): void => reject(new CancelledError());
	if (cancel.aborted) {
		end();
		return () => {};
	}
	const waits = waitsOf(cancel);
	waits.add(end);
	return () => waits.delete(end);
}

/** Rounds a duration for Node's timers and n8n's `timeout`: 16.1 s are 16100.000000000002 ms. */
export function wholeMilliseconds(milliseconds: number): number {
	return Math.max(1, Math.round(milliseconds));
}
