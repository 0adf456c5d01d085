import type { IBinaryKeyData, IDataObject, INodeProperties, INodeType } from 'n8n-workflow';
import type { Fields } from '../contract/fields';
import type { Effect } from '../contract/operation';
import type { EarlierOutcome, WriteOutcome } from '../errors/ServiceError';
import type { ServiceAccess } from '../exchange/exchange';
import type { InputItem, InputItems } from '../form/inputItem';
import type { OutputSchema } from '../form/output';
import type { Notice } from '../form/requestValues';
import type { Switches, WriteOptions } from '../form/options';
import type { Values } from '../values/values';
import type { Seen, Wanted } from './judge';
import type { Redactor } from './redact';

/** The result of a successful call: the records of the answer, and the files of each. */
export interface CallResult {
	readonly notices: readonly Notice[];
	readonly records: readonly IDataObject[];
	readonly files?: ReadonlyArray<IBinaryKeyData | undefined> | undefined;
	/** What of a list its limit leaves out, for a model. */
	readonly leftOut?: IDataObject | undefined;
	/** The keys of the request, if they were not known before. */
	readonly keys?: IDataObject | undefined;
}

/** What an item says of its own call: the input may have it of another one, such as that of an item that failed. */
export const OF_CALL = new Set(
	'changes created dryRun error outcome problem success verified written'.split(' '),
);

/** A call that did not fail, and what it did. */
export interface CompletedCall extends CallResult {
	readonly status: 'read' | 'wouldChange' | 'wouldNotChange' | 'unchanged' | 'written' | 'recalled';
}

export interface Failed {
	readonly status: 'failed';
	readonly error: unknown;
}

/** A call for one or more input items, once its run has ended, and what it came to. */
export type EndedCall = (CompletedCall | Failed | { readonly status: 'notBegun' }) & {
	readonly items: InputItems;
	/** Those of {@link Addressed}, as far as known. */
	readonly keys: IDataObject;
	/** Whether what it writes for the items was applied, also by earlier tries and runs; `undefined` if it writes nothing. */
	readonly outcome: WriteOutcome | undefined;
	/** What earlier tries and runs wrote for the items, if this one certainly wrote nothing. */
	readonly earlier: EarlierOutcome | undefined;
};

/** Whether a call was a dry run. */
export const isPreview = (status: EndedCall['status']): boolean =>
	status === 'wouldChange' || status === 'wouldNotChange';

/** Counts the input items of calls. */
export const countItems = (calls: readonly EndedCall[]): number =>
	calls.flatMap(({ items }) => items).length;

export interface EndedRun {
	readonly action: Action;
	readonly calls: readonly EndedCall[];
	/** Notices about input items that make no call. */
	readonly notices: readonly Notice[];
	readonly redactor: Redactor;
	/** Names the execution if another workflow called this one, whose retry starts this one anew. */
	readonly subExecution: string | undefined;
}

/** What a call is about, once its parameters were read and validated. */
export interface Addressed {
	/** Calls with the same subject keep their order; empty if it is not known. */
	readonly subject: string;
	/** The keys of the request (employee or company, and period), by element name. */
	readonly keys: IDataObject;
	/** What its output items have besides, from the input items. */
	readonly besides?: IDataObject | undefined;
	/** Why calls of a run with the same keys undo each other; `undefined` if they do not. */
	readonly exclusive?: string | undefined;
}

/** A call that changes nothing at the service, by the contract. */
export interface ReadCall extends Addressed {
	readonly effect: 'read';
	/** @throws {InputError | ServiceError | CancelledError} */
	read(access: ServiceAccess): Promise<CallResult>;
}

/** When a call may write. */
export interface Turn {
	/** Waits until the call may write. @returns `false` if the run stopped at an earlier one */
	toWrite(): Promise<boolean>;
	/** Lets the next call write, while this one goes on. */
	written(): void;
}

