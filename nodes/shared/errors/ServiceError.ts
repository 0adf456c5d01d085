import { beginning } from './words';

/**
 * Every kind of failure, with its condition, by whether a write that failed so was applied: not, which
 * takes proof; probably not, by the service's word; possibly; or certainly. There is no default: each
 * {@link ServiceError} names its kind.
 */
const failureKinds = {
	notApplied: {
		reading: 'The call or the step that failed only reads.',
		credential: 'The credential is not connected, or one of its fields is not usable.',
		renewal: `The access token could not be renewed: the call was not sent, or was refused with the previous token.`,
		notBegun: 'A step before the write failed, so the write was not sent.',
		readOnly: 'The credential is read-only.',
		unreached: 'The connection was refused, or the host was not found.',
		insecure: 'The certificate of the service was not accepted, so no request was sent.',
		tokenRejected:
			'HTTP 401, or a SOAP fault that names a token and blames the sender by its code (`Client`, `Sender`, those of WS-Security), or that comes with HTTP 403.',
		busy: 'HTTP 429: too many requests.',
		statusRefusal:
			'HTTP 403, 404, 405, 407, 413 or 415: the request was turned away before it was carried out.',
		unavailable: `HTTP 503 with \`Retry-After\`: the service says when to retry.`,
		faultRefused: `A SOAP fault that is a refusal: its innermost message mentions a TWK exception, or its code says that the sender is at fault (\`Client\`, \`Sender\`) or that the envelope was not processed (\`VersionMismatch\`, \`MustUnderstand\`, \`DataEncodingUnknown\`).`,
	},
	refused: {
		faultCoded: `Any other SOAP fault whose innermost message begins with a number: the service's own code.`,
	},
	unknown: {
		faultUnclear: `Any other SOAP fault, unless its HTTP status is one of the above: the service failed, and it is not known how far it got.`,
		notSuccess: 'Any HTTP 2xx other than 200.',
		redirect: 'HTTP 3xx: a service may act and then redirect.',
		clientError: 'Any other HTTP 4xx: a service may act before it answers so, as with 408 or 409.',
		serverError: 'Any other HTTP 5xx.',
		broken: 'The connection broke, or the answer was not complete in time.',
		tooLarge: 'The answer is larger than allowed.',
		notCarriedOut: `The request failed within n8n, for a reason that does not say whether it was sent.`,
		interrupted: 'n8n stopped the run during the call, or was killed during it.',
		unexpected: 'Anything else during the call: a bug of the package.',
		unreadable: `HTTP 200 with an answer that cannot be read, or that contains something other than expected. Also one whose file n8n cannot store.`,
		unconfirmed:
			'The service answered, and its answer or the records that it has do not confirm the write.',
		revokedInPart: 'Only some of the tokens were revoked.',
	},
	applied: {
		differs: 'The write was applied, and the service has other values when they are read again.',
	},
} as const;

/** Whether a write whose call failed was applied, as far as is known. */
export type WriteOutcome = keyof typeof failureKinds;

/** What is known of a write that an earlier try or run of the node sent. */
export type EarlierOutcome = Exclude<WriteOutcome, 'notApplied'>;

export type FailureKind = {
	[O in WriteOutcome]: keyof (typeof failureKinds)[O];
}[WriteOutcome];

/** Whether a write that failed in this way was applied, as far as is known. */
export const outcomes = Object.fromEntries(
	Object.entries(failureKinds).flatMap(([outcome, kinds]) =>
		Object.keys(kinds).map((kind) => [kind, outcome]),
	),
) as Readonly<Record<FailureKind, WriteOutcome>>;

/** The kinds of failure that may pass: the same call may succeed later, unchanged. */
const transientKinds = new Set<FailureKind>([
	...(['unreached', 'broken', 'busy', 'unavailable', 'serverError', 'faultUnclear'] as const),
]);

/** The kinds of failure that a SOAP fault reports in its own words. */
export const faultKinds = new Set<FailureKind>(['faultCoded', 'faultRefused', 'faultUnclear']);

