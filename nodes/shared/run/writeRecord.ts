/**
 * Records the outcomes of a node's writing calls, so that n8n can run the node again without
 * writing twice.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { callInterrupted, clientSecretChanged, runKilled } from '../errors/requestErrors';
import { outcomes } from '../errors/outcomes';
import { ServiceError, type ErrorFields } from '../errors/ServiceError';
import { followsCrash, sharedByTries } from '../host/runs';
import type { CallResult, Resending } from './action';
import { callError, presentableError } from './errors';
import type { Redactor } from './redact';
import type { Vault } from './vault';

/** The property of what the tries share that holds the record. */
const RECORD = 'written';

/** The presentable error of a call that was or may have been applied. */
type StoredError = ErrorFields & Pick<ServiceError, 'code' | 'description' | 'kind' | 'message'>;

/** What came of a call: these records, or it failed and was refused or may have been applied. */
type Written = { readonly records: readonly IDataObject[] } | { readonly error: StoredError };

/** A call that was or may have been applied. */
interface WrittenCall {
	/** The execution that sent it. */
	readonly execution: string;
	/** See {@link RecordedCall}. */
	readonly fingerprint: string;
	/** The encrypted {@link Written}. */
	readonly sealed: string;
}

/** The last run that wrote. */
interface StoredRecord {
	readonly run: number;
	/** By the index of the first input item. */
	readonly calls: Record<number, WrittenCall>;
	readonly followsCrash: boolean;
}

/** A call that the record may hold. */
export interface RecordedCall {
	/** Index of its first input item. */
	readonly item: number;
	readonly vault: Vault;
	/** Identifies the request in a retry of the execution. */
	readonly fingerprint: string;
	/** Returns what masks the secrets in its error. */
	readonly redactor: () => Redactor;
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
		{ item, vault, fingerprint }: RecordedCall,
		resends: Resending,
	): readonly IDataObject[] | undefined {
		const { calls, followsCrash: isUncertain } = this.open();
		const call = calls[item];
		const written = call && (vault.open(call.sealed) as Written | undefined);
		if (call !== undefined && written === undefined) {
			throw clientSecretChanged().with({ isRecalled: true });
		}
		const isSame = call?.execution === this.execution || call?.fingerprint === fingerprint;
		if (written === undefined || !isSame) {
			if (!isUncertain || resends !== 'never') return undefined;
			throw runKilled().with({ isRecalled: true });
		}
		if ('records' in written) return written.records;
		// Retrying the execution is a person's decision, which the error asked for.
		const isRetried = call?.execution !== this.execution;
		if (isRetried && outcomes[written.error.kind] === 'refused') return undefined;
		const { code, kind, message, description, ...fields } = written.error;
		throw new ServiceError(code, kind, message, description, { ...fields, isRecalled: true });
	}

	/**
	 * Sends a call, and records what comes of it. Until it ends, it may have been applied.
	 *
	 * @param send may throw anything
	 * @throws {InputError | ServiceError | CancelledError}
	 */
	async keepSent(
		{ item, vault, fingerprint, redactor }: RecordedCall,
		send: () => Promise<CallResult>,
	): Promise<CallResult> {
		const { calls } = this.open();
		const store = (written: Written): void => {
			calls[item] = { execution: this.execution, fingerprint, sealed: vault.seal(written) };
		};
		// `message` is the one field that a spread leaves out.
		const storeError = (error: ServiceError): void =>
			store({ error: { ...error, message: error.message } });
		// If the run ends while the call is in flight, for whatever reason, this entry remains.
		storeError(callInterrupted());
		try {
			const result = await send();
			store({ records: result.records });
			return result;
		} catch (error) {
			const own = callError(error);
			if (own.outcome === 'notApplied') delete calls[item];
			// For a cancelled call, the entry recorded at its start still applies.
			else if (own instanceof ServiceError) storeError(presentableError(own, redactor()));
			throw own;
		}
	}

	/**
	 * Empties the record: n8n does not run the node again on these items. The empty record still
	 * shows that the run has ended. The record of one call of a tool is kept.
	 */
	drop(): void {
		const { stored, isOneCall } = sharedByTries(this.context);
		if (!isOneCall) stored[RECORD] = {};
	}

	/**
	 * Opens the record: on the first call that writes, or to keep it for another try or a retry of the
	 * execution. Without calls, it shows that nothing was written. A run that only reads never opens it.
	 * Only the last run (the last round of a loop) can run again.
	 */
	open(): StoredRecord {
		if (this.opened !== undefined) return this.opened;
		const { run, stored } = sharedByTries(this.context);
		const kept = stored[RECORD] as Partial<StoredRecord> | undefined;
		const { calls = {}, followsCrash: isUncertain = false } = kept?.run === run ? kept : {};
		const isAfterCrash = kept === undefined ? followsCrash(this.context) : isUncertain;
		this.opened = { run, calls, followsCrash: isAfterCrash };
		stored[RECORD] = this.opened;
		return this.opened;
	}
}
