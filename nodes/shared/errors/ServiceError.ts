import { fill, texts, type Template, type Text, type Values } from './catalogue';
import { outcomes, type FailureKind, type WriteOutcome } from './outcomes';

export { fill, texts };
export type { Text };

export interface ServiceErrorFields {
	/** What the builder can do about the failure. */
	readonly description?: Text | undefined;
	/** HTTP status of the response, if there was one. */
	readonly httpStatus?: number | undefined;
	/** The service's own error code, for example `2011`. */
	readonly serviceCode?: string | undefined;
	/** Additional text from the service, for the error's details. */
	readonly details?: string | undefined;
	/** Whether the failure is transient: the same call may succeed later, unchanged. */
	readonly isTransient?: boolean;
	/** Whether an earlier try of the run failed with it, and not this one. */
	readonly isRecalled?: boolean;
	/** The error that nobody expected. */
	readonly cause?: unknown;
}

/**
 * A call that failed at the payroll service, at the identity server or on the way to either. Its
 * texts are for the builder: they contain no header, token, key or address of the request.
 */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';
	declare readonly message: Text;
	readonly description: Text | undefined;
	readonly httpStatus: number | undefined;
	readonly serviceCode: string | undefined;
	readonly details: string | undefined;
	readonly isTransient: boolean;
	readonly isRecalled: boolean;

	/** @param kind the kind of failure; decides the outcome of a write, see {@link outcomes} */
	constructor(
		readonly kind: FailureKind,
		message: Text,
		fields: ServiceErrorFields = {},
	) {
		super(message, 'cause' in fields ? { cause: fields.cause } : {});
		this.description = fields.description;
		this.httpStatus = fields.httpStatus;
		this.serviceCode = fields.serviceCode;
		this.details = fields.details;
		this.isTransient = fields.isTransient ?? false;
		this.isRecalled = fields.isRecalled ?? false;
	}

	/** Whether a write that failed with this error was applied, as far as is known. */
	get outcome(): WriteOutcome {
		return outcomes[this.kind];
	}
}

/** A case of the catalogue of one kind. */
export interface Failure<K extends FailureKind, T extends string, A extends string> {
	readonly kinds: readonly [K];
	readonly title: Template<T>;
	readonly advice: Template<A>;
}

/** Returns the error of a case of the catalogue. */
export function failure<T extends string, A extends string>(
	{ kinds: [kind], title, advice }: Failure<FailureKind, T, A>,
	...[values, fields]: [...Values<A | T>, fields?: ServiceErrorFields]
): ServiceError {
	const given: unknown = [values];
	const description = fill(advice, ...(given as Values<A>));
	return new ServiceError(kind, fill(title, ...(given as Values<T>)), { description, ...fields });
}

/** Returns the error for one that nobody expected: a bug of this package. It is the cause. */
export function unexpected(error: unknown): ServiceError {
	const { message = String(error) } = Object(error) as { readonly message?: string };
	return failure(texts.invalid.unexpected, { message }, { cause: error });
}

/** The user cancelled the run. Nothing further is sent. */
export class CancelledError extends Error {
	override readonly name = 'CancelledError';

	/** @param outcome whether a write in flight was applied; by default, no write was in flight */
	constructor(readonly outcome: WriteOutcome = 'notApplied') {
		super(texts.invalid.cancelled.title);
	}
}
