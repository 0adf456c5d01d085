import { type IDataObject, isExpression } from 'n8n-workflow';
import type { Field } from '../contract/fields';
import type { Effect } from '../contract/operation';
import { toConnection, withDomain } from '../credential/connection';
import type { RequestHost } from '../host/requests';
import { InputError } from '../values/InputError';
import {
	CancelledError,
	ServiceError,
	serviceError,
	type WriteOutcome,
} from '../errors/ServiceError';
import { joinNames } from '../errors/words';
import { createAccess, type ServiceAccess } from '../exchange/exchange';
import { formatKeys, label, rowsOfItems } from '../form/fields';
import type { InputItem, InputItems } from '../form/inputItem';
import { groupItems, readableKeys } from '../form/mapping/rows';
import { type CallOptions, domainIn, readOptions, readWriteOptions } from '../form/options';
import { callName } from '../form/places';
import { isOfHost, isTool } from '../host/nodes';
import { inTurns } from '../http/wait';
import { groupedBy, isSet } from '../values/values';
import {
	type Action,
	type Addressed,
	type CompletedCall,
	type EndedCall,
	type EndedRun,
	type Failed,
	OF_CALL,
	type ReadCall,
	type Turn,
	type WriteCall,
} from './action';
import { callError, isRefusal } from './errors';
import { redactorOf } from './redact';
import { write } from './write';
import { Vault, type WriteRecord } from './writeRecord';

/** One run of a node. */
interface Run {
	readonly items: InputItems;
	readonly action: Action;
	readonly host: RequestHost;
	readonly record: WriteRecord;
	/** Whether a failed item becomes an output item, and the others continue. */
	readonly continuesOnFail: boolean;
}

/** Returns the Domain of an item by the node's options; `undefined` for that of the credential. */
function domainOf({ takesDomain }: Action, item: InputItem): string | undefined {
	if (!takesDomain) return undefined;
	return domainIn(item.stored('options'), () => item.read('options.domain'));
}

/** A call, ready to be carried out; or what an earlier try of the execution made of items whose values are refused now. */
interface Prepared {
	readonly items: InputItems;
	readonly access: ServiceAccess<Effect>;
	readonly call: ReadCall | WriteCall | (Addressed & { effect: 'none'; result: CompletedCall });
}

/** Of writes in order, so many calls are under way: reading goes ahead, and reading again follows. */
const IN_ORDER = 12;

/** With *Requests per Second*, at most as many writes are under way as requests go out in so many seconds. */
const WAITING_SECONDS = 4;

/** Carries out a call, and adds `keys` to its records. @returns `undefined` if its turn to write did not come */
async function carryOut(
	{ action, record }: Run,
	{ items, access, call }: Prepared,
	keys: IDataObject | undefined,
	turn: Turn,
): Promise<CompletedCall | undefined> {
	let result: CompletedCall | undefined;
	if (call.effect === 'none') ({ result } = call);
	else if (call.effect === 'read') result = { ...(await call.read(access)), status: 'read' };
	else result = await write(record, access, items, call, turn);
	if (result === undefined) return undefined;
	const asked = keys === undefined ? {} : (result.keys ?? keys);
	const added = Object.entries(action.keysInItems?.(items[0], asked) ?? asked);
	const isOther = ([name]: readonly [string, unknown]) =>
		!OF_CALL.has(name) && added.every(([key]) => key !== name);
	const besides = Object.entries(call.besides ?? {}).filter(isOther);
	// A table shows the first columns: the period, which most rows share, stands last.
	const last = besides.length > 0 ? added.splice(1) : [];
	added.push(...besides);
	// Copies, since later nodes may change an item. Two spreads create a hidden class for each, and
	// `Object.assign` calls a setter for a key `__proto__`.
	const records: IDataObject[] = [];
	for await (const record of inTurns(result.records)) {
		const behind = last.filter(([name]) => !Object.hasOwn(record, name));
		const all = [...added, ...Object.entries(record), ...behind];
		records.push(Object.fromEntries(all) as IDataObject);
	}
	const notices = [...result.notices];
	if (records.length === 0) notices.push({ kind: 'missing', text: 'No records' });
	return { ...result, records, notices };
}

