/** The contract of a SOAP operation. */
import type { Fields, ListField, ScalarField } from './fields';
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
	readonly text: string;
}

/** Returns the elements of a request that say what it is about, the subject first. */
export function keysOf(request: Fields): Fields {
	return Object.fromEntries(Object.entries(request).filter(([, { isKey }]) => isKey));
}

/** Returns the name of the element that identifies the employee or company. */
export function subjectOf(request: Fields): string {
	return Object.keys(keysOf(request))[0] ?? '';
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
