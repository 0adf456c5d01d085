/** Carries out a write: the one place that reads what stands there, sends, reads again and says what came of it. */
import type { IDataObject } from 'n8n-workflow';
import type { Effect } from '../contract/operation';
import { CancelledError, ServiceError, serviceError } from '../errors/ServiceError';
import type { ServiceAccess } from '../exchange/exchange';
import type { InputItem, InputItems } from '../form/inputItem';
import { readOption, showEnvelopeOption } from '../form/options';
import { pause } from '../http/wait';
import type { Values } from '../values/values';
import { describeError } from '../messages/describe';
import type { CallResult, ChangedRecords, CompletedCall, Plan, Turn, WriteCall } from './action';
import { callError } from './errors';
import { judge, type Judgement, type Seen } from './judge';
import { redactorOf } from './redact';
import { type FailedBefore, type Sent, Vault, type WriteRecord } from './writeRecord';

/** What was read so many milliseconds before it is the turn of the write is read again. */
const MAX_AGE_MS = 5000;

/** Wait before the records are read a second time after a write: a change may arrive late. */
const AGAIN_MS = 2000;

/** Longest time of the readings after a write, beside that wait, and of one that nobody waits for. */
const [READING_MS, BRIEF_READING_MS] = [10_000, 1000];

/** After so many readings in a row that did not show what was wanted, a run reads once and waits no more. */
const MAX_IN_VAIN = 5;

/** What is said of an item that the run before sent with other values. */
const REWRITTEN = {
	applied: 'applied by the run before with other values, and written again',
	unknown: 'perhaps applied by the run before with other values, and written again',
};

/**
 * Carries out a call that writes. What an earlier try or run sent is not sent again: its result is returned,
 * or read. A dry run only shows the plan.
 *
 * @param items the input items of the call
 * @returns `undefined` if the run stopped before it was sent
 * @throws {InputError | ServiceError | CancelledError}
 */
