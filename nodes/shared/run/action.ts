import type { IBinaryKeyData, IDataObject, INodeProperties, INodeType } from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import type { Effect } from '../contract/operation';
import type { ServiceAccess } from '../exchange/exchange';
import type { InputItem, InputItems } from '../form/inputItem';
import type { OutputSchema } from '../form/outputSchema';
import type { Switches, WriteOptions } from '../form/writeOptions';

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

/** The output items of a successful call. */
export interface CallOutput {
	/** The records of the response, one output item each. */
	readonly records: readonly IDataObject[];
	/** The files of each record, by binary field. */
	readonly files?: ReadonlyArray<IBinaryKeyData | undefined> | undefined;
	/** The keys of the request, if they were not known before. */
	readonly keys?: IDataObject | undefined;
}

/** The result of a successful call. */
export interface CallResult extends CallOutput {
	readonly notices: readonly Notice[];
}

/** What a call is about, once its parameters were read and validated. */
export interface Addressed {
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
	/** Returns everything that the builder asks to write, as text; of a file, a hash. */
	content(): Promise<string> | string;
	resends(options: WriteOptions<string>): Resending;
	/**
	 * Decides what to send. May read from the service, and cannot write.
	 *
	 * @throws {InputError | ServiceError | CancelledError}
	 */
	plan(access: ServiceAccess, options: WriteOptions<string>): Promise<Plan>;
	/** Looks for what is asked, if an earlier run sent it; `undefined` if nothing reads it. */
	readonly look: Look | undefined;
}

/**
 * Reads whether the service has all values of a write of unknown outcome.
 *
 * @returns the result of the write; `undefined` if the service does not have them
 * @throws {InputError | ServiceError | CancelledError} if they cannot be read or compared
 */
export type Look = (
	access: ServiceAccess,
	options: WriteOptions<string>,
) => Promise<CallResult | undefined>;

/**
 * What the service has after a write: what was sent, something else, or the records that can be read do
 * not show it. `difference` is in sentences; `reason` follows the number of such writes.
 */
export type Standing =
	| { readonly kind: 'asSent' }
	| { readonly kind: 'different'; readonly difference: string }
	| { readonly kind: 'unseen'; readonly reason: string };

/**
 * Reads again what a write left at the service.
 *
 * @param written its output item
 * @throws {InputError | ServiceError | CancelledError} if it cannot be read
 */
export type Verify = (access: ServiceAccess, written: IDataObject) => Promise<Standing>;

/**
 * When a call that may have been applied can be sent again, if n8n runs the node again: never;
 * after n8n was killed, since its plan reads what is there; always, since repeating it does no harm.
 */
export type Resending = 'never' | 'afterReading' | 'always';

interface Planned {
	readonly notices: readonly Notice[];
	/** As those of {@link CallOutput}. */
	readonly keys?: IDataObject;
	/** Returns what a dry run shows. */
	preview(): IDataObject;
	/** Returns the SOAP envelope that would be sent, with the Domain masked. */
	readonly envelope?: () => string;
}

/** Nothing is written, since the service already has all values. */
export interface NothingToDo extends Planned {
	readonly kind: 'nothingToDo';
	/** The output item. */
	readonly record: IDataObject;
}

/** A request that is ready to be sent. */
export interface PlannedWrite extends Planned {
	readonly kind: 'write';
	/** Looks for what is sent; `undefined` if nothing reads it. */
	readonly look: Look | undefined;
	/** Verifies what was sent; `undefined` if nothing reads it, or the builder does not want it. */
	readonly verify: Verify | undefined;
	/**
	 * @returns the output items, and what the plan could not know
	 * @throws {ServiceError | CancelledError}
	 */
	send(access: ServiceAccess<Effect>): Promise<CallResult>;
}

export type Plan = NothingToDo | PlannedWrite;

/** What all operations of a node have. */
interface Offered extends ActionTexts {
	/** Name of the service's operation. */
	readonly operation: string;
	/** Whether its requests contain a Domain, so that its options can override the credential's. */
	readonly takesDomain: boolean;
	readonly properties: readonly INodeProperties[];
	/** The elements of its request that the contract defines. */
	readonly request: Fields;
	outputSchema(): OutputSchema;
	/** The methods that n8n calls for its form. */
	readonly methods?: INodeType['methods'];
	/** Names the keys of a request as the output items of the run do. */
	keysInItems(item: InputItem, keys: IDataObject): IDataObject;
}

/** An operation that reads. */
export interface ReadAction extends Offered {
	readonly kind: 'read';
	readonly effect: 'read';
	/**
	 * Prepares the call for a group of input items.
	 *
	 * @throws {InputError} naming each value that is missing or not allowed
	 */
	prepare(items: InputItems): ReadCall;
}

interface Writing extends Offered {
	/** Its own switches. */
	readonly switches: Switches;
	/** @throws {InputError} as {@link ReadAction.prepare} */
	prepare(items: InputItems, options: WriteOptions<string>): WriteCall;
}

/**
 * An operation that writes. One that is carried out `'once'` for all input items is no tool of an AI
 * agent: a call at the wrong moment would do too much harm.
 */
export interface WriteAction extends Writing {
	readonly kind: 'write' | 'once';
	readonly effect: 'write';
}

/** Any operation of a service, which the builder chooses. */
export interface ChosenAction extends Writing {
	readonly kind: 'chosen';
	/** It is `'write'` until the builder declares another for a run. */
	readonly effect: Effect;
	/** The parameter that names the operation. */
	readonly namedBy: string;
	/** What the chosen operation does, for an AI model: an expression, if n8n evaluates it. */
	readonly lead: string;
	/** Returns the effect that the builder declares for the calls of a run. */
	declaredEffect(item: InputItem): Effect;
}

/** An operation of a node. */
export type Action = ReadAction | WriteAction | ChosenAction;

/** Actions by resource and operation, with the resource's display name. */
export interface Resources {
	readonly [resource: string]: {
		readonly name: string;
		readonly operations: { readonly [operation: string]: Action };
	};
}
