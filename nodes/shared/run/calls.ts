import type { IDataObject } from 'n8n-workflow';
import type { RequestHost } from '../host/requests';
import { InputError } from '../errors/InputError';
import { CancelledError, ServiceError } from '../errors/ServiceError';
import { joinNames } from '../errors/words';
import type { InputItems } from '../form/inputItem';
import { groupItems, readableKeys } from '../form/mapping/items';
import { type CallOptions, readOptions, readWriteOptions } from '../form/options';
import { callName } from '../form/names';
import { inTurns } from '../host/eventLoop';
import { groupedBy } from '../values/values';
import type { Action, Notice, ReadCall, WriteCall } from './action';
import { outcomeOf } from './errors';
import type { CallOutcome, CompletedCall } from './progress';
import { Redactor } from './redact';
import { type Outcome, schedule, type Task } from './schedule';
import { type Target, Targets } from './targets';
import { write } from './write';
import type { WriteRecord } from './writeRecord';

/** One run of a node. */
export interface Run {
	readonly items: InputItems;
	readonly action: Action;
	readonly host: RequestHost;
	readonly record: WriteRecord;
	/** Whether a failed item becomes an output item, and the others continue. */
	readonly continuesOnFail: boolean;
	/** Names the execution if another workflow called this one. */
	readonly subExecution: string | undefined;
}

/** The calls of a run, once they have ended. */
export interface EndedCalls {
	readonly calls: readonly CallOutcome[];
	/** Notices about input items that make no call. */
	readonly notices: readonly Notice[];
	/** Masks their secrets. */
	readonly redactor: Redactor;
}

/** A call, ready to be carried out; or the result of what an earlier try of the execution made. */
interface Prepared {
	readonly items: InputItems;
	/** The keys of its request. */
	readonly keys: IDataObject;
	readonly target: Target;
	readonly call: ReadCall | WriteCall | CompletedCall;
}

/** Of writes in order, so many calls are under way: reading goes ahead, and reading again follows. */
const IN_ORDER = 12;

/**
 * Returns the call of input items that is refused now, if an earlier try of the execution made it.
 *
 * @throws the error of that try, or why the call is refused
 */
function madeBefore(
	{ action, record }: Run,
	{ shared: target }: Targets,
	items: InputItems,
	error: unknown,
): Prepared {
	const made = action.effect === 'write' ? record.recallTry(items, target.vault) : undefined;
	if (made === undefined) throw error;
	if ('error' in made) throw made.error;
	const keys = readableKeys(items[0], action.request);
	return { items, keys, target, call: { ...made, notices: [], status: 'recalled' } };
}

/** Carries out a call, and adds its keys to the records. */
function taskOf(
	{ action, record }: Run,
	{ items, keys: own, target, call }: Prepared,
	{ includeRequestKeys }: CallOptions,
): Task<CompletedCall> {
	const subject = 'subject' in call ? call.subject : '';
	const { besides = {} } = 'besides' in call ? call : {};
	return {
		key: JSON.stringify([target.connection.domain, subject]),
		async run(turn) {
			let result: CompletedCall | undefined;
			if ('status' in call) result = call;
			else if (call.effect === 'read') result = { ...(await call.read(target)), status: 'read' };
			else {
				const isOther = !call.options.dryRun && record.earlierOutcome(items) === 'applied';
				const written = await write(record, target, items, call, turn);
				result = written && { ...written, isOther: isOther && written.status === 'written' };
			}
			if (result === undefined) return undefined;
			const named = includeRequestKeys ? action.keysInItems(items[0], result.keys ?? own) : {};
			const keys = [...Object.entries(named), ...Object.entries(besides)];
			// Copies, since later nodes may change an item. Two spreads create a hidden class for each, and
			// `Object.assign` calls a setter for a key `__proto__`.
			const records: IDataObject[] = [];
			for await (const record of inTurns(result.records)) {
				records.push(Object.fromEntries([...keys, ...Object.entries(record)]) as IDataObject);
			}
			return { ...result, records };
		},
	};
}

/** Returns the errors of calls that undo each other, by their indexes: none of them is sent. */
function conflictsAmong(
	{ action }: Run,
	prepared: ReadonlyMap<number, Prepared>,
): Map<number, Outcome<CompletedCall>> {
	const refused = new Map<number, Outcome<CompletedCall>>();
	const groups = groupedBy(prepared.entries(), ([index, { target, call }]) => {
		const { key } = ('exclusive' in call && call.exclusive) || { key: index };
		return JSON.stringify([target.connection.domain, key]);
	});
	for (const group of groups.values()) {
		if (group.length === 1) continue;
		for (const [index, { call }] of group) {
			const others = group.filter(([other]) => other !== index);
			const names = joinNames(others.map(([, { items }]) => callName(action, items)));
			const reason = 'exclusive' in call ? call.exclusive?.reason : '';
			const text = `: ${names} ${others.length === 1 ? 'is' : 'are'} ${reason}`;
			const error = new InputError([{ code: 'VALUE_CONFLICT', path: [], text }]);
			refused.set(index, { ok: false, error });
		}
	}
	return refused;
}

