import type { Mention } from './phrases';
import { beginning } from './words';

/** Whether a write whose call failed was applied, as far as is known. */
export type WriteOutcome = 'applied' | 'notApplied' | 'refused' | 'unknown';

/** What is known of a write that an earlier try or run of the node sent. */
export type EarlierOutcome = Exclude<WriteOutcome, 'notApplied'>;

/**
 * Every code, with whether a write that fails with it was applied: not, which takes proof; probably not, by
 * the service's word; possibly; or certainly. For an answer by its HTTP status, the status decides.
 */
export const codes = {
	RENEWAL_REFUSED: 'notApplied',
	IDENTITY_SERVER_BUSY: 'notApplied',
	RENEWAL_FAILED: 'notApplied',
	CREDENTIAL_NOT_CONNECTED: 'notApplied',
	CREDENTIAL_READ_ONLY: 'notApplied',
	CREDENTIAL_FIELD_INVALID: 'notApplied',
	DOMAIN_INVALID: 'notApplied',
	// A service may act and then redirect.
	REDIRECTED: 'unknown',
	CALL_REFUSED: 'unknown',
	ACCESS_REFUSED: 'notApplied',
	NOT_FOUND: 'notApplied',
	RATE_LIMITED: 'notApplied',
	UNAVAILABLE: 'unknown',
	SERVICE_ERROR: 'unknown',
	STATUS_UNKNOWN: 'unknown',
	TOKEN_REJECTED: 'notApplied',
	FAULT_REFUSED: 'notApplied',
	FAULT_CODED: 'refused',
	FAULT_UNCLEAR: 'unknown',
	NOT_REACHED: 'notApplied',
	// The certificate is checked before the request is written.
	CONNECTION_INSECURE: 'notApplied',
	CONNECTION_LOST: 'unknown',
	ANSWER_TIMEOUT: 'unknown',
	ANSWER_TOO_LARGE: 'unknown',
	REQUEST_FAILED: 'unknown',
	CALL_INTERRUPTED: 'unknown',
	EARLIER_CHANGE_IN_DOUBT: 'notApplied',
	FILE_UNUSABLE: 'unknown',
	ANSWER_UNREADABLE: 'unknown',
	WRITTEN_OTHERWISE: 'applied',
	NOT_CHANGED: 'unknown',
	WRITE_UNCONFIRMED: 'unknown',
	LIST_INCOMPLETE: 'notApplied',
	DESCRIPTION_UNREADABLE: 'notApplied',
	OPERATION_UNUSABLE: 'notApplied',
	UNDECIDED: 'notApplied',
	DESCRIPTIONS_DIFFER: 'notApplied',
	REVOCATION_FAILED: 'unknown',
	UNEXPECTED: 'unknown',
} as const satisfies Readonly<Record<string, WriteOutcome>>;

export type Code = keyof typeof codes;

/** Failures that need no facts. Those that share a code are told apart by what follows the slash. */
type PlainFailure =
	| `CREDENTIAL_NOT_CONNECTED${'' | '/noRefreshToken' | '/invalid_grant'}`
	| 'CREDENTIAL_READ_ONLY'
	| 'DOMAIN_INVALID/ofModel'
	| `RENEWAL_REFUSED/${'invalid_client' | 'unauthorized_client' | 'invalid_scope'}`
	| `RENEWAL_REFUSED/${'insecure' | 'otherServer'}`
	| `RENEWAL_FAILED${'' | '/unreached' | '/timeout'}`
	| 'IDENTITY_SERVER_BUSY'
	| 'TOKEN_REJECTED'
	| 'ANSWER_TIMEOUT/list'
	| `CALL_INTERRUPTED${'' | '/killed' | '/otherSecret'}`
	| 'EARLIER_CHANGE_IN_DOUBT'
	| `ANSWER_UNREADABLE/${'multipart' | 'webPage' | 'characters'}`
	| 'FILE_UNUSABLE/notKept'
	| `LIST_INCOMPLETE/${'noList' | 'repeats'}`
	| `OPERATION_UNUSABLE/${'customApiCall' | 'columnsOfAgent' | 'noService'}`
	| `UNDECIDED/${'noCompany' | 'soapFailed' | 'busy'}`
	| 'REVOCATION_FAILED/renewed';

/** Failures by the HTTP status of an answer. */
type StatusFailure =
	| 'ACCESS_REFUSED'
	| 'CALL_REFUSED'
	| 'NOT_FOUND'
	| 'RATE_LIMITED'
	| 'SERVICE_ERROR'
	| 'STATUS_UNKNOWN'
	| 'UNAVAILABLE';

