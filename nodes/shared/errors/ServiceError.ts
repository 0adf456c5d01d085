import type { Mention } from './phrases';
import { beginning } from './words';

/** Whether a write whose call failed was applied, as far as is known. */
export type WriteOutcome = 'applied' | 'notApplied' | 'refused' | 'unknown';

/** What is known of a write that an earlier try or run of the node sent. */
export type EarlierOutcome = Exclude<WriteOutcome, 'notApplied'>;

/** What is known of a failure before it happens. */
interface Traits<Facts extends object> {
	/** Whether a write that fails with it was applied. For an answer by its HTTP status, the status decides. */
	readonly outcome: WriteOutcome;
	/** `transient`: the same call may succeed later, unchanged. `inAnswer`: it is found in an answer with HTTP 200. */
	readonly nature: 'inAnswer' | 'transient' | undefined;
	/** The type of its facts: it has no value. */
	readonly facts?: Facts;
}

const traits = <Facts extends object = object>(
	outcome: WriteOutcome,
	nature?: Traits<Facts>['nature'],
): Traits<Facts> => ({ outcome, nature });

/** `field` is the one of the credential that holds the base address of the request. */
type ByStatus = { httpStatus: number; field: string };
/** There is no answer; the cause is a code of Node.js. */
type Lost = { field: string; cause: string };
type Because = { reason: string };
type Chosen = { operation: string; resource: string };

/**
 * Every failure, by its code. Failures that share a code are told apart by what follows the slash. A write was not
 * applied, which takes proof; was probably not, by the service's word (`refused`); may have been; or certainly was.
 */
