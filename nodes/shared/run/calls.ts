import { type IDataObject, isExpression } from 'n8n-workflow';
import { toConnection, withDomain } from '../credential/connection';
import type { RequestHost } from '../host/requests';
import { InputError } from '../values/InputError';
import { CancelledError, ServiceError, serviceError } from '../errors/ServiceError';
import { joinNames } from '../errors/words';
import { createAccess } from '../exchange/exchange';
import type { InputItem, InputItems } from '../form/inputItem';
import { groupItems, readableKeys } from '../form/mapping/rows';
import type { Notice } from '../form/requestValues';
import { type CallOptions, domainIn, readOptions, readWriteOptions } from '../form/options';
import { callName } from '../form/names';
import { inTurns } from '../host/eventLoop';
import { isTool } from '../host/runs';
import { groupedBy } from '../values/values';
import type { Action, CallOutcome, CompletedCall, ReadCall, WriteCall } from './action';
import { isRefusal, outcomeOf } from './errors';
import { type Redactor, redactorOf } from './redact';
import { type Outcome, schedule, type Turn } from './schedule';
import { Vault } from './vault';
import { type Target, write } from './write';
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

/** Returns the Domain that an item has by the node's options; `undefined` for that of the credential. */
function domainOf({ takesDomain }: Action, item: InputItem): string | undefined {
	if (!takesDomain) return undefined;
	return domainIn(item.stored('options'), () => item.read('options.domain'));
}

/** A call, ready to be carried out; or the result of what an earlier try of the execution made. */
interface Prepared {
	readonly items: InputItems;
	readonly target: Target;
	readonly call: ReadCall | WriteCall | CompletedCall;
}

/** Of writes in order, so many calls are under way: reading goes ahead, and reading again follows. */
const IN_ORDER = 12;

const REWRITTEN = 'applied by the run before with other values, and written again';

/**
 * Carries out a call.
 *
 * @param keys those of its request, if they are added to the records
 * @returns `undefined` if its turn to write did not come
 */
async function carryOut(
	{ action, record }: Run,
	{ items, target, call }: Prepared,
	keys: IDataObject | undefined,
	turn: Turn,
): Promise<CompletedCall | undefined> {
	let result: CompletedCall | undefined;
	if ('status' in call) result = call;
	else if (call.effect === 'read') result = { ...(await call.read(target)), status: 'read' };
	else {
		const wasApplied = !call.options.dryRun && record.earlierOutcome(items) === 'applied';
		const written = await write(record, target, items, call, turn);
		const notice = { kind: 'check', text: REWRITTEN } as const;
		const isOther = wasApplied && written?.status === 'written';
		result = isOther ? { ...written, notices: [...written.notices, notice] } : written;
	}
	if (result === undefined) return undefined;
	const named = Object.entries(keys ? action.keysInItems(items[0], result.keys ?? keys) : {});
	const besides = Object.entries(('besides' in call && call.besides) || {});
	// A table shows the first columns: the period, which most rows share, stands last.
	const [added, last] =
		besides.length > 0 ? [[...named.slice(0, 1), ...besides], named.slice(1)] : [named, []];
	// Copies, since later nodes may change an item. Two spreads create a hidden class for each, and
	// `Object.assign` calls a setter for a key `__proto__`.
	const records: IDataObject[] = [];
	for await (const record of inTurns(result.records)) {
		const behind = last.filter(([name]) => !Object.hasOwn(record, name));
		const all = [...added, ...Object.entries(record), ...behind];
		records.push(Object.fromEntries(all) as IDataObject);
	}
	const none = records.length === 0 ? [{ kind: 'missing', text: 'No records' } as const] : [];
	return { ...result, records, notices: [...result.notices, ...none] };
}

/** Refuses calls that undo each other, by their indexes: none of them is sent. */
function refuseConflicts(
	{ action }: Run,
	prepared: ReadonlyMap<number, Prepared>,
	refused: Map<number, unknown>,
): void {
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
			// The first key of a request is whom it is about.
			const column = Object.keys('keys' in call ? (call.keys ?? {}) : {}).slice(0, 1);
			const problem = { code: 'VALUE_CONFLICT', path: [], text, column } as const;
			refused.set(index, new InputError([problem]));
		}
	}
}

/**
 * Makes a call for each group of input items, and waits until all have ended. Calls that write are all
 * prepared before the first is sent; a run that stops at the first error sends none if one is refused.
 *
 * @param shared the target of an item without a Domain of its own
 * @param keys receives those of each request: nothing else of it is kept until the run ends, it may be large
 */
