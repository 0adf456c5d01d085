import { failure, texts } from '../errors/ServiceError';
import type { Call } from './action';
import type { CompletedCall } from './progress';
import { secretsOf, type Target } from './targets';
import type { WriteRecord } from './writeRecord';

/**
 * Carries out a call; no other code does. Of a writing call, a dry run only shows the plan. With a
 * read-only credential nothing is sent. What an earlier try of the same run sent is not sent again:
 * its result is returned, or its error thrown.
 *
 * @param item index of the call's first input item
 * @throws {InputError | ServiceError | CancelledError}
 */
export async function carryOut(
	record: WriteRecord,
	target: Target,
	item: number,
	call: Call,
): Promise<CompletedCall> {
	if (call.effect === 'read') return { ...(await call.read(target)), status: 'read' };
	if (call.isDryRun) {
		const { preview, notices } = await call.plan(target);
		return { records: [{ dryRun: true, ...preview }], notices, status: 'dryRun' };
	}
	const { readOnly, soapUrl, soapNamespace, domain } = target.connection;
	if (readOnly) throw failure(texts.credential.readOnly);
	const sent = {
		...{ item, vault: target.vault, secrets: () => secretsOf(target) },
		request: [soapUrl, soapNamespace, domain, call.content],
	};
	const earlier = record.recall(sent, call.resends);
	if (earlier !== undefined) return { records: earlier, notices: [], status: 'recalled' };
	const plan = await call.plan(target);
	const { notices } = plan;
	if (plan.kind === 'nothingToDo') return { records: [plan.record], notices, status: 'unchanged' };
	const send = async () => await plan.send(target);
	const records = call.resends === 'always' ? await send() : await record.carryOut(sent, send);
	return { records, notices, status: 'written' };
}
