import type { IDataObject } from 'n8n-workflow';
import type { RequestHost } from '../credential/requestHost';
import { CancelledError, ServiceError } from '../errors/ServiceError';
import type { InputItem, InputItems } from '../form/inputItem';
import { groupItems, readableKeys } from '../form/items';
import { readOptions, type CallOptions } from '../form/options';
import { inTurns } from '../host/eventLoop';
import type { Tally } from '../session/tally';
import type { Action } from './action';
import { outcomeOf } from './errors';
import type { CallOutcome, CompletedCall } from './progress';
import { Redactor } from './redact';
import { schedule, type Task } from './schedule';
import { Targets } from './targets';
import { carryOut, prepareCall } from './write';
import type { WriteRecord } from './writeRecord';

/** One run of a node. */
export interface Run {
	readonly items: InputItems;
	readonly action: Action;
	readonly host: RequestHost;
	readonly tally: Tally;
	readonly record: WriteRecord;
	/** Whether a failed item becomes an output item, and the others continue. */
	readonly continuesOnFail: boolean;
	/** Whether another workflow called this one. */
	readonly isSubWorkflow: boolean;
}

/** The calls of a run, once they have ended. */
export interface EndedCalls {
	readonly calls: readonly CallOutcome[];
	/** Masks their secrets. */
	readonly redactor: Redactor;
}

/** A call, ready to be carried out. */
interface Prepared extends Task<CompletedCall> {
	/** The keys of its request. */
	readonly keys: IDataObject;
}

/**
 * Returns the call of input items that is refused now, if an earlier try of the execution made it.
 *
 * @throws the error of that try, or why the call is refused
 */
function recalledCall(
	{ action, record }: Run,
	targets: Targets,
	items: InputItems,
	error: unknown,
): Prepared {
	const output = action.effect === 'write' ? record.recallTry(items, targets.vault) : undefined;
	if (output === undefined) throw error;
	const recalled = { ...output, notices: [], status: 'recalled' } as const;
	const keys = readableKeys(items[0], action.request);
	return { key: '', keys, run: async () => await Promise.resolve(recalled) };
}

/** Prepares the call for a group of input items. */
function prepareGroup(run: Run, targets: Targets, items: InputItems): Prepared {
	try {
		const target = targets.of(items[0]);
		const call = prepareCall(run.action, items);
		return {
			key: JSON.stringify([target.connection.domain, call.subject]),
			keys: call.keys,
			run: async () => await carryOut(run.record, target, items, call),
		};
	} catch (error) {
		return recalledCall(run, targets, items, error);
	}
}

/** Returns the task that carries out a call, and adds its keys to the records. */
function taskOf(
	{ action }: Run,
	first: InputItem,
	{ key, keys: own, run }: Prepared,
	{ includeRequestKeys }: CallOptions,
): Task<CompletedCall> {
	return {
		key,
		async run() {
			const result = await run();
			const named = includeRequestKeys ? action.keysInItems(first, result.keys ?? own) : {};
			const keys = Object.entries(named);
			// Copies, since later nodes may change an item. Two spreads create a hidden class for each, and
			// `Object.assign` calls a setter for a key `__proto__`.
			const records = result.records.map((one) => {
				return Object.fromEntries([...keys, ...Object.entries(one)]) as IDataObject;
			});
			return { ...result, records };
		},
	};
}

/** Returns the calls of groups of input items, ended or not begun, by the keys and outcomes of the groups. */
async function endedCalls(
	{ action, record }: Run,
	groups: readonly InputItems[],
	keys: ReadonlyArray<IDataObject | undefined>,
	outcomes: ReadonlyArray<CallOutcome['outcome']>,
): Promise<CallOutcome[]> {
	const calls: CallOutcome[] = [];
	for await (const [index, items] of inTurns(groups.entries())) {
		const outcome = outcomes[index];
		const wroteNothing =
			outcome === undefined || (!outcome.ok && outcomeOf(outcome.error) === 'notApplied');
		const isOpen = action.effect === 'write' && wroteNothing;
		const earlier = isOpen ? record.earlierOutcome(items) : undefined;
		const known = keys[index] ?? (earlier && readableKeys(items[0], action.request)) ?? {};
		calls.push({ items, keys: known, outcome, earlier });
	}
	return calls;
}

/** Makes a call for each group of input items, and waits until all have ended. */
async function makeCalls(
	run: Run,
	options: CallOptions,
	targets: Targets,
	groups: readonly InputItems[],
): Promise<CallOutcome[]> {
	const { action, host, tally, continuesOnFail } = run;
	// Only its keys are kept of a call until the run ends: its request may be large.
	const keysOf = new Array<IDataObject>(groups.length);
	const outcomes = await schedule<CompletedCall>({
		count: groups.length,
		concurrency: options.concurrency,
		// An error of an earlier try must not stop the other calls.
		stopsAt: (error) =>
			error instanceof CancelledError ||
			!(continuesOnFail || (error instanceof ServiceError && error.isRecalled)),
		prepare(index) {
			const group = groups[index] as InputItems;
			const [first] = group;
			if (host.cancel?.aborted) throw new CancelledError();
			try {
				const prepared = prepareGroup(run, targets, group);
				keysOf[index] = prepared.keys;
				return taskOf(run, first, prepared, options);
			} finally {
				keysOf[index] ??= readableKeys(first, action.request);
			}
		},
	});
	await tally.settled();
	return await endedCalls(run, groups, keysOf, outcomes);
}

/**
 * Makes the calls of a run: one for each input item, or for each group of them. If something that all
 * calls need is missing, every call fails with that error.
 */
export async function runCalls(run: Run): Promise<EndedCalls> {
	const { items, action, host, tally } = run;
	const groups = action.kind === 'once' ? [items] : await groupItems(action.request, items);
	let targets: Targets | undefined;
	try {
		const options = readOptions(items[0], action.effect);
		targets = await Targets.read(host, items[0], action.takesDomain, options, tally);
		const byDomain = await targets.splitByDomain(groups);
		const calls = await makeCalls(run, options, targets, byDomain);
		return { calls, redactor: targets.redactor() };
	} catch (error) {
		const outcomes = groups.map(() => ({ ok: false, error }) as const);
		const calls = await endedCalls(run, groups, [], outcomes);
		return { calls, redactor: targets?.redactor() ?? new Redactor([]) };
	}
}