async function makeCalls(
	run: Run,
	options: CallOptions,
	shared: Target,
	groups: readonly InputItems[],
	keys: IDataObject[],
): Promise<ReadonlyArray<Outcome<CompletedCall> | undefined>> {
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
			return { items, target: { ...shared, connection }, call };
		} catch (error) {
			keys[index] = readableKeys(items[0], action.request);
			// What an earlier try made of the items counts, also if their values are refused now.
			const made = isWrite ? record.recall(items, shared.vault) : undefined;
			if (made === undefined || 'error' in made) throw made?.error ?? error;
			return { items, target: shared, call: { ...made, notices: [], status: 'recalled' } };
		}
	};
	const ahead = new Map<number, Prepared>();
	const refused = new Map<number, unknown>();
	for await (const index of inTurns(isWrite ? groups.keys() : [])) {
		try {
			ahead.set(index, prepareAt(index));
		} catch (error) {
			refused.set(index, error);
			if (error instanceof CancelledError) break;
		}
	}
	refuseConflicts(run, ahead, refused);
	const writes = [...ahead.values()].some(({ call }) => 'options' in call && !call.options.dryRun);
	const isInOrder = writes && !continuesOnFail && options.isAdaptive;
	// A dry run finds all that is wrong, also what does not fit the records, and what the service refuses.
	const isDry = isWrite && !writes;
	if (refused.size > 0 && !continuesOnFail && !isDry) {
		return groups.map((_, i) =>
			refused.has(i) ? { ok: false, error: refused.get(i) } : undefined,
		);
	}
	return await schedule<CompletedCall>({
		count: groups.length,
		concurrency: isInOrder ? IN_ORDER : options.concurrency,
		writesInOrder: isInOrder,
		stopsAt(error) {
			if (error instanceof CancelledError) return true;
			if (continuesOnFail || (isDry && isRefusal(error))) return false;
			// An error of an earlier try must not stop the other calls.
			return !(error instanceof ServiceError && error.facts.isRecalled);
		},
		prepare(index) {
			if (refused.has(index)) throw refused.get(index);
			const prepared = ahead.get(index) ?? prepareAt(index);
			ahead.delete(index);
			const { target, call } = prepared;
			const subject = 'subject' in call ? call.subject : '';
			const key = JSON.stringify([target.connection.domain, subject]);
			const added = options.includeRequestKeys ? keys[index] : undefined;
			return { key, run: async (turn) => await carryOut(run, prepared, added, turn) };
		},
	});
}

/**
 * Makes the calls of a run: one for each input item, or for each group of them. If something that all
 * calls need is missing, such as the credential, every call fails with that error.
 */
export async function runCalls(run: Run): Promise<EndedCalls> {
	const { items, action, host, record } = run;
	const [first] = items;
	const isWrite = action.effect === 'write';
	// A call must not contain rows of two environments.
	const { groups, notices } =
		action.kind === 'once'
			? { groups: [items], notices: [] }
			: await groupItems(action.request, items, (item) => domainOf(action, item));
	const keys: IDataObject[] = [];
	let target: Target | undefined;
	let outcomes: ReadonlyArray<Outcome<CompletedCall> | undefined>;
	try {
		const options = readOptions(first);
		if (host.cancel?.aborted) throw new CancelledError();
		const { domain } = Object(first.stored('options')) as { domain?: unknown };
		if (action.takesDomain && isTool(first.node) && isExpression(domain)) {
			throw serviceError('DOMAIN_INVALID/ofModel');
		}
		const connection = toConnection(await host.readCredential());
		target = {
			...createAccess(host, connection, { ...options, keepsAnswers: !isWrite }),
			vault: new Vault(connection.clientSecret || connection.subscriptionKey),
			ofRun: { inVain: 0, doubts: new Set() },
		};
		outcomes = await makeCalls(run, options, target, groups, keys);
	} catch (error) {
		outcomes = groups.map(() => ({ ok: false, error }));
	}
	const calls: CallOutcome[] = [];
	for await (const [index, own] of inTurns(groups.entries())) {
		const outcome = outcomes[index];
		const wroteNothing =
			outcome === undefined || (!outcome.ok && outcomeOf(outcome.error) === 'notApplied');
		const earlier = isWrite && wroteNothing ? record.earlierOutcome(own) : undefined;
		const known = keys[index] ?? (earlier && readableKeys(own[0], action.request)) ?? {};
		calls.push({ items: own, keys: known, outcome, earlier });
	}
	return { calls, notices, redactor: redactorOf(target) };
}
