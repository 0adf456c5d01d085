import { beginning } from './words';
import { outcomes, transientKinds, type FailureKind, type WriteOutcome } from './outcomes';

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