/** A call that may change something at the service. `run/write` alone carries it out. */
export interface WriteCall extends Addressed {
	readonly effect: 'write';
	readonly options: WriteOptions<string>;
	/** Returns everything that the builder asks to write, as text; of a file, a hash. */
	content(access: ServiceAccess<Effect>): Promise<string> | string;
	/**
	 * When it is sent again that may have been applied: never; after n8n was killed, since its plan depends on
	 * what stands there; or always, since repeating it does no harm.
	 */
	readonly resends: 'never' | 'afterReading' | 'always';
	/** The records that it changes; or whether a person's retry sends again what the service refused by a code. */
	readonly records: ChangedRecords | { readonly resendsRefused: boolean };
	/** Decides what to send, by the records that were read before. @throws {InputError | ServiceError | CancelledError} */
	plan(access: ServiceAccess, before: readonly Values[] | undefined): Plan | Promise<Plan>;
}

/** The records that a write changes. */
export interface ChangedRecords {
	readonly isReadBefore: boolean;
	/** @throws {InputError | ServiceError | CancelledError} */
	read(access: ServiceAccess): Promise<readonly Values[]>;
	/** Returns what of a record is compared. */
	seen(record: Values): Seen;
}

/** What a call sends, or that it needs to send nothing. */
export interface Plan extends Pick<CallResult, 'keys' | 'notices'> {
	/** What a dry run shows, and with it the SOAP envelope that would be sent. */
	preview(): IDataObject;
	readonly envelope?: () => string;
	/** What the output item has besides the keys and the values of the answer. */
	readonly item: IDataObject;
	/** What stands there once it is applied; `undefined` if nothing reads it. */
	readonly wanted?: Wanted | undefined;
	/** The property of its output item that holds the identifier of a new record. */
	readonly idName?: string | undefined;
	/** Sends the request; `undefined` if the service already has all values. @throws {ServiceError | CancelledError} */
	readonly send?: ((access: ServiceAccess<Effect>) => Promise<CallResult>) | undefined;
}

/** What all operations of a node have. */
interface Offered {
	/** The texts in the editor. */
	readonly name: string;
	readonly action: string;
	readonly description: string;
	/** The service's name of it. */
	readonly operation: string;
	/** Whether its requests contain a Domain, which an option can replace. */
	readonly takesDomain: boolean;
	readonly properties: readonly INodeProperties[];
	/** The elements of its request that the contract defines. */
	readonly request: Fields;
	outputSchema(): OutputSchema;
	readonly methods?: INodeType['methods'];
	/** Names the keys of a request as the output items of the run do. By default, as the request. */
	keysInItems?(item: InputItem, keys: IDataObject): IDataObject;
}

export type ActionTexts = Pick<Offered, 'action' | 'description' | 'name'>;

export interface ReadAction extends Offered {
	readonly kind: 'read';
	readonly effect: 'read';
	/** Prepares the call for a group of input items. @throws {InputError} naming each value that is missing or not allowed */
	prepare(items: InputItems): ReadCall;
}

/** An operation that writes, `'once'` for all input items or for each group of them. */
export interface WriteAction extends Offered {
	/** What is carried out once is no tool of an AI agent: a call at the wrong moment would do too much harm. */
	readonly kind: 'write' | 'once';
	readonly effect: 'write';
	/** With `verify`, if something reads what it changes: what is read decides what a retry sends, and else the builder. */
	readonly switches: Switches;
	/** Says what a run of all items does that follows one that wrote some of them. By default, it writes them again. */
	rerun?(item: InputItem): string | undefined;
	/** As {@link ReadAction.prepare}. */
	prepare(items: InputItems, options: WriteOptions<string>): WriteCall;
}

/** Any operation of a service, which the builder chooses. */
export interface ChosenAction extends Omit<WriteAction, 'effect' | 'kind'> {
	readonly kind: 'chosen';
	/** It is `'write'` until the builder declares another for a run. */
	readonly effect: Effect;
	/** The name of the parameter that chooses it. */
	readonly namedBy: string;
	/** What the chosen operation does, for an AI model: an expression, if n8n evaluates it. */
	readonly lead: string;
	declaredEffect(item: InputItem): Effect;
}

export type Action = ReadAction | WriteAction | ChosenAction;

/** Actions by resource and operation, with the resource's display name. */
export type Resources = Readonly<
	Record<string, { readonly name: string; readonly operations: Readonly<Record<string, Action>> }>
>;
