/**
 * Records the outcomes of a node's writing calls, so that n8n can run the node again without
 * writing twice.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { failure, ServiceError, texts, type ServiceErrorFields } from '../errors/ServiceError';
import { followsCrash, isCalledByAgent } from '../host/workarounds';
import type { Resending } from './action';
import { callError, presentableError } from './errors';
import { Redactor } from './redact';
import type { Vault } from './vault';

/** The property of n8n's node context that holds the record. */
const PROPERTY = 'written';

/** The presentable error of a call that was or may have been applied. */
type StoredError = Pick<ServiceError, 'kind' | 'message'> & ServiceErrorFields;

/** What came of a call that is not sent again: these records, or it failed and may have been applied. */
type Written = { readonly records: readonly IDataObject[] } | { readonly error: StoredError };

/** A call that was or may have been applied. */
interface WrittenCall {
	/** The execution that sent it. */
	readonly execution: string;
	/** Fingerprint of the request. */
	readonly request: string;
	/** The encrypted {@link Written}. */
	readonly sealed: string;
}

/** The calls of one run of the node, by the index of their first input item. */
type Calls = Record<number, WrittenCall>;

/** A call that the record may hold. */
export interface RecordedCall {
	/** Index of its first input item. */
	readonly item: number;
	readonly vault: Vault;
	/** What identifies the request in a retry of the execution. */
	readonly request: readonly string[];
	/** Returns the values to mask in its error. */
	readonly secrets: () => readonly string[];
}

/** The calls of a tool, by the object of arguments from the model. */
const toolCalls = new WeakMap<object, Calls>();

function callsOfAgent(context: IExecuteFunctions): Calls {
	const input = context.getInputData()[0]?.json ?? {};
	const calls = toolCalls.get(input) ?? {};
	toolCalls.set(input, calls);
	return calls;
}

/** The content of n8n's node context: the last run that wrote. */
interface StoredRecord {
	readonly run?: number;
	readonly calls: Calls;
	readonly followsCrash: boolean;
}

/** The record of one run of a writing node. */
export class WriteRecord {
	private opened: StoredRecord | undefined;
	private readonly execution: string;

	constructor(private readonly context: IExecuteFunctions) {
		this.execution = context.getExecutionId();
	}

	/**
	 * Returns the records of a call that an earlier try of this run made; `undefined` if it is to be
	 * sent.
	 *
	 * Within an execution nobody can change a parameter: whatever the values are now (`$now` differs in
	 * each try), it is the same call. In n8n's retry of an execution, other values are another call.
	 *
	 * @throws {ServiceError} if the call was or may have been applied, and failed
	 */
	recall(
		{ item, vault, request }: RecordedCall,
		resends: Resending,
	): readonly IDataObject[] | undefined {
		const { calls, followsCrash: isUncertain } = this.open();
		const call = calls[item];
		const written = call && (vault.open(call.sealed) as Written | undefined);
		if (call !== undefined && written === undefined) {
			throw failure(texts.noAnswer.otherSecret, {}, { isRecalled: true });
		}
		const isSame =
			call?.execution === this.execution || call?.request === vault.fingerprint(...request);
		if (written === undefined || !isSame) {
			if (!isUncertain || resends !== 'never') return undefined;
			throw failure(texts.noAnswer.killed, {}, { isRecalled: true });
		}
		if ('records' in written) return written.records;
		const { kind, message, ...fields } = written.error;
		throw new ServiceError(kind, message, { ...fields, isRecalled: true });
	}

	/**
	 * Sends a call, and records what comes of it. Until it ends, it may have been applied.
	 *
	 * @param send may throw anything
	 * @throws {InputError | ServiceError | CancelledError}
	 */
	async keepSent(
		{ item, vault, request, secrets }: RecordedCall,
		send: () => Promise<readonly IDataObject[]>,
	): Promise<readonly IDataObject[]> {
		const { calls } = this.open();
		const fingerprint = vault.fingerprint(...request);
		const store = (written: Written): void => {
			const sealed = vault.seal(written);
			calls[item] = { execution: this.execution, request: fingerprint, sealed };
		};
		// `message` is the one field that a spread leaves out.
		const storeError = (error: ServiceError): void =>
			store({ error: { ...error, message: error.message } });
		// If the run ends while the call is in flight, for whatever reason, this entry remains.
		storeError(failure(texts.noAnswer.stopped));
		try {
			const records = await send();
			store({ records });
			return records;
		} catch (error) {
			const own = callError(error);
			if (own.outcome === 'notApplied') delete calls[item];
			// For a cancelled call, the entry recorded at its start still applies.
			else if (own instanceof ServiceError) {
				storeError(presentableError(own, new Redactor(secrets())));
			}
			throw own;
		}
	}

	/**
	 * Empties the record: n8n does not run the node again on these items. The empty record still
	 * shows that the run has ended.
	 */
	drop(): void {
		if (!isCalledByAgent(this.context)) this.write({});
	}

	/**
	 * Opens the record: on the first call that writes, or to keep it for another try or a retry of the
	 * execution. Without calls, it shows that nothing was written. A run that only reads never opens it.
	 *
	 * n8n stores the node context with the execution: each try of *Retry On Fail* has it, and so has
	 * a retry of the failed execution. Only the last run (the last round of a loop) can run again.
	 */
	open(): StoredRecord {
		if (isCalledByAgent(this.context)) {
			this.opened ??= { calls: callsOfAgent(this.context), followsCrash: false };
		}
		if (this.opened !== undefined) return this.opened;
		const kept = this.context.getContext('node')[PROPERTY] as Partial<StoredRecord> | undefined;
		const run = this.context.getWorkflowDataProxy(0).$runIndex as number;
		const { calls = {}, followsCrash: isUncertain = false } = kept?.run === run ? kept : {};
		const isAfterCrash = kept === undefined ? followsCrash(this.context) : isUncertain;
		this.opened = { run, calls, followsCrash: isAfterCrash };
		this.write(this.opened);
		return this.opened;
	}

	private write(kept: Partial<StoredRecord>): void {
		this.context.getContext('node')[PROPERTY] = kept as IDataObject;
	}
}
