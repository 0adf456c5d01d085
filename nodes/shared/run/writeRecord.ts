/** What became of a node's writing calls, kept so that n8n can run the node again without writing twice. */
import { createHash } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { ServiceError } from '../errors/ServiceError';
import { isTool } from './tool';

/** The property of n8n's node context that holds the record. */
const PROPERTY = 'written';

/** The error of a call that may have been applied, as the user saw it: without any secret. */
type UnknownOutcome = Pick<
	ServiceError,
	'kind' | 'message' | 'description' | 'httpStatus' | 'serviceCode' | 'details'
>;

/** A call that must not be sent again: it was applied and gave these records, or may have been applied. */
interface WrittenCall {
	/** The fingerprint of its request. */
	readonly request: string;
	readonly records?: readonly IDataObject[];
	readonly error?: UnknownOutcome;
}

/** The calls of one run of the node, by the index of their first input item. */
type Calls = Record<number, WrittenCall>;

/** What an earlier try of the same run says of a call. */
export type Recalled =
	| { readonly records: readonly IDataObject[] }
	| { readonly error: ServiceError };

/**
 * A short text that differs where any of the parts does, and that none of them can be read from.
 *
 * @param parts where a request goes, and all that it says
 */
export function fingerprint(...parts: readonly string[]): string {
	return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

/** The calls of a tool, by the arguments that the model gave: n8n runs each try on the same object. */
const toolCalls = new WeakMap<object, Calls>();

function callsOfTool(context: IExecuteFunctions): Calls {
	const input = context.getInputData()[0]?.json ?? {};
	const calls = toolCalls.get(input) ?? {};
	toolCalls.set(input, calls);
	return calls;
}

/**
 * The calls of this run of the node in n8n's node context, which n8n keeps with the execution: each
 * try of *Retry On Fail* has it, and so has a retry of the failed execution. Those of other runs (the
 * rounds of a loop) go: only the last run can be run again.
 */
function callsOfRun(context: IExecuteFunctions): Calls {
	const state = context.getContext('node');
	const run = String(context.getWorkflowDataProxy(0).$runIndex);
	const runs = state[PROPERTY] as Record<string, Calls> | undefined;
	const calls = runs?.[run] ?? {};
	state[PROPERTY] = { [run]: calls };
	return calls;
}

/** The record of one run of a node that writes. */
export class WriteRecord {
	private known: Calls | undefined;
	private readonly recalledErrors = new WeakSet<ServiceError>();

	constructor(private readonly context: IExecuteFunctions) {}

	/** Read at the first call that writes: neither a reading run nor a dry run leaves a trace. */
	private get calls(): Calls {
		this.known ??= isTool(this.context) ? callsOfTool(this.context) : callsOfRun(this.context);
		return this.known;
	}

	/** What came of the same request in an earlier try of this run; `undefined` where it is to be sent. */
	recall(item: number, request: string): Recalled | undefined {
		const call = this.calls[item];
		if (call?.request !== request) return undefined;
		if (call.records !== undefined) return { records: call.records };
		if (call.error === undefined) return undefined;
		const { kind, message, ...fields } = call.error;
		const error = new ServiceError(kind, message, fields);
		this.recalledErrors.add(error);
		return { error };
	}

	/** Whether an error is one of an earlier try, given again. */
	isRecalled(error: unknown): boolean {
		return error instanceof ServiceError && this.recalledErrors.has(error);
	}

	/** The call was applied and gave these records. */
	applied(item: number, request: string, records: readonly IDataObject[]): void {
		this.calls[item] = { request, records };
	}

	/**
	 * The call may have been applied.
	 *
	 * @param error as it may be shown
	 */
	unknown(item: number, request: string, error: ServiceError): void {
		const { kind, message, description, httpStatus, serviceCode, details } = error;
		this.calls[item] = {
			request,
			error: { kind, message, description, httpStatus, serviceCode, details },
		};
	}

	/** Drops the record of a run that n8n cannot run again. */
	drop(): void {
		if (this.known !== undefined && !isTool(this.context)) {
			delete this.context.getContext('node')[PROPERTY];
		}
	}
}
