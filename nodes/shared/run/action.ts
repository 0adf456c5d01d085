import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeProperties,
	ResourceMapperFields,
} from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import type { Effect } from '../contract/soapOperation';
import type { ServiceAccess } from '../exchange/exchange';
import type { InputItem, InputItems } from '../form/inputItem';
import type { OutputSchema } from '../form/outputSchema';
import type { SwitchNote } from '../form/toolDescription';

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
	/** Whether the text follows the number of calls that have it. */
	readonly isCounted?: boolean;
	/** What it applies to, listed after the text. The calls of a run share a message. */
	readonly list?: readonly string[];
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
	readonly notices: readonly Notice[];
}

/** What a call is about, once its parameters were read and validated. */
interface Addressed {
	/** Calls with the same subject keep their order. */
	readonly subject: string;
	/** The keys of the request (employee or company, and period), by element name. */
	readonly keys: IDataObject;
}

/** A call that changes nothing at the service, by the contract. */
export interface ReadCall extends Addressed {
	readonly effect: 'read';
	/** @throws {InputError | ServiceError | CancelledError} */
	read(access: ServiceAccess): Promise<CallResult>;
}

/**
 * A call that may change something at the service. `run/write` alone decides whether it is sent.
 */
export interface WriteCall extends Addressed {
	readonly effect: 'write';
	/** Whether the builder only wants to see what would be sent. */
	readonly isDryRun: boolean;
	readonly resends: Resending;
	/** Everything that the builder asks to write, as text. */
	readonly content: string;
	/**
	 * Decides what to send. May read from the service, and cannot write.
	 *
	 * @throws {InputError | ServiceError | CancelledError}
	 */
	plan(access: ServiceAccess): Promise<Plan>;
}

export type Call = ReadCall | WriteCall;

/**
 * When a call that may have been applied can be sent again, if n8n runs the node again: never;
 * after n8n was killed, since its plan reads what is there; always, since repeating it does no harm.
 */
export type Resending = 'never' | 'afterReading' | 'always';

interface Planned {
	/** What a dry run shows. */
	readonly preview: IDataObject;
	readonly notices: readonly Notice[];
}

/** What a writing call does: nothing, since the service already has all values, or a request. */
export type Plan =
	| (Planned & {
			readonly kind: 'nothingToDo';
			/** The output item. */
			readonly record: IDataObject;
	  })
	| (Planned & {
			readonly kind: 'write';
			/**
			 * @returns the output items
			 * @throws {ServiceError | CancelledError}
			 */
			send(access: ServiceAccess<Effect>): Promise<readonly IDataObject[]>;
	  });

/** An operation of a node. */
export interface Action extends ActionTexts {
	readonly effect: Effect;
	/**
	 * Returns the effect that the builder declares for the calls of a run, for an operation that the
	 * contract does not define.
	 */
	declaredEffect?(item: InputItem): Effect;
	/**
	 * Whether the operation is unavailable as a tool of an AI agent: a call at the wrong moment would
	 * do too much harm.
	 */
	readonly unavailableAsTool?: boolean;
	/** Name of the service's operation. */
	readonly operation: string;
	/** The parameter that names the operation, if the builder chooses it. */
	readonly namedBy?: string;
	/** Whether its requests contain a Domain, so that its options can override the credential's. */
	readonly takesDomain: boolean;
	readonly properties: readonly INodeProperties[];
	/** Note in the tool description about a switch that only the builder can set. */
	readonly switchNote?: SwitchNote | undefined;
	/** List search methods of its form, by the list's name. */
	readonly lists?: Readonly<Record<string, ListSearch>> | undefined;
	/** Resource mapper methods of its form, by name. */
	readonly mappers?: Readonly<Record<string, MapperMethod>>;
	/** The elements of its request that the contract defines. */
	readonly request: Fields;
	outputSchema(): OutputSchema;
	/** Names the keys of a request as the output items of the run do, if that differs. */
	namedKeys?(item: InputItem, keys: IDataObject): IDataObject;
	/** Groups the input items of a run into calls. Without it, each item is one call. */
	group?(items: InputItems): readonly InputItems[];
	/**
	 * Prepares the call for a group of input items.
	 *
	 * @throws {InputError} naming each value that is missing or not allowed
	 */
	prepare(items: InputItems): Call;
}

/** Actions by resource and operation, with the resource's display name. */
export interface Resources {
	readonly [resource: string]: {
		readonly name: string;
		readonly operations: { readonly [operation: string]: Action };
	};
}