export async function write(
	record: WriteRecord,
	access: ServiceAccess<Effect>,
	items: InputItems,
	call: WriteCall,
	turn: Turn,
): Promise<CompletedCall | undefined> {
	const { dryRun, verify, ...own } = call.options;
	const { domain, readOnly, soapNamespace, soapUrl } = access.connection;
	const { resends, subject: whom } = call;
	const records = 'read' in call.records ? call.records : undefined;
	const asked = [soapUrl, soapNamespace, domain, await call.content(access), JSON.stringify(own)];
	const vault = new Vault(access.connection);
	const already = dryRun ? undefined : record.earlierOutcome(items);
	const isOther = already === 'applied' || (already === 'unknown' && !record.open().followsCrash);
	const subject = whom && resends !== 'always' ? JSON.stringify([soapUrl, domain, whom]) : '';
	const about = subject && vault.fingerprint(subject);
	const recorded = { items, vault, fingerprint: vault.fingerprint(...asked), about, resends };
	const earlier = dryRun ? undefined : record.recall(items, vault, recorded);
	if (earlier && 'records' in earlier) return earlier;
	/** Returns what came of the earlier call, if it is there; `undefined` if it may be sent again. */
	const resolved = (known: FailedBefore, judged: Judgement): CompletedCall | undefined => {
		const end = settled(known.error, judged, known.sent);
		if (!(end instanceof ServiceError)) {
			record.begin(recorded, known.sent).applied(end);
			return { ...end, status: 'recalled' };
		}
		if (maySendAgain(known, judged, call.records)) return undefined;
		if (end.outcome === 'unknown' && about !== '') record.doubts.add(about);
		throw end;
	};
	const now = earlier && (await readAfter(record, access, records, earlier.sent, false));
	const found = now && resolved(earlier, now);
	if (found) return found;
	if (!dryRun && readOnly) throw serviceError('CREDENTIAL_READ_ONLY');
	if (!dryRun && record.isInDoubt(recorded)) throw serviceError('EARLIER_CHANGE_IN_DOUBT');
	const visit = subject ? access.subjects.visit(subject) : undefined;
	try {
		let seen: readonly Seen[] | undefined;
		let plan: Plan;
		for (let isMyTurn = false; ; isMyTurn = true) {
			const [readAt, changes] = [Date.now(), visit?.changes];
			const before = records?.isReadBefore ? await readBefore(records, access) : undefined;
			seen = records && before?.map(records.seen);
			// The earlier change may have arrived since the records were read for it.
			const late = earlier?.sent && seen && resolved(earlier, judge(earlier.sent, seen));
			if (late) return late;
			plan = await call.plan(access, before);
			if (dryRun) return dryRunOf(items[0], plan);
			if (!plan.send) return record.unchanged(recorded, plan);
			if (isMyTurn) break;
			if (!(await turn.toWrite())) return undefined;
			await visit?.change(access.host.cancel);
			const isFresh = Math.abs(Date.now() - readAt) < MAX_AGE_MS;
			if (before === undefined || (isFresh && visit?.changes === Number(changes) + 1)) break;
		}
		const { send, wanted, idName } = plan;
		const sent = wanted && { before: seen, wanted, item: plan.item, idName };
		const entry = resends === 'always' ? undefined : record.begin(recorded, sent);
		const answer = await send(access).catch((error: unknown) => inDoubt(error, entry));
		const isAnswered = !(answer instanceof ServiceError);
		// Nothing goes out behind a write in doubt until it is resolved.
		if (isAnswered) turn.written();
		const id = isAnswered && idName ? (answer.records[0]?.[idName] as Seen['id']) : undefined;
		const twice = isAnswered || answer.outcome !== 'refused';
		const isRead = !isAnswered || verify === true;
		const judged = isRead ? await readAfter(record, access, records, sent, twice, id) : undefined;
		const end = settled(answer, judged, plan);
		if (end instanceof ServiceError) {
			entry?.failed(end, redactorOf(access));
			throw end;
		}
		const done = { ...end, keys: plan.keys };
		entry?.applied(done);
		const again = isOther ? [{ kind: 'check', text: REWRITTEN[already] } as const] : [];
		return { ...done, notices: [...plan.notices, ...done.notices, ...again], status: 'written' };
	} finally {
		visit?.leave();
	}
}

/** Whether a retry sends what the service refused by a code: if it is not there or, unread, if the builder says so. */
function maySendAgain(
	{ error, isSameExecution, sent }: FailedBefore,
	{ is }: Judgement,
	records: WriteCall['records'],
): boolean {
	if (error.outcome !== 'refused' || isSameExecution) return false;
	if ('resendsRefused' in records) return records.resendsRefused;
	return is === 'asBefore' || (is === 'otherwise' && sent?.wanted.kind === 'all');
}

/** Reads the records before a write. @throws {ServiceError} if they cannot be read: nothing was written then */
async function readBefore(
	records: ChangedRecords,
	access: ServiceAccess,
): Promise<readonly Values[]> {
	return await records.read(access).catch((error: unknown) => {
		if (!(error instanceof ServiceError)) throw error;
		throw error.with({ outcome: 'notApplied', about: 'recordsBefore' });
	});
}

/** Returns the error of a write that may have been applied. @throws that of any other, which is not recorded */
function inDoubt(thrown: unknown, entry: ReturnType<WriteRecord['begin']> | undefined) {
	const error = callError(thrown);
	if (error.outcome === 'notApplied') entry?.remove();
	// Of a write that was cancelled in flight, the entry from its start remains.
	if (error.outcome === 'notApplied' || !(error instanceof ServiceError)) throw error;
	return error;
}

function dryRunOf(first: InputItem, plan: Plan): CompletedCall {
	const isShown = readOption(first, showEnvelopeOption);
	const envelope = isShown && { envelope: plan.envelope?.() ?? null };
	const shown = { ...plan.preview(), dryRun: true, written: false, ...envelope };
	const status = plan.send === undefined ? 'wouldNotChange' : 'wouldChange';
	return { records: [shown], keys: plan.keys, notices: plan.notices, status };
}

