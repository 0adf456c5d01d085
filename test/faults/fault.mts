/** What a fault is: what the faulty server does, and what has to come of it. */
import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';
import type { Tokens } from '../../dev/sandbox/oauth.mts';
import type { Act } from './acts.mts';
import type { Endpoints } from './server.mts';
import type { Target } from './targets.mts';

/** What has to come of one call. */
export interface Expectation {
	/**
	 * `complete`: the whole result. Of a failed write what its error says about the change, of a
	 * failed read `error`.
	 */
	readonly outcome: 'complete' | 'notApplied' | 'refused' | 'unknown' | 'error';
	/** How often the request is sent. */
	readonly sent: number;
	/** How often the service executes it. */
	readonly executed: number;
	/** What the error's title and description say. */
	readonly message?: RegExp;
	/** The records that are complete under this fault, made from those of a call without fault. */
	readonly records?: (good: IDataObject[]) => IDataObject[];
}

/** What is expected by kind of target; the fault does not apply to a kind that is missing. */
export type Expectations = Partial<Readonly<Record<Target['kind'], Expectation>>>;

/** One fault: a row of the table. */
export interface Fault {
	readonly name: string;
	/** What the service does; by default, what the sandbox behind it does. */
	readonly service?: Act;
	/** What the identity server does with a token request. */
	readonly identity?: Act;
	/** Why the stored token has to be renewed: the service rejects it, or it has expired. */
	readonly renewal?: 'rejected' | 'expired';
	/** How many token requests it takes; one where the identity server is at fault, else none. */
	readonly renewals?: number;
	/** The address of the service, where it is not that of the faulty server. */
	readonly endpoint?: (endpoints: Endpoints) => string;
	/** Fields of the credential that are wrong. */
	readonly credential?: (endpoints: Endpoints, tokens: Tokens) => ICredentialDataDecryptedObject;
	/** The node's options. */
	readonly options?: INodeParameters;
	readonly expect: Expectations;
}

/** Faults of one kind. */
export interface Group {
	readonly name: string;
	readonly faults: readonly Fault[];
}

/** A fault of what the service does. */
export function fault(
	name: string,
	service: Act,
	expect: Expectations,
	more: Partial<Fault> = {},
): Fault {
	return { name, service, expect, ...more };
}

/** The whole result. */
export function complete(
	sent = 1,
	executed = 1,
	records?: (good: IDataObject[]) => IDataObject[],
): Expectation {
	return { outcome: 'complete', sent, executed, ...(records && { records }) };
}

function failed(outcome: 'notApplied' | 'refused' | 'unknown' | 'error') {
	return (sent: number, executed: number, message: RegExp): Expectation => ({
		outcome,
		sent,
		executed,
		message,
	});
}

/** A read that ends with an error. */
export const error = failed('error');
/** A write whose error says that it was not applied. */
export const notApplied = failed('notApplied');
/** A write whose error says that the service refused it with a code. */
export const coded = failed('refused');
/** A write whose error says that it may have been applied. */
export const unknown = failed('unknown');

/** The same for both kinds of read, and for both kinds of write. */
export function each(read: Expectation, write: Expectation): Expectations {
	return { ...reads(read), ...writes(write) };
}

/** The same for both kinds of read. */
export function reads(expectation: Expectation): Expectations {
	return { soapRead: expectation, restRead: expectation };
}

/** The same for both kinds of write. */
export function writes(expectation: Expectation): Expectations {
	return { insert: expectation, update: expectation };
}

/** The same for all calls of the service. */
export function all(expectation: Expectation): Expectations {
	return each(expectation, expectation);
}

/** The same for the SOAP operations; the REST call is not affected. */
export function soap(read: Expectation, write: Expectation): Expectations {
	return { soapRead: read, ...writes(write) };
}

/**
 * A transient failure: a read is sent four times, a write once, and its outcome is unknown.
 *
 * @param isExecuted whether the service executes each request
 */
export function transient(isExecuted: boolean, message: RegExp): Expectations {
	return each(error(4, isExecuted ? 4 : 0, message), unknown(1, isExecuted ? 1 : 0, message));
}

/** A whole answer that cannot be used: the call is not repeated, and a write may have been applied. */
export function unusable(message: RegExp): Expectations {
	return each(error(1, 1, message), unknown(1, 1, message));
}

/** HTTP 404: a list is also asked for its page 0. */
export function notFound(message: RegExp): Expectations {
	return { ...refused(message), restRead: error(2, 0, message) };
}

/** A refusal: nothing was executed, and nothing changes that for as many calls as are sent. */
export function refused(message: RegExp, sent = 1): Expectations {
	return each(error(sent, 0, message), notApplied(sent, 0, message));
}
