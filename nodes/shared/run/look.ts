/** Looks whether a write of unknown outcome was applied, by reading what the service has. */
import { CancelledError, ServiceError } from '../errors/ServiceError';
import { sentences } from '../errors/words';
import type { WriteOptions } from '../form/writeOptions';
import { pause } from '../http/deadline';
import type { CallResult, PlannedWrite, WriteCall } from './action';
import { callError } from './errors';
import type { Target } from './targets';

/** A call that writes, and what the builder decides about it. */
export type WritingCall = WriteCall & { readonly options: WriteOptions<string> };

/** Wait before the second look, in milliseconds: a change may arrive late. */
const WAIT_MS = 2000;

/**
 * How many writes in a row are looked for in vain before the rest of the run is not: if the service is
 * down, a batch must not ask for each item.
 */
const MAX_NOT_FOUND = 5;

const ABSENT = 'The change was not there 2 seconds later; it may still arrive.';
const UNREAD = 'Whether the change is there could not be read.';
const SKIPPED = `Whether the change is there was not read, since the last ${MAX_NOT_FOUND} were not found.`;

/** @throws {CancelledError} if the user cancelled the run: the write stays in doubt */
function unreadBecause(error: unknown): string {
	if (error instanceof CancelledError) throw new CancelledError('unknown');
	return UNREAD;
}

/**
 * Looks for a write.
 *
 * @param waits milliseconds before each look
 * @returns its result, or why it was not found
 * @throws {CancelledError} if the user cancelled the run
 */
async function lookFor(
	target: Target,
	{ look, options }: WritingCall,
	waits: readonly number[],
): Promise<CallResult | string> {
	const { host, readOnce, tally } = target;
	if (tally.notFound >= MAX_NOT_FOUND) return SKIPPED;
	let reason = '';
	for (const wait of waits) {
		try {
			await pause(host.cancel, wait);
			const found = await look?.({ ...target, exchange: readOnce }, options);
			if (found !== undefined) {
				tally.notFound = 0;
				return found;
			}
			reason = ABSENT;
		} catch (error) {
			reason = unreadBecause(error);
		}
	}
	tally.notFound += 1;
	return reason;
}

/**
 * Sends a write. If it fails and may have been applied, it is looked for.
 *
 * @throws {InputError | ServiceError | CancelledError} if it was not found, with the reason
 */
export async function sendAndLook(
	target: Target,
	call: WritingCall,
	{ send, notices }: PlannedWrite,
): Promise<CallResult> {
	try {
		const records = await send(target);
		target.tally.notFound = 0;
		return { records, notices };
	} catch (error) {
		const doubt = callError(error);
		const isDoubt = doubt instanceof ServiceError && doubt.outcome === 'unknown';
		if (!isDoubt || call.look === undefined) throw doubt;
		const found = await lookFor(target, call, [0, WAIT_MS]);
		if (typeof found !== 'string') return { ...found, notices: [...notices, ...found.notices] };
		throw doubt.with({ description: sentences(doubt.description, found), cause: doubt.cause });
	}
}

/**
 * Looks once for a write that an earlier try left in doubt.
 *
 * @param error that of the earlier try; it is thrown if the write is not found
 */
export async function lookAgain(
	target: Target,
	call: WritingCall,
	error: unknown,
): Promise<CallResult> {
	const isDoubt = error instanceof ServiceError && error.outcome === 'unknown';
	const found = isDoubt && call.look ? await lookFor(target, call, [0]) : '';
	if (typeof found === 'string') throw error;
	return found;
}
