import type {
	IDataObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeProperties,
	ResourceMapperFields,
} from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import type { Effect } from '../contract/soapOperation';
import type { OutputSchema } from '../form/outputSchema';
import type { UnevenShares } from '../form/shares';
import type { SwitchNote } from '../form/toolDescription';
import type { Connection } from '../transport/connection';
import type { Exchange } from '../transport/exchange';

/** The texts of an operation in the editor. */
export interface ActionTexts {
	readonly name: string;
	readonly action: string;
	readonly description: string;
}

/** A message about a run, shown as a hint in addition to the records. */
export interface Notice {
	readonly isProblem: boolean;
	readonly text: string;
}

/** A list search method, which n8n calls for a list that the builder chooses from. */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
) => Promise<INodeListSearchResult>;

/** A resource mapper method, which n8n calls for the fields that the builder maps values to. */
export type MapperMethod = (this: ILoadOptionsFunctions) => Promise<ResourceMapperFields>;

/** The result of a successful call. */
export interface CallResult {
	/** The records of the response, one output item each. */
	readonly records: readonly IDataObject[];
	/** Number of pages that were read, if the service returns the records in pages. */
	readonly pages?: number;
	/** Paths of fields that the input or the current records have and the request does not. */
	readonly notSent?: readonly string[];
	readonly notices?: readonly Notice[];
	/** Shares that do not add up, of the rows read or written. */
	readonly unevenShares?: readonly UnevenShares[];
	/** Whether a writing call changed nothing: a dry run, or the service already has all values. */
	readonly nothingWritten?: boolean;
	/** Whether an earlier try of this run made the call, so it was not sent again. */
	readonly isRecalled?: boolean;
}

/** A call whose parameters were read and validated. */
export interface PreparedCall {
	/** Calls with the same subject keep their order. */
	readonly subject: string;
	/** The keys of the request (employee or company, and period), by element name. */
	readonly keys: IDataObject;
	/** The keys as its output items name them, if different. */
	readonly itemKeys?: IDataObject;
	/** Whether this is a dry run of a writing call. */
	readonly isDryRun?: boolean;
	/**
	 * Everything that a writing call writes, as text, so that the call is not sent twice. `undefined`
	 * if the call can be repeated safely.
	 */
	readonly change?: string;
	/** Whether the call reads the current records first, and writes only what they lack. */
	readonly readsFirst?: boolean;
	/**
	 * Sends the call.
	 *
	 * @throws {InputError | ServiceError | CancelledError}
	 */
	send(exchange: Exchange, connection: Connection): Promise<CallResult>;
}

/** An operation of a node. */
export interface Action extends ActionTexts {
	readonly effect: Effect;
	/**
	 * Returns the effect that the builder declares for the calls of a run, for an operation that the
	 * contract does not define.
	 */
	declaredEffect?(context: IExecuteFunctions): Effect;
	/**
	 * Whether the operation is unavailable as a tool of an AI agent: a call at the wrong moment would
	 * do too much harm.
	 */
	readonly unavailableAsTool?: boolean;
	/** Hint below the form's first field. The tool description does not include it. */
	readonly formHint?: string;
	/** Name of the service's operation. */
	readonly operation: string;
	/** Whether its requests contain a Domain, so that its options can override the credential's. */
	readonly takesDomain?: boolean;
	readonly properties: readonly INodeProperties[];
	/** Note in the tool description about a switch that only the builder can set. */
	readonly switchNote?: SwitchNote;
	/** List search methods of its form, by the list's name. */
	readonly lists?: Readonly<Record<string, ListSearch>>;
	/** Resource mapper methods of its form, by name. */
	readonly mappers?: Readonly<Record<string, MapperMethod>>;
	/** The elements of its request that the contract defines. */
	readonly request: Fields;
	/** Names of the elements that identify the employee or company and the period. */
	readonly keys: readonly string[];
	outputSchema(): OutputSchema | undefined;
	/** Groups input items into calls, by item index. Without it, each item is one call. */
	group?(context: IExecuteFunctions): ReadonlyArray<readonly number[]>;
	/**
	 * Prepares the call for a group of input items.
	 *
	 * @param context evaluates the credential for these items
	 * @param items indexes of the items, at least one
	 * @throws {InputError} naming each value that is missing or not allowed
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