export const traitsOf = {
	'RENEWAL_REFUSED/invalid_client': traits('notApplied'),
	'RENEWAL_REFUSED/unauthorized_client': traits('notApplied'),
	'RENEWAL_REFUSED/invalid_scope': traits('notApplied'),
	'RENEWAL_REFUSED/insecure': traits('notApplied'),
	'RENEWAL_REFUSED/otherServer': traits('notApplied'),
	IDENTITY_SERVER_BUSY: traits('notApplied', 'transient'),
	RENEWAL_FAILED: traits('notApplied', 'transient'),
	'RENEWAL_FAILED/unreached': traits('notApplied', 'transient'),
	'RENEWAL_FAILED/timeout': traits('notApplied', 'transient'),
	'RENEWAL_FAILED/credential': traits<Because>('notApplied', 'transient'),
	CREDENTIAL_NOT_CONNECTED: traits('notApplied'),
	'CREDENTIAL_NOT_CONNECTED/noRefreshToken': traits('notApplied'),
	'CREDENTIAL_NOT_CONNECTED/invalid_grant': traits('notApplied'),
	CREDENTIAL_READ_ONLY: traits('notApplied'),
	CREDENTIAL_FIELD_INVALID: traits<{ field: string; reason: string }>('notApplied'),
	DOMAIN_INVALID: traits<Because>('notApplied'),
	'DOMAIN_INVALID/ofModel': traits('notApplied'),
	// A service may act and then redirect.
	REDIRECTED: traits<ByStatus & { target: string }>('unknown'),
	'REDIRECTED/tokenEndpoint': traits<{ httpStatus: number }>('unknown'),
	CALL_REFUSED: traits<ByStatus>('unknown'),
	ACCESS_REFUSED: traits<ByStatus>('notApplied'),
	'ACCESS_REFUSED/401': traits<{ httpStatus: number; mentions: Mention }>('notApplied'),
	NOT_FOUND: traits<ByStatus>('notApplied'),
	'NOT_FOUND/subject': traits<{ httpStatus: number; name: string }>('notApplied'),
	RATE_LIMITED: traits<ByStatus>('notApplied', 'transient'),
	UNAVAILABLE: traits<ByStatus>('unknown', 'transient'),
	SERVICE_ERROR: traits<ByStatus>('unknown', 'transient'),
	'SERVICE_ERROR/page': traits<{ fault: string }>('unknown', 'inAnswer'),
	STATUS_UNKNOWN: traits<ByStatus>('unknown'),
	TOKEN_REJECTED: traits('notApplied'),
	'TOKEN_REJECTED/fault': traits<{ fault: string }>('notApplied'),
	FAULT_REFUSED: traits<{ fault: string }>('notApplied'),
	FAULT_CODED: traits<{ fault: string; serviceCode: string }>('refused'),
	FAULT_UNCLEAR: traits<{ fault: string }>('unknown', 'transient'),
	NOT_REACHED: traits<Lost>('notApplied', 'transient'),
	// The certificate is checked before the request is written.
	CONNECTION_INSECURE: traits<Lost>('notApplied'),
	CONNECTION_LOST: traits<Lost>('unknown', 'transient'),
	'CONNECTION_LOST/secure': traits<Lost>('unknown', 'transient'),
	ANSWER_TIMEOUT: traits<{ field: string; seconds: number }>('unknown', 'transient'),
	'ANSWER_TIMEOUT/list': traits('unknown'),
	ANSWER_TOO_LARGE: traits<{ field: string; bytes: number }>('unknown'),
	'ANSWER_TOO_LARGE/parts': traits<{ limit: string }>('unknown', 'inAnswer'),
	REQUEST_FAILED: traits<Lost>('unknown'),
	CALL_INTERRUPTED: traits('unknown'),
	'CALL_INTERRUPTED/killed': traits('unknown'),
	'CALL_INTERRUPTED/otherSecret': traits('unknown'),
	EARLIER_CHANGE_IN_DOUBT: traits('notApplied'),
	FILE_UNUSABLE: traits<{ element: string; reason: string }>('unknown', 'inAnswer'),
	'FILE_UNUSABLE/otherText': traits<{ element: string; text: string }>('unknown', 'inAnswer'),
	'FILE_UNUSABLE/notStored': traits<Because>('unknown', 'inAnswer'),
	'FILE_UNUSABLE/notKept': traits('unknown'),
	ANSWER_UNREADABLE: traits<Because>('unknown', 'inAnswer'),
	'ANSWER_UNREADABLE/part': traits<Because>('unknown', 'inAnswer'),
	'ANSWER_UNREADABLE/page': traits<Because>('unknown', 'inAnswer'),
	'ANSWER_UNREADABLE/text': traits<{ text: string }>('unknown', 'inAnswer'),
	'ANSWER_UNREADABLE/pageText': traits<{ text: string }>('unknown', 'inAnswer'),
	'ANSWER_UNREADABLE/multipart': traits('unknown', 'inAnswer'),
	'ANSWER_UNREADABLE/webPage': traits('unknown', 'inAnswer'),
	'ANSWER_UNREADABLE/characters': traits('unknown', 'inAnswer'),
	WRITTEN_OTHERWISE: traits<{ difference: string }>('applied'),
	NOT_CHANGED: traits<{ when: string }>('unknown'),
	WRITE_UNCONFIRMED: traits<{ got: string }>('unknown', 'inAnswer'),
	// A list may change between two pages.
	LIST_INCOMPLETE: traits<{ contradiction: string }>('notApplied', 'transient'),
	'LIST_INCOMPLETE/whole': traits<{ contradiction: string }>('notApplied'),
	'LIST_INCOMPLETE/repeats': traits('notApplied', 'transient'),
	'LIST_INCOMPLETE/endless': traits<{ limit: string }>('notApplied'),
	'LIST_INCOMPLETE/noList': traits('notApplied', 'inAnswer'),
	DESCRIPTION_UNREADABLE: traits<{ service: string; because: ServiceError | string }>('notApplied'),
	OPERATION_UNUSABLE: traits<{ name: string }>('notApplied'),
	'OPERATION_UNUSABLE/untyped': traits<{ name: string; reason: string }>('notApplied'),
	'OPERATION_UNUSABLE/unknown': traits<Chosen>('notApplied'),
	'OPERATION_UNUSABLE/agent': traits<Chosen>('notApplied'),
	'OPERATION_UNUSABLE/customApiCall': traits('notApplied'),
	'OPERATION_UNUSABLE/columnsOfAgent': traits('notApplied'),
	'OPERATION_UNUSABLE/noService': traits('notApplied'),
	'UNDECIDED/noCompany': traits('notApplied'),
	'UNDECIDED/soapFailed': traits('notApplied'),
	'UNDECIDED/busy': traits('notApplied'),
	'UNDECIDED/fault': traits<{ fault: string }>('notApplied'),
	DESCRIPTIONS_DIFFER: traits<{ differences: string }>('notApplied'),
	REVOCATION_FAILED: traits<{ httpStatus: number }>('unknown'),
	'REVOCATION_FAILED/renewed': traits('unknown'),
	UNEXPECTED: traits<{ message: string }>('unknown'),
};

export type Failure = keyof typeof traitsOf;

type CodeOf<F extends string> = F extends `${infer C}/${string}` ? C : F;

/** The facts of each failure. */
export type FactsOf = { [F in Failure]: NonNullable<(typeof traitsOf)[F]['facts']> };

