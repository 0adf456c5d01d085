import type {
	IDataObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeProperties,
} from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import type { Effect } from '../contract/soapOperation';
import type { OutputSchema } from '../form/outputSchema';
import type { UnevenShares } from '../form/shares';
import type { SwitchNote } from '../form/toolDescription';
import type { Connection } from '../transport/connection';
import type { Exchange } from '../transport/exchange';

/** What the editor shows of an operation. */
export interface ActionTexts {
	readonly name: string;
	readonly action: string;
	readonly description: string;
}

/** What whoever looks at a run should see at once, though it stands in a record, too. */
export interface Notice {
	readonly isProblem: boolean;
	readonly text: string;
}

/** A list that n8n's editor offers to choose from. */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
) => Promise<INodeListSearchResult>;

/** What came of a call. */
export interface CallResult {
	/** The records of the answer, one output item each. */
	readonly records: readonly IDataObject[];
	/** How many pages the records were read from, where the service gives them in pages. */
	readonly pages?: number;
	/** Paths of fields that were given, or stand at the service, and are no part of the request. */
	readonly notSent?: readonly string[];
	readonly notices?: readonly Notice[];
	/** Shares among the rows read or written that do not make their whole. */
	readonly unevenShares?: readonly UnevenShares[];
	/** Whether a writing call changed nothing: a preview, or the service has it all already. */
	readonly nothingWritten?: boolean;
	/** Whether an earlier try of the run made the call, so that it was not sent again. */
	readonly isRecalled?: boolean;
}

/** One call, its parameters read and checked. */
export interface PreparedCall {
	/** Calls with the same subject keep their order. */
	readonly subject: string;
	/** What was asked for, by the service's own names. */
	readonly keys: IDataObject;
	/** The same as its items name it, where that differs. */
	readonly itemKeys?: IDataObject;
	/** Whether a writing call only shows what it would write. */
	readonly isDryRun?: boolean;
	/**
	 * Of a call that must not be written twice: all that it was asked to write, as text. `undefined`
	 * for a call that does no harm when it is repeated.
	 */
	readonly change?: string;
	/** Whether it looks first at what stands at the service, and writes only what is missing there. */
	readonly readsFirst?: boolean;
	/**
	 * Sends the call.
	 *
	 * @throws {InputError | ServiceError | CancelledError}
	 */
	send(exchange: Exchange, connection: Connection): Promise<CallResult>;
}

/** An operation as a node offers it. */
export interface Action extends ActionTexts {
	readonly effect: Effect;
	/** Whether it does too much harm in the wrong moment to be a tool of an AI agent. */
	readonly isForPeople?: boolean;
	/** What the form says below its first field; a model is not told. */
	readonly formHint?: string;
	/** Name of the service's operation. */
	readonly operation: string;
	/** Whether its requests name a Domain, so that its options may give another one. */
	readonly takesDomain?: boolean;
	readonly properties: readonly INodeProperties[];
	/** What a model is told of a switch that stays with the builder. */
	readonly switchNote?: SwitchNote;
	/** What the editor lists to choose from in its form, by the list's name. */
	readonly lists?: Readonly<Record<string, ListSearch>>;
	/** The elements of its request, as far as the contract knows them. */
	readonly request: Fields;
	/** Names of those that say whom and when a call is about. */
	readonly keys: readonly string[];
	outputSchema(): OutputSchema | undefined;
	/** Which input items make one call, by index; without it, each of them is one. */
	group?(context: IExecuteFunctions): ReadonlyArray<readonly number[]>;
	/**
	 * Prepares the call of a group of input items.
	 *
	 * @param context gives the credential as it is for these items
	 * @param items their indices, at least one
	 * @throws {InputError} naming the value that is missing or not allowed
	 */
	prepare(context: IExecuteFunctions, items: readonly number[]): PreparedCall;
}

/** Actions by resource and operation, with the resource's display name. */
export interface Resources {
	readonly [resource: string]: {
		readonly name: string;
		readonly operations: { readonly [operation: string]: Action };
	};
}