/** Refuses calls that undo each other, and those that a row without a usable period may belong to, by their indexes. */
function refuseConflicts(
	{ action, items: [first], continuesOnFail }: Run,
	groups: readonly InputItems[],
	keys: readonly IDataObject[],
	prepared: ReadonlyMap<number, Prepared>,
	refused: Map<number, Failed>,
): void {
	const { request } = action;
	// The first key of a request is whom it is about.
	const [subject = '', ...others] = Object.keys(request).filter((name) => request[name]?.isKey);
	const refuse = (index: number, text: string) => {
		const problem = { code: 'VALUE_CONFLICT', path: [], text, column: [subject] } as const;
		refused.set(index, { status: 'failed', error: new InputError([problem]) });
	};
	// Without Continue, nothing is sent then.
	const areRows = continuesOnFail && rowsOfItems(first, request)?.isList;
	for (const index of areRows ? [...refused.keys()] : []) {
		const known = keys[index] ?? {};
		const lacking = others.filter((name) => !isSet(known[name]));
		if (!isSet(known[subject]) || lacking.length === 0) continue;
		const [same, names] = [[subject], lacking].map((all) =>
			joinNames(all.map((name) => label(name, request[name] as Field))),
		);
		const text = `: ${callName(action, groups[index] as InputItems)} has the same ${same} and no usable ${names}, so it may belong to this call.`;
		for (const [other, { call }] of prepared) {
			if (call.keys[subject] === known[subject]) refuse(other, text);
		}
	}
	const conflicts = groupedBy(prepared.entries(), ([index, { access, call }]) => {
		const whom = call.exclusive === undefined ? index : formatKeys(request, call.keys);
		return JSON.stringify([access.connection.domain, whom]);
	});
	for (const group of conflicts.values()) {
		for (const [index, { call }] of group.length > 1 ? group : []) {
			const rivals = group.filter(([other]) => other !== index);
			const names = joinNames(rivals.map(([, { items }]) => callName(action, items)));
			refuse(index, `: ${names} ${rivals.length === 1 ? 'is' : 'are'} ${call.exclusive}`);
		}
	}
}

/** A task, ready to run. Tasks with the same key run one after the other. */
interface Task<T> {
	readonly key: string;
	/** @returns `undefined` if its turn did not come */
	readonly run: (turn: Turn) => Promise<T | undefined>;
}

interface ScheduleOptions<T> {
	readonly count: number;
	readonly concurrency: number;
	/** Whether tasks write one at a time, in their order. */
	readonly writesInOrder: boolean;
	/** Called once for each index, in order. May throw. */
	readonly prepare: (index: number) => Task<T>;
	/** Whether no later task may write or begin after this error. */
	readonly stopsAt: (error: unknown) => boolean;
}

/** Maximum number of prepared tasks that wait for busy keys, per unit of concurrency. */
const LOOK_AHEAD = 10;

/** Of writes in order, so many may go out behind one whose task has not ended: it may still fail. */
const MAX_BEHIND = 4;

/**
 * Runs `count` tasks in input order with bounded concurrency. A task whose key is busy waits while
 * later tasks run; when the key is free, waiting tasks come first. If a task stops the run, the
 * earlier ones still run, and of the later ones nothing further is begun or written.
 *
 * @returns the outcomes by index; `undefined` for a task that was not begun, or whose turn did not come
 */
