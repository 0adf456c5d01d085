/** Records what came of a node's writes, so that n8n can run the node again without writing twice. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Connection } from '../credential/connection';
import {
	type EarlierOutcome,
	type Known,
	ServiceError,
	serviceError,
} from '../errors/ServiceError';
import type { InputItems } from '../form/inputItem';
import { isTool, runOf, subExecution } from '../host/nodes';
import { BoundedMap } from '../http/boundedMap';
import type { CallResult, CompletedCall, Plan, WriteCall } from './action';
import type { Expected } from './judge';
import { MAX_DETAILS, type Redactor } from './redact';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts and fingerprints what is stored with an execution, where n8n's redaction of its data does not reach it. */
export class Vault {
	private readonly key: Buffer;

	/** The key is made of a secret of the credential: who has the execution data alone cannot read them. */
	constructor(connection: Pick<Connection, 'clientSecret' | 'subscriptionKey'>) {
		const secret = connection.clientSecret || connection.subscriptionKey;
		this.key = Buffer.from(hkdfSync('sha256', secret, '', 'n8n-nodes-payroll write record', 32));
	}

	/** Returns a short keyed hash of texts. Without the key, no text can be tried out on it. */
	fingerprint(...parts: readonly string[]): string {
		const hash = createHmac('sha256', this.key).update(JSON.stringify(parts)).digest();
		// A slice of a longer text would keep the whole text in memory.
		return hash.toString('base64url', 0, 16);
	}

	/** Encrypts a value that JSON can hold. It cannot be opened in another place than the one where it is stored. */
	seal(value: unknown, place: string): string {
		const iv = randomBytes(IV_BYTES);
		const cipher = createCipheriv(CIPHER, this.key, iv).setAAD(Buffer.from(place));
		const body = [cipher.update(JSON.stringify(value), 'utf8'), cipher.final()];
		return Buffer.concat([iv, cipher.getAuthTag(), ...body]).toString('base64url');
	}

	/** Returns a sealed value; `undefined` if it was sealed with another key, moved or changed. */
	open(sealed: string, place: string): unknown {
		const bytes = Buffer.from(sealed, 'base64url');
		try {
			const decipher = createDecipheriv(CIPHER, this.key, bytes.subarray(0, IV_BYTES));
			decipher.setAAD(Buffer.from(place));
			decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
			const body = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
			return JSON.parse(Buffer.concat(body).toString('utf8'));
		} catch {
			return undefined;
		}
	}
}

/** The property of what the tries share that holds the record. */
const RECORD = 'written';

/** What a write is judged by, and what its output item has if it turns out to be applied. */
export type Sent = Expected & Pick<Plan, 'idName' | 'item'>;

/** What came of a call that was or may have been applied, or was refused. */
type Written =
	| CompletedCall
	| { readonly error: Pick<ServiceError, 'facts' | 'failure'>; readonly sent?: Sent | undefined };

/** A call that an earlier try or run sent, and that failed. */
export interface FailedBefore {
	readonly error: ServiceError;
	/** `undefined` if nothing reads what it changes. */
	readonly sent: Sent | undefined;
	/** Whether a try of this execution sent it, so that no person decided to run it again. */
	readonly isSameExecution: boolean;
}

/** A recorded call, by the execution that sent it and the indexes of its input items. */
interface WrittenCall {
	readonly execution: string;
	readonly items: readonly number[];
	readonly fingerprint: string;
	/** Identifies whom it is about; empty if that is not known. */
	readonly about: string;
	/** What is known of its items, also if an earlier call wrote them; or that it had nothing to write. */
	readonly outcome: EarlierOutcome | 'unchanged';
	/** The encrypted {@link Written}. */
	readonly sealed: string;
}

/** The last run that wrote. */
interface StoredRecord {
	/** The execution that opened it first, and the one that opened it last. */
	readonly origin: string;
	readonly execution: string;
	readonly run: number;
	/** By the index of each of their input items. */
	readonly calls: Record<number, WrittenCall>;
	readonly followsCrash: boolean;
}

/** A call that the record may hold. */
interface RecordedCall extends Pick<WriteCall, 'resends'> {
	readonly items: InputItems;
	readonly vault: Vault;
	/** Identifies the request in a retry of the execution. */
	readonly fingerprint: string;
	/** Identifies the employee or company, for one change at a time; empty if that is not known. */
	readonly about: string;
}

/**
 * What the earlier executions of a sub-workflow have sent, by the calling execution and the call: n8n begins
 * the execution of a next try without a record. The JSON of a {@link Written}; if it is large, of its error alone.
 */
const handedOver = new BoundedMap<string, { outcome?: WrittenCall['outcome']; json?: string }>(
	10_000,
);
const MAX_HANDED_OVER = 16_384;

/** The callers of which an execution of the sub-workflow has failed. Until then, equal calls are calls of their own. */
const failedCallers = new BoundedMap<string, { hasFailed: boolean }>(1000);