/** What may be known of any failure. */
export interface Known {
	readonly httpStatus?: number | undefined;
	/** The service's own error code, for example `2011`. */
	readonly serviceCode?: string | undefined;
	/** Additional text from the service, for the error's details. */
	readonly details?: string | undefined;
	/** What the service says in a SOAP fault, or beside the records of a page. */
	readonly fault?: string | undefined;
	/** What it says in any other answer. */
	readonly said?: string | undefined;
	/** What its words mention, and the operation's advice for them. Neither decides about a write. */
	readonly mentions?: Mention | undefined;
	readonly advice?: string | undefined;
	/** After how many milliseconds the service can be called again. */
	readonly again?: number | undefined;
	/**
	 * What the error says of the access token. `rejected`: by HTTP 401; `refused`: the service refused the call for it,
	 * so nothing was carried out; `suspected`: it may mean a token of the service's own, after it carried out the call.
	 */
	readonly token?: 'refused' | 'rejected' | 'suspected' | undefined;
	/** Whether that token is not valid yet, by the clock of the service or of n8n. */
	readonly isTooEarly?: boolean;
	/** Whether it was just renewed. */
	readonly isFresh?: boolean;
	/** Why no other access token could be obtained. */
	readonly renewal?: ServiceError;
	/** Set if the call read page 0, which only some services have, or the records before a write. */
	readonly about?: 'pageZero' | 'recordsBefore';
	/** What was read after a write, in sentences. */
	readonly seen?: readonly string[];
	/** Whether an earlier try of the run failed with it, and not this one. */
	readonly isRecalled?: boolean;
	/** Whether a write was applied. Default: by the code. */
	readonly outcome?: WriteOutcome;
	/** Whether the same call may succeed later, unchanged. Default: by the code. */
	readonly isTransient?: boolean;
	/** The error that nobody expected. */
	readonly thrown?: unknown;
}

/** Longest text that an error keeps, in characters: no more of it is shown. */
const MAX_TEXT = 6000;

/**
 * A call that failed at the payroll service, at the identity server or on the way to either: what failed, and the
 * facts, without any header, token, key or address of the request. Its words are made where it is shown
 * (`messages/catalog`).
 */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';
	/** Stable, so that a workflow can branch on it. */
	readonly code: CodeOf<Failure>;
	readonly outcome: WriteOutcome;
	readonly isTransient: boolean;
	readonly facts: Known;

	constructor(
		readonly failure: Failure,
		facts: Known,
	) {
		super(failure);
		const { outcome, nature } = traitsOf[failure];
		[this.code] = failure.split('/') as [CodeOf<Failure>];
		this.outcome = facts.outcome ?? outcome;
		this.isTransient = facts.isTransient ?? nature === 'transient';
		const known = { ...(nature === 'inAnswer' && { httpStatus: 200 }), ...facts };
		const kept = Object.entries(known).map(([name, fact]) => {
			return [name, typeof fact === 'string' ? beginning(fact, MAX_TEXT) : fact] as const;
		});
		this.facts = Object.fromEntries(kept);
	}

	/** What the service says: the title, or a part of it. */
	get quote(): string | undefined {
		return this.facts.said ?? this.facts.fault;
	}

	/** Returns a copy of the error of which more is known. */
	with(facts: Known): ServiceError {
		return new ServiceError(this.failure, { ...this.facts, ...facts });
	}
}

/** Returns the error of a failure. */
export function serviceError<F extends Failure>(
	failure: F,
	...[facts = {}]: object extends FactsOf[F] ? [facts?: Known] : [facts: FactsOf[F] & Known]
): ServiceError {
	return new ServiceError(failure, facts);
}

/** Returns what was thrown as a text. */
export function messageOf(thrown: unknown): string {
	const { message = String(thrown) } = Object(thrown) as { readonly message?: string };
	return message;
}

/** The user cancelled the run. Nothing further is sent. */
export class CancelledError extends Error {
	override readonly name = 'CancelledError';

	/** @param outcome whether a write in flight was applied; by default, no write was in flight */
	constructor(readonly outcome: WriteOutcome = 'notApplied') {
		super('The execution was cancelled');
	}
}

/** An answer, or a part of it, that cannot be read. The message is the reason. */
export class UnreadableError extends Error {
	override readonly name: string = 'UnreadableError';

	/** @param facts the limit that it exceeds, such as "64 levels"; whether all around the part is as expected */
	constructor(
		message: string,
		readonly facts: { readonly limit?: string | undefined; readonly isPart?: boolean } = {},
	) {
		super(message);
	}
}
