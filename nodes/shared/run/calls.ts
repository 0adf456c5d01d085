import type { IDataObject } from 'n8n-workflow';
import type { RequestHost } from '../credential/requestHost';
import { CancelledError, ServiceError } from '../errors/ServiceError';
import type { InputItem, InputItems } from '../form/inputItem';
import { groupItems, readableKeys } from '../form/mapping/items';
import { readOptions, type CallOptions } from '../form/options';
import { inTurns } from '../host/eventLoop';
import type { Action, Notice } from './action';
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
	readonly record: WriteRecord;
	/** Whether a failed item becomes an output item, and the others continue. */
	readonly continuesOnFail: boolean;
	/** Whether another workflow called this one. */
	readonly isSubWorkflow: boolean;
}

/** The calls of a run, once they have ended. */
export interface EndedCalls {
	readonly calls: readonly CallOutcome[];
	/** Notices about input items that make no call. */
	readonly notices: readonly Notice[];
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

/** What was prepared of the calls of a run. */
class PreparedCalls {
	/** The keys of each call. Only they are kept until the run ends: a request may be large. */
	readonly keys: IDataObject[];
	private readonly ahead = new Map<number, Prepared>();

	constructor(
		private readonly run: Run,
		private readonly targets: Targets,
		private readonly groups: readonly InputItems[],
	) {
		this.keys = new Array<IDataObject>(groups.length);
	}

	/**
	 * Returns a call, prepared once.
	 *
	 * @throws {CancelledError} or what is wrong with its values
	 */
	take(index: number): Prepared {
		const prepared = this.ahead.get(index) ?? this.prepare(index);
		this.ahead.delete(index);
		return prepared;
	}

	/** Prepares all calls before the first is sent, and returns the outcomes of those that are refused. */
	async prepareAll(): Promise<ReadonlyMap<number, CallOutcome['outcome']>> {
		const refused = new Map<number, CallOutcome['outcome']>();
		for await (const index of inTurns(this.groups.keys())) {
			try {
				this.ahead.set(index, this.prepare(index));
			} catch (error) {
				refused.set(index, { ok: false, error });
				if (error instanceof CancelledError) break;
			}
		}
		return refused;
	}

	private prepare(index: number): Prepared {
		const { run, groups } = this;
		const group = groups[index] as InputItems;
		if (run.host.cancel?.aborted) throw new CancelledError();
		try {
			const prepared = prepareGroup(run, this.targets, group);
			this.keys[index] = prepared.keys;
			return prepared;
		} finally {
			this.keys[index] ??= readableKeys(group[0], run.action.request);
		}
	}
}

/**
 * Makes a call for each group of input items, and waits until all have ended. A write that stops at the
 * first error is not begun unless the values of all calls are allowed.
 */
async function makeCalls(
	run: Run,
	options: CallOptions,
	targets: Targets,
	groups: readonly InputItems[],
): Promise<CallOutcome[]> {
	const { action, host, continuesOnFail } = run;
	const prepared = new PreparedCalls(run, targets, groups);
	if (action.effect === 'write' && !continuesOnFail) {
		const refused = await prepared.prepareAll();
		if (refused.size > 0) {
			const outcomes = groups.map((_, index) => refused.get(index));
			return await endedCalls(run, groups, prepared.keys, outcomes);
		}
	}
	const outcomes = await schedule<CompletedCall>({
		count: groups.length,
		concurrency: options.concurrency,
		// An error of an earlier try must not stop the other calls.
		stopsAt: (error) =>
			error instanceof CancelledError ||
			!(continuesOnFail || (error instanceof ServiceError && error.isRecalled)),
		prepare: (index) =>
			taskOf(run, (groups[index] as InputItems)[0], prepared.take(index), options),
	});
	await host.settled();
	return await endedCalls(run, groups, prepared.keys, outcomes);
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
		const options = readOptions(items[0], action.effect);
		targets = await Targets.read(host, items[0], action.takesDomain, options);
		const byDomain = await targets.splitByDomain(groups);
		const calls = await makeCalls(run, options, targets, byDomain);
		return { calls, notices, redactor: targets.redactor() };
	} catch (error) {
		const outcomes = groups.map(() => ({ ok: false, error }) as const);
		const calls = await endedCalls(run, groups, [], outcomes);
		return { calls, notices, redactor: targets?.redactor() ?? new Redactor([]) };
	}
}