/** Whom the changes in doubt of an execution are about, whichever of its nodes or rounds made them. */
const doubtsOf = new BoundedMap<string, Set<string>>(1000);

export class WriteRecord {
	/** How many readings in a row, after a write, did not show what was wanted. */
	readsInVain = 0;
	/** Whom a write of the execution is about that is in doubt, also if the record does not hold it. */
	readonly doubts: Set<string>;
	private opened: StoredRecord | undefined;
	private readonly execution: string;
	/** Identifies the node that calls this workflow; `undefined` if nothing calls it. */
	private readonly caller: string | undefined;
	readonly subExecution: string | undefined;

	constructor(private readonly context: IExecuteFunctions) {
		this.execution = context.getExecutionId();
		const empty = () => new Set<string>();
		// A tool may have no execution.
		this.doubts = isTool(context.getNode()) ? empty() : doubtsOf.getOrCreate(this.execution, empty);
		({ caller: this.caller, name: this.subExecution } = subExecution(context) ?? {});
	}

	/** Notes that a call of this run has failed: the calling workflow may begin anew. */
	markFailed(): void {
		if (this.caller === undefined) return;
		failedCallers.getOrCreate(this.caller, () => ({ hasFailed: false })).hasFailed = true;
	}

	/** What the tries of the calling node hand over about a call. */
	private handOver({ fingerprint, items }: RecordedCall) {
		if (this.caller === undefined) return undefined;
		const key = JSON.stringify([this.caller, fingerprint, items.map(({ index }) => index)]);
		return handedOver.getOrCreate(key, () => ({}));
	}

	private store(recorded: RecordedCall, written: Written, outcome: WrittenCall['outcome']): void {
		const { fingerprint, about, vault } = recorded;
		const { calls, origin, run } = this.open();
		const items = recorded.items.map(({ index }) => index);
		const call = { execution: this.execution, items, fingerprint, about, outcome };
		const sealed = vault.seal(written, JSON.stringify([origin, run, call]));
		for (const index of items) calls[index] = { ...call, sealed };
		const error = 'error' in written && JSON.stringify({ error: written.error });
		const whole = JSON.stringify(written);
		const json = whole.length <= MAX_HANDED_OVER ? whole : error;
		// In place of a large result, the call stays in doubt.
		if (json) Object.assign(this.handOver(recorded) ?? {}, { outcome, json });
	}

	/**
	 * Returns what came of a call that an earlier try or run sent. Within an execution nobody can change a parameter:
	 * whatever the values are now (`$now` differs in each try), it is the same call. In n8n's retry of an execution,
	 * other values are another call.
	 *
	 * @param asked what is asked now; `undefined` if its values are refused
	 * @throws {ServiceError} if another client secret encrypted it, or it was moved
	 */
	recall(
		items: InputItems,
		vault: Vault,
		asked?: RecordedCall,
	): CompletedCall | FailedBefore | undefined {
		const { caller } = this;
		if (asked && caller !== undefined && this.callOf(items) === undefined) {
			const { hasFailed } = failedCallers.getOrCreate(caller, () => ({ hasFailed: false }));
			const { json, outcome } = (hasFailed && this.handOver(asked)) || {};
			// A later call may have undone an applied one: what stands there says whether it is sent.
			const isKnown = outcome === 'unknown' || outcome === 'refused' || asked.resends === 'never';
			if (json && outcome && isKnown) this.store(asked, JSON.parse(json) as Written, outcome);
		}
		const own = this.callOf(items);
		const isLater = ({ outcome, about, items: [index] }: WrittenCall): boolean =>
			outcome !== 'unchanged' && about === own?.about && Number(index) > Number(own.items[0]);
		// What had nothing to write is planned anew, unless that could undo a later change of the same employee.
		const isOpen = own?.outcome === 'unchanged' && !Object.values(this.open().calls).some(isLater);
		const call = isOpen ? undefined : own;
		// Outside of an execution, a tool has no execution id.
		const isOwn = call !== undefined && call.execution === this.execution;
		if (asked === undefined && !isOwn) return undefined;
		const known = call && this.read(call, vault);
		if (asked === undefined || isOwn || call?.fingerprint === asked.fingerprint) return known;
		if (!this.open().followsCrash || asked.resends !== 'never') return undefined;
		const error = serviceError('CALL_INTERRUPTED/killed', { isRecalled: true });
		return { error, sent: undefined, isSameExecution: false };
	}

	/** Returns what came of earlier writes for input items, whatever their values are now. */
	earlierOutcome(items: InputItems): EarlierOutcome | undefined {
		const { outcome = this.open().followsCrash ? 'unknown' : undefined } = this.callOf(items) ?? {};
		return outcome === 'unchanged' ? undefined : outcome;
	}

