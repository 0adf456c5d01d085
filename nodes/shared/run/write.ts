import { InputError } from '../errors/InputError';
import { CancelledError, failure, ServiceError, texts, unexpected } from '../errors/ServiceError';
import type { CallResult, Plan, WriteCall } from './action';
import { presentableError } from './errors';
import type { Target } from './targets';
import type { Vault } from './vault';
import type { WriteRecord } from './writeRecord';

/** What a write needs of its run. */
export interface WriteScope {
	readonly record: WriteRecord;
	/** Returns the values to mask in a recorded error. */
	readonly secrets: () => readonly string[];
}

/** Returns the result of a dry run. */
function preview({ preview: shown, notSent, unevenShares }: Omit<Plan, 'send'>): CallResult {
	return {
		records: [{ dryRun: true, ...shown }],
		...(notSent && { notSent }),
		...(unevenShares && { unevenShares }),
		nothingWritten: true,
	};
}

/** Records the outcome of a call that failed while it was sent, and returns the error to throw. */
function recordFailure(
	{ record, secrets }: WriteScope,
	item: number,
	vault: Vault,
	error: unknown,
): unknown {
	// For a cancelled call, the entry recorded at its start still applies.
	if (error instanceof CancelledError && error.outcome !== 'notApplied') return error;
	if (error instanceof CancelledError || error instanceof InputError) {
		record.notApplied(item);
		return error;
	}
	const own = error instanceof ServiceError ? error : unexpected('notCarriedOut', error);
	if (own.outcome === 'notApplied') record.notApplied(item);
	else record.failed(item, vault, presentableError(own, secrets()));
	return own;
}

/**
 * Carries out a writing call; no other code does. A dry run only shows the plan. With a read-only
 * credential nothing is sent. What an earlier try of the same run sent is not sent again: its result
 * is returned, or its error thrown.
 *
 * @param item index of the call's first input item
 * @throws {InputError | ServiceError | CancelledError}
 */
export async function write(
	scope: WriteScope,
	target: Target,
	item: number,
	call: WriteCall,
): Promise<CallResult> {
	if (call.isDryRun) return preview(await call.plan(target));
	const { readOnly, soapUrl, soapNamespace, domain } = target.connection;
	if (readOnly) throw failure(texts.credential.readOnly);
	const { vault } = target;
	const request = [soapUrl, soapNamespace, domain, call.content];
	const earlier = scope.record.recall(item, vault, request, call.resends);
	if (earlier !== undefined) {
		if ('error' in earlier) throw earlier.error;
		return { records: earlier.records, isRecalled: true };
	}
	const plan = await call.plan(target);
	if (plan.kind === 'nothingToDo') {
		const { record, notSent, unevenShares } = plan;
		return {
			records: [record],
			...(notSent && { notSent }),
			...(unevenShares && { unevenShares }),
			nothingWritten: true,
		};
	}
	if (call.resends === 'always') return await plan.send(target);
	scope.record.begin(item, vault, request);
	try {
		const result = await plan.send(target);
		scope.record.applied(item, vault, result.records);
		return result;
	} catch (error) {
		throw recordFailure(scope, item, vault, error);
	}
}