/**
 * Reads what stands there after a write: at once and, if asked for, once more after a while unless it is as wanted.
 *
 * @throws {CancelledError} if the user cancels the run meanwhile: the write stays in doubt
 */
async function readAfter(
	record: WriteRecord,
	access: ServiceAccess<Effect>,
	records: ChangedRecords | undefined,
	sent: Sent | undefined,
	twice: boolean,
	id?: Seen['id'],
): Promise<Judgement> {
	if (records === undefined || sent === undefined) return { is: 'unseen', text: '' };
	let judged: Judgement = { is: 'unseen', text: 'the records could not be read again' };
	const isInVain = record.readsInVain >= MAX_IN_VAIN;
	const end = performance.now() + AGAIN_MS + READING_MS;
	for (const wait of isInVain || !twice ? [0] : [0, AGAIN_MS]) {
		const read = async () => {
			await pause(access.host.cancel, wait);
			const left = isInVain ? 0 : Math.min(READING_MS, end - performance.now());
			const exchange = access.readOnce(Math.max(BRIEF_READING_MS, left));
			return await records.read({ ...access, exchange });
		};
		const after = await read().catch(callError);
		if (after instanceof CancelledError) throw new CancelledError('unknown');
		// What was read before an error still counts.
		if (!(after instanceof Error)) {
			const when = wait > 0 ? { when: '2 seconds later' } : {};
			judged = { ...judge(sent, after.map(records.seen), id), ...when };
		}
		if (judged.is === 'asWanted') break;
	}
	record.readsInVain = judged.is === 'asWanted' ? 0 : record.readsInVain + 1;
	return judged;
}

/** Returns what a write came to, by its answer and what was read after it, if anybody read it. */
function settled(
	answer: CallResult | ServiceError,
	judged: Judgement | undefined,
	{ idName, item, wanted }: Partial<Plan> = {},
): CallResult | ServiceError {
	const verified = judged?.is === 'asWanted';
	const added: IDataObject = {
		...item,
		...(judged && { verified }),
		...(verified && { outcome: 'applied' }),
	};
	if (!(answer instanceof ServiceError)) {
		if (judged?.is === 'otherwise') {
			return serviceError('WRITTEN_OTHERWISE', { difference: judged.text });
		}
		if (judged?.is === 'asBefore' && wanted?.kind === 'all') {
			return serviceError('NOT_CHANGED', { when: judged.when ?? 'again' });
		}
		const notices = [...answer.notices];
		if (judged && !verified) {
			const reason = judged.text || 'no new record is like it';
			notices.push({ kind: 'check', text: `written, but not verified, since ${reason}` });
		}
		// What a person looks at comes first: a table shows the first columns.
		const records = answer.records.map((record) => ({ ...item, ...record, ...added }));
		return { ...answer, records, notices };
	}
	if (judged === undefined) return answer;
	if (verified) {
		const made = idName === undefined ? { success: true } : { [idName]: judged.id };
		return { records: [{ ...made, ...added }], notices: [] };
	}
	const { is, text, when = 'when the records were read again' } = judged;
	const [, advice] = describeError(answer);
	const notThere = 'The change was not there';
	let told = text;
	if (is === 'unseen') told = text && `Whether it was applied cannot be told: ${text}.`;
	if (is === 'asBefore') {
		told = advice.includes(notThere) ? '' : `${notThere} ${when}; it may still arrive.`;
		// Somebody has undone it.
		if (answer.outcome === 'applied') told = 'It has what it had before the change again.';
	}
	const isOpen = answer.outcome === 'refused' && is === 'otherwise';
	if (!isOpen && (told === '' || advice.includes(told))) return answer;
	const seen = [...(answer.facts.seen ?? []), told];
	return answer.with(isOpen ? { seen, outcome: 'unknown' } : { seen });
}
