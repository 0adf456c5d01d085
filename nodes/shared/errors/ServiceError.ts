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

/** The codes of failures that may pass: the same call may succeed later, unchanged. */
const TRANSIENT: ReadonlySet<string> = new Set<Code>([
	...(['RENEWAL_FAILED', 'IDENTITY_SERVER_BUSY', 'NOT_REACHED', 'CONNECTION_LOST'] as const),
	...(['ANSWER_TIMEOUT', 'RATE_LIMITED', 'UNAVAILABLE', 'SERVICE_ERROR', 'FAULT_UNCLEAR'] as const),
]);

/** What else is known of a failure. */
export interface ErrorFields {
	/** HTTP status of the response, if there was one. */
	readonly httpStatus?: number | undefined;
	/** The service's own error code, for example `2011`. */
	readonly serviceCode?: string | undefined;
	/** Additional text from the service, for the error's details. */
	readonly details?: string | undefined;
	/** Whether the same call may succeed later, unchanged. Default: by its code. */
	readonly isTransient?: boolean;
	/** Whether the title is the service's own words. */
	readonly isQuote?: boolean;
	/** Whether an earlier try of the run failed with it, and not this one. */
	readonly isRecalled?: boolean;
	/** The error that nobody expected. */
	readonly cause?: unknown;
}

/** Longest text that an error keeps, in characters: no more of it is shown. */
const MAX_TEXT = 6000;

/** What a copy of an error changes. */
type ErrorChanges = ErrorFields &
	Partial<Pick<ServiceError, 'code' | 'description' | 'message' | 'outcome'>>;

/**
 * A call that failed at the payroll service, at the identity server or on the way to either. Its
 * texts are for the builder: they contain no header, token, key or address of the request. `serviceError`
 * of `catalog` makes them.
 */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';
	readonly httpStatus: number | undefined;
	readonly serviceCode: string | undefined;
	readonly details: string | undefined;
	readonly description: string | undefined;
	readonly isTransient: boolean;
	readonly isQuote: boolean;
	readonly isRecalled: boolean;

	/**
	 * @param code stable, so that a workflow can branch on it
	 * @param message the title
	 * @param description what the builder can do about the failure
	 */
	constructor(
		readonly code: string,
		readonly outcome: WriteOutcome,
		message: string,
		description?: string,
		fields: ErrorFields = {},
	) {
		super(beginning(message, MAX_TEXT), 'cause' in fields ? { cause: fields.cause } : {});
		this.httpStatus = fields.httpStatus;
		this.serviceCode = fields.serviceCode;
		this.description = description && beginning(description, MAX_TEXT);
		this.details = fields.details && beginning(fields.details, MAX_TEXT);
		this.isTransient = fields.isTransient ?? TRANSIENT.has(code);
		this.isQuote = fields.isQuote ?? false;
		this.isRecalled = fields.isRecalled ?? false;
	}

	/** Returns a copy of the error, without its cause, that differs in some fields. */
	with(changes: ErrorChanges): ServiceError {
		const { code, outcome, message, description, ...fields } = {
			...this,
			message: this.message,
			...changes,
		};
		return new ServiceError(code, outcome, message, description, fields);
	}
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
