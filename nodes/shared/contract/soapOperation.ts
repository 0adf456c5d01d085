/** The contract of a SOAP operation, and the types inferred from it. */
import type { Text } from '../errors/catalogue';
import type { Field, Fields, ListField, ScalarField } from './fields';

/** The SOAP services of docs/interface.md, section 4.3. */
export type ServiceName = 'EmployeeService' | 'CompanyService';

/**
 * Whether a call only reads, or changes data at the service. A write is not retried if its outcome
 * is unknown.
 */
export type Effect = 'read' | 'write';

/**
 * One SOAP operation. `request` is in wire order; without `result`, the response element is empty.
 */
export interface SoapOperation<E extends Effect = Effect> {
	readonly service: string;
	readonly name: string;
	readonly effect: E;
	/**
	 * The request element that identifies the employee or company. Calls with the same one keep their
	 * order.
	 */
	readonly subject: string;
	/**
	 * The request elements that identify the employee or company and the period. Output items and
	 * errors include them. If the rows of a list are input items, each item has its own keys.
	 */
	readonly keys: readonly string[];
	readonly request: Fields;
	readonly result?: ListField | ScalarField;
	/** Name of the property that holds a scalar result in an output item. */
	readonly resultName?: string;
	/** Advice for faults that state their cause. */
	readonly advice?: readonly FaultAdvice[];
}

/** Advice for a fault (docs/interface.md, section 7). */
export interface FaultAdvice {
	/** Matches the fault's text. */
	readonly fault: RegExp;
	/** A request value that rules this cause out. */
	readonly unless?: { readonly element: string; readonly value: boolean };
	readonly text: Text;
}

/** Names of the elements that have one of the given kinds. */
type NamesOf<G extends Fields, K extends Field['kind']> = {
	[E in keyof G & string]: G[E]['kind'] extends K ? E : never;
}[keyof G & string];

/**
 * Forbids properties that the shape does not have: a generic parameter alone accepts misspelled
 * ones.
 */
type NoExtraProperties<T, Shape> = { readonly [P in Exclude<keyof T, keyof Shape>]: never };

/** Constraints on an operation beyond its type: the names in it are names of its elements. */
interface Consistent<O extends SoapOperation> {
	readonly service: ServiceName;
	readonly subject: O['keys'][number];
	readonly keys: ReadonlyArray<NamesOf<O['request'], ScalarField['kind']>>;
	readonly request: {
		readonly [E in keyof O['request']]: NoExtraProperties<
			O['request'][E],
			Extract<Field, { kind: O['request'][E]['kind'] }>
		>;
	};
	readonly advice?: ReadonlyArray<
		FaultAdvice & { readonly unless?: { readonly element: NamesOf<O['request'], 'boolean'> } }
	>;
}

/**
 * Defines an operation (docs/interface.md, section 4.3) and returns it unchanged, with its exact
 * type. A name in it that is not one of its elements is a compile error.
 */
export function soapOperation<const O extends SoapOperation>(
	operation: O & Consistent<O> & NoExtraProperties<O, SoapOperation>,
): O {
	return operation;
}
