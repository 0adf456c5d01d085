/** Reads what the service has after a write: whether one of unknown outcome was applied, and whether one that was is as sent. */
import type { IDataObject } from 'n8n-workflow';
import { InputError } from '../errors/InputError';
import { writtenOtherwise } from '../errors/answerErrors';
import { CancelledError, ServiceError } from '../errors/ServiceError';
import { sentences } from '../errors/words';
import type { WriteOptions } from '../form/writeOptions';
import { pause } from '../http/deadline';
import type { CallResult, Look, PlannedWrite, Standing, Verify, WriteCall } from './action';
import { callError } from './errors';
import type { Target } from './targets';

/** A call that writes, and what the builder decides about it. */
export type WritingCall = WriteCall & { readonly options: WriteOptions<string> };

/** Wait before the second look, in milliseconds: a change may arrive late. */
const WAIT_MS = 2000;

/**
 * After so many writes in a row that were not found, a run looks for no more until a write succeeds: if
 * the service is down, a batch must not read for each item.
 */
const MAX_NOT_FOUND = 5;

const ABSENT = 'The change was not there 2 seconds later; it may still arrive.';
const UNREAD = 'Whether the change is there could not be read.';
const SKIPPED = `Whether the change is there was not read, since the last ${MAX_NOT_FOUND} were not found.`;

/**
 * Returns the reason that a failed look gives.
 *
 * @throws {CancelledError} if the user cancelled the run: the write stays in doubt
 * @throws any error that is not about reading
 */
function unreadBecause(error: unknown): string {
	if (error instanceof CancelledError) throw new CancelledError('unknown');
	if (error instanceof InputError || error instanceof ServiceError) return UNREAD;
	throw error;
}

/**
 * Looks for a write.
 *
 * @param waits milliseconds before each look
 * @returns its result, or why it was not found
 * @throws {CancelledError} if the user cancelled the run: the write stays in doubt
 */
async function lookFor(
	target: Target,
	look: Look,
	{ options }: WritingCall,
	waits: readonly number[],
): Promise<CallResult | string> {
	const { host, readOnce, looks } = target;
	if (looks.notFound >= MAX_NOT_FOUND) return SKIPPED;
	let reason = '';
	for (const wait of waits) {
		try {
			await pause(host.cancel, wait);
			const found = await look({ ...target, exchange: readOnce }, options);
			if (found !== undefined) {
				looks.notFound = 0;
				return found;
			}
			reason = ABSENT;
		} catch (error) {
			reason = unreadBecause(error);
		}
	}
	looks.notFound += 1;
	return reason;
}

/** Reads again what a write left, and once more after a while if it differs: a change may arrive late. */
async function standingOf(target: Target, verify: Verify, written: IDataObject): Promise<Standing> {
	const access = { ...target, exchange: target.readOnce };
	let seen: Standing = { kind: 'unseen', reason: 'the records could not be read again' };
	try {
		seen = await verify(access, written);
		if (seen.kind === 'different') {
			await pause(target.host.cancel, WAIT_MS);
			seen = await verify(access, written);
		}
	} catch {
		// The write was applied, whatever prevents reading. What was read before still counts.
	}
	return seen;
}

/**
 * Sends a write, looks for it if it fails and may have been applied, and verifies what it left.
 *
 * @throws {InputError | ServiceError | CancelledError} if it was not found, with the reason, or the service
 * has something else
 */
export async function sendAndVerify(
	target: Target,
	call: WritingCall,
	plan: PlannedWrite,
): Promise<CallResult> {
	const result = await sendAndLook(target, call, plan);
	if (plan.verify === undefined) return result;
	const standing = await standingOf(target, plan.verify, result.records[0] ?? {});
	if (standing.kind === 'different') throw writtenOtherwise(standing.difference);
	const verified = standing.kind === 'asSent';
	const text = standing.kind === 'unseen' ? `written, but not verified: ${standing.reason}` : '';
	const notices = verified ? [] : [{ isProblem: true, isCounted: true, text }];
	return {
		...result,
		records: result.records.map((one) => ({ ...one, verified })),
		notices: [...result.notices, ...notices],
	};
}

/**
 * Sends a write. If it fails and may have been applied, it is looked for.
 *
 * @throws {InputError | ServiceError | CancelledError} if it was not found, with the reason
 */
async function sendAndLook(
	target: Target,
	call: WritingCall,
	{ send, look, notices }: PlannedWrite,
): Promise<CallResult> {
	try {
		const result = await send(target);
		target.looks.notFound = 0;
		return { ...result, notices: [...notices, ...result.notices] };
	} catch (error) {
		const doubt = callError(error);
		const isDoubt = doubt instanceof ServiceError && doubt.outcome === 'unknown';
		if (!isDoubt || look === undefined) throw doubt;
		const found = await lookFor(target, look, call, [0, WAIT_MS]);
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
	const found = isDoubt && call.look ? await lookFor(target, call.look, call, [0]) : '';
	if (typeof found === 'string') throw error;
	return found;
}
