/** The contract of a SOAP operation, and the types inferred from it. */
import type { Text } from '../errors/catalogue';
import type { Field, Fields, ListField, ScalarField } from './fields';
import type { TypedOperation } from './schemaFields';

/**
 * Whether a call only reads, or changes data at the service. A write is not retried if its outcome
 * is unknown.
 */
export type Effect = 'read' | 'write';

/**
 * One SOAP operation. `request` is in wire order; without `result`, the response element is empty.
 */
export interface SoapOperation<E extends Effect = Effect> {
	/** One of those of docs/dev/interface.md, section 4.3. */
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
	readonly result?: ListField | ScalarResult;
	/** Returns advice for the faults that state their cause, of a call with these values. */
	readonly advice?: (request: Readonly<Record<string, unknown>>) => readonly FaultAdvice[];
}

/** A single value; `property` holds it in an output item. */
export type ScalarResult = ScalarField & { readonly property: string };

/** Advice for a fault (docs/dev/interface.md, section 7). */
export interface FaultAdvice {
	/** Matches the fault's text. */
	readonly fault: RegExp;
	readonly text: Text;
}

/** Names of the elements that have a single value. */
type ScalarsOf<G extends Fields> = {
	[E in keyof G & string]: G[E] extends ScalarField ? E : never;
}[keyof G & string];

/**
 * Forbids properties that the shape does not have: a generic parameter alone accepts misspelled
 * ones.
 */
type NoExtraProperties<T, Shape> = { readonly [P in Exclude<keyof T, keyof Shape>]: never };

/** Constraints on an operation beyond its type: the names in it are names of its elements. */
interface Consistent<O extends SoapOperation> {
	readonly service: 'EmployeeService' | 'CompanyService';
	readonly subject: O['keys'][number];
	readonly keys: ReadonlyArray<ScalarsOf<O['request']>>;
	readonly request: {
		readonly [E in keyof O['request']]: NoExtraProperties<
			O['request'][E],
			Extract<Field, { kind: O['request'][E]['kind'] }>
		>;
	};
}

/**
 * Defines an operation (docs/dev/interface.md, section 4.3) and returns it unchanged, with its exact
 * type. A name in it that is not one of its elements is a compile error.
 */
export function soapOperation<const O extends SoapOperation>(
	operation: O & Consistent<O> & NoExtraProperties<O, SoapOperation>,
): O {
	return operation;
}

/** Returns the name of the element that holds an operation's result. */
export function resultElement(name: string): string {
	return `${name}Result`;
}

/** Returns an operation with what its request and its response contain. */
export function typedOperation({ service, name, request, result }: SoapOperation): TypedOperation {
	const isRequired = result !== undefined && result.kind !== 'list';
	const fields = result && { [resultElement(name)]: { ...result, required: isRequired } };
	return { service, name, request: { fields: request }, response: { fields: fields ?? {} } };
}