/** Returns a call of a run that has ended, or was not begun. @param keys those of its request, if they are known */
function endedCall(
	{ action, record }: Run,
	items: InputItems,
	keys: IDataObject | undefined,
	outcome: CallOutcome['outcome'],
): CallOutcome {
	const wroteNothing =
		outcome === undefined || (!outcome.ok && outcomeOf(outcome.error) === 'notApplied');
	const isOpen = action.effect === 'write' && wroteNothing;
	const earlier = isOpen ? record.earlierOutcome(items) : undefined;
	const known = keys ?? (earlier && readableKeys(items[0], action.request)) ?? {};
	return { items, keys: known, outcome, earlier };
}

/**
 * Makes a call for each group of input items, and waits until all have ended. Calls that write are all
 * prepared before the first is sent; a run that stops at the first error sends none if one is refused.
 */
async function makeCalls(
	run: Run,
	options: CallOptions,
	targets: Targets,
	groups: readonly InputItems[],
): Promise<CallOutcome[]> {
	const { action, host, continuesOnFail } = run;
	const isWrite = action.effect === 'write';
	/** Only the keys of a call are kept until the run ends: a request may be large. */
	const keys = new Array<IDataObject | undefined>(groups.length);
	const ahead = new Map<number, Prepared>();
	const prepareAt = (index: number): Prepared => {
		const items = groups[index] as InputItems;
		if (host.cancel?.aborted) throw new CancelledError();
		try {
			const target = targets.of(items[0]);
			const call =
				action.kind === 'read'
					? action.prepare(items)
					: action.prepare(items, readWriteOptions(items, action.switches));
			keys[index] = call.keys;
			return { items, keys: call.keys, target, call };
		} catch (error) {
			keys[index] = readableKeys(items[0], action.request);
			return madeBefore(run, targets, items, error);
		}
	};
	let refused = new Map<number, Outcome<CompletedCall>>();
	for await (const index of inTurns(isWrite ? groups.keys() : [])) {
		try {
			ahead.set(index, prepareAt(index));
		} catch (error) {
			refused.set(index, { ok: false, error });
			if (error instanceof CancelledError) break;
		}
	}
	refused = new Map([...refused, ...conflictsAmong(run, ahead)]);
	const isSent = ({ call }: Prepared) => 'options' in call && !call.options.dryRun;
	const writes = [...ahead.values()].some(isSent);
	const isInOrder = writes && !continuesOnFail && options.isAdaptive;
	// A dry run finds all that is wrong, also what does not fit the records.
	const isDry = isWrite && !writes;
	const outcomes =
		refused.size > 0 && !continuesOnFail && !isDry
			? groups.map((_, index) => refused.get(index))
			: await schedule<CompletedCall>({
					count: groups.length,
					concurrency: isInOrder ? IN_ORDER : options.concurrency,
					writesInOrder: isInOrder,
					// An error of an earlier try must not stop the other calls.
					stopsAt: (error) =>
						error instanceof CancelledError ||
						!(
							continuesOnFail ||
							(isDry && error instanceof InputError) ||
							(error instanceof ServiceError && error.isRecalled)
						),
					prepare(index) {
						const known = refused.get(index);
						if (known?.ok === false) throw known.error;
						const prepared = ahead.get(index) ?? prepareAt(index);
						ahead.delete(index);
						return taskOf(run, prepared, options);
					},
				});
	const calls: CallOutcome[] = [];
	for await (const [index, items] of inTurns(groups.entries())) {
		calls.push(endedCall(run, items, keys[index], outcomes[index]));
	}
	return calls;
}

/**
 * Makes the calls of a run: one for each input item, or for each group of them. If something that all
 * calls need is missing, every call fails with that error.
 */
export async function runCalls(run: Run): Promise<EndedCalls> {
	const { items, action, host } = run;
	const { groups, notices } =
		action.kind === 'once'
			? { groups: [items], notices: [] }
			: await groupItems(action.request, items);
	let targets: Targets | undefined;
	try {
		const options = readOptions(items[0]);
		const limits = { ...options, keepsAnswers: action.effect === 'read' };
		targets = await Targets.read(host, items[0], action.takesDomain, limits);
		const byDomain = await targets.splitByDomain(groups);
		const calls = await makeCalls(run, options, targets, byDomain);
		return { calls, notices, redactor: targets.redactor() };
	} catch (error) {
		const calls = groups.map((group) => endedCall(run, group, undefined, { ok: false, error }));
		return { calls, notices, redactor: targets?.redactor() ?? new Redactor([]) };
	}
}