/** The statuses of HTTP for a request that is turned away before it is carried out. */
const REFUSALS = new Set([403, 404, 405, 407, 413, 415]);

/**
 * Returns the kind of failure for the HTTP status of a response. The rules are those of HTTP:
 * docs/dev/interface.md, section 7 specifies no status.
 *
 * @param hasRetryAfter whether the response has a `Retry-After` header
 */
export function kindOfStatus(status: number, hasRetryAfter: boolean): FailureKind {
	if (status === 200) return 'unreadable';
	if (status < 300) return 'notSuccess';
	if (status < 400) return 'redirect';
	if (status === 401) return 'tokenRejected';
	if (status === 429) return 'busy';
	if (REFUSALS.has(status)) return 'statusRefusal';
	if (status < 500) return 'clientError';
	return status === 503 && hasRetryAfter ? 'unavailable' : 'serverError';
}

/** What else is known of a failure. */
export interface ErrorFields {
	/** HTTP status of the response, if there was one. */
	readonly httpStatus?: number | undefined;
	/** The service's own error code, for example `2011`. */
	readonly serviceCode?: string | undefined;
	/** Additional text from the service, for the error's details. */
	readonly details?: string | undefined;
	/** Whether the same call may succeed later, unchanged. Default: by its kind. */
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
	Partial<Pick<ServiceError, 'code' | 'description' | 'kind' | 'message'>>;

/**
 * A call that failed at the payroll service, at the identity server or on the way to either. Its
 * texts are for the builder: they contain no header, token, key or address of the request. The
 * functions beside this class make all of them.
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
	 * @param kind the kind of failure; decides the outcome of a write, see {@link outcomes}
	 * @param message the title
	 * @param description what the builder can do about the failure
	 */
	constructor(
		readonly code: string,
		readonly kind: FailureKind,
		message: string,
		description?: string,
		fields: ErrorFields = {},
	) {
		super(beginning(message, MAX_TEXT), 'cause' in fields ? { cause: fields.cause } : {});
		this.httpStatus = fields.httpStatus;
		this.serviceCode = fields.serviceCode;
		this.description = description && beginning(description, MAX_TEXT);
		this.details = fields.details && beginning(fields.details, MAX_TEXT);
		this.isTransient = fields.isTransient ?? transientKinds.has(kind);
		this.isQuote = fields.isQuote ?? false;
		this.isRecalled = fields.isRecalled ?? false;
	}

	/** Whether a write that failed with this error was applied, as far as is known. */
	get outcome(): WriteOutcome {
		return outcomes[this.kind];
	}

	/** Returns a copy of the error, without its cause, that differs in some fields. */
	with(changes: ErrorChanges): ServiceError {
		const { code, kind, message, description, ...fields } = {
			...this,
			message: this.message,
			...changes,
		};
		return new ServiceError(code, kind, message, description, fields);
	}
}

/** The title and the advice of an error, and what else is known of each such failure. */
type Words = readonly [title: string, advice: string, fields?: ErrorFields];

/**
 * Defines an error.
 *
 * @returns a function that makes the error, with the same parameters as `words`
 */
export function define<A extends readonly unknown[]>(
	code: string,
	kind: FailureKind,
	words: (...values: A) => Words,
): (...values: A) => ServiceError {
	return (...values) => new ServiceError(code, kind, ...words(...values));
}

/** Returns what was thrown as a text. */
export function messageOf(thrown: unknown): string {
	const { message = String(thrown) } = Object(thrown) as { readonly message?: string };
	return message;
}

/** Returns the error for one that nobody expected: a bug of this package. It is the cause. */
export function unexpected(cause: unknown): ServiceError {
	const title = `Unexpected error: ${messageOf(cause)}`;
	const advice =
		'This is a bug of the node, please report it. If n8n logs errors, its log has the details.';
	return new ServiceError('UNEXPECTED', 'unexpected', title, advice, { cause });
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