/** Failures of a request without an answer; their cause is a code of Node.js. */
type LostFailure =
	| 'CONNECTION_INSECURE'
	| `CONNECTION_LOST${'' | '/secure'}`
	| 'NOT_REACHED'
	| 'REQUEST_FAILED';

/** Failures that the service reports in its own words. */
type ReportedFailure =
	| 'FAULT_REFUSED'
	| 'FAULT_UNCLEAR'
	| 'SERVICE_ERROR/page'
	| 'TOKEN_REJECTED/fault'
	| 'UNDECIDED/fault';

/** The facts of each failure. `field` is the one of the credential that holds the base address of the request. */
export type FactsOf = Record<PlainFailure, object> &
	Record<StatusFailure, { httpStatus: number; field: string }> &
	Record<LostFailure, { field: string; cause: string }> &
	Record<ReportedFailure, { fault: string }> &
	Record<`ANSWER_UNREADABLE${'' | '/part' | '/page'}`, { reason: string }> &
	Record<`ANSWER_UNREADABLE/${'text' | 'pageText'}`, { text: string }> &
	Record<`LIST_INCOMPLETE${'' | '/whole'}`, { contradiction: string }> &
	Record<`OPERATION_UNUSABLE/${'unknown' | 'agent'}`, { operation: string; resource: string }> & {
		'RENEWAL_FAILED/credential': { reason: string };
		CREDENTIAL_FIELD_INVALID: { field: string; reason: string };
		DOMAIN_INVALID: { reason: string };
		REDIRECTED: { httpStatus: number; field: string; target: string };
		'REDIRECTED/tokenEndpoint': { httpStatus: number };
		'ACCESS_REFUSED/401': { httpStatus: number; mentions: Mention };
		'NOT_FOUND/subject': { httpStatus: number; name: string };
		FAULT_CODED: { fault: string; serviceCode: string };
		ANSWER_TIMEOUT: { field: string; seconds: number };
		ANSWER_TOO_LARGE: { field: string; bytes: number };
		'ANSWER_TOO_LARGE/parts': { limit: string };
		FILE_UNUSABLE: { element: string; reason: string };
		'FILE_UNUSABLE/otherText': { element: string; text: string };
		'FILE_UNUSABLE/notStored': { reason: string };
		WRITTEN_OTHERWISE: { difference: string };
		NOT_CHANGED: { when: string };
		WRITE_UNCONFIRMED: { got: string };
		'LIST_INCOMPLETE/endless': { limit: string };
		DESCRIPTION_UNREADABLE: { service: string; because: ServiceError | string };
		OPERATION_UNUSABLE: { name: string };
		'OPERATION_UNUSABLE/untyped': { name: string; reason: string };
		DESCRIPTIONS_DIFFER: { differences: string };
		REVOCATION_FAILED: { httpStatus: number };
		UNEXPECTED: { message: string };
	};

export type Failure = keyof FactsOf;

/** Failures that may pass: the same call may succeed later, unchanged. A list may change between two pages. */
const TRANSIENT: ReadonlySet<string> = new Set<Failure>([
	...(['RENEWAL_FAILED', 'RENEWAL_FAILED/unreached', 'RENEWAL_FAILED/timeout'] as const),
	...([
		'RENEWAL_FAILED/credential',
		'IDENTITY_SERVER_BUSY',
		'NOT_REACHED',
		'CONNECTION_LOST',
	] as const),
	...(['CONNECTION_LOST/secure', 'ANSWER_TIMEOUT', 'RATE_LIMITED', 'UNAVAILABLE'] as const),
	...(['SERVICE_ERROR', 'FAULT_UNCLEAR', 'LIST_INCOMPLETE', 'LIST_INCOMPLETE/repeats'] as const),
]);

/** Failures that are found in an answer with HTTP 200. */
const IN_ANSWER =
	/^(?:ANSWER_UNREADABLE|ANSWER_TOO_LARGE\/parts|FILE_UNUSABLE(?!\/notKept)|LIST_INCOMPLETE\/noList|SERVICE_ERROR\/page|WRITE_UNCONFIRMED)/;

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
	readonly code: Code;
	readonly outcome: WriteOutcome;
	readonly isTransient: boolean;
	readonly facts: Known;

	constructor(
		readonly failure: Failure,
		facts: Known,
	) {
		super(failure);
		[this.code] = failure.split('/') as [Code];
		this.outcome = facts.outcome ?? codes[this.code];
		this.isTransient = facts.isTransient ?? TRANSIENT.has(failure);
		const known = { ...(IN_ANSWER.test(failure) && { httpStatus: 200 }), ...facts };
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
	override readonly name = 'UnreadableError';
}
