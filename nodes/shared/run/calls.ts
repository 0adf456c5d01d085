import type { IDataObject } from 'n8n-workflow';
import type { RequestHost } from '../credential/requestHost';
import { CancelledError, ServiceError } from '../errors/ServiceError';
import type { InputItem, InputItems } from '../form/inputItem';
import { groupItems, readableKeys } from '../form/items';
import { readOptions, type CallOptions } from '../form/options';
import type { Tally } from '../session/tally';
import type { Action } from './action';
import type { CallOutcome, CompletedCall } from './progress';
import { Redactor } from './redact';
import { schedule, type Task } from './schedule';
import { Targets, type Target } from './targets';
import { carryOut, prepareCall, type DecidedCall } from './write';
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

/** Returns the task that carries out a call. */
function taskOf(
	{ action, record }: Run,
	target: Target,
	first: InputItem,
	call: DecidedCall,
	{ includeRequestKeys }: CallOptions,
): Task<CompletedCall> {
	return {
		key: JSON.stringify([target.connection.domain, call.subject]),
		async run() {
			const result = await carryOut(record, target, first.index, call);
			const keys = includeRequestKeys ? action.keysInItems(first, call.keys) : undefined;
			// Copies, since later nodes may change an item. `Object.assign`, since two spreads create a
			// hidden class for each item.
			const records = result.records.map((one) => Object.assign({}, keys, one));
			return { ...result, records };
		},
	};
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
				const target = targets.of(first);
				const call = prepareCall(action, group);
				keysOf[index] = call.keys;
				return taskOf(run, target, first, call, options);
			} finally {
				keysOf[index] ??= readableKeys(first, action.request);
			}
		},
	});
	await tally.settled();
	return groups.map((items, index) => {
		return { items, keys: keysOf[index] ?? {}, outcome: outcomes[index] };
	});
}

/**
 * Makes the calls of a run: one for each input item, or for each group of them. If something that all
 * calls need is missing, every call fails with that error.
 */
export async function runCalls(run: Run): Promise<EndedCalls> {
	const { items, action, host, tally } = run;
	const groups = action.kind === 'once' ? [items] : groupItems(action.request, items);
	let targets: Targets | undefined;
	try {
		const options = readOptions(items[0], action.effect);
		targets = await Targets.read(host, items[0], action.takesDomain, options, tally);
		const calls = await makeCalls(run, options, targets, targets.splitByDomain(groups));
		return { calls, redactor: targets.redactor() };
	} catch (error) {
		const outcome = { ok: false, error } as const;
		const calls = groups.map((group) => ({ items: group, keys: {}, outcome }));
		return { calls, redactor: targets?.redactor() ?? new Redactor([]) };
	}
}