export async function schedule<T>(
	options: ScheduleOptions<T>,
): Promise<Array<T | Failed | undefined>> {
	const { count, concurrency, writesInOrder, prepare, stopsAt } = options;
	const outcomes = new Array<T | Failed | undefined>(count);
	/** The last task of each busy key. It waits for those before it. */
	const lastOf = new Map<string, Promise<void>>();
	/** How many tasks run or wait. */
	let begun = 0;
	/** The first task that stopped the run: only earlier ones go on. */
	let stop = Number.POSITIVE_INFINITY;
	/** Which tasks have written or ended, which have ended, and the first of each that has not. */
	const [written, ended]: [boolean[], boolean[]] = [[], []];
	const next = { toWrite: 0, toEnd: 0 };
	const watching: Array<() => void> = [];
	/** Waits until a task has written or ended. */
	const change = async () => await new Promise<void>((resolve) => watching.push(resolve));
	const note = (index: number, hasEnded = true): void => {
		written[index] = true;
		ended[index] ||= hasEnded;
		while (written[next.toWrite]) next.toWrite += 1;
		while (ended[next.toEnd]) next.toEnd += 1;
		for (const wake of watching.splice(0)) wake();
	};
	const fail = (index: number, error: unknown): void => {
		outcomes[index] = { status: 'failed', error };
		if (stopsAt(error)) stop = Math.min(stop, index);
	};
	const runTask = async (index: number, { key, run }: Task<T>): Promise<void> => {
		const before = lastOf.get(key);
		if (before !== undefined) await before;
		const turn: Turn = {
			async toWrite() {
				while (writesInOrder && index <= stop) {
					if (next.toWrite === index && index - next.toEnd <= MAX_BEHIND) break;
					await change();
				}
				return index <= stop;
			},
			written: () => note(index, false),
		};
		try {
			if (index <= stop) outcomes[index] = await run(turn);
		} catch (error) {
			fail(index, error);
		}
	};
	for await (const index of inTurns(outcomes.keys())) {
		while (stop > index) {
			const waiting = begun - lastOf.size;
			if (lastOf.size < concurrency && waiting < LOOK_AHEAD * concurrency) break;
			await change();
		}
		if (stop < index) break;
		try {
			const task = prepare(index);
			begun += 1;
			const last = runTask(index, task).then(() => {
				if (lastOf.get(task.key) === last) lastOf.delete(task.key);
				begun -= 1;
				note(index);
			});
			lastOf.set(task.key, last);
		} catch (error) {
			fail(index, error);
			note(index);
		}
	}
	while (begun > 0) await change();
	return outcomes;
}

/**
 * Makes a call for each group of input items. Writes are all prepared before the first is sent; a run that stops at
 * the first error sends none if one is refused.
 *
 * @param keys receives those of each request: nothing else of it is kept until the run ends, it may be large
 */
