/** What became of a node's writing calls, kept so that n8n can run the node again without writing twice. */
import { createHash } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { ServiceError } from '../errors/ServiceError';
import { isTool } from './tool';

/** The property of n8n's node context that holds the record. */
const PROPERTY = 'written';

/** The error of a call that was or may have been applied, as it may be shown. */
type KeptError = Pick<
	ServiceError,
	'kind' | 'message' | 'description' | 'httpStatus' | 'serviceCode' | 'details'
>;

/** A call that is not sent again: it gave these records, or it failed and may have been applied. */
type WrittenCall = { readonly request: string } & (
	| { readonly records: readonly IDataObject[] }
	| { readonly error: KeptError }
);

/** The calls of one run of the node, by the index of their first input item. */
type Calls = Record<number, WrittenCall>;

/** What is known of a call from an earlier try of the same run. */
export type Recalled =
	| { readonly records: readonly IDataObject[] }
	| { readonly error: ServiceError };

/** The calls of a tool, by the arguments that the model gave. */
const toolCalls = new WeakMap<object, Calls>();

/**
 * A short text that differs where any of the parts does, and that none of them can be read from.
 *
 * @param parts where a request goes, and all that it says
 */
export function fingerprint(...parts: readonly string[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

/**
 * Whether an agent calls the node itself, outside of n8n's engine. Each try of *Retry On Fail* then
 * has a run index of its own, but the very same object of arguments.
 */
function isCalledByAgent(context: IExecuteFunctions): boolean {
	return 'getNextRunIndex' in context;
}

function callsOfAgent(context: IExecuteFunctions): Calls {
	const input = context.getInputData()[0]?.json ?? {};
	const calls = toolCalls.get(input) ?? {};
	toolCalls.set(input, calls);
	return calls;
}

/**
 * Whether this run follows one that was killed: n8n's retry of a crashed execution knows that the
 * node was begun, and nothing of what it did. (n8n takes a tool for begun in any case.)
 */
function followsCrash(context: IExecuteFunctions): boolean {
	if (context.getMode() !== 'retry' || isTool(context)) return false;
	const { $ } = context.getWorkflowDataProxy(0) as {
		$: (node: string) => { readonly isExecuted: boolean };
	};
	return $(context.getNode().name).isExecuted;
}

/** The error of a call that may have been applied before n8n was killed. */
function killed(): ServiceError {
	return new ServiceError('interrupted', 'n8n stopped in the middle of this run', {
		description:
			'What was applied before is not known, so nothing is sent. Start a new execution for what is missing.',
	});
}

/** What is kept of an error. */
function keptOf(error: ServiceError): KeptError {
	const { kind, message, description, httpStatus, serviceCode, details } = error;
	return { kind, message, description, httpStatus, serviceCode, details };
}

/** The error of a call during which the run ended, whatever ended it. */
function interrupted(): KeptError {
	return keptOf(
		new ServiceError('interrupted', 'The run ended while the call was under way', {
			description: 'The execution was stopped before the payroll service had answered.',
		}),
	);
}

/** What n8n's node context holds: the last run that wrote; empty where that run cannot run again. */
interface Kept {
	readonly run?: number;
	readonly calls?: Calls;
	readonly followsCrash?: boolean;
}

/** The record of one run of a node that writes. */
export class WriteRecord {
	private opened: Required<Pick<Kept, 'calls' | 'followsCrash'>> | undefined;
	private readonly recalled = new WeakSet<ServiceError>();

	constructor(private readonly context: IExecuteFunctions) {}

	/**
	 * What is known of the same call from an earlier try of this run; `undefined` where it is to be
	 * sent.
	 *
	 * @param item the index of its first input item
	 * @param request its fingerprint
	 * @param readsFirst whether the call finds out by itself what has been applied before
	 */
	recall(item: number, request: string, readsFirst: boolean): Recalled | undefined {
		const { calls, followsCrash: isUncertain } = this.open();
		const call = calls[item];
		if (call?.request !== request) {
			return isUncertain && !readsFirst ? this.recallError(killed()) : undefined;
		}
		if ('records' in call) return { records: call.records };
		const { kind, message, ...fields } = call.error;
		return this.recallError(new ServiceError(kind, message, fields));
	}

	/** Whether an error was recalled, so that it says nothing of this try. */
	isRecalled(error: unknown): boolean {
		return error instanceof ServiceError && this.recalled.has(error);
	}

	/** The call is about to be sent: from now on, until it has ended, it may have been applied. */
	begin(item: number, request: string): void {
		this.open().calls[item] = { request, error: interrupted() };
	}

	/** The call was applied and gave these records. */
	applied(item: number, request: string, records: readonly IDataObject[]): void {
		this.open().calls[item] = { request, records };
	}

	/**
	 * The call failed, and was or may have been applied all the same.
	 *
	 * @param error as it may be shown
	 */
	failed(item: number, request: string, error: ServiceError): void {
		this.open().calls[item] = { request, error: keptOf(error) };
	}

	/** The call was certainly not applied. */
	notApplied(item: number): void {
		delete this.open().calls[item];
	}

	/**
	 * Drops the record, since n8n does not run the node again on these items. That the run has ended
	 * stays known.
	 */
	drop(): void {
		if (!isCalledByAgent(this.context)) this.write({});
	}

	/**
	 * Keeps the record for another try, or for a retry of the execution; also one without any call,
	 * which tells that retry that nothing was written.
	 */
	keep(): void {
		this.open();
	}

	private recallError(error: ServiceError): Recalled {
		this.recalled.add(error);
		return { error };
	}

	/** Opened by the first call that writes, or where a failed run is kept; never by a run that only reads. */
	private open(): NonNullable<typeof this.opened> {
		this.opened ??= isCalledByAgent(this.context)
			? { calls: callsOfAgent(this.context), followsCrash: false }
			: this.openRun();
		return this.opened;
	}

	/**
	 * n8n keeps the node context with the execution: each try of *Retry On Fail* has it, and so has a
	 * retry of the failed execution. Only the last run (the last round of a loop) can run again.
	 */
	private openRun(): NonNullable<typeof this.opened> {
		const kept = this.context.getContext('node')[PROPERTY] as Kept | undefined;
		const run = this.context.getWorkflowDataProxy(0).$runIndex as number;
		const same = kept?.run === run ? kept : undefined;
		const opened = {
			calls: same?.calls ?? {},
			followsCrash: kept === undefined ? followsCrash(this.context) : same?.followsCrash === true,
		};
		this.write({ run, ...opened });
		return opened;
	}

	private write(kept: Kept): void {
		this.context.getContext('node')[PROPERTY] = kept as IDataObject;
	}
}