	/** Records a call that has nothing to write. @returns its result */
	unchanged(recorded: RecordedCall, { item, notices }: Plan): CompletedCall {
		const done = { records: [item], notices, status: 'unchanged' } as const;
		if (this.callOf(recorded.items) === undefined) this.store(recorded, done, 'unchanged');
		return done;
	}

	/** Whether a change of the same employee or company is in doubt: of an earlier item, or of any by an earlier try or run. */
	isInDoubt({ about, items }: RecordedCall): boolean {
		if (this.doubts.has(about)) return true;
		const isOwn = (call: WrittenCall) => items.some(({ index }) => call.items.includes(index));
		const all = about === '' ? [] : Object.values(this.open().calls);
		return all.some((call) => call.about === about && call.outcome === 'unknown' && !isOwn(call));
	}

	/** Returns the recorded call of input items; if they are rows, of the first that was in one. */
	private callOf(items: InputItems): WrittenCall | undefined {
		const { calls } = this.open();
		const { index = -1 } = items.find((item) => calls[item.index] !== undefined) ?? {};
		const call = calls[index];
		// The entry of another item cannot be opened.
		return call && !call.items.includes(index) ? { ...call, items: [index] } : call;
	}

	private read({ sealed, ...call }: WrittenCall, vault: Vault): CompletedCall | FailedBefore {
		const { origin, run } = this.open();
		const written = vault.open(sealed, JSON.stringify([origin, run, call])) as Written | undefined;
		if (written === undefined) {
			throw serviceError('CALL_INTERRUPTED/otherSecret', { isRecalled: true });
		}
		if ('records' in written) return written;
		const { failure, facts } = written.error;
		const error = new ServiceError(failure, { ...facts, isRecalled: true });
		return { error, sent: written.sent, isSameExecution: call.execution === this.execution };
	}

	/** Records a call that is about to be sent: until its end is recorded, it may have been applied. */
	begin(recorded: RecordedCall, sent?: Sent) {
		const { calls } = this.open();
		const before = recorded.items.map(({ index }) => [index, calls[index]] as const);
		this.store(recorded, { error: serviceError('CALL_INTERRUPTED'), sent }, 'unknown');
		return {
			applied: ({ records, files, keys, notices }: CallResult): void => {
				const all = files?.flatMap((fields) => Object.values(fields ?? {})) ?? [];
				// The content of a file is not held a second time; one with an id n8n keeps outside of its item.
				const isKept = all.every(({ id }) => id !== undefined);
				const checks = notices.filter(({ kind }) => kind === 'check');
				const written: Written = isKept
					? { records, files, keys, notices: checks, status: 'recalled' }
					: { error: serviceError('FILE_UNUSABLE/notKept') };
				this.store(recorded, written, 'applied');
				this.doubts.delete(recorded.about);
			},
			failed: ({ failure, facts, outcome }: ServiceError, redactor: Redactor): void => {
				const earlier = outcome === 'refused' ? before[0]?.[1]?.outcome : undefined;
				const json = JSON.stringify(facts, (name, fact: unknown) => {
					if (name === 'thrown') return undefined;
					const max = name === 'details' ? MAX_DETAILS : undefined;
					return typeof fact === 'string' ? redactor.clean(fact, max) : fact;
				});
				const error = { failure, facts: JSON.parse(json) as Known };
				this.store(recorded, { error, sent }, earlier ?? (outcome as EarlierOutcome));
				if (outcome === 'unknown' && recorded.about !== '') this.doubts.add(recorded.about);
			},
			/** Nothing was applied. What a run before applied, with other values, is still there. */
			remove: (): void => {
				for (const [index, call] of before) {
					if (call === undefined) delete calls[index];
					else calls[index] = call;
				}
				delete this.handOver(recorded)?.json;
			},
		};
	}

	/**
	 * Empties the record, except of one call of a tool: n8n does not run the node again on these items. It still
	 * shows that the run has ended, and whether n8n was killed before.
	 */
	drop(): void {
		const { stored, isOneCall } = runOf(this.context);
		if (!isOneCall) stored[RECORD] = this.open().followsCrash ? { followsCrash: true } : {};
	}

	/** Opens the record. Without calls, it shows that nothing was written. Only the last round of a loop can run again. */
	open(): StoredRecord {
		if (this.opened !== undefined) return this.opened;
		const { execution } = this;
		const { run, stored, retried, followsCrash } = runOf(this.context);
		const kept = stored[RECORD] as Partial<StoredRecord> | undefined;
		const known = kept?.run === run ? kept : {};
		const { calls = {}, execution: last = execution, origin = execution } = known;
		// A retry that left no record of its own was killed.
		const wasKilled = last !== execution && last !== (retried ?? last);
		const isAfterCrash = kept === undefined ? followsCrash() : kept.followsCrash === true;
		this.opened = { origin, execution, run, calls, followsCrash: isAfterCrash || wasKilled };
		stored[RECORD] = this.opened;
		return this.opened;
	}
}
