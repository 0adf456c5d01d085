import { CancelledError } from '../errors/ServiceError';
import type { TransportContext } from './context';

/** Ends a wait before its time: when the user cancels the run, or when the time is over. */
export interface Deadline {
	/** Aborts when the time is over. */
	readonly signal: AbortSignal;
	/** Rejects when the run is cancelled or the time is over; otherwise never settles. */
	readonly ended: Promise<never>;
	/** To be called when nobody waits any longer. */
	release(): void;
}

/**
 * Starts a deadline for one wait of a run.
 *
 * @param milliseconds may be a fraction; Node's timers take whole milliseconds only
 * @param lateError makes the error of a wait whose time is over
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
		// A time-out that is only a part of another signal may be collected as garbage before it is
		// due. A listener of its own keeps it.
		signal.addEventListener('abort', onTimeout);
		release = () => {
			forget();
			signal.removeEventListener('abort', onTimeout);
		};
	});
	return { signal, ended, release };
}

/**
 * Waits for work that goes on for others where the run is cancelled.
 *
 * @throws {CancelledError} where the user cancels the run meanwhile
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

/** Has a wait rejected when the run is cancelled; gives what ends that. */
function onCancel(context: TransportContext, reject: (error: Error) => void): () => void {
	const cancel = context.getExecutionCancelSignal();
	// A signal of this wait alone: Node warns of many listeners on one signal.
	const run = AbortSignal.any(cancel === undefined ? [] : [cancel]);
	const listener = (): void => reject(new CancelledError());
	if (run.aborted) listener();
	run.addEventListener('abort', listener);
	return () => run.removeEventListener('abort', listener);
}

/** A duration as Node's timers and n8n's `timeout` take it: 16.1 s are 16100.000000000002 ms. */
export function wholeMilliseconds(milliseconds: number): number {
	return Math.max(1, Math.round(milliseconds));
}