async function makeCalls(
	run: Run,
	options: CallOptions,
	shared: ServiceAccess<Effect>,
	groups: readonly InputItems[],
	keys: IDataObject[],
): Promise<ReadonlyArray<CompletedCall | Failed | undefined>> {
	const { action, host, continuesOnFail, record } = run;
	const isWrite = action.effect === 'write';
	const prepareAt = (index: number): Prepared => {
		const items = groups[index] as InputItems;
		if (host.cancel?.aborted) throw new CancelledError();
		try {
			const domain = domainOf(action, items[0]);
			const connection =
				domain === undefined ? shared.connection : withDomain(shared.connection, domain);
			const call =
				action.kind === 'read'
					? action.prepare(items)
					: action.prepare(items, readWriteOptions(items, action.switches));
			keys[index] = call.keys;
			return { items, access: { ...shared, connection }, call };
		} catch (error) {
			const known = readableKeys(items[0], action.request);
			keys[index] = known;
			// What an earlier try made of the items counts, also if their values are refused now.
			const result = isWrite ? record.recall(items, new Vault(shared.connection)) : undefined;
			if (result === undefined || 'error' in result) throw result?.error ?? error;
			return { items, access: shared, call: { effect: 'none', subject: '', keys: known, result } };
		}
	};
	const ahead = new Map<number, Prepared>();
	const refused = new Map<number, Failed>();
	for await (const index of inTurns(isWrite ? groups.keys() : [])) {
		try {
			ahead.set(index, prepareAt(index));
		} catch (error) {
			refused.set(index, { status: 'failed', error });
			if (error instanceof CancelledError) break;
		}
	}
	refuseConflicts(run, groups, keys, ahead, refused);
	const writes = [...ahead.values()].some(
		({ call }) => call.effect === 'write' && !call.options.dryRun,
	);
	const isInOrder = writes && !continuesOnFail && options.isAdaptive;
	// A dry run finds all that is wrong, also what does not fit the records, and what the service refuses.
	const isDry = isWrite && !writes;
	if (refused.size > 0 && !continuesOnFail && !isDry) {
		return groups.map((_, index) => refused.get(index));
	}
	const { requestsPerSecond: rate = Infinity } = shared.connection;
	// A call whose requests wait long would write by records that it read long before.
	const most = writes ? Math.max(1, Math.floor(rate * WAITING_SECONDS)) : Infinity;
	return await schedule<CompletedCall>({
		count: groups.length,
		concurrency: Math.min(most, isInOrder ? IN_ORDER : options.concurrency),
		writesInOrder: isInOrder,
		stopsAt(error) {
			if (error instanceof CancelledError) return true;
			if (continuesOnFail || (isDry && isRefusal(error))) return false;
			// An error of an earlier try, or behind a doubt of one, must not stop the other calls.
			const { code, facts } = callError(error) as Partial<ServiceError>;
			return facts?.isRecalled !== true && code !== 'EARLIER_CHANGE_IN_DOUBT';
		},
		prepare(index) {
			if (refused.has(index)) throw refused.get(index)?.error;
			const prepared = ahead.get(index) ?? prepareAt(index);
			ahead.delete(index);
			const { access, call } = prepared;
			const key = JSON.stringify([access.connection.domain, call.subject]);
			const added = options.includeRequestKeys ? keys[index] : undefined;
			return { key, run: async (turn) => await carryOut(run, prepared, added, turn) };
		},
	});
}

/** Makes the calls of a run. If something that all calls need is missing, such as the credential, every call fails. */
export async function runCalls(run: Run): Promise<EndedRun> {
	const { items, action, host, record } = run;
	const [first] = items;
	const isWrite = action.effect === 'write';
	// A call must not contain rows of two environments.
	const { groups, notices } =
		action.kind === 'once'
			? { groups: [items], notices: [] }
			: await groupItems(action.request, items, (item) => domainOf(action, item));
	const keys: IDataObject[] = [];
	let access: ServiceAccess<Effect> | undefined;
	let ends: ReadonlyArray<CompletedCall | Failed | undefined>;
	try {
		const options = readOptions(first);
		if (host.cancel?.aborted) throw new CancelledError();
		const { domain } = Object(first.stored('options')) as { domain?: unknown };
		if (action.takesDomain && isTool(first.node) && isExpression(domain)) {
			throw serviceError('DOMAIN_INVALID/ofModel');
		}
		const connection = toConnection(await host.readCredential());
		access = createAccess(host, connection, { ...options, keepsAnswers: !isWrite });
		ends = await makeCalls(run, options, access, groups, keys);
	} catch (error) {
		ends = groups.map(() => ({ status: 'failed', error }));
	}
	const calls: EndedCall[] = [];
	for await (const [index, own] of inTurns(groups.entries())) {
		const end = ends[index];
		/** Whether what it writes was applied; `undefined` if that is nothing. */
		let now: WriteOutcome | undefined = 'notApplied';
		if (end?.status === 'failed') now = isOfHost(end.error) ? now : callError(end.error).outcome;
		else if (end) now = ['written', 'recalled'].includes(end.status) ? 'applied' : undefined;
		const earlier = isWrite && now === 'notApplied' ? record.earlierOutcome(own) : undefined;
		const known = keys[index] ?? (earlier && readableKeys(own[0], action.request)) ?? {};
		const of = { items: own, keys: known, outcome: earlier ?? now, earlier };
		calls.push({ ...(end ?? { status: 'notBegun' }), ...of });
	}
	return {
		action,
		calls,
		notices,
		redactor: redactorOf(access),
		subExecution: record.subExecution,
	};
}
