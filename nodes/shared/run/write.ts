import { readOnlyCredential } from '../errors/credentialErrors';
import type { InputItems } from '../form/inputItem';
import { readWriteOptions, showsEnvelope } from '../form/writeOptions';
import type { Action, CallResult, ReadCall } from './action';
import { lookAgain, sendAndVerify, type WritingCall } from './look';
import type { CompletedCall } from './progress';
import { redactorOf, type Target } from './targets';
import type { RecordedCall, WriteRecord } from './writeRecord';

/** A call, and what the builder decides about it if it writes. */
export type DecidedCall = ReadCall | WritingCall;

/**
 * Prepares the call for a group of input items, and reads what the builder decides about a write.
 *
 * @throws {InputError} naming each value that is missing or not allowed
 */
export function prepareCall(action: Action, items: InputItems): DecidedCall {
	if (action.kind === 'read') return action.prepare(items);
	const options = readWriteOptions(items, action.switches);
	return { ...action.prepare(items, options), options };
}

/**
 * Returns the result of what an earlier try sent; `undefined` if the call is to be sent. If it is
 * unknown whether it was applied, it is looked for.
 */
async function recall(
	record: WriteRecord,
	target: Target,
	sent: RecordedCall,
	call: WritingCall,
): Promise<CallResult | undefined> {
	try {
		const output = record.recall(sent, call.resends(call.options));
		return output && { ...output, notices: [] };
	} catch (error) {
		const found = await lookAgain(target, call, error);
		return await record.keepSent(sent, async () => await Promise.resolve(found));
	}
}

/**
 * Carries out a call; no other code does. Of a writing call, a dry run only shows the plan. With a
 * read-only credential nothing is sent. What an earlier try of the same run sent is not sent again:
 * its result is returned, or its error thrown. If it is unknown whether a write was applied, the service
 * is asked what it has.
 *
 * @param items the input items of the call
 * @throws {InputError | ServiceError | CancelledError}
 */
export async function carryOut(
	record: WriteRecord,
	target: Target,
	items: InputItems,
	call: DecidedCall,
): Promise<CompletedCall> {
	if (call.effect === 'read') return { ...(await call.read(target)), status: 'read' };
	const { options } = call;
	if (options.dryRun) {
		const plan = await call.plan(target, options);
		const envelope = showsEnvelope(items[0]) && { envelope: plan.envelope?.() ?? null };
		const records = [{ dryRun: true, written: false, ...plan.preview(), ...envelope }];
		return { records, keys: plan.keys, notices: plan.notices, status: 'dryRun' };
	}
	const { readOnly, soapUrl, soapNamespace, domain } = target.connection;
	const { vault } = target;
	const fingerprint = vault.fingerprint(soapUrl, soapNamespace, domain, await call.content());
	const sent = { items, vault, fingerprint, redactor: () => redactorOf([target]) };
	const resending = call.resends(options);
	const earlier = await recall(record, target, sent, call);
	if (earlier !== undefined) return { ...earlier, status: 'recalled' };
	if (readOnly) throw readOnlyCredential();
	const plan = await call.plan(target, options);
	const { notices } = plan;
	if (plan.kind === 'nothingToDo') return { records: [plan.record], notices, status: 'unchanged' };
	const send = async () => await sendAndVerify(target, call, plan);
	const result = resending === 'always' ? await send() : await record.keepSent(sent, send);
	return { ...result, status: 'written' };
}
