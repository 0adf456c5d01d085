import type { Mention } from './phrases';
import { beginning } from './words';

/** Whether a write whose call failed was applied, as far as is known. */
export type WriteOutcome = 'applied' | 'notApplied' | 'refused' | 'unknown';

/** What is known of a write that an earlier try or run of the node sent. */
export type EarlierOutcome = Exclude<WriteOutcome, 'notApplied'>;

/** What is known of a failure before it happens. */
interface Kind<Facts extends object> {
	/** Whether a write that fails with it was applied. For an answer by its HTTP status, the status decides. */
	readonly outcome: WriteOutcome;
	/** `transient`: the same call may succeed later, unchanged. `inAnswer`: it is found in an answer with HTTP 200. */
	readonly nature: 'inAnswer' | 'transient' | undefined;
	/** The type of its facts: it has no value. */
	readonly facts?: Facts;
}

const kind = <Facts extends object = object>(
	outcome: WriteOutcome,
	nature?: Kind<Facts>['nature'],
): Kind<Facts> => ({ outcome, nature });

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
export const kinds = {
	'RENEWAL_REFUSED/invalid_client': kind('notApplied'),
	'RENEWAL_REFUSED/unauthorized_client': kind('notApplied'),
	'RENEWAL_REFUSED/invalid_scope': kind('notApplied'),
	'RENEWAL_REFUSED/insecure': kind('notApplied'),
	'RENEWAL_REFUSED/otherServer': kind('notApplied'),
	IDENTITY_SERVER_BUSY: kind('notApplied', 'transient'),
	RENEWAL_FAILED: kind('notApplied', 'transient'),
	'RENEWAL_FAILED/unreached': kind('notApplied', 'transient'),
	'RENEWAL_FAILED/timeout': kind('notApplied', 'transient'),
	'RENEWAL_FAILED/credential': kind<Because>('notApplied', 'transient'),
	CREDENTIAL_NOT_CONNECTED: kind('notApplied'),
	'CREDENTIAL_NOT_CONNECTED/noRefreshToken': kind('notApplied'),
	'CREDENTIAL_NOT_CONNECTED/invalid_grant': kind('notApplied'),
	CREDENTIAL_READ_ONLY: kind('notApplied'),
	CREDENTIAL_FIELD_INVALID: kind<{ field: string; reason: string }>('notApplied'),
	DOMAIN_INVALID: kind<Because>('notApplied'),
	'DOMAIN_INVALID/ofModel': kind('notApplied'),
	// A service may act and then redirect.
	REDIRECTED: kind<ByStatus & { target: string }>('unknown'),
	'REDIRECTED/tokenEndpoint': kind<{ httpStatus: number }>('unknown'),
	CALL_REFUSED: kind<ByStatus>('unknown'),
	ACCESS_REFUSED: kind<ByStatus>('notApplied'),
	'ACCESS_REFUSED/401': kind<{ httpStatus: number; mentions: Mention }>('notApplied'),
	NOT_FOUND: kind<ByStatus>('notApplied'),
	'NOT_FOUND/subject': kind<{ httpStatus: number; name: string }>('notApplied'),
	RATE_LIMITED: kind<ByStatus>('notApplied', 'transient'),
	UNAVAILABLE: kind<ByStatus>('unknown', 'transient'),
	SERVICE_ERROR: kind<ByStatus>('unknown', 'transient'),
	'SERVICE_ERROR/page': kind<{ fault: string }>('unknown', 'inAnswer'),
	STATUS_UNKNOWN: kind<ByStatus>('unknown'),
	TOKEN_REJECTED: kind('notApplied'),
	'TOKEN_REJECTED/fault': kind<{ fault: string }>('notApplied'),
	FAULT_REFUSED: kind<{ fault: string }>('notApplied'),
	FAULT_CODED: kind<{ fault: string; serviceCode: string }>('refused'),
	FAULT_UNCLEAR: kind<{ fault: string }>('unknown', 'transient'),
	NOT_REACHED: kind<Lost>('notApplied', 'transient'),
	// The certificate is checked before the request is written.
	CONNECTION_INSECURE: kind<Lost>('notApplied'),
	CONNECTION_LOST: kind<Lost>('unknown', 'transient'),
	'CONNECTION_LOST/secure': kind<Lost>('unknown', 'transient'),
	ANSWER_TIMEOUT: kind<{ field: string; seconds: number }>('unknown', 'transient'),
	'ANSWER_TIMEOUT/list': kind('unknown'),
	ANSWER_TOO_LARGE: kind<{ field: string; bytes: number }>('unknown'),
	'ANSWER_TOO_LARGE/parts': kind<{ limit: string }>('unknown', 'inAnswer'),
	REQUEST_FAILED: kind<Lost>('unknown'),
	CALL_INTERRUPTED: kind('unknown'),
	'CALL_INTERRUPTED/killed': kind('unknown'),
	'CALL_INTERRUPTED/otherSecret': kind('unknown'),
	EARLIER_CHANGE_IN_DOUBT: kind('notApplied'),
	FILE_UNUSABLE: kind<{ element: string; reason: string }>('unknown', 'inAnswer'),
	'FILE_UNUSABLE/otherText': kind<{ element: string; text: string }>('unknown', 'inAnswer'),
	'FILE_UNUSABLE/notStored': kind<Because>('unknown', 'inAnswer'),
	'FILE_UNUSABLE/notKept': kind('unknown'),
	ANSWER_UNREADABLE: kind<Because>('unknown', 'inAnswer'),
	'ANSWER_UNREADABLE/part': kind<Because>('unknown', 'inAnswer'),
	'ANSWER_UNREADABLE/page': kind<Because>('unknown', 'inAnswer'),
	'ANSWER_UNREADABLE/text': kind<{ text: string }>('unknown', 'inAnswer'),
	'ANSWER_UNREADABLE/pageText': kind<{ text: string }>('unknown', 'inAnswer'),
	'ANSWER_UNREADABLE/multipart': kind('unknown', 'inAnswer'),
	'ANSWER_UNREADABLE/webPage': kind('unknown', 'inAnswer'),
	'ANSWER_UNREADABLE/characters': kind('unknown', 'inAnswer'),
	WRITTEN_OTHERWISE: kind<{ difference: string }>('applied'),
	NOT_CHANGED: kind<{ when: string }>('unknown'),
	WRITE_UNCONFIRMED: kind<{ got: string }>('unknown', 'inAnswer'),
	// A list may change between two pages.
	LIST_INCOMPLETE: kind<{ contradiction: string }>('notApplied', 'transient'),
	'LIST_INCOMPLETE/whole': kind<{ contradiction: string }>('notApplied'),
	'LIST_INCOMPLETE/repeats': kind('notApplied', 'transient'),
	'LIST_INCOMPLETE/endless': kind<{ limit: string }>('notApplied'),
	'LIST_INCOMPLETE/noList': kind('notApplied', 'inAnswer'),
	DESCRIPTION_UNREADABLE: kind<{ service: string; because: ServiceError | string }>('notApplied'),
	OPERATION_UNUSABLE: kind<{ name: string }>('notApplied'),
	'OPERATION_UNUSABLE/untyped': kind<{ name: string; reason: string }>('notApplied'),
	'OPERATION_UNUSABLE/unknown': kind<Chosen>('notApplied'),
	'OPERATION_UNUSABLE/agent': kind<Chosen>('notApplied'),
	'OPERATION_UNUSABLE/customApiCall': kind('notApplied'),
	'OPERATION_UNUSABLE/columnsOfAgent': kind('notApplied'),
	'OPERATION_UNUSABLE/noService': kind('notApplied'),
	'UNDECIDED/noCompany': kind('notApplied'),
	'UNDECIDED/soapFailed': kind('notApplied'),
	'UNDECIDED/busy': kind('notApplied'),
	'UNDECIDED/fault': kind<{ fault: string }>('notApplied'),
	DESCRIPTIONS_DIFFER: kind<{ differences: string }>('notApplied'),
	REVOCATION_FAILED: kind<{ httpStatus: number }>('unknown'),
	'REVOCATION_FAILED/renewed': kind('unknown'),
	UNEXPECTED: kind<{ message: string }>('unknown'),
};

export type Failure = keyof typeof kinds;

type CodeOf<F extends string> = F extends `${infer C}/${string}` ? C : F;

/** The facts of each failure. */
export type FactsOf = { [F in Failure]: NonNullable<(typeof kinds)[F]['facts']> };

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
		const { outcome, nature } = kinds[failure];
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
