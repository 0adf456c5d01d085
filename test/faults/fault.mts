/** What a fault is: what the faulty server does, and what has to come of it. */
import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';
import type { NodeDraft } from '../../dev/engine/index.mts';
import type { Tokens } from '../../dev/sandbox/oauth.mts';
import type { Answer } from './message.mts';
import type { Call, Places } from './server.mts';
import type { Target } from './targets.mts';

/** What the faulty server does with a call. */
export type Act = (call: Call) => void | Promise<void>;

/** What has to come of one call. */
export interface Expectation {
	/**
	 * `complete`: the result, whole. For a failed write what its error says of the change, for a
	 * failed read `error`.
	 */
	readonly outcome: 'complete' | 'notApplied' | 'unknown' | 'error';
	/** How often the request is sent. */
	readonly sent: number;
	/** How often it is carried out. */
	readonly reached: number;
	/** What the error's title and description say. */
	readonly message?: RegExp;
	/** The records that are complete under this fault, made from those of a call without fault. */
	readonly records?: (good: IDataObject[]) => IDataObject[];
}

/** What is expected by kind of target; where nothing is said for a kind, the fault does not apply. */
export type Expectations = Partial<Readonly<Record<Target['kind'], Expectation>>>;

/** One fault: a row of the table. */
export interface Fault {
	readonly name: string;
	/** What the service does; without it, what the sandbox behind it does. */
	readonly service?: Act;
	/** As `service`, one cell for every way of it; told the answer of a call without fault. */
	readonly ways?: (good: Answer) => readonly Act[];
	/** What the identity server does with a token request. */
	readonly identity?: Act;
	/** Why the stored token has to be renewed: the service rejects it, or it is past its end. */
	readonly renewal?: 'rejected' | 'expired';
	/** How many token requests it takes; one where the identity server is at fault, else none. */
	readonly renewals?: number;
	/** The service's address, where it is not the faulty server. */
	readonly place?: (places: Places) => string;
	/** What of the credential is not as it should be. */
	readonly credential?: (places: Places, tokens: Tokens) => ICredentialDataDecryptedObject;
	/** The node's options. */
	readonly options?: INodeParameters;
	/** The node's settings. */
	readonly settings?: Partial<NodeDraft>;
	/** Whether an execution that failed is retried; what comes of it is that of the retry. */
	readonly isRetried?: boolean;
	/** Whether it concerns all calls alike, so that its error names none. */
	readonly ofAll?: boolean;
	/** Whether it takes so much memory that nothing else should run. */
	readonly large?: boolean;
	readonly expect: Expectations;
}

/** Faults of one kind. */
export interface Group {
	readonly name: string;
	readonly faults: readonly Fault[];
}

/** The whole result. */
export function complete(
	sent = 1,
	reached = 1,
	records?: (good: IDataObject[]) => IDataObject[],
): Expectation {
	return { outcome: 'complete', sent, reached, ...(records && { records }) };
}

function failed(outcome: 'notApplied' | 'unknown' | 'error') {
	return (sent: number, reached: number, message: RegExp): Expectation => ({
		outcome,
		sent,
		reached,
		message,
	});
}

/** A read that ends with an error. */
export const error = failed('error');
/** A write of which the error says that it was not applied. */
export const notApplied = failed('notApplied');
/** A write of which the error says that it may have been applied. */
export const unknown = failed('unknown');

/** The same for both kinds of read, and for both kinds of write. */
export function each(read: Expectation, write: Expectation): Expectations {
	return { ...reads(read), ...writes(write) };
}

export function reads(expectation: Expectation): Expectations {
	return { soapRead: expectation, restRead: expectation };
}

export function writes(expectation: Expectation): Expectations {
	return { insert: expectation, update: expectation };
}

/** The same for all. */
export function all(expectation: Expectation): Expectations {
	return each(expectation, expectation);
}

/**
 * A fault that may pass (design: connection failures, time-outs, 502, 504): reads are sent four
 * times, a write once, and nobody knows what became of it.
 *
 * @param executed whether the service carries each request out
 */
export function passing(executed: boolean, message: RegExp): Expectations {
	return each(error(4, executed ? 4 : 0, message), unknown(1, executed ? 1 : 0, message));
}

/** An answer that came whole and is of no use: not asked for again, and a write may be applied. */
export function useless(message: RegExp): Expectations {
	return each(error(1, 1, message), unknown(1, 1, message));
}

/** A refusal: nothing was carried out, and asking again is of no use. */
export function refused(message: RegExp): Expectations {
	return each(error(1, 0, message), notApplied(1, 0, message));
}

/** Carries the call out and sends the answer changed. */
export function spoil(change: (good: Answer, call: Call) => Answer): Act {
	return async (call) => call.send(change(await call.forward(), call));
}

/** Answers without carrying the call out. */
export function reply(make: (call: Call) => Answer): Act {
	return (call) => call.send(make(call));
}

/** Sends the answer with another body. */
export function body(change: (text: string, call: Call) => string | Buffer): Act {
	return spoil((good, call) => ({ ...good, body: Buffer.from(change(String(good.body), call)) }));
}
