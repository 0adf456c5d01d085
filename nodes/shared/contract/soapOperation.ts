/** What the contract says of a SOAP operation, and the types that follow from it. */
import type {
	Field,
	Fields,
	ListField,
	RecordField,
	RecordOf,
	ScalarField,
	ValueOf,
} from './fields';

/** The SOAP services of docs/interface.md, section 4.3. */
export type ServiceName = 'EmployeeService' | 'CompanyService';

/** Whether a call only reads, or changes data at the service (a write is never repeated on doubt). */
export type Effect = 'read' | 'write';

/** One SOAP operation; `request` stands in wire order, a missing `result` is an empty response. */
export interface SoapOperation {
	readonly service: string;
	readonly name: string;
	readonly effect: Effect;
	/** The request element that names whom the call is about; calls about the same one keep order. */
	readonly subject: string;
	/**
	 * The request elements that say whom and when the call is about. Output items and errors name
	 * them; where the rows of a list are input items, each item has its own.
	 */
	readonly keys: readonly string[];
	readonly request: Fields;
	readonly result?: ListField | ScalarField;
	/** The element name under which a scalar result stands in an item. */
	readonly resultName?: string;
	/** Of an operation that writes a list: how the list is read that it changes. */
	readonly rewrites?: Rewriting;
	/** Of an operation that inserts a record: how it is found out whether there is one like it. */
	readonly inserts?: Inserting;
	/** What to do about faults that say why. */
	readonly advice?: readonly FaultAdvice[];
}

/** What to do about a fault (docs/interface.md, section 7). */
export interface FaultAdvice {
	/** What the fault's text says. */
	readonly fault: RegExp;
	/** The request value with which this cannot be the reason. */
	readonly unless?: { readonly element: string; readonly value: boolean };
	readonly text: string;
}

/** How a list is read before it is written, and how its rows are told apart. */
export interface Rewriting {
	/** The request element that holds the list. */
	readonly list: string;
	/** The operation that reads it; all its request elements stand in the writing request too. */
	readonly read: SoapOperation;
	/** Paths of the elements that say which row is meant; the first that has a value decides. */
	readonly matchBy: ReadonlyArray<readonly string[]>;
}

/** How the records are read among which one is inserted. */
export interface Inserting {
	/** The request element that holds the new record; it is compared with those that are read. */
	readonly record: string;
	/** The operation that reads them; all its request elements stand in the inserting request too. */
	readonly read: SoapOperation;
}

/** The request values of an operation, by element name. */
export type RequestOf<O extends SoapOperation> = RecordOf<O['request']>;

/** The result value of an operation; `undefined` where the response element is empty. */
export type ResultOf<O extends SoapOperation> = O extends { result: infer R extends Field }
	? ValueOf<R>
	: undefined;

/** Names of the elements of some kinds. */
type NamesOf<G extends Fields, K extends Field['kind']> = {
	[E in keyof G & string]: G[E]['kind'] extends K ? E : never;
}[keyof G & string];

/** Paths of the scalars of a record and of those nested in it. */
type PathIn<G extends Fields> = {
	[E in keyof G & string]: G[E] extends { kind: 'record'; fields: infer I extends Fields }
		? readonly [E, ...PathIn<I>]
		: readonly [E];
}[keyof G & string];

/** Paths in the rows of a list. */
type RowPath<F> = F extends { kind: 'list'; of: infer R extends RecordField }
	? PathIn<R['fields']>
	: never;

/** An operation that reads for one with these elements: it has no other ones. */
type ReadFor<G extends Fields, R> = R extends { effect: 'read'; request: infer I }
	? Exclude<keyof I, keyof G> extends never
		? R
		: never
	: never;

/** No property but those of the shape: a generic parameter would take a misspelled one as well. */
type NoOther<T, Shape> = { readonly [P in Exclude<keyof T, keyof Shape>]: never };

/** What has to be true of an operation, beside its type: the names in it are those of its elements. */
interface Consistent<O extends SoapOperation> {
	readonly service: ServiceName;
	readonly subject: O['keys'][number];
	readonly keys: ReadonlyArray<NamesOf<O['request'], ScalarField['kind']>>;
	readonly request: {
		readonly [E in keyof O['request']]: NoOther<
			O['request'][E],
			Extract<Field, { kind: O['request'][E]['kind'] }>
		> &
			(O['request'][E] extends ListField
				? { readonly rowFields?: ReadonlyArray<RowPath<O['request'][E]>> }
				: unknown);
	};
	readonly rewrites?: O extends { rewrites: { list: infer L extends string; read: infer R } }
		? {
				readonly list: NamesOf<O['request'], 'list'>;
				readonly read: ReadFor<O['request'], R>;
				readonly matchBy: ReadonlyArray<RowPath<O['request'][L]>>;
			}
		: never;
	readonly inserts?: O extends { inserts: { read: infer R } }
		? {
				readonly record: NamesOf<O['request'], 'record'>;
				readonly read: ReadFor<O['request'], R>;
			}
		: never;
	readonly advice?: ReadonlyArray<
		FaultAdvice & { readonly unless?: { readonly element: NamesOf<O['request'], 'boolean'> } }
	>;
}

/** Describes an operation. A name in it that is not one of its elements does not compile. */
export function soapOperation<const O extends SoapOperation>(
	operation: O & Consistent<O> & NoOther<O, SoapOperation>,
): O {
	return operation;
}
